// What a modern server makes of the envelope: a bad one is refused with the right code, a good one
// is not refused for its version.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> EnvelopeRules();

}  // namespace assay::oracle
