// Whether an answer is what an expectation asks for.

#pragma once

#include <optional>
#include <string>

#include "case/case.h"
#include "message/http_message.h"
#include "message/matcher.h"
#include "message/message.h"
#include "message/template.h"

namespace assay {

struct Disagreement {
  std::string message;  // "error/code: expected -32022, got -32601"
  Json expected;
  std::optional<Json> actual;  // nothing when there was no answer
  // The answer was of another kind than wanted (an error for a result, no answer at all), so
  // nothing more can be said of it.
  bool of_kind = false;
};

// How the answer came over HTTP.
struct HttpReply {
  int status = 0;  // 0: the connection ended before any
  // Names and the media type in lower case; a repeated one's values joined by ", ".
  Json headers = Json::Object();
  std::string body;
};
HttpReply ReplyOf(const HttpHead* head, std::string body);

// `answer` null = there was none. `http` null = not over HTTP: then what is expected of status,
// headers and body holds. Patterns are filled in with `lookup`; throws UnknownVariable.
std::optional<Disagreement> Judge(const Expectation& expectation, const Message* answer,
                                  const Lookup& lookup, const MatchContext& context,
                                  const HttpReply* http = nullptr);

bool AcceptsNothing(const Expectation& expectation);
bool AcceptsAnswer(const Expectation& expectation);

}  // namespace assay
