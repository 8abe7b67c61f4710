// What people see at the end of a run: causes first, then what broke with its evidence, then what
// could not be judged, and only then what passed.

#pragma once

#include <ostream>
#include <string>

#include "reports/report.h"

namespace assay {

struct TerminalOptions {
  enum class Trace { kNone, kFailed, kAll };

  bool colour = false;
  int width = 100;  // columns
  Trace trace = Trace::kNone;
  std::string report_directory;  // where the reports were written, or ""
};

// Writes `report` as text. Whatever the server said is made visible; the only escape sequences are
// our own colours.
void PrintTerminal(const Report& report, const TerminalOptions& options, std::ostream& out);

}  // namespace assay
