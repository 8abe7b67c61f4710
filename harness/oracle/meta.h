// _meta of whatever the server sends: keys that follow the grammar and keep off the reserved
// prefixes (basic § _meta); and icons and annotations, which also occur everywhere.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> MetaRules();

}  // namespace assay::oracle
