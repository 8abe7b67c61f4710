#include "transport/http_connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <utility>
#include <variant>

#include "transport/http_writer.h"

namespace assay::reference {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// What a client may send ahead of an answer. It is read only to notice that the client left.
constexpr std::size_t kMostReadAhead = std::size_t{64} << 10U;
/// No further request is begun while that much of earlier answers waits.
constexpr std::size_t kMostBacklog = std::size_t{1} << 20U;
/// After the last answer the client gets that long to hang up first: closing with unread input
/// would make its kernel drop the answer.
constexpr std::chrono::seconds kLinger(1);

}  // namespace

class HttpConnection::Reply : public HttpReply {
 public:
  Reply(std::weak_ptr<HttpConnection> connection, const HttpReader::Complete& request)
      : connection_(std::move(connection)),
        keeps_alive_(request.keeps_alive),
        takes_chunks_(request.takes_chunks),
        wants_body_(request.request.method != "HEAD") {}
  ~Reply() override;
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;

  void Respond(HttpResponse response) override;
  void Start(HttpResponse head) override;
  void Write(std::string bytes) override;
  void End() override;
  void OnGone(std::function<void()> gone) override { gone_ = std::move(gone); }

  /// The client went away. Not to be called from within the above.
  void Gone() {
    if (std::exchange(ended_, true) || !gone_) return;
    std::exchange(gone_, nullptr)();
  }

 private:
  std::weak_ptr<HttpConnection> connection_;
  bool keeps_alive_;
  bool takes_chunks_;
  bool wants_body_;
  bool ended_ = false;
  std::function<void()> gone_;
};

HttpConnection::Reply::~Reply() {
  if (ended_) return;
  if (const std::shared_ptr<HttpConnection> connection = connection_.lock()) connection->Close();
}

void HttpConnection::Reply::Respond(HttpResponse response) {
  const std::shared_ptr<HttpConnection> connection = connection_.lock();
  if (connection == nullptr || connection->is_closed_ || std::exchange(ended_, true)) return;
  std::string& out = connection->Output();
  AppendHead(out, response.status, response.headers, keeps_alive_);
  // RFC 9110 section 8.6: none with 204.
  if (response.status != 204) {
    AppendHeader(out, "Content-Length", std::to_string(response.body.size()));
  }
  out += "\r\n";
  if (wants_body_) out += response.body;
  connection->Finish(keeps_alive_);
}

void HttpConnection::Reply::Start(HttpResponse head) {
  const std::shared_ptr<HttpConnection> connection = connection_.lock();
  if (connection == nullptr || connection->is_closed_) return;
  if (takes_chunks_) {
    head.headers.push_back({"Transfer-Encoding", "chunked"});
  } else {
    keeps_alive_ = false;  // the end of the connection ends the body
  }
  std::string& out = connection->Output();
  AppendHead(out, head.status, head.headers, keeps_alive_);
  out += "\r\n";
}

void HttpConnection::Reply::Write(std::string bytes) {
  const std::shared_ptr<HttpConnection> connection = connection_.lock();
  if (ended_ || connection == nullptr || connection->is_closed_ || !connection->KeepsUp()) return;
  if (takes_chunks_) {
    AppendChunk(connection->Output(), bytes);
  } else {
    connection->Output() += bytes;
  }
}

void HttpConnection::Reply::End() {
  const std::shared_ptr<HttpConnection> connection = connection_.lock();
  if (connection == nullptr || connection->is_closed_ || std::exchange(ended_, true)) return;
  if (takes_chunks_) connection->Output() += kLastChunk;
  connection->Finish(keeps_alive_);
}

HttpConnection::HttpConnection(tcp::socket socket, std::shared_ptr<HttpConnections> all)
    : socket_(std::move(socket)),
      all_(std::move(all)),
      reader_(all_->settings.limits),
      timer_(all_->loop) {}

void HttpConnection::Start() {
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  NoteState();
  Tick();
  Read();
}

void HttpConnection::Refuse() {
  Fail(503);
  Start();
  Flush();
}

void HttpConnection::EndSoon() {
  if (is_busy_) return;
  is_ending_ = true;
  if (output_.empty() && writing_.empty()) return Close();
  Flush();
}

void HttpConnection::Close() {
  if (std::exchange(is_closed_, true)) return;
  error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
  if (const std::shared_ptr<Reply> reply = reply_.lock()) {
    asio::post(all_->loop, [reply] { reply->Gone(); });
  }
  all_->open.erase(shared_from_this());
  if (all_->stopping && all_->open.empty()) all_->loop.stop();
}

void HttpConnection::Read() {
  if (is_reading_ || is_closed_) return;
  if (is_busy_ && reader_.buffered() > kMostReadAhead) return;
  if (!is_lingering_ && Backlog() > kMostBacklog) return;
  is_reading_ = true;
  socket_.async_read_some(asio::buffer(input_),
                          [self = shared_from_this()](const error_code& failed, std::size_t count) {
                            self->is_reading_ = false;
                            if (self->is_closed_) return;
                            if (failed) return self->InputEnded();
                            if (!self->is_ending_) {
                              self->reader_.Feed({self->input_.data(), count});
                              self->Process();
                            }
                            self->Read();
                          });
}

