#include "transport/stdio.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <csignal>
#include <utility>

namespace assay::reference {

namespace asio = boost::asio;
using asio::posix::stream_descriptor;
using boost::system::error_code;

void OpenMissingStreams() {
  int descriptor = 0;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) {
    descriptor = ::open("/dev/null", O_RDWR);  // the lowest number that is free
  }
  if (descriptor >= 0) ::close(descriptor);
}

StdioTransport::StdioTransport(asio::io_context& loop, const StdioSettings& settings)
    : loop_(loop),
      settings_(settings),
      input_(loop, STDIN_FILENO),
      output_(loop, STDOUT_FILENO),
      signals_(loop, SIGTERM, SIGINT),
      timer_(loop) {
  // A reader that went away is reported by write, not by a signal.
  std::signal(SIGPIPE, SIG_IGN);
  output_flags_ = ::fcntl(STDOUT_FILENO, F_GETFL);
  ::fcntl(STDOUT_FILENO, F_SETFL, output_flags_ | O_NONBLOCK);
}

StdioTransport::~StdioTransport() {
  // Others may share what stdout is: leave it as it was found, and open.
  ::fcntl(STDOUT_FILENO, F_SETFL, output_flags_);
  input_.release();
  output_.release();
}

void StdioTransport::Run(LineHandler& handler) {
  handler_ = &handler;
  reader_.emplace(handler, settings_.longest_line);
  signals_.async_wait([this](const error_code& failed, int) {
    if (!failed && settings_.exits_on_signals) End();
  });
  WatchOutput();
  handler.HandleStart();
  WaitForInput();
  loop_.run();
}

void StdioTransport::WaitForInput() {
  if (input_ended_) return;
  if (pending_.size() - written_ > settings_.most_pending_output) {
    paused_ = true;
    return;
  }
  input_.async_wait(stream_descriptor::wait_read, [this](const error_code& failed) {
    // Files cannot be waited for: they are always ready.
    if (!failed || failed == asio::error::operation_not_supported) ReadChunk();
  });
}

void StdioTransport::ReadChunk() {
  if (input_ended_) return;
  const ssize_t count = ::read(STDIN_FILENO, chunk_.data(), chunk_.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return WaitForInput();
  if (count <= 0) return EndInput();
  in_chunk_ = true;
  reader_->Feed({chunk_.data(), static_cast<std::size_t>(count)});
  in_chunk_ = false;
  Flush();
  WaitForInput();
}

void StdioTransport::EndInput() {
  input_ended_ = true;
  in_chunk_ = true;
  reader_->Finish();
  in_chunk_ = false;
  Flush();
  if (!settings_.exits_at_end_of_input) return;
  if (handler_->Idle()) return End();
  timer_.expires_after(settings_.grace);
  timer_.async_wait([this](const error_code& cancelled) {
    if (!cancelled) End();
  });
}

void StdioTransport::End() {
  if (handler_ == nullptr) return;
  std::exchange(handler_, nullptr)->HandleEnd();
  input_ended_ = true;
  Flush();
  timer_.expires_after(settings_.drain);
  timer_.async_wait([this](const error_code& cancelled) {
    if (!cancelled) loop_.stop();
  });
  StopWhenWritten();
}

void StdioTransport::StopWhenWritten() {
  if (handler_ == nullptr && pending_.empty()) loop_.stop();
}

void StdioTransport::Send(OutgoingMessage message) {
  pending_ += message.bytes;
  if (in_chunk_ || std::exchange(flush_posted_, true)) return;
  // Outside a chunk (a timer fired): everything of this turn goes out in one write.
  asio::post(loop_, [this] {
    flush_posted_ = false;
    Flush();
    if (input_ended_ && settings_.exits_at_end_of_input && handler_ != nullptr && handler_->Idle())
      End();
  });
}

void StdioTransport::Flush() {
  while (!waiting_for_room_ && written_ < pending_.size()) {
    const ssize_t count =
        ::write(STDOUT_FILENO, pending_.data() + written_, pending_.size() - written_);
    if (count >= 0) {
      written_ += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      WaitForRoom();
    } else if (errno != EINTR) {
      return OutputClosed();
    }
  }
  if (written_ == pending_.size()) {
    pending_.clear();
    written_ = 0;
  }
  StopWhenWritten();
}

void StdioTransport::WaitForRoom() {
  waiting_for_room_ = true;
  output_.async_wait(stream_descriptor::wait_write, [this](const error_code& failed) {
    waiting_for_room_ = false;
    if (failed) return OutputClosed();
    Flush();
    const bool room = pending_.size() - written_ <= settings_.most_pending_output;
    if (room && std::exchange(paused_, false)) WaitForInput();
  });
}

void StdioTransport::WatchOutput() {
  output_.async_wait(stream_descriptor::wait_error, [this](const error_code& failed) {
    if (failed) return;  // a file, or the end
    pollfd state{STDOUT_FILENO, 0, 0};
    ::poll(&state, 1, 0);
    if ((state.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return OutputClosed();
    WatchOutput();
  });
}

void StdioTransport::OutputClosed() {
  // Nobody will ever read what is pending.
  pending_.clear();
  written_ = 0;
  loop_.stop();
}

}  // namespace assay::reference
