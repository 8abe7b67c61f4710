// A small client, for people who want to drive a server by hand: it opens a connection in one era,
// lists or calls a tool, and answers what it is asked.

#pragma once

#include <optional>
#include <string>

#include "case/case.h"
#include "message/json.h"
#include "runner/run_settings.h"
#include "transcript/transcript.h"

namespace assay {

struct CallSettings {
  RunSettings run;       // the server, and how long an answer may take
  Era era = Era::kNone;  // kNone: modern, and where that is not served legacy
  std::string tool;      // "" = list the tools
  Json arguments = Json::Object();
  // The answer to whatever the server asks the user: an ElicitResult.
  Json elicited = Json::Object({{"action", Json::String("decline")}});
};

struct Called {
  Transcript transcript;
  Era era = Era::kNone;  // in which it was called; kNone: the server speaks none of those wanted
  // The tools, all pages of them, or the result of the call; nothing when it failed.
  std::optional<Json> result;
  std::string why_not;  // in words, when there is no result
};

// Blocks until the answer is there.
//  - modern (2026-07-28, basic/patterns/mrtr): an `input_required` result is answered by calling
//    again, with the request state.
//  - legacy (2025-11-25, client/elicitation): elicitation/create is answered while the call is
//  open.
// Only questions to the user and for roots (there are none) are answered.
Called CallTool(const CallSettings& settings);

}  // namespace assay
