// junit.xml, in the shape that Jenkins, GitLab and Surefire's schema know.

#pragma once

#include <ostream>

#include "reports/report.h"

namespace assay {

// A testsuite for each suite of cases, a testcase for each result. A failure is what counts for the
// exit code; a result whose findings the baseline knows is skipped; other findings are
// passes that say so in system-out. Stale baseline entries fail in a suite of their own.
void WriteJUnit(const Report& report, std::ostream& out);

}  // namespace assay
