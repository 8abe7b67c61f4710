// Requests that never got an answer, and what became of the process that owed it.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> ProcessRules();

}  // namespace assay::oracle