void HttpConnection::InputEnded() {
  // Who closes the connection wants no answer any more; only what is on its way still goes out.
  if (is_busy_ || is_lingering_ || Backlog() == 0) return Close();
  is_ending_ = true;
}

void HttpConnection::Process() {
  if (is_closed_) return;
  is_processing_ = true;
  while (!is_busy_ && !is_ending_ && !is_closed_ && Backlog() <= kMostBacklog) {
    auto next = reader_.Next();
    if (auto* complete = std::get_if<HttpReader::Complete>(&next)) {
      Handle(std::move(*complete));
      continue;
    }
    if (const auto* broken = std::get_if<HttpReader::Broken>(&next)) {
      Fail(broken->status);
    } else if (reader_.TakeExpectation()) {
      output_ += "HTTP/1.1 100 Continue\r\n\r\n";
    }
    break;
  }
  is_processing_ = false;
  NoteState();
  Flush();
}

void HttpConnection::Handle(HttpReader::Complete complete) {
  is_busy_ = true;
  state_ = State::kNew;
  const auto reply = std::make_shared<Reply>(weak_from_this(), complete);
  reply_ = reply;
  all_->handler.Handle(std::move(complete.request), reply);
}

std::string& HttpConnection::Output() {
  FlushLater();
  return output_;
}

bool HttpConnection::KeepsUp() {
  if (Backlog() <= all_->settings.most_pending_output) {
    return true;
  }
  Close();
  return false;
}

void HttpConnection::Finish(bool keeps_alive) {
  is_busy_ = false;
  if (!keeps_alive || all_->stopping) is_ending_ = true;
  if (is_processing_) return;
  // Not at once: the caller need not be ready for the next request.
  asio::post(all_->loop, [self = shared_from_this()] {
    self->Process();
    self->Read();
  });
}

void HttpConnection::Fail(int status) {
  is_ending_ = true;
  AppendHead(output_, status, {{"Content-Length", "0"}}, false);
  output_ += "\r\n";
}

void HttpConnection::FlushLater() {
  if (is_processing_ || std::exchange(is_flush_posted_, true)) return;
  asio::post(all_->loop, [self = shared_from_this()] {
    self->is_flush_posted_ = false;
    self->Flush();
  });
}

void HttpConnection::Flush() {
  if (is_closed_ || is_writing_) return;
  if (output_.empty()) {
    if (is_ending_ && !is_busy_) Linger();
    return;
  }
  writing_.swap(output_);
  written_ = 0;
  Write();
}

void HttpConnection::Write() {
  is_writing_ = true;
  NoteState();
  socket_.async_write_some(
      asio::buffer(writing_.data() + written_, writing_.size() - written_),
      [self = shared_from_this()](const error_code& failed, std::size_t count) {
        self->is_writing_ = false;
        if (self->is_closed_) return;
        if (failed) return self->Close();
        self->Written(count);
      });
}

void HttpConnection::Written(std::size_t count) {
  written_ += count;
  state_ = State::kNew;  // there was progress: whatever comes next has its full time
  if (written_ < writing_.size()) return Write();
  writing_.clear();
  written_ = 0;
  // One large answer must not cost memory for as long as the connection lasts.
  if (writing_.capacity() > kMostBacklog) writing_.shrink_to_fit();
  NoteState();
  Flush();
  // What had to wait for room.
  if (!is_busy_ && !is_ending_ && reader_.buffered() > 0) Process();
  Read();
}

void HttpConnection::Linger() {
  if (std::exchange(is_lingering_, true)) return;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  NoteState();
  Read();
}

HttpConnection::State HttpConnection::CurrentState() const {
  if (is_lingering_) return State::kLingering;
  if (is_writing_) return State::kWriting;
  if (is_busy_) return State::kBusy;
  return reader_.in_request() ? State::kReading : State::kIdle;
}

void HttpConnection::NoteState() {
  const State state = CurrentState();
  if (std::exchange(state_, state) == state) return;
  const HttpServerSettings& settings = all_->settings;
  switch (state) {
    case State::kReading:
      return ExpireAfter(settings.request_time);
    case State::kWriting:
      return ExpireAfter(settings.stall_time);
    case State::kLingering:
      return ExpireAfter(kLinger);
    case State::kBusy:
      deadline_ = Clock::time_point::max();
      return;
    default:
      return ExpireAfter(settings.idle_time);
  }
}

void HttpConnection::Tick() {
  timer_.expires_at(std::min(deadline_, Clock::now() + std::chrono::seconds(1)));
  timer_.async_wait([weak = weak_from_this()](const error_code& cancelled) {
    const std::shared_ptr<HttpConnection> self = weak.lock();
    if (cancelled || self == nullptr || self->is_closed_) return;
    if (Clock::now() >= self->deadline_) self->OutOfTime();
    if (!self->is_closed_) self->Tick();
  });
}

void HttpConnection::OutOfTime() {
  if (state_ != State::kReading) return Close();
  Fail(408);
  Flush();
}

}  // namespace assay::reference
