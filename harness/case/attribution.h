// Cases that are about what the oracle judges: found by a generator, not written to prove a point.

#pragma once

#include <string>
#include <vector>

#include "case/case.h"

namespace assay {

// Makes `test_case` name `requirement`. Where no step is for it already, the answer to the last
// request that must have one is what it is judged by, whatever that answer is: the oracle's rule
// sees the whole exchange. `at`: the step it was found at, as in a finding ("steps/2"), preferred
// where it is such a request.
void Attribute(Case& test_case, const std::string& requirement, const std::string& at);

// The requirements that the steps are for, each once, in their order.
std::vector<std::string> RequirementsOf(const std::vector<Step>& steps);

}  // namespace assay
