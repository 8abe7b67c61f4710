// What stands on stdout: one JSON-RPC message a line, in UTF-8, and nothing else
// (basic/transports § stdio).

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> FramingRules();

}  // namespace assay::oracle
