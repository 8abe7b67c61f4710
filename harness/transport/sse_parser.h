// Reads a stream of Server-Sent Events (HTML Standard § 9.2.6, "Interpreting an event stream"),
// however it is cut into pieces, within bounds. Bytes stay as they are: whether they are UTF-8 is
// for the judge to say.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

class SseParser {
 public:
  struct Event {
    std::string type;                              // "" when the stream names none: a message
    std::string data;                              // its lines with LF between them
    std::optional<std::string> id = std::nullopt;  // its own
  };
  struct Sink {
    // An event with at least one data field, at the blank line that ends it.
    std::function<void(Event event)> event;
    // An event passed the limit: its head. The rest of it is dropped.
    std::function<void(std::string head)> overlong;
  };

  // Events that take more than `max_event` bytes are cut.
  SseParser(std::size_t max_event, Sink sink) : max_event_(max_event), sink_(std::move(sink)) {}

  void Feed(std::string_view bytes);
  // The stream has ended: whether it did in mid event. Such an event is dropped.
  bool EndsInMidEvent() const;

  // The id that the last whole event left, "" for none.
  const std::string& last_event_id() const { return last_event_id_; }
  // How long the server wants us to wait before we ask for the rest of a stream that broke off.
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  std::string_view WithoutByteOrderMark(std::string_view bytes);
  void Append(std::string_view piece);
  void EndLine();
  void TakeField(std::string_view name, std::string_view value);
  void Dispatch();

  const std::size_t max_event_;
  Sink sink_;
  std::size_t mark_seen_ = 0;  // bytes of a byte order mark at the start of the stream
  bool at_start_ = true;       // a byte order mark may still come
  bool after_return_ = false;  // a LF now belongs to the CR before it
  bool skipping_ = false;      // within an overlong event
  bool in_event_ = false;      // a field of the event was read
  std::string line_;
  std::string type_;
  std::string data_;     // each line with a LF after it
  std::string id_;       // becomes the last event id at the end of the event
  bool has_id_ = false;  // the event gave it
  std::string last_event_id_;
  std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace assay
