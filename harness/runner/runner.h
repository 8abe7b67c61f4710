// Runs the cases that apply to a server: shared, pooled and fresh processes, side by side, and a
// second look alone before a bad verdict.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "discover/discover.h"
#include "reports/report.h"
#include "runner/library.h"
#include "runner/report_frame.h"  // IWYU pragma: export
#include "runner/run_settings.h"

namespace assay {

// What is told while a run goes on. Any of them may be empty.
struct RunListener {
  std::function<void(const Discovery&)> discovered;
  std::function<void(int)> planned;
  std::function<void(const std::string& case_id)> started;
  std::function<void(const Result&)> finished;
  std::function<void()> tick;  // now and then, about ten times a second
};

struct RunOutcome {
  Report report;
  bool testable = true;               // false: the server speaks no MCP, or does not start
  std::string why_not;                // in words, with its last ones
  std::vector<std::string> left_out;  // ids of cases that filter, shard or interruption kept out
};

// Discovers the server, runs the plan, sums up. SIGINT and SIGTERM end it early: then the report is
// partial. Blocks until all is done.
RunOutcome RunCases(const Library& library, const RunSettings& settings,
                    const RunListener& listener);

}  // namespace assay
