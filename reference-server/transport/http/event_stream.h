// A stream of the legacy era: it outlives the connections that carry it, one after another
// (2025-11-25 basic/transports#resumability-and-redelivery).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/scheduler.h"
#include "transport/http/http_message.h"
#include "transport/http/sse.h"

namespace assay::reference {

/// The place of an event: `<stream>-<number>` on the wire, unique within a session.
struct EventId {
  std::uint64_t stream;
  std::uint64_t number;

  static std::optional<EventId> Parse(std::string_view text);
  std::string text() const;
};

class EventStream : public std::enable_shared_from_this<EventStream> {
 public:
  /// The scheduler must outlive the stream.
  EventStream(Scheduler& scheduler, std::uint64_t number)
      : scheduler_(scheduler), number_(number) {}

  std::uint64_t number() const { return number_; }
  bool is_carried() const { return carrier_.has_value(); }
  bool ended() const { return ended_; }

  /// Sends a message, or keeps it for the next carrier. What has no place any more pushes out the
  /// oldest.
  void Send(std::string_view message);

  /// Gives a new stream, or one that nobody carries, to a client that has not seen any of it. With
  /// `primed` it begins with an event that has an id and no data.
  void Open(std::shared_ptr<HttpReply> reply, bool primed, HttpHeaders headers = {});
  /// Gives the stream to a client that has seen it up to an event, and repeats what came after. A
  /// carrier that is still there is cut off.
  void Resume(std::shared_ptr<HttpReply> reply, std::uint64_t seen);

  /// Ends the connection and not the stream: the client shall come back for the rest.
  void BreakOff();
  /// Nothing follows.
  void End();

 private:
  struct Event {
    std::uint64_t number;
    std::string bytes;
  };

  void Carry(std::shared_ptr<HttpReply> reply, HttpHeaders headers);
  /// Gives a new carrier what waits for it, and the end if it is there.
  void CatchUp();
  void Deliver(std::string_view message);
  std::string NextId() { return EventId{number_, next_++}.text(); }

  Scheduler& scheduler_;
  std::uint64_t number_;
  std::uint64_t next_ = 0;
  std::optional<SseStream> carrier_;
  std::uint64_t carriers_ = 0;
  /// Events that had a carrier, to be repeated; messages that had none yet.
  std::deque<Event> sent_;
  std::size_t sent_size_ = 0;
  std::deque<std::string> waiting_;
  bool ended_ = false;
};

}  // namespace assay::reference
