// The legacy session: nothing before initialize, requests of the server only as negotiated.

#include "oracle/legacy.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "oracle/conduct.h"

namespace assay::oracle {
namespace {

constexpr Duty kFirst{"", "L-INIT-first-interaction"};
constexpr Duty kBeforeInitialized{"", "L-INIT-no-requests-before-initialized"};
constexpr Duty kVersionOther{"", "L-INIT-version-other"};
constexpr Duty kDualInitialize{"M-VER-DUAL-INITIALIZE-LEGACY", ""};

constexpr Duty kNoRequests{"M-RPC-NO-SERVER-REQUESTS", ""};
constexpr Duty kIdPresent{"", "L-BASE-request-id-present"};
constexpr Duty kIdNotNull{"", "L-BASE-request-id-not-null"};
constexpr Duty kIdUnique{"", "L-BASE-request-id-unique"};
constexpr Duty kTokenUnique{"", "L-PROGRESS-token-unique-sent"};

constexpr Duty kNegotiated{"", "L-INIT-only-negotiated", "2025-06-18"};
constexpr Duty kNegotiatedWeak{"", "L-INIT-only-negotiated-weak", "2024-11-05", "2025-03-26"};
constexpr Duty kSampling{"", "L-SAMPLE-capability", "2025-06-18"};
constexpr Duty kElicitation{"", "L-ELICIT-capability", "2025-06-18"};
constexpr Duty kRespectVersion{"", "L-INIT-respect-version", "2025-06-18"};
constexpr Duty kRespectVersionWeak{"", "L-INIT-respect-version-weak", "2024-11-05", "2025-03-26"};
constexpr Duty kElicitMode{"", "L-ELICIT-mode-supported", "2025-11-25"};
constexpr Duty kSamplingTools{"", "L-SAMPLE-tools-capability", "2025-11-25"};
constexpr Duty kSamplingContext{"", "L-SAMPLE-include-context-capability", "2025-11-25"};

constexpr Duty kTools{"M-TOOLS-CAPABILITY", "L-TOOLS-declare"};
constexpr Duty kPrompts{"M-PROMPTS-CAPABILITY", "L-PROMPT-declare"};
constexpr Duty kResources{"M-RES-CAPABILITY", "L-RES-declare"};
constexpr Duty kCompletions{"M-COMPL-CAPABILITY", "L-COMPLETE-declare", "2025-03-26"};
constexpr Duty kLogging{"", "L-INIT-declare-implemented"};

constexpr Duty kToolsAnswered{"M-TOOLS-LIST-ANSWERED", "L-TOOLS-list-works"};
constexpr Duty kPromptsAnswered{"M-PROMPTS-LIST-ANSWERED", "L-PROMPT-list-works"};
constexpr Duty kResourcesAnswered{"M-RES-LIST-ANSWERED", "L-RES-list-works"};
constexpr Duty kSubscribeAnswered{"", "L-RES-subscribe-empty-result"};
constexpr Duty kSetLevelAnswered{"", "L-LOG-setlevel-empty-result"};
constexpr Duty kDiscoverAnswered{"M-DISCOVER-IMPLEMENTED", ""};
constexpr Duty kPing{"", "L-PING-respond"};

// --- before and around initialize

void JudgeOpening(const Ledger& ledger, Findings& findings) {
  if (ledger.shared()) return;
  std::unordered_set<const Session*> spoken_to;
  for (const Moment& moment : ledger.moments()) {
    if (moment.sent != nullptr) spoken_to.insert(moment.session);
    if (moment.received == nullptr || spoken_to.count(moment.session) > 0) continue;
    const Received& received = *moment.received;
    if (!received.session->only_legacy() || !received.session->initialized) continue;
    const bool message =
        received.kind == Received::Kind::kRequest || received.kind == Received::Kind::kNotification;
    if (!message) continue;
    // Other rules let these come before `initialized`.
    const std::string method = received.method();
    if (method == "ping" || method == "notifications/message") continue;
    findings.Report(kFirst, received, method + " came before initialize was sent");
  }
}

void JudgeVersion(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kResult) continue;
    const Received& received = *moment.received;
    const Sent* request = received.request;
    if (request == nullptr || request->method != "initialize" || request->params() == nullptr) {
      continue;
    }
    const auto asked = request->params()->FindString("protocolVersion");
    const auto answered = received.result()->FindString("protocolVersion");
    if (!asked || asked != answered || IsLegacyRevision(*asked)) continue;
    const Json actual = Json::String(*answered);
    if (IsModernRevision(*asked)) {
      findings.Report(kDualInitialize, Era::kModern, kNewestModern, received.at, received.step(),
                      "initialize negotiated a revision that has no handshake", {.actual = actual});
    } else if (*asked < "2024-11-05") {
      findings.Report(kVersionOther, received, "initialize agreed to a version that never was",
                      {.actual = actual});
    }
  }
}

// --- requests of the server

struct RequestWatch {
  bool initialized = false;  // notifications/initialized was sent
  std::unordered_set<std::string> ids;
  std::unordered_map<std::string, std::string> open_tokens;  // by id of the request
};

