// What a server made of what it was sent: the feedback of a campaign. It says what an answer is
// like, never what is in it, so that it does not depend on time and chance.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "transcript/transcript.h"

namespace assay {

struct Observation {
  std::size_t step = 0;   // of the case
  std::string method;     // of what was sent; "-" where there is none
  std::string signature;  // of the answer: result {content,isError}, error -32602, nothing, ...
  std::string before;     // what state the server seemed to be in: modern, legacy +task, ...
  std::string after;
};

// One for each thing that a step sent on the main connection, in that order, whatever the order of
// the answers was. Answers that name no request are taken for those to lines that have no id.
std::vector<Observation> Observe(const Transcript& transcript);

// What there is to see in `message`, without its values.
std::string AnswerSignature(const Message& message);

}  // namespace assay
