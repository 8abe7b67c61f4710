// report.json: the result model as data, schema 1. Scripts and the other commands lean on it.

#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "reports/report.h"

namespace assay {

// One result is one line, and only one is held as JSON at a time. Expected and actual values keep
// the text of their numbers; a value that is no JSON (raw text to be sent) or nests too deeply for
// common readers is written as a string of its text.
void WriteJsonReport(const Report& report, std::ostream& out);

struct ReportRead {
  std::optional<Report> report;  // set exactly when `error` is empty
  std::string error;             // why not, in words
};

// Reads what WriteJsonReport wrote. Unknown members are ignored, absent ones keep their defaults.
ReportRead ReadReport(std::string_view text);

}  // namespace assay
