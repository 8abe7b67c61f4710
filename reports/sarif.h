// SARIF 2.1.0, for code scanning services
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).

#pragma once

#include <ostream>

#include "reports/report.h"

namespace assay {

// A rule for each requirement that was broken, a result for each finding: `error` for a fail,
// `warning` for a warn, `note` for a contract item. What the baseline knows is suppressed with its
// reason. A result's place is that of the case which shows it, since a server's own source is not
// known; its fingerprint is made of requirement, case, revision and transport, so that services
// recognize it in the next run. Verdicts `error` are notifications of the tool.
void WriteSarif(const Report& report, std::ostream& out);

}  // namespace assay
