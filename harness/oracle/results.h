// What every modern result says of itself: its type, how long it keeps, who made it, and what input
// it still needs (2026-07-28, basic § Responses, server/utilities/caching, basic/patterns/mrtr).

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> ResultRules();

}  // namespace assay::oracle
