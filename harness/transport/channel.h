// A channel to one server: messages in both directions, and what becomes of the server. A channel
// is not a pipe: over HTTP it is a client with many connections.
// Coverage: what only the other transport does is empty here, and nobody calls it.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "message/http_message.h"
#include "transcript/transcript.h"
#include "transport/loop.h"

namespace assay {

// Something that a channel reports to its listener, in the order in which it happened.
struct ChannelEvent {
  Entry::Direction direction = Entry::Direction::kEvent;  // kIn, kError or kEvent
  Entry::Event event = Entry::Event::kNone;
  std::string bytes;       // kIn: one line, or one HTTP message; kError: a chunk; kEvent: what
                           // happened, in words
  bool terminated = true;  // kIn: the line ended with a newline
  int exit_code = -1;
  int signal = 0;
  // Over HTTP: which of our requests it answers, as Request() numbered them; 0 = none. And the head
  // of that answer, once it is there.
  int exchange = 0;
  std::shared_ptr<const HttpHead> head = nullptr;
};

class Channel {
 public:
  virtual ~Channel() = default;

  // From now on everything goes to `listener`; what came before is delivered at once.
  virtual void Listen(std::function<void(ChannelEvent)> listener) = 0;
  virtual bool speaks_http() const { return false; }
  // Over HTTP: path and query of the server's URL.
  virtual std::string path() const { return ""; }

  // Over stdio. Queues `bytes`; never blocks, whether or not the server reads. Lost once the server
  // is gone.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): whoever implements it keeps it
  virtual void Write(std::string /*bytes*/) {}
  // Over stdio. Closes the server's input when all that was queued is written.
  virtual void CloseInput() {}

  // Over HTTP. Sends a request, beside all others that are under way, and returns its number. What
  // comes of it is told by events with that number: kHttpHead; a kIn for each message (the body as
  // a whole, or the data of each event of a stream); kHttpNoData for an event without; after either
  // kHttpEventId, if the event has an id; kHttpRetry; kHttpBody when the body is no message; and at
  // the end kHttpEnd, always.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): whoever implements it keeps it
  virtual int Request(HttpRequest /*request*/) { return 0; }
  // Over HTTP. Breaks the connection that carries the request; nothing more is told of it but its
  // kHttpEnd.
  virtual void Drop(int /*exchange*/) {}

  virtual void Signal(int signal) = 0;
  // What the server's processes take of memory now, in bytes; 0 where that is not to be seen.
  virtual std::size_t ResidentBytes() const { return 0; }
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
