// A greedy set cover: whoever proves most of what is left, for the messages it takes, comes next;
// then whoever has become superfluous goes, the dearest first.

#include "runner/cover.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace assay {
namespace {

// What a connection of its own costs in the legacy era: initialize, initialized and its end.
constexpr std::size_t kOpening = 3;
// A stream that is opened to hear the server, and the fence that shows that it is silent.
constexpr std::size_t kListening = 2;

using Proof = std::pair<std::string, std::string>;  // requirement and revision

std::size_t Messages(const std::vector<Step>& steps) {
  std::size_t messages = 0;
  for (const Step& step : steps) {
    if (step.branches.empty()) messages += step.verb == Step::Verb::kExpect ? 0 : 1;
    for (const auto& branch : step.branches) messages += step.count * Messages(branch);
  }
  return messages;
}

std::size_t Cost(const PlannedRun& run) {
  const Case& test_case = *run.test_case;
  const bool opens = run.era == Era::kLegacy && !MayShare(test_case);
  return 1 + Messages(test_case.steps) + (opens ? kOpening : 0) +
         (ExpectsToBeSpokenTo(test_case) ? kListening : 0);
}

std::set<Proof> Proofs(const PlannedRun& run, const Catalogue& catalogue) {
  std::set<Proof> proofs;
  for (const std::string& id : run.test_case->requires_ids) {
    const Requirement* requirement = catalogue.Find(id);
    if (requirement == nullptr) continue;
    if (run.revision.empty() || requirement->InForceAt(run.revision)) {
      proofs.emplace(id, run.revision);
    }
  }
  return proofs;
}

struct Candidate {
  std::size_t run = 0;
  std::size_t cost = 0;
  std::set<Proof> proofs;
  std::set<Proof> adds;  // of them, what nobody chosen before proves
};

// A candidate's worth is what it adds for its cost; compared without division.
bool IsWorthLess(const Candidate& a, const Candidate& b) {
  return a.adds.size() * b.cost < b.adds.size() * a.cost;
}

std::vector<Candidate> ChooseGreedily(std::vector<Candidate> candidates) {
  std::vector<Candidate> chosen;
  for (;;) {
    const auto best = std::max_element(candidates.begin(), candidates.end(), IsWorthLess);
    if (best == candidates.end() || best->adds.empty()) return chosen;
    chosen.push_back(*best);
    for (Candidate& candidate : candidates) {
      for (const Proof& proof : chosen.back().proofs) candidate.adds.erase(proof);
    }
  }
}

// A case that opens its connection itself has no revision: what others prove at one is not asked of
// it as well.
void DropProofsWithoutRevision(std::vector<Candidate>& candidates) {
  std::set<std::string> proved_at_one;
  for (const Candidate& candidate : candidates) {
    for (const auto& [requirement, revision] : candidate.proofs) {
      if (!revision.empty()) proved_at_one.insert(requirement);
    }
  }
  for (Candidate& candidate : candidates) {
    std::erase_if(candidate.proofs, [&](const Proof& proof) {
      return proof.second.empty() && proved_at_one.contains(proof.first);
    });
    candidate.adds = candidate.proofs;
  }
}

void DropSuperfluous(std::vector<Candidate>& chosen) {
  std::map<Proof, int> times;
  for (const Candidate& one : chosen) {
    for (const Proof& proof : one.proofs) ++times[proof];
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost > b.cost; });
  std::vector<Candidate> needed;
  for (Candidate& one : chosen) {
    const bool superfluous = std::all_of(one.proofs.begin(), one.proofs.end(),
                                         [&](const Proof& proof) { return times[proof] > 1; });
    if (superfluous) {
      for (const Proof& proof : one.proofs) --times[proof];
    } else {
      needed.push_back(std::move(one));
    }
  }
  chosen = std::move(needed);
}

}  // namespace

std::vector<PlannedRun> EachRequirementOnce(std::vector<PlannedRun> plan,
                                            const Catalogue& catalogue) {
  std::set<std::size_t> kept;
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!plan[i].skip_reason.empty()) {
      kept.insert(i);
      continue;
    }
    candidates.push_back(
        {.run = i, .cost = Cost(plan[i]), .proofs = Proofs(plan[i], catalogue), .adds = {}});
  }
  DropProofsWithoutRevision(candidates);
  std::vector<Candidate> chosen = ChooseGreedily(std::move(candidates));
  DropSuperfluous(chosen);
  for (const Candidate& one : chosen) kept.insert(one.run);
  std::vector<PlannedRun> cover;
  for (const std::size_t number : kept) cover.push_back(std::move(plan[number]));
  return cover;
}

}  // namespace assay
