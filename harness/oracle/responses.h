// What answers what: every request once, with its own id, and nothing else at all.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> ResponseRules();

}  // namespace assay::oracle
