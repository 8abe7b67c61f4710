// A channel to one server: messages in both directions, and what becomes of the server. A channel
// is not a pipe: over HTTP it will be a client with many connections.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exchange/transcript.h"
#include "transport/loop.h"

namespace assay {

// Something that a channel reports to its listener, in the order in which it happened.
struct ChannelEvent {
  Entry::Direction direction = Entry::Direction::kEvent;  // kIn, kError or kEvent
  Entry::Event event = Entry::Event::kNone;
  std::string bytes;       // kIn: one line; kError: a chunk; kEvent: what happened, in words
  bool terminated = true;  // kIn: the line ended with a newline
  int exit_code = -1;
  int signal = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;

  // From now on everything goes to `listener`; what came before is delivered at once.
  virtual void Listen(std::function<void(ChannelEvent)> listener) = 0;
  // Queues `bytes`; never blocks, whether or not the server reads. Lost once the server is gone.
  virtual void Write(std::string bytes) = 0;
  // Closes the server's input when all that was queued is written.
  virtual void CloseInput() = 0;
  virtual void Signal(int signal) = 0;
  // The server has ended, and all it wrote was delivered.
  virtual bool ended() const = 0;
  // Waits until ended() or `deadline`.
  virtual Task<bool> Ended(Clock::time_point deadline) = 0;
  // Ends the server: closes its input, waits `grace`, then terminates it, then kills it and all of
  // its descendants. Returns when nothing of it is left.
  virtual Task<void> Shutdown(std::chrono::milliseconds grace) = 0;
};

// How to start a server on this machine.
struct Command {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // added to our own
};

// Bounds on what a server may make us keep.
struct ChannelLimits {
  std::size_t line = std::size_t{8} << 20;  // bytes of one line; a longer one is cut
  // Bytes of stdout that nobody asked for, about, each line with what it takes to keep it; then the
  // server is ended. Every message to the server allows for more.
  std::size_t output = std::size_t{16} << 20;
  std::size_t stderr_head = std::size_t{64} << 10;  // bytes of stderr kept from its start,
  std::size_t stderr_tail = std::size_t{16} << 10;  // and from its end
};

}  // namespace assay
