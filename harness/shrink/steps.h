// Simpler forms of one step of a case, for shrinking a list of steps (shrink.h).

#pragma once

#include <vector>

#include "case/case.h"

namespace assay {

// The simplest first: without what was put into its envelope, its HTTP request or its id; with
// fewer members in its params; with shorter texts. A text that is sent as it is loses stretches of
// itself, half of it first. Never another verb, never another method.
std::vector<Step> SimplerSteps(const Step& step);

}  // namespace assay
