// When two findings are the same one: what is deduplicated by, and what must still show while a
// failure is made smaller.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"

namespace assay {

// The requirement and the words, without what differs from one exchange to the next: numbers and
// quoted texts.
std::string SignatureOf(const ReportedFinding& finding);

// Whether `result` has a finding of that signature.
bool Shows(const Result& result, std::string_view signature);

}  // namespace assay
