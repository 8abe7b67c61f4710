// _meta of whatever the server sends: objects, with keys that follow the grammar and keep off the
// reserved prefixes (basic § _meta); and icons, which also occur everywhere.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> MetaRules();

}  // namespace assay::oracle
