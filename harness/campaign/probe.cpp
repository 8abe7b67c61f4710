// Probes -> case.

#include "campaign/probe.h"

#include <algorithm>
#include <set>
#include <utility>

#include "message/base64.h"

namespace assay {
namespace {

constexpr std::string_view kOpen = "${made";

using Names = std::set<std::string, std::less<>>;

// The variable that is named at `at`, or "".
std::string_view VariableAt(std::string_view bytes, std::size_t at) {
  if (!bytes.substr(at).starts_with(kOpen)) return {};
  const std::size_t close = bytes.find('}', at);
  return close == std::string_view::npos ? std::string_view{}
                                         : bytes.substr(at + 2, close - at - 2);
}

// As a template in which only `names` are variables.
std::string Escape(std::string_view bytes, const Names& names) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    text += bytes[at];
    if (bytes[at] == '$' && !names.contains(VariableAt(bytes, at))) text += '$';
  }
  return text;
}

// Whether a case file can hold them as text: it is read as UTF-8, and NUL ends texts in places.
bool IsText(std::string_view bytes) {
  return FindInvalidUtf8(bytes) == std::string_view::npos &&
         bytes.find('\0') == std::string_view::npos;
}

bool IsUsedAfter(const std::vector<Probe>& probes, std::size_t at, const std::string& name) {
  return std::any_of(probes.begin() + static_cast<std::ptrdiff_t>(at) + 1, probes.end(),
                     [reference = "${" + name + "}"](const Probe& probe) {
                       return probe.bytes.find(reference) != std::string::npos &&
                              IsText(probe.bytes);
                     });
}

Expectation AnyAnswer(const std::string& requirement) {
  Expectation expectation;
  expectation.set_up = requirement.empty();
  if (!requirement.empty()) expectation.requirements = {requirement};
  expectation.any_of.emplace_back().response = Json::Object();
  return expectation;
}

Step Fence(Era era) {
  Step step;
  step.verb = Step::Verb::kRequest;
  step.message =
      Json::Object({{"method", Json::String(era == Era::kModern ? "server/discover" : "ping")}});
  step.expect = AnyAnswer("");
  return step;
}

Step StepOf(const Probe& probe, const Names& names, bool over_http) {
  Step step;
  if (IsText(probe.bytes)) {
    step.verb = Step::Verb::kRaw;
    step.text = Json::String(Escape(probe.bytes, names));
    if (!over_http) step.end = probe.end;
  } else {
    step.verb = Step::Verb::kBytes;
    step.text = Json::String(EncodeBase64(over_http ? probe.bytes : probe.bytes + probe.end));
  }
  if (over_http) {
    step.http = probe.http;
  } else {
    step.split = probe.split;
  }
  if (probe.awaited) step.expect = AnyAnswer("");
  return step;
}

}  // namespace

std::size_t FirstStep(const Manner& manner) { return manner.era == Era::kModern ? 1 : 0; }

std::string MadeName(std::size_t number) { return "made" + std::to_string(number); }

Case CaseOf(const Manner& manner, const std::vector<Probe>& probes,
            const std::string& requirement) {
  Case test_case;
  test_case.suite =
      "fuzz/" + std::string(manner.era == Era::kNone ? "opening" : ToString(manner.era));
  test_case.era = manner.era;
  test_case.transport = manner.over_http ? "http" : "stdio";
  test_case.session = "fresh";
  if (!manner.revision.empty()) test_case.revisions = {manner.revision};
  test_case.steps.reserve(probes.size() + 3);
  // A legacy server has shown by its handshake that it is up.
  if (manner.era == Era::kModern) test_case.steps.push_back(Fence(manner.era));
  Names known;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Probe& probe = probes[i];
    if (probe.fence) {
      test_case.steps.push_back(Fence(manner.era));
      continue;
    }
    Step& step = test_case.steps.emplace_back(StepOf(probe, known, manner.over_http));
    for (const Save& save : probe.save) {
      if (!IsUsedAfter(probes, i, save.variable)) continue;
      step.save.push_back(save);
      known.insert(save.variable);
    }
  }
  test_case.steps.push_back(Fence(manner.era));
  if (requirement.empty()) return test_case;
  Step proves;
  proves.verb = Step::Verb::kExpect;
  proves.expect = AnyAnswer(requirement);
  test_case.steps.push_back(std::move(proves));
  test_case.requires_ids = {requirement};
  return test_case;
}

PlannedRun PlanOf(const Manner& manner, const Case& test_case) {
  return {.test_case = &test_case,
          .era = manner.era,
          .revision = manner.revision,
          .skip_reason = "",
          .skip_detail = ""};
}

}  // namespace assay
