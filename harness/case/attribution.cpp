// A requirement into a case.

#include "case/attribution.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

using Verb = Step::Verb;

// Steps, and the one among them whose answer must come.
struct Spot {
  std::vector<Step>* steps = nullptr;
  std::size_t at = 0;
  bool wanted = false;
};

bool MustBeAnswered(const Step& step) {
  if (step.verb != Verb::kRequest) return false;
  if (!step.expect) return true;
  const auto& any_of = step.expect->any_of;
  return std::none_of(any_of.begin(), any_of.end(), [](const auto& one) { return one.nothing; });
}

void Search(std::vector<Step>& steps, const std::string& path, const std::string& at, Spot& best) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    const std::string place = path + "/" + std::to_string(i);
    if (MustBeAnswered(step) && !best.wanted) best = {&steps, i, place == at};
    for (std::size_t j = 0; j < step.branches.size() && step.verb != Verb::kPoll; ++j) {
      const std::string inner = step.verb == Verb::kParallel
                                    ? place + "/parallel/" + std::to_string(j)
                                    : place + "/steps";
      Search(step.branches[j], inner, at, best);
    }
  }
}

void Collect(const std::vector<Step>& steps, std::vector<std::string>& ids) {
  for (const Step& step : steps) {
    if (step.expect) {
      for (const std::string& id : step.expect->requirements) {
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
      }
    }
    for (const std::vector<Step>& branch : step.branches) Collect(branch, ids);
  }
}

}  // namespace

std::vector<std::string> RequirementsOf(const std::vector<Step>& steps) {
  std::vector<std::string> ids;
  Collect(steps, ids);
  return ids;
}

void Attribute(Case& test_case, const std::string& requirement, const std::string& at) {
  auto& ids = test_case.requires_ids;
  if (std::find(ids.begin(), ids.end(), requirement) != ids.end()) return;
  ids.push_back(requirement);
  Spot spot;
  Search(test_case.steps, "steps", at, spot);
  if (spot.steps == nullptr) return;
  Step judged;
  judged.verb = Verb::kExpect;
  judged.on = (*spot.steps)[spot.at].on;
  judged.expect.emplace();
  judged.expect->requirements = {requirement};
  judged.expect->any_of.emplace_back().response = Json::Object();
  spot.steps->insert(spot.steps->begin() + static_cast<std::ptrdiff_t>(spot.at) + 1,
                     std::move(judged));
}

}  // namespace assay
