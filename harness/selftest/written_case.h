// What the tests of explore and fuzz have in common: what was found is written, and runs again; and
// no scripted case finds it.

#pragma once

#include <string>
#include <vector>

#include "reports/report.h"

namespace assay {

// What the case file `text`, which must hold one good case, gives on `command`.
Result RunWritten(const std::string& text, const std::vector<std::string>& command);

// That every built-in case passes, or is skipped, on the reference server with these arguments.
void ExpectHidden(const std::vector<std::string>& arguments);

// A fault's name as that of a test.
std::string TestName(std::string fault);

}  // namespace assay
