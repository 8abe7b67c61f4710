// Tools that cannot go on without an answer from the client: the fixtures for elicitation, sampling
// and roots, most of them named by the official conformance suite.
#pragma once

#include <vector>

#include "catalog/tool.h"

namespace assay::reference {

std::vector<Tool> AskingTools();

}  // namespace assay::reference
