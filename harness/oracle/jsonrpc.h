// The form of every message: JSON-RPC 2.0 as MCP narrows it (basic § Messages).

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> JsonRpcRules();

}  // namespace assay::oracle
