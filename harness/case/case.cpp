// Which cases may share a connection.

#include "case/case.h"

#include <algorithm>
#include <array>

#include "message/template.h"

namespace assay {
namespace {

// Methods that change what the server does for others, or that open something which outlives its
// answer.
bool ChangesState(const std::string& method) {
  static constexpr std::array<std::string_view, 5> kMethods = {
      "initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
      "subscriptions/listen"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end() ||
         method.starts_with("tasks/") || method.find("${") != std::string::npos;
}

// An envelope decides how a connection's messages are read: one that stands where the era has none,
// or lacks where it has one, may change that for everybody.
bool CrossesEras(const Step& step, Era era) {
  if (!step.envelope) return false;
  const bool none = step.envelope->is_string() && step.envelope->text() == "none";
  if (era == Era::kLegacy) return !none;
  const Json* version = step.envelope->Find("protocolVersion");
  return none || (version != nullptr && version->is_null());
}

bool RequestMayShare(const Step& step, Era era) {
  if (step.id || step.http || step.on != "main" || CrossesEras(step, era)) return false;
  if (step.envelope && step.envelope->Find("logLevel") != nullptr) return false;
  const std::optional<std::string> method = step.message.FindString("method");
  if (!method || ChangesState(*method) || step.message.Find("jsonrpc") != nullptr) return false;
  const Json* params = step.message.Find("params");
  if (params == nullptr) return true;
  // A variable could hold anything of what follows.
  if (!params->is_object() || params->Find("task") != nullptr) return false;
  const Json* meta = params->Find("_meta");
  if (meta == nullptr) return true;
  return meta->is_object() && meta->Find("progressToken") == nullptr &&
         meta->Find("io.modelcontextprotocol/logLevel") == nullptr;
}

bool StepsMayShare(const std::vector<Step>& steps, Era era) {
  return std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
    const bool silent =
        step.expect && std::any_of(step.expect->any_of.begin(), step.expect->any_of.end(),
                                   [](const auto& choice) { return choice.nothing; });
    if (silent) return false;
    switch (step.verb) {
      case Step::Verb::kRequest:
        return RequestMayShare(step, era);
      case Step::Verb::kExpect:
        return step.on == "main";
      case Step::Verb::kPoll:
        return step.on == "main" && StepsMayShare(step.branches.front(), era);
      case Step::Verb::kRepeat:
        return !step.memory_settles && StepsMayShare(step.branches.front(), era);
      default:
        return false;
    }
  });
}

// Tools of these roles keep nothing from one call to the next.
bool IsStateless(std::string_view role) {
  return role == "echo" || role == "fails" || role == "callable";
}

}  // namespace

std::string_view ToString(Era era) {
  switch (era) {
    case Era::kNone:
      return "none";
    case Era::kLegacy:
      return "legacy";
    case Era::kModern:
      return "modern";
  }
  return "";
}

namespace {

bool StepsNeedStdio(const std::vector<Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    switch (step.verb) {
      case Step::Verb::kClose:
      case Step::Verb::kExit:
      case Step::Verb::kSignal:
      case Step::Verb::kRestart:
      case Step::Verb::kBytes:
        return true;
      case Step::Verb::kRaw:
        return step.end != "\n" || !step.split.empty();
      default:
        return std::any_of(step.branches.begin(), step.branches.end(), StepsNeedStdio);
    }
  });
}

}  // namespace

bool NeedsStdio(const Case& test_case) {
  return !test_case.topology && test_case.transport != "http" && StepsNeedStdio(test_case.steps);
}

namespace {

bool StepsListen(const std::vector<Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    return step.verb == Step::Verb::kAwait || step.verb == Step::Verb::kSilence ||
           std::any_of(step.branches.begin(), step.branches.end(), StepsListen);
  });
}

bool StepsConnectOver(const std::vector<Step>& steps, std::string_view transport) {
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
    return step.transport == transport ||
           std::any_of(step.branches.begin(), step.branches.end(),
                       [&](const auto& branch) { return StepsConnectOver(branch, transport); });
  });
}

bool StepsPromptTheServer(const std::vector<Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    const Json* params = step.message.Find("params");
    const Json* meta = params == nullptr ? nullptr : params->Find("_meta");
    return step.verb == Step::Verb::kRespond ||
           (meta != nullptr && meta->Find("progressToken") != nullptr) ||
           std::any_of(step.branches.begin(), step.branches.end(), StepsPromptTheServer);
  });
}

}  // namespace

bool ConnectsOver(const Case& test_case, std::string_view transport) {
  return StepsConnectOver(test_case.steps, transport);
}

bool MustBeAlone(const Case& test_case) {
  const auto& roles = test_case.when.roles;
  return StepsListen(test_case.steps) &&
         std::any_of(roles.begin(), roles.end(),
                     [](const std::string& role) { return role.starts_with("changes-"); });
}

bool ExpectsToBeSpokenTo(const Case& test_case) {
  return StepsListen(test_case.steps) || StepsPromptTheServer(test_case.steps) ||
         !test_case.client_capabilities.members().empty();
}

bool MayShare(const Case& test_case) {
  if (test_case.session == "fresh" || test_case.era == Era::kNone || test_case.topology)
    return false;
  // In the legacy era the client says once, in the handshake, what it is.
  if (test_case.era == Era::kLegacy &&
      (!test_case.client_capabilities.members().empty() || test_case.client_info)) {
    return false;
  }
  if (!StepsMayShare(test_case.steps, test_case.era)) return false;
  // `session: shared` is its author's word that the tools keep no state.
  return test_case.session == "shared" ||
         std::all_of(test_case.when.roles.begin(), test_case.when.roles.end(), IsStateless);
}

}  // namespace assay
