// The always-on rules that judge any transcript, scripted or random. Pure: no I/O, no clock.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/finding.h"
#include "oracle/shape.h"
#include "transcript/transcript.h"

namespace assay {

// The name of a rule, the transport that it is about (any, stdio or http) and the requirements it
// may report, for `assay list --requirements`.
struct OracleRule {
  std::string_view name;
  std::string_view transport;
  std::vector<std::string_view> requirements;
};
const std::vector<OracleRule>& OracleRules();

// Every finding, in transcript order; each (requirement, message) once. `unjudged`, where given,
// gets what the rules looked at and could not judge.
std::vector<Finding> JudgeTranscript(const Transcript& transcript, const Shapes& shapes,
                                     std::vector<Unjudged>* unjudged = nullptr);

}  // namespace assay