bool Declares(const Json* capabilities, std::string_view name) {
  return capabilities != nullptr && capabilities->Find(name) != nullptr;
}
bool Declares(const Json* capabilities, std::string_view name, std::string_view part) {
  return capabilities != nullptr && capabilities->Find(name, part) != nullptr;
}

void JudgeRequestId(const Received& request, RequestWatch& watch, Findings& findings) {
  const Json& id = *request.id();
  if (id.is_null()) {
    findings.Report(kIdNotNull, request, "The request " + request.method() + " has id null");
  } else if (!IsRequestId(id)) {
    findings.Report(kIdPresent, request,
                    "The request " + request.method() + " has an id of a wrong type",
                    {.actual = id});
  } else if (!watch.ids.insert(IdKey(id)).second) {
    findings.Report(kIdUnique, request,
                    "The request " + request.method() + " has an id that was used before",
                    {.actual = id});
  }
}

void JudgeMode(const Received& request, const Json& capabilities, Findings& findings) {
  const Json* params = request.params();
  if (params == nullptr) return;
  const std::string method = request.method();
  if (method == "elicitation/create") {
    const std::string mode = params->FindString("mode").value_or("form");
    const bool url = Declares(&capabilities, "elicitation", "url");
    // An empty capability stands for forms alone.
    const bool form = Declares(&capabilities, "elicitation", "form") || !url;
    if ((mode == "form" && !form) || (mode == "url" && !url)) {
      findings.Report(kElicitMode, request, "The server elicits in a mode that was not declared",
                      {.actual = Json::String(mode)});
    }
  } else if (method == "sampling/createMessage") {
    const bool tools = params->Find("tools") != nullptr || params->Find("toolChoice") != nullptr;
    if (tools && !Declares(&capabilities, "sampling", "tools")) {
      findings.Report(kSamplingTools, request,
                      "The server samples with tools, which the client did not declare");
    }
    const std::string context = params->FindString("includeContext").value_or("none");
    if (context != "none" && !Declares(&capabilities, "sampling", "context")) {
      findings.Report(kSamplingContext, request,
                      "The server samples with context, which the client did not declare",
                      {.actual = Json::String(context)});
    }
  }
}

void JudgeCapability(const Received& request, Findings& findings) {
  const Json* capabilities = request.session->client_capabilities;
  if (capabilities == nullptr || !capabilities->is_object()) return;
  const std::string method = request.method();
  const std::string undeclared = "The server sent " + method + ", which the client did not declare";
  if (method == "sampling/createMessage") {
    if (!Declares(capabilities, "sampling")) {
      findings.Report({kSampling, kNegotiatedWeak}, request, undeclared);
      return;
    }
  } else if (method == "roots/list") {
    if (!Declares(capabilities, "roots")) {
      findings.Report({kNegotiated, kNegotiatedWeak}, request, undeclared);
      return;
    }
  } else if (method == "elicitation/create") {
    if (!request.revision.empty() && request.revision < "2025-06-18") {
      findings.Report({kRespectVersion, kRespectVersionWeak}, request,
                      method + " does not exist in this revision");
      return;
    }
    if (!Declares(capabilities, "elicitation")) {
      findings.Report(kElicitation, request, undeclared);
      return;
    }
  }
  JudgeMode(request, *capabilities, findings);
}

void JudgeRequest(const Moment& moment, RequestWatch& watch, Findings& findings) {
  const Received& request = *moment.received;
  const std::string method = request.method();
  if (method.rfind("notifications/", 0) == 0) return;  // jsonrpc.cpp
  if (request.session->only_modern()) {
    findings.Report(kNoRequests, request, "The server sent a request: " + method);
    return;
  }
  if (!request.session->only_legacy()) return;
  JudgeRequestId(request, watch, findings);
  if (method != "ping" && !watch.initialized && request.session->initialized) {
    findings.Report(kBeforeInitialized, request,
                    "The server sent " + method + " before notifications/initialized");
  }
  JudgeCapability(request, findings);
  const Json* meta = MetaOf(*request.body);
  const Json* token = meta == nullptr ? nullptr : meta->Find("progressToken");
  if (token == nullptr) return;
  const std::string key = IdKey(*token);
  for (const auto& [id, open] : watch.open_tokens) {
    if (open != key) continue;
    findings.Report(kTokenUnique, request, "Two requests of the server share a progress token",
                    {.actual = *token});
    break;
  }
  watch.open_tokens[IdKey(*request.id())] = key;
}

void JudgeRequests(const Ledger& ledger, Findings& findings) {
  std::unordered_map<const Session*, RequestWatch> watches;
  for (const Moment& moment : ledger.moments()) {
    RequestWatch& watch = watches[moment.session];
    if (ledger.shared()) watch.initialized = true;
    if (moment.sent != nullptr) {
      if (moment.sent->method == "notifications/initialized") watch.initialized = true;
      if (moment.sent->kind == Sent::Kind::kResponse) {
        watch.open_tokens.erase(IdKey(*moment.sent->id));
      }
    } else if (moment.received != nullptr && moment.received->kind == Received::Kind::kRequest) {
      JudgeRequest(moment, watch, findings);
    }
  }
}

