// When two findings of a campaign are the same one.

#pragma once

#include <string>

#include "reports/report.h"

namespace assay {

// What is told of a finding in few words: of a crash or a hang what the server said at its end,
// whatever was sent and waited for; else the requirement and the words (shrink/signature.h).
std::string SymptomOf(const ReportedFinding& finding, const Result& result);

// Whether the server crashed, ended or hung.
bool IsDeath(const ReportedFinding& finding);

// The line of the server's stderr that tells most of why it ended: a sanitizer's, an exception's;
// "" when there is none.
std::string LastWords(const Result& result);

// The finding of `result` that has this symptom and counts no less than `weight`; null when there
// is none.
const ReportedFinding* FindSymptom(const Result& result, const std::string& symptom,
                                   Verdict weight);

}  // namespace assay
