// What the relay changes in the answers of a server over HTTP, beside their messages
// (variation.h):
//
//   data-lines       the data of events in several `data:` lines
//   comments         comments in event streams, and a byte order mark before the first event
//   keep-alives      comments and blank lines between events, and while there are none
//   event-fields     `event: message`, fields that nobody defined, no space after the colon
//   cr, crlf         other line ends in event streams
//   as-stream        a lone JSON response as an event stream
//   media-type       media types in mixed case, with parameters
//   field-case       names of fields in mixed case
//   more-fields      more fields, another reason phrase, an interim response before
//   chunks           chunks that end anywhere, with extensions and trailers, sent in small pieces
//   until-close      bodies that end with their connection
//   connection-close every answer ends its connection

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "message/http_message.h"
#include "testing/variation.h"

namespace assay {

// What matters of the request that is answered.
struct Asked {
  std::string http_method;
  std::string revision;  // MCP-Protocol-Version
  std::string method;    // of its message
};

// Writes one answer. Event streams go out event by event, other bodies whole.
class VariedAnswer {
 public:
  VariedAnswer(Variation& variation, Asked asked, std::function<void(std::string_view)> write)
      : variation_(variation), asked_(std::move(asked)), write_(std::move(write)) {}

  // The answer as it comes, without its framing.
  void Head(HttpHead head, const std::string& status_line);
  void Body(std::string_view piece);
  void End();
  // Nothing came for a moment.
  void Idle();

  // Whether the connection is to be closed after the end.
  bool closes() const { return closes_; }

 private:
  enum class Framing { kLength, kChunks, kClose };

  void SendHead(Framing framing);
  void SendWhole();
  void SendAsStream();
  void SendEvent(std::string_view lines);
  // A part of the body, framed.
  void SendBody(std::string_view piece);
  bool BecomesStream() const;
  // That `message` is of, as far as it is known.
  std::string Revision(const Json& message) const;
  void SetField(std::string_view name, const std::string& value);

  Variation& variation_;
  const Asked asked_;
  const std::function<void(std::string_view)> write_;
  HttpHead head_;
  std::string status_line_;
  Framing framing_ = Framing::kLength;
  std::string pending_;  // of the body, or of the event that is coming
  bool streams_ = false;
  bool any_event_ = false;
  bool closes_ = false;
};

}  // namespace assay
