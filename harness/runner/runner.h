// Runs the cases that apply to a server: shared, pooled and fresh processes, side by side, and a
// second look alone before a bad verdict.

#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "discover/discover.h"
#include "reports/report.h"
#include "runner/library.h"
#include "runner/plan.h"
#include "runner/reach.h"

namespace assay {

// How the same server is reached over the other transport.
struct Counterpart {
  Command command;
  Reach reach;
};

struct RunSettings {
  Command command;
  Reach reach;
  std::optional<Counterpart> counterpart;  // where the profile tells
  ChannelLimits limits;
  PlanSettings plan;
  std::chrono::milliseconds timeout{5000};
  std::chrono::milliseconds start_within{10000};
  std::optional<Profile> profile;
  std::map<std::string, std::string> tokens;  // of the profile
  bool allow_tool_calls = false;
  int jobs = 1;          // server processes at work at once; as many again are started ahead
  bool isolate = false;  // a fresh process for each case
  std::optional<std::uint64_t> seed;  // shuffles the order
  bool keep_all_transcripts = false;
  std::vector<std::string> required;  // levels that decide the exit code
  // The options that decide what a case does, word by word, so that reports can tell how to repeat
  // it.
  std::vector<std::string> told_options;
};

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

// Only the discovery. Blocks.
struct DiscoverOutcome {
  Discovery discovery;
  bool interrupted = false;
};
DiscoverOutcome RunDiscovery(const RunSettings& settings);

// How the server of `settings` is started and reached.
ServerSource SourceOf(const RunSettings& settings);

// The head of a report on what begins now.
Report BeginReport(const RunSettings& settings);
// What it tells when all of its results are there: counts, causes, and how long it took.
void EndReport(Clock::time_point began, Report& report);

// What is asked of the server before anything else. `connect`: see DiscoverSettings.
DiscoverSettings DiscoverSettingsOf(const RunSettings& settings,
                                    std::function<Task<std::shared_ptr<Connection>>()> connect);

// Why a server that speaks neither era cannot be tested, in words, with its last ones.
std::string WhyNotTestable(const Discovery& discovery);

// report.target of a server.
Target DescribeTarget(const RunSettings& settings, const Discovery& discovery);

}  // namespace assay
