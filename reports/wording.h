// How reports for people put things in words. All of it is safe to print.

#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"

namespace assay {

// "1 case", "3 cases".
std::string Several(std::size_t count, std::string_view one, std::string_view many);

// "a, b, c".
std::string Joined(const std::vector<std::string>& texts);

// "12 ms", "1.3 s", "2 min 5 s".
std::string DurationText(std::chrono::milliseconds duration);

// "modern/versioning/x (2026-07-28 stdio)": what tells a result from all others.
std::string ResultName(const Result& result);
// The part of it in parentheses.
std::string VariantOf(const Result& result);

// A skip_reason in words.
std::string SkipWords(std::string_view skip_reason);
// The detail of why a result was skipped, without the step where it showed; both together.
std::string SkipDetail(const Result& result);
std::string SkipText(const Result& result);

// The reason that the baseline gives for the result's findings.
std::string KnownReason(const Result& result);

// "M-VER-UNSUPPORTED · must · keyword", and why where a must counts as a warning only.
std::string RequirementLine(const ReportedFinding& finding);

}  // namespace assay
