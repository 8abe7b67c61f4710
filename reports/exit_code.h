// What a report means to a script: which findings count, and the exit code of `assay run`.

#pragma once

#include <string>

#include "reports/report.h"

namespace assay {

// Whether the finding is at a level that the report requires and no baseline knows it.
bool Counts(const ReportedFinding& finding, const Report& report);
// Whether anything of the result counts.
bool Counts(const Result& result, const Report& report);
// How many findings count; a result that says nothing but its verdict is one.
int CountFindings(const Report& report);

// 0: meets what is required; 1: findings that count, or a stale baseline entry; 3: a verdict is
// `error` (1 wins). Interruption and a server that cannot be tested are the runner's to tell.
int ExitCode(const Report& report);

// `report.exit_code` in words: "exit 1: 3 findings at a required level (must)".
std::string ExitMeaning(const Report& report);

}  // namespace assay
