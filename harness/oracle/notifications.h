// Which notifications a server may send, and when: log messages, cancellations, changes, and those
// that an era does not have.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> NotificationRules();

}  // namespace assay::oracle
