// For tests: a run in which everything happened that a report can tell, against a hostile server.

#pragma once

#include "reports/report.h"

namespace assay {

// Two failures of one requirement, a warning, a known failure, a contract item, an error, skips,
// a cause, a stale baseline entry, a pass. The server's words hold escape sequences, bytes that are
// not UTF-8, and the delimiters of XML, Markdown and TAP.
Report SampleReport();

// One result, which measured a checkout that was held for 1500 of 1510 ms, on a and then on b.
Report MeasuredReport();

// A result of case `id` with one finding of `requirement` that counts as `verdict`.
Result SampleResult(const std::string& id, Verdict verdict, const std::string& requirement);

}  // namespace assay
