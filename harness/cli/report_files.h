// The files of --report DIR.

#pragma once

#include <string>

#include "reports/report.h"

namespace assay {

// Writes the report in every form there is into `directory`, which is made if need be: report.json,
// report.html, junit.xml, summary.md, results.sarif, results.tap, badge.svg, badge.json. Throws
// InputError where a file cannot be written.
void WriteReports(const Report& report, const std::string& directory);

// The report in the file `path`. Throws InputError when it is none.
Report LoadReport(const std::string& path);

}  // namespace assay
