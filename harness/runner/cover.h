// Each requirement once: the part of a plan that still judges all that the whole plan judges.

#pragma once

#include <vector>

#include "case/requirement.h"
#include "runner/plan.h"

namespace assay {

// Leaves out runs as long as every requirement of `plan`, at every revision at which it is in force
// there, is still proved by one of those that stay, and prefers those that take few messages. Runs
// that are skipped stay, for they say why. Keeps the order.
std::vector<PlannedRun> EachRequirementOnce(std::vector<PlannedRun> plan,
                                            const Catalogue& catalogue);

}  // namespace assay
