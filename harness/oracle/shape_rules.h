// The shape of results, notifications and requests of the server. The shapes say where a value does
// not fit; the tables here say which requirement that breaks.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> ShapeRules();

}  // namespace assay::oracle
