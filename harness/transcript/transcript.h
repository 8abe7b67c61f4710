// What went over the wire in one exchange: every message both ways, what the server wrote to
// stderr, and what happened to its process, in order.

#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "case/case.h"
#include "message/http_message.h"
#include "message/message.h"

namespace assay {

struct Entry {
  enum class Direction {
    kOut,    // written to the server
    kIn,     // one line from the server
    kError,  // a chunk of the server's stderr
    kEvent,  // something that happened; `bytes` says it in words
  };
  enum class Event {
    kNone,
    kStarted,
    kNotStarted,    // the server's command could not be run
    kInputClosed,   // we closed the server's stdin
    kOutputClosed,  // the server closed its stdout
    kExited,        // the process ended by itself; exit_code or signal
    kKilled,        // we ended it
    kHang,          // a fence was not answered either: the server is stuck
    kDropped,       // a fence was answered, the request still was not: `message` is that request
    kOverlongLine,  // a line passed the limit and was cut
    kFlood,         // output passed the limit; reading stopped
    kOrphans,       // processes of the server's group were left after it ended
    kStep,          // a step of the case begins; `step` says which
    kMemory,        // a repetition has come so far: the server's processes take `memory`
    kHttpHead,      // the status line and fields of an HTTP answer are there
    kHttpBody,      // the body of an HTTP answer that is no message, in `bytes`
    kHttpNoData,    // an event of a stream has no data
    kHttpEventId,   // the event before it, with data or without, has the id `bytes`
    kHttpRetry,     // a stream says how long to wait before it is asked for again
    kHttpEnd,       // an HTTP answer has ended; `bytes` says why if it ended badly, else ""
  };

  std::chrono::microseconds at{0};  // since the exchange began
  std::string connection;           // main, or the name given by `connect`
  Direction direction = Direction::kOut;
  Event event = Event::kNone;
  std::string bytes;       // a message without the newline that ends it; or the words of an event
  Message message;         // of kIn, and of kOut where it is a whole line
  std::string step;        // e.g. steps/2: which step sent or awaited it, "" when none did
  int exit_code = -1;      // kExited: -1 when it died by a signal
  int signal = 0;          // kExited
  std::size_t memory = 0;  // kMemory: bytes
  bool unterminated = false;  // no newline after it: kIn: the stream ended; kOut: more may follow
  bool by_harness =
      false;  // kOut: sent by the engine itself (handshake, fence, answer), not by a step

  // Over HTTP: which request it is, or belongs to, counted from 1 in each connection.
  int exchange = 0;
  std::shared_ptr<const HttpRequest> request = nullptr;  // kOut
  std::shared_ptr<const HttpHead> head = nullptr;        // kIn and kHttp…: of the answer it is in
};

struct Transcript {
  std::set<std::string> over_http;  // names of connections; the others are over stdio
  Era era = Era::kNone;             // how the case opens its connections
  std::string revision;             // the revision under test; "" with era none
  Json client_capabilities;         // what the client declares
  // The same transcript of a connection that other exchanges share holds only this exchange's part.
  bool shared = false;
  // The server is known not to speak the modern era: nothing it says to a modern request is judged
  // by the rules of that era.
  bool legacy_only = false;
  // The tools that the server listed before, in each era: null where that is not known. Whoever
  // fills this in keeps them alive as long as the transcript is judged.
  const Json* legacy_tools = nullptr;
  const Json* modern_tools = nullptr;
  std::deque<Entry> entries;  // references stay good while it grows

  // Where the HTTP request sent at `entry` ended; nothing while it is under way.
  std::optional<std::size_t> HttpEnd(std::size_t entry) const {
    const Entry& sent = entries[entry];
    for (std::size_t i = entry + 1; i < entries.size(); ++i) {
      if (entries[i].event == Entry::Event::kHttpEnd && entries[i].exchange == sent.exchange &&
          entries[i].connection == sent.connection) {
        return i;
      }
    }
    return std::nullopt;
  }
};

}  // namespace assay
