// The legacy session: nothing before initialize, requests of the server only as negotiated,
// features only as declared (basic/lifecycle and the pages of the features).

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> LegacyRules();

}  // namespace assay::oracle
