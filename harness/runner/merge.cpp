#include "runner/merge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "case/glob.h"
#include "case/place.h"
#include "reports/exit_code.h"
#include "reports/wording.h"
#include "runner/exit_codes.h"
#include "runner/tally.h"

namespace assay {
namespace {

std::string NameOf(const Target& target) {
  return target.server_name + " " + target.server_version;
}

void CheckServers(const std::vector<PartialReport>& parts) {
  const PartialReport& first = parts.front();
  for (const PartialReport& part : parts) {
    if (NameOf(part.report.target) == NameOf(first.report.target)) continue;
    throw InputError({.file = part.path}, "is about " + NameOf(part.report.target) + ", and " +
                                              first.path + " about " + NameOf(first.report.target));
  }
}

// Either all parts are shards of one run, and then all of them are here, in their order; or none.
// Returns whether they are shards.
bool SortShards(std::vector<PartialReport>& parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.report.shard < b.report.shard; });
  const int shards = parts.front().report.shards;
  int expected = 1;
  for (const PartialReport& part : parts) {
    const Report& report = part.report;
    if (report.shards != shards) {
      throw InputError({.file = part.path}, "is one of " + std::to_string(report.shards) +
                                                " shards, and " + parts.front().path + " one of " +
                                                std::to_string(shards));
    }
    if (shards == 1) continue;
    if (report.shard != expected) {
      throw InputError({.file = part.path},
                       report.shard < expected
                           ? "is shard " + std::to_string(report.shard) + " once more"
                           : "shard " + std::to_string(expected) + " is missing");
    }
    ++expected;
  }
  if (shards > 1 && expected <= shards) {
    throw InputError({.file = parts.back().path},
                     "shard " + std::to_string(expected) + " is missing");
  }
  return shards > 1;
}

// Shards take turns at the runs of a plan (runner/plan.h).
std::vector<Result> TakeResults(std::vector<PartialReport>& parts, bool take_turns) {
  std::vector<Result> results;
  if (!take_turns) {
    for (PartialReport& part : parts) {
      std::move(part.report.results.begin(), part.report.results.end(),
                std::back_inserter(results));
    }
    return results;
  }
  std::size_t longest = 0;
  for (const PartialReport& part : parts) longest = std::max(longest, part.report.results.size());
  for (std::size_t i = 0; i < longest; ++i) {
    for (PartialReport& part : parts) {
      if (i < part.report.results.size()) results.push_back(std::move(part.report.results[i]));
    }
  }
  return results;
}

void CheckResults(const std::vector<Result>& results) {
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> seen;
  for (const Result& result : results) {
    // Explorations may find the same twice.
    if (result.source != "case") continue;
    if (seen.emplace(result.case_id, result.revision, result.transport).second) continue;
    throw InputError({.file = ResultName(result)}, "stands in two of the reports");
  }
}

// An entry that is stale where its case did not fail for its requirement is none where another part
// saw that.
std::vector<StaleBaseline> JoinStale(const std::vector<PartialReport>& parts,
                                     const std::vector<Result>& results) {
  std::vector<StaleBaseline> joined;
  for (const PartialReport& part : parts) {
    for (const StaleBaseline& stale : part.report.stale) {
      const bool told = std::any_of(joined.begin(), joined.end(), [&](const StaleBaseline& other) {
        return other.place == stale.place;
      });
      const auto failed = [&](const Result& result) {
        return MatchesGlob(stale.case_id, result.case_id) &&
               std::any_of(result.findings.begin(), result.findings.end(),
                           [&](const auto& one) { return one.requirement == stale.requirement; });
      };
      if (!told && std::none_of(results.begin(), results.end(), failed)) joined.push_back(stale);
    }
  }
  return joined;
}

// Why the cases of a requirement were skipped, in the order of the results.
std::map<std::string, std::vector<std::string>> SkipsOf(const std::vector<Result>& results) {
  std::map<std::string, std::vector<std::string>> skips;
  for (const Result& result : results) {
    if (result.verdict != Verdict::kSkip) continue;
    for (const std::string& id : result.requires_ids) skips[id].push_back(SkipText(result));
  }
  return skips;
}

// One requirement as several parts saw it: broken anywhere, or left open anywhere, or proved
// anywhere, or watched, or not judged.
RequirementState JoinStates(const std::vector<const RequirementState*>& states,
                            const std::vector<std::string>& unjudged,
                            const std::vector<std::string>& skips) {
  const auto pick = [&](auto&& wanted) -> const RequirementState* {
    const auto found = std::find_if(states.begin(), states.end(),
                                    [&](const RequirementState* state) { return wanted(*state); });
    return found == states.end() ? nullptr : *found;
  };
  if (const auto* failed = pick([](const auto& state) { return state.state == "failed"; })) {
    return *failed;
  }
  if (!unjudged.empty()) {
    RequirementState open = *states.front();
    open.state = "not-judged";
    open.why = WhyUnjudged(unjudged);
    return open;
  }
  const auto passed = [](const auto& state) { return state.state == "passed"; };
  if (const auto* proved = pick([&](const auto& one) { return passed(one) && one.why.empty(); })) {
    return *proved;
  }
  if (const auto* watched = pick(passed)) return *watched;
  const auto* told = pick([](const auto& state) { return state.why != kCasesDidNotRun; });
  if (told == nullptr) return *states.front();
  RequirementState open = *told;
  // Of several reasons to skip the first is told.
  if (std::find(skips.begin(), skips.end(), open.why) != skips.end()) open.why = skips.front();
  return open;
}

std::vector<RequirementState> JoinRequirements(const std::vector<PartialReport>& parts,
                                               const std::vector<Result>& results) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const RequirementState*>> states;
  for (const PartialReport& part : parts) {
    for (const RequirementState& state : part.report.requirements) {
      auto& list = states[state.id];
      if (list.empty()) order.push_back(state.id);
      list.push_back(&state);
    }
  }
  auto skips = SkipsOf(results);
  auto unjudged = UnjudgedIn(results);
  std::vector<RequirementState> joined;
  joined.reserve(order.size());
  for (const std::string& id : order) {
    const std::set<std::string>& open = unjudged[id];
    joined.push_back(JoinStates(states[id], {open.begin(), open.end()}, skips[id]));
  }
  return joined;
}

}  // namespace

Report MergeReports(std::vector<PartialReport> parts) {
  CheckServers(parts);
  std::vector<Result> results = TakeResults(parts, SortShards(parts));
  CheckResults(results);
  Report whole = parts.front().report;
  whole.results = std::move(results);
  whole.shard = whole.shards = 1;
  bool untestable = false;
  for (const PartialReport& part : parts) {
    const Report& report = part.report;
    whole.started = std::min(whole.started, report.started);
    whole.duration = std::max(whole.duration, report.duration);
    whole.partial = whole.partial || report.partial;
    untestable = untestable || (report.exit_code == kExitUntestable && report.target.eras.empty());
  }
  whole.requirements = JoinRequirements(parts, whole.results);
  whole.stale = JoinStale(parts, whole.results);
  CountVerdicts(whole);
  whole.causes.clear();
  FindCauses(whole);
  whole.exit_code = whole.partial ? kExitInterrupted : ExitCode(whole);
  if (whole.exit_code == 0 && untestable) whole.exit_code = kExitUntestable;
  return whole;
}

}  // namespace assay
