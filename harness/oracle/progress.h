// Progress: only for a token in flight, strictly upwards, and over when the request is
// (basic/utilities/progress).

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> ProgressRules();

}  // namespace assay::oracle
