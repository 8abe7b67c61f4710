// Explores the orders in which a server may be spoken to: runs sequences of every model that
// applies, judges them as any case is judged, and makes what fails as small as it gets.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "property/model.h"
#include "property/sequences.h"
#include "reports/report.h"
#include "runner/runner.h"

namespace assay {

// What an earlier exploration of the same server left: it is gone on with.
struct EarlierExploration {
  std::set<std::string> sequences;  // that ran (ExploreOutcome::sequences): they do not run again
  std::vector<Result> failures;     // what shows there is known, and told again
};

struct ExploreSettings {
  // The server, timeouts, jobs, levels and the seed.
  RunSettings run;
  // How long sequences are begun; half of it at most is for the short ones. Nothing = no limit.
  std::optional<std::chrono::milliseconds> duration;
  std::optional<std::size_t> iterations;  // how many random sequences; nothing = no limit
  std::size_t length = 0;                 // of the short sequences; 0 = by the size of the alphabet
  std::vector<std::string> models;        // globs of their names; none = all
  // More than a person reads at once: whatever comes after these has the same causes.
  std::size_t most_findings = 50;
  EarlierExploration earlier = {};
};

// What failed: shrunk, repeated and confirmed.
struct Discovered {
  std::string model;
  std::vector<std::string> letters;
  Case test_case;  // names the requirements
  Result result;   // of its last run; its findings are those that it is about and what came along
};

// What was seen, and not again.
struct Unconfirmed {
  std::string model;
  std::string letters;
  ReportedFinding finding;
};

struct ModelCount {
  std::size_t possible = 0;  // short sequences
  std::size_t length = 0;    // of the longest of them
};

// What became of the sequences of one model.
struct ExploredModel {
  std::string name;
  std::size_t ran = 0;
  std::size_t without_set_up = 0;  // of them: the server did not do what is nobody's duty
  std::string why;                 // of these, in words
};

struct ExploreListener {
  // The models, and how many short sequences each has.
  std::function<void(const std::vector<Model>&, const std::vector<ModelCount>&)> planned;
  std::function<void(const std::string& what)> started;
  std::function<void(const Result&)> finished;
  std::function<void()> tick;  // about ten times a second
};

struct ExploreOutcome {
  // Its results are those of `found`, of earlier failures, of runs that could not be judged, and of
  // each model that showed nothing.
  Report report;
  std::vector<Discovered> found;
  std::vector<Unconfirmed> unconfirmed;
  std::vector<ExploredModel> models;
  std::size_t ran_short = 0;
  std::size_t all_short = 0;
  std::size_t ran_random = 0;
  std::vector<std::string> sequences;  // that ran, in the order in which they were begun
  bool testable = true;
  std::string why_not;
};

// Blocks until all is done. SIGINT and SIGTERM end it early: then the report is partial.
ExploreOutcome Explore(const Library& library, const ExploreSettings& settings,
                       const ExploreListener& listener);

}  // namespace assay
