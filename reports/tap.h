// TAP 14, for `--format tap`.

#pragma once

#include <ostream>

#include "reports/report.h"

namespace assay {

// A test point for each result: `not ok` is what counts for the exit code, and every
// error; what the baseline knows is a TODO. Whatever did not pass has a YAML diagnostic. Stale
// baseline entries are test points that fail.
void WriteTap(const Report& report, std::ostream& out);

}  // namespace assay
