// Error responses: which codes an era allows, and what the errors that the specification defines
// carry with them.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> ErrorRules();

}  // namespace assay::oracle