// --- features: what works is declared, what is declared works

// What serves a method, in the capabilities of the server.
struct Feature {
  std::string_view method;
  std::string_view capability;
  Duty declared;  // a result presupposes the capability
  Duty answered;  // the capability promises that the method exists
};
const Feature kFeatures[] = {
    {"tools/list", "tools", kTools, kToolsAnswered},
    {"tools/call", "tools", kTools, {}},
    {"prompts/list", "prompts", kPrompts, kPromptsAnswered},
    {"prompts/get", "prompts", kPrompts, {}},
    {"resources/list", "resources", kResources, kResourcesAnswered},
    {"resources/templates/list", "resources", kResources, {}},
    {"resources/read", "resources", kResources, {}},
    {"completion/complete", "completions", kCompletions, {}},
    {"logging/setLevel", "logging", kLogging, kSetLevelAnswered},
};

// What a server that has nothing of the kind would say too.
bool Empty(std::string_view method, const Json& result) {
  for (const std::string_view list : {"tools", "prompts", "resources", "resourceTemplates"}) {
    const Json* items = result.Find(list);
    if (items != nullptr && items->items().empty()) return true;
  }
  // What has no completions in it is no completion, whatever else it is.
  const Json* values = result.Find("completion", "values");
  return method == "completion/complete" && (values == nullptr || values->items().empty());
}

bool SaysUnknownMethod(const Received& answer) {
  const Json* code = answer.error()->Find("code");
  return code != nullptr && code->AsInteger() == -32601;
}

void JudgeFeature(const Received& answer, const Feature& feature, const Json& capabilities,
                  Findings& findings) {
  const std::string method(feature.method);
  const bool declared = capabilities.Find(feature.capability) != nullptr;
  if (answer.kind == Received::Kind::kResult && !declared &&
      !Empty(feature.method, *answer.result())) {
    findings.Report(
        feature.declared, answer,
        method + " works, but the server does not declare " + std::string(feature.capability));
  }
  if (answer.kind == Received::Kind::kError && declared && SaysUnknownMethod(answer)) {
    findings.Report(
        feature.answered, answer,
        method + " is unknown, but the server declares " + std::string(feature.capability),
        {.actual = *answer.error()});
  }
}

void JudgeFeatures(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->request == nullptr) continue;
    const Received& answer = *moment.received;
    const Sent& request = *answer.request;
    if (request.answer != &answer || request.kind != Sent::Kind::kRequest || request.reused_id ||
        !request.proper) {
      continue;
    }
    const Session& session = *request.session;
    const bool modern = answer.era == Era::kModern;
    if (answer.kind == Received::Kind::kError && SaysUnknownMethod(answer)) {
      if (request.method == "ping" && !modern) {
        findings.Report(kPing, answer, "ping is unknown", {.actual = *answer.error()});
      }
      // One that was answered once is implemented; what it is refused for later is another matter.
      const bool discovered = session.supported_versions != nullptr;
      if (request.method == "server/discover" && modern && ledger.speaks_modern() && !discovered) {
        findings.Report(kDiscoverAnswered, answer, "server/discover is unknown",
                        {.actual = *answer.error()});
      }
      const bool subscribes =
          session.legacy_capabilities != nullptr && !modern &&
          session.legacy_capabilities->Find("resources", "subscribe") &&
          session.legacy_capabilities->Find("resources", "subscribe")->boolean();
      if (request.method == "resources/subscribe" && subscribes) {
        findings.Report(kSubscribeAnswered, answer,
                        "resources/subscribe is unknown, but the server declares it",
                        {.actual = *answer.error()});
      }
    }
    const Json* capabilities = modern ? session.modern_capabilities : session.legacy_capabilities;
    if (capabilities == nullptr || !capabilities->is_object()) continue;
    for (const Feature& feature : kFeatures) {
      if (feature.method == request.method) JudgeFeature(answer, feature, *capabilities, findings);
    }
  }
}

}  // namespace

std::vector<Rule> LegacyRules() {
  return {
      {"nothing-before-initialize", {kFirst}, JudgeOpening},
      {"initialize-version", {kVersionOther, kDualInitialize}, JudgeVersion},
      {"server-requests",
       {kNoRequests, kIdPresent, kIdNotNull, kIdUnique, kBeforeInitialized, kNegotiated,
        kNegotiatedWeak, kSampling, kElicitation, kRespectVersion, kRespectVersionWeak, kElicitMode,
        kSamplingTools, kSamplingContext, kTokenUnique},
       JudgeRequests},
      {"features-declared",
       {kTools, kPrompts, kResources, kCompletions, kLogging, kToolsAnswered, kPromptsAnswered,
        kResourcesAnswered, kSetLevelAnswered, kSubscribeAnswered, kDiscoverAnswered, kPing},
       JudgeFeatures},
  };
}

}  // namespace assay::oracle
