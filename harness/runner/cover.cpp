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

std::set<Proof> ProofsOf(const PlannedRun& run, const Catalogue& catalogue) {
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
  std::vector<std::size_t> proofs;  // numbers
};

// The runs that are not skipped. A case that opens its connection itself has no revision: what
// others prove at one is not asked of it as well.
std::vector<Candidate> Candidates(const std::vector<PlannedRun>& plan, const Catalogue& catalogue,
                                  std::size_t& proof_count) {
  std::map<Proof, std::size_t> numbers;
  std::set<std::string> proved_at_a_revision;
  std::vector<std::set<Proof>> proofs;
  for (const PlannedRun& run : plan) {
    proofs.push_back(run.skip_reason.empty() ? ProofsOf(run, catalogue) : std::set<Proof>{});
    for (const Proof& proof : proofs.back()) {
      numbers.emplace(proof, numbers.size());
      if (!proof.second.empty()) proved_at_a_revision.insert(proof.first);
    }
  }
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!plan[i].skip_reason.empty()) continue;
    Candidate& candidate = candidates.emplace_back();
    candidate.run = i;
    candidate.cost = Cost(plan[i]);
    for (const Proof& proof : proofs[i]) {
      if (proof.second.empty() && proved_at_a_revision.contains(proof.first)) continue;
      candidate.proofs.push_back(numbers.at(proof));
    }
  }
  proof_count = numbers.size();
  return candidates;
}

std::vector<Candidate> ChooseGreedily(const std::vector<Candidate>& candidates,
                                      std::size_t proof_count) {
  std::vector<bool> proved(proof_count);
  std::vector<Candidate> chosen;
  for (;;) {
    const Candidate* best = nullptr;
    std::size_t best_adds = 0;
    for (const Candidate& candidate : candidates) {
      const auto adds = static_cast<std::size_t>(
          std::count_if(candidate.proofs.begin(), candidate.proofs.end(),
                        [&](std::size_t proof) { return !proved[proof]; }));
      // What each adds for its cost, compared without division.
      if (adds > 0 && (best == nullptr || adds * best->cost > best_adds * candidate.cost)) {
        best = &candidate;
        best_adds = adds;
      }
    }
    if (best == nullptr) return chosen;
    chosen.push_back(*best);
    for (const std::size_t proof : best->proofs) proved[proof] = true;
  }
}

std::vector<Candidate> DropSuperfluous(std::vector<Candidate> chosen, std::size_t proof_count) {
  std::vector<int> times(proof_count);
  for (const Candidate& one : chosen) {
    for (const std::size_t proof : one.proofs) ++times[proof];
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost > b.cost; });
  std::vector<Candidate> needed;
  for (Candidate& one : chosen) {
    const bool superfluous = std::all_of(one.proofs.begin(), one.proofs.end(),
                                         [&](std::size_t proof) { return times[proof] > 1; });
    if (superfluous) {
      for (const std::size_t proof : one.proofs) --times[proof];
    } else {
      needed.push_back(std::move(one));
    }
  }
  return needed;
}

}  // namespace

std::vector<PlannedRun> EachRequirementOnce(std::vector<PlannedRun> plan,
                                            const Catalogue& catalogue) {
  std::size_t proof_count = 0;
  const std::vector<Candidate> candidates = Candidates(plan, catalogue, proof_count);
  std::set<std::size_t> kept;
  for (const Candidate& one :
       DropSuperfluous(ChooseGreedily(candidates, proof_count), proof_count)) {
    kept.insert(one.run);
  }
  std::vector<PlannedRun> cover;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!plan[i].skip_reason.empty() || kept.contains(i)) cover.push_back(std::move(plan[i]));
  }
  return cover;
}

}  // namespace assay
