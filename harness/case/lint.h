// What is wrong with a case though each of its steps is well-formed.

#pragma once

#include <vector>

#include "case/case.h"
#include "case/place.h"

namespace assay {

// Appends: steps that cannot be reached, expectations of what the transport has not, waits that
// prove nothing, connections nobody opened, a `session` that cannot be had.
void LintCase(const Case& test_case, std::vector<InputError>* problems);

}  // namespace assay
