// Requests that were owed an answer and have none: to be asked again, with more patience.

#pragma once

#include <cstddef>
#include <vector>

#include "transcript/transcript.h"

namespace assay {

// The numbers of the steps that sent a request beyond doubt and saw no answer, though the server
// answered to the end. Tools may take their time, subscriptions last, and what was cancelled need
// not be answered: these are left out.
std::vector<std::size_t> UnansweredSteps(const Transcript& transcript);

}  // namespace assay
