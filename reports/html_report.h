// report.html: the report as a page for people. One file, which needs no network and no server.

#pragma once

#include <ostream>

#include "reports/report.h"

namespace assay {

// The page holds the report as lines of JSON in one script element: the first is what is always
// shown, line i + 2 has the details of result i (findings, wire, how to reproduce), which the page
// reads when they are opened. Whatever a server said is in there as Visible() text. Long lines of
// the wire are cut, and so is the wire of each result where there are very many; report.json has
// all.
void WriteHtmlReport(const Report& report, std::ostream& out);

}  // namespace assay
