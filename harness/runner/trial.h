// One run of one case: the exchange, what the oracle says of it, and the verdict.

#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "exchange/connection.h"
#include "exchange/facts.h"
#include "exchange/fleet.h"
#include "reports/report.h"
#include "runner/library.h"
#include "runner/plan.h"
#include "transcript/transcript.h"

namespace assay {

struct TrialSettings {
  std::chrono::milliseconds timeout{5000};        // of a step
  std::chrono::milliseconds start_within{10000};  // for a server's first answer
  bool over_http = false;
  bool keep_transcript = false;                    // of a pass too
  bool hand_over = false;                          // the exchange itself: see Trial::transcript
  std::map<std::string, std::string> tokens = {};  // by name; reports show the names only
  // Another connection beside the run's own: see ExchangeSettings.
  std::function<Task<std::shared_ptr<Connection>>(std::string transport)> connect = {};
  Fleet* fleet = nullptr;  // see ExchangeSettings
};

struct Trial {
  Result result;
  std::set<std::string> proved;  // requirements whose expectations held
  // On a shared connection: the verdict must come from a repetition alone. The result is only
  // described then.
  bool disturbed = false;
  bool timed_out = false;
  bool hung = false;
  std::shared_ptr<const Lane> lane;      // on a shared connection: may still become disturbed
  std::optional<Transcript> transcript;  // where the settings ask for it
};

// The result of a run before anything is known of it.
Result DescribeRun(const PlannedRun& run, bool over_http);

// Runs and judges. `alone`: the connection is the run's own (exchange/exchange.h). All references
// must outlive the task.
Task<Trial> RunTrial(Loop& loop, const PlannedRun& run, const Library& library,
                     const ServerFacts& facts, TrialSettings settings,
                     std::shared_ptr<Connection> connection, bool alone);

}  // namespace assay
