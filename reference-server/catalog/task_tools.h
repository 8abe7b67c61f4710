// Tools that may, or must, go on as tasks: the fixtures of the official conformance suite for the
// Tasks extension.
#pragma once

#include <vector>

#include "catalog/tool.h"

namespace assay::reference {

std::vector<Tool> TaskTools();

}  // namespace assay::reference
