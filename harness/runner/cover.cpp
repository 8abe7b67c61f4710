// A greedy set cover: whoever proves most of what is left, for the messages it takes, comes next.

#include "runner/cover.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

namespace assay {
namespace {

// What a connection of its own costs in the legacy era: initialize, initialized and its end.
constexpr std::size_t kOpening = 3;

using Proof = std::pair<std::string, std::string>;  // requirement and revision

std::size_t Messages(const std::vector<Step>& steps) {
  std::size_t messages = 0;
  for (const Step& step : steps) {
    if (step.branches.empty()) messages += step.verb == Step::Verb::kExpect ? 0 : 1;
    for (const auto& branch : step.branches) messages += step.count * Messages(branch);
  }
  return messages;
}

struct Candidate {
  std::size_t run = 0;
  std::size_t cost = 0;
  std::set<Proof> proves;  // and nobody chosen before
};

Candidate Weigh(const PlannedRun& run, std::size_t number, const Catalogue& catalogue) {
  const Case& test_case = *run.test_case;
  Candidate candidate;
  candidate.run = number;
  candidate.cost = 1 + Messages(test_case.steps) +
                   (run.era == Era::kLegacy && !MayShare(test_case) ? kOpening : 0);
  for (const std::string& id : test_case.requires_ids) {
    const Requirement* requirement = catalogue.Find(id);
    if (requirement == nullptr) continue;
    if (run.revision.empty() || requirement->InForceAt(run.revision)) {
      candidate.proves.emplace(id, run.revision);
    }
  }
  return candidate;
}

// a's worth is its proofs for its cost; compared without division.
bool IsWorthLess(const Candidate& a, const Candidate& b) {
  return a.proves.size() * b.cost < b.proves.size() * a.cost;
}

}  // namespace

std::vector<PlannedRun> EachRequirementOnce(std::vector<PlannedRun> plan,
                                            const Catalogue& catalogue) {
  std::set<std::size_t> kept;
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (plan[i].skip_reason.empty()) {
      candidates.push_back(Weigh(plan[i], i, catalogue));
    } else {
      kept.insert(i);
    }
  }
  for (;;) {
    const auto best = std::max_element(candidates.begin(), candidates.end(), IsWorthLess);
    if (best == candidates.end() || best->proves.empty()) break;
    kept.insert(best->run);
    const std::set<Proof> proved = std::exchange(best->proves, {});
    for (Candidate& candidate : candidates) {
      for (const Proof& proof : proved) candidate.proves.erase(proof);
    }
  }
  std::vector<PlannedRun> cover;
  for (const std::size_t number : kept) cover.push_back(std::move(plan[number]));
  return cover;
}

}  // namespace assay
