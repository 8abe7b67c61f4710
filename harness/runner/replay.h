// What became of a saved failure: the outcome of running its case once more.

#pragma once

#include <string>

#include "reports/report.h"

namespace assay {

struct Replayed {
  enum class State {
    kFixed,   // the case ran through, and what it is about does not show
    kFailed,  // it shows again, or something else that counts
    kError,   // the case could not be run here: nothing is known
  };
  State state = State::kFixed;
  std::string why;  // of kFailed and kError, in words
};

// `report` says which findings count (reports/exit_code.h).
Replayed JudgeReplay(const Result& result, const Report& report);

std::string_view ToString(Replayed::State state);  // FIXED | FAILED | ERROR

}  // namespace assay
