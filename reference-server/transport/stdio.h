// One connection over standard input and output: newline-delimited messages, nothing else on
// stdout.
//
// Input may be a pipe, a socket, a terminal or a file. Output never blocks the loop: what the
// reader does not take waits in memory, and beyond a bound the server stops reading until it is
// taken.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "era/wire.h"
#include "transport/line_reader.h"
#include "transport/stdio_settings.h"

namespace assay::reference {

/// Puts /dev/null where stdin, stdout or stderr is closed, lest something else gets its number. To
/// be called before anything is opened.
void OpenMissingStreams();

class StdioTransport : public MessageSink {
 public:
  StdioTransport(boost::asio::io_context& loop, const StdioSettings& settings);
  ~StdioTransport() override;
  StdioTransport(const StdioTransport&) = delete;
  StdioTransport& operator=(const StdioTransport&) = delete;

  /// Serves until the end of input, SIGTERM, SIGINT, or the end of the reader.
  void Run(LineHandler& handler);

  void Send(OutgoingMessage message) override;

  /// Writes what the reader takes without waiting.
  void Flush();

 private:
  static constexpr std::size_t kChunk = std::size_t{64} << 10U;

  void WaitForInput();
  void ReadChunk();
  void EndInput();
  void End();
  void WaitForRoom();
  void WatchOutput();
  void OutputClosed();
  void StopWhenWritten();

  boost::asio::io_context& loop_;
  StdioSettings settings_;
  boost::asio::posix::stream_descriptor input_;
  boost::asio::posix::stream_descriptor output_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer timer_;
  LineHandler* handler_ = nullptr;
  std::optional<LineReader> reader_;
  int output_flags_ = 0;

  std::string pending_;
  std::size_t written_ = 0;  // of pending_
  bool in_chunk_ = false;
  bool flush_posted_ = false;
  bool waiting_for_room_ = false;
  bool paused_ = false;
  bool input_ended_ = false;
  std::array<char, kChunk> chunk_;
};

}  // namespace assay::reference
