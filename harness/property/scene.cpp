// Letters -> steps -> case.

#include "property/scene.h"

#include "case/attribution.h"

namespace assay {

Json J(std::string_view text) { return ParseJson(text).value.value(); }

Alternative ResultLike(Json pattern) {
  Alternative outcome;
  outcome.result = std::move(pattern);
  return outcome;
}

Alternative ErrorLike(Json pattern) {
  Alternative outcome;
  outcome.error = std::move(pattern);
  return outcome;
}

Alternative AnyAnswer() {
  Alternative outcome;
  outcome.response = Json::Object();
  return outcome;
}

Alternative NoAnswer() {
  Alternative outcome;
  outcome.nothing = true;
  return outcome;
}

When NeedsFeature(std::string feature) {
  When when;
  when.features = {std::move(feature)};
  return when;
}

When NeedsCapabilities(std::vector<std::string> capabilities) {
  When when;
  when.capabilities = std::move(capabilities);
  return when;
}

Step RequestStep(const std::string& method, Json params) {
  Step step;
  step.verb = Step::Verb::kRequest;
  step.message = Json::Object({{"method", Json::String(method)}});
  if (!params.is_null()) step.message.Set("params", std::move(params));
  return step;
}

void Expect(Step& step, const std::string& requirement, std::vector<Alternative> any_of) {
  step.expect.emplace();
  step.expect->set_up = requirement.empty();
  step.expect->any_of = std::move(any_of);
  if (!requirement.empty()) step.expect->requirements = {requirement};
}

Step& Scene::Add(Step step) {
  here().push_back(std::move(step));
  return here().back();
}

Step& Scene::Request(const std::string& method, Json params) {
  return Add(RequestStep(method, std::move(params)));
}

Step& Scene::Notify(const std::string& method, Json params) {
  Step step = RequestStep(method, std::move(params));
  step.verb = Step::Verb::kNotify;
  return Add(std::move(step));
}

std::size_t Scene::Hold(Step request) {
  held_.push_back({std::move(request), {}});
  return held_.size() - 1;
}

void Scene::ForEach(const std::function<void(Step&)>& look) {
  for (Step& step : first_) look(step);
  for (Frame& frame : held_) {
    look(frame.request);
    for (Step& step : frame.meanwhile) look(step);
  }
}

std::vector<Step> Scene::Take() {
  while (!held_.empty()) {
    Frame frame = std::move(held_.back());
    held_.pop_back();
    if (frame.meanwhile.empty()) {
      here().push_back(std::move(frame.request));
      continue;
    }
    Step parallel;
    parallel.verb = Step::Verb::kParallel;
    parallel.branches = {{std::move(frame.request)}, std::move(frame.meanwhile)};
    here().push_back(std::move(parallel));
  }
  return std::move(first_);
}

Case MakeCase(const Setting& setting, const std::vector<std::string>& letters,
              std::vector<Step> steps) {
  Case test_case;
  test_case.suite = "explore/" + setting.name;
  std::string id;
  for (const std::string& letter : letters) {
    id += (id.empty() ? "" : ".") + letter;
    test_case.title += (test_case.title.empty() ? "" : ", ") + letter;
  }
  test_case.id = test_case.suite + "/" + id;
  test_case.era = setting.era;
  test_case.transport = setting.transport;
  test_case.session = "fresh";
  test_case.revisions = setting.revisions;
  test_case.when = setting.when;
  test_case.client_capabilities = setting.client_capabilities;
  test_case.steps = std::move(steps);
  test_case.requires_ids = RequirementsOf(test_case.steps);
  return test_case;
}

std::string Spell(const Model& model, const Sequence& sequence) {
  std::string words;
  for (const std::size_t letter : sequence) {
    words += (words.empty() ? "" : ", ") + model.alphabet[letter];
  }
  return words;
}

}  // namespace assay
