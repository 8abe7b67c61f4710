// What HTTP adds: the status, type and order of what comes back on each request.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> HttpRules();

}  // namespace assay::oracle
