// What every report on a server says beside its results, whichever command they come from.

#pragma once

#include <string>

#include "discover/discover.h"
#include "reports/report.h"
#include "runner/run_settings.h"

namespace assay {

// The head of a report on what begins now.
Report BeginReport(const RunSettings& settings);
// What it tells when all of its results are there: counts, causes, and how long it took.
void EndReport(Clock::time_point began, Report& report);

// report.target of a server.
Target DescribeTarget(const RunSettings& settings, const Discovery& discovery);

// Why a server that speaks neither era cannot be tested, in words, with its last ones.
std::string WhyNotTestable(const Discovery& discovery);

}  // namespace assay
