// The life of tasks as it shows in a transcript: legacy tasks of 2025-11-25, and the extension
// io.modelcontextprotocol/tasks of the modern era.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> TaskRules();

}  // namespace assay::oracle
