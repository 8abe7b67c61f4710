// Which cases apply to a server, and under which revisions.

#pragma once

#include <string>
#include <vector>

#include "case/case.h"
#include "case/requirement.h"
#include "exchange/facts.h"

namespace assay {

struct PlannedRun {
  const Case* test_case = nullptr;
  Era era = Era::kNone;
  std::string revision;  // "" with era none
  // Why it does not run: one of the skip reasons of report.json, and the same in words.
  std::string skip_reason;
  std::string skip_detail;
};

struct PlanSettings {
  std::vector<std::string> filters;    // globs; those that begin with ! exclude
  std::string era = "auto";            // auto | legacy | modern | both
  std::vector<std::string> revisions;  // asked for; empty = the newest of each era
  bool over_http = false;
  bool is_ours = true;           // it is ours to start, as often as we like
  bool both_transports = false;  // the server can be reached over the other one, too
  bool quick = false;            // each requirement once (runner/cover.h)
  int shard = 1;
  int shards = 1;
};

// In the order of `cases`. Cases that the filters or the shard leave out are not in it.
std::vector<PlannedRun> PlanRuns(const std::vector<Case>& cases, const Catalogue& catalogue,
                                 const ServerFacts& facts, const PlanSettings& settings);

// Whether a filter keeps the case.
bool Selected(const std::vector<std::string>& filters, const std::string& case_id);

}  // namespace assay
