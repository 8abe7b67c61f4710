// Modern subscriptions: acknowledged first, tagged always, nothing that was not asked for
// (2026-07-28, basic/patterns/subscriptions).

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> SubscriptionRules();

}  // namespace assay::oracle
