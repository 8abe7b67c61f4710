// From findings to a verdict: what the catalogue says of each requirement decides how much it
// counts.

#pragma once

#include <string>
#include <vector>

#include "case/case.h"
#include "case/requirement.h"
#include "oracle/finding.h"
#include "reports/report.h"

namespace assay {

// The findings as they are reported: those of requirements in force at `revision` ("" = any), each
// with its weight. Findings of one requirement that share their message or their step appear once:
// the weightiest of them, if possible with what was expected.
std::vector<ReportedFinding> WeighFindings(const std::vector<Finding>& findings,
                                           const Case& test_case, const std::string& revision,
                                           bool over_http, const Catalogue& catalogue);

// The worst of the findings: fail, then warn, then differs; pass when there are none.
Verdict WorstVerdict(const std::vector<ReportedFinding>& findings);

}  // namespace assay
