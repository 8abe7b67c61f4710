// summary.md: the run on one page, for pull requests and job summaries.

#pragma once

#include <ostream>

#include "reports/report.h"

namespace assay {

// Causes first, then findings by requirement with one example each, then what could not be judged;
// passes only as a count. Foreign text can neither format nor link.
void WriteMarkdown(const Report& report, std::ostream& out);

}  // namespace assay
