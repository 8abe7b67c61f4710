// Runs the steps of one case against one server and records what happened.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "case/case.h"
#include "exchange/connection.h"
#include "exchange/facts.h"
#include "exchange/fleet.h"
#include "exchange/measurement.h"
#include "oracle/finding.h"
#include "oracle/shape.h"
#include "transcript/transcript.h"

namespace assay {

// What an exchange needs of its surroundings.
struct ExchangeSettings {
  std::chrono::milliseconds timeout{5000};    // of a step
  std::chrono::milliseconds start_within{0};  // for a server's first answer, if that is longer
  std::chrono::milliseconds grace{1000};      // for the server to end after its input is closed
  std::string revision;                       // of the case's era; "" with era none
  const ServerFacts* facts = nullptr;         // roles
  const Shapes* shapes = nullptr;
  // Another connection over "stdio" or "http": over stdio to a new server, over HTTP to the same
  // one. "" is the transport of the first connection.
  std::function<Task<std::shared_ptr<Connection>>(std::string transport)> connect;
  Fleet* fleet = nullptr;  // of a case with a topology
};

struct ExchangeOutcome {
  Transcript transcript;
  std::vector<Finding> findings;  // of the steps' expectations; the oracle's come on top
  // Expectations that could not be met since the server hung or was gone. What is wrong with that
  // is the oracle's to tell; these are warnings at most.
  std::vector<Finding> unmet;
  std::vector<Measurement> measurements;
  std::set<std::string> proved;  // requirements whose expectations held
  std::string precondition;      // why a set-up step did not hold, "" when all did
  std::string error;             // why the harness could not do its work, "" when it could
  bool timed_out = false;
  bool disturbed = false;  // the verdict must come from a repetition alone
  // On a shared connection: may still become disturbed, by a late second answer.
  std::shared_ptr<const Lane> lane;
};

// Runs `test_case` on `connection`. With `alone` the connection is the exchange's own: it is opened
// as the case's era demands, and ended afterwards, its last words read. Otherwise it is one that
// others use too, already open. A case with a topology has `connection` null: what it speaks on is
// connected to the fleet when a step first needs it. All arguments must outlive the task.
Task<ExchangeOutcome> RunExchange(Loop& loop, const Case& test_case,
                                  const ExchangeSettings& settings,
                                  std::shared_ptr<Connection> connection, bool alone);

}  // namespace assay
