// A recorded session -> a case that does the same again.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/case.h"

namespace assay {

// A line that a client and a server exchanged, in the order in which they were read.
struct RecordedLine {
  bool from_client = false;
  std::string text;
};

struct RecordedCase {
  Case test_case;
  // Places of what looked like a secret in what the client sent ("steps/2:
  // params/arguments/token"); it is not in the case.
  std::vector<std::string> left_out;
};

// The case `suite`/`id`: the client's messages, and for each answer that it is like the recorded
// one (record/loosen.h), proving C-RECORDED. What the client took from an answer (a task id, a
// cursor, a request state) is taken from the new answer. What overlapped overlaps again. Nothing
// when no request was answered, besides `initialize`.
std::optional<RecordedCase> CaseOf(const std::vector<RecordedLine>& lines, const std::string& suite,
                                   const std::string& id);

}  // namespace assay
