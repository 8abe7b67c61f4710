// Which notifications a server may send, and when.

#include "oracle/notifications.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "oracle/conduct.h"
#include "oracle/secrets.h"

namespace assay::oracle {
namespace {

constexpr Duty kKnownSet{"M-RPC-SERVER-NOTIFICATION-SET", ""};
constexpr Duty kNoElicitationComplete{"M-ELICIT-NO-ELICITATION-ID", ""};
constexpr Duty kRespectVersion{"", "L-INIT-respect-version", "2025-06-18"};
constexpr Duty kRespectVersionWeak{"", "L-INIT-respect-version-weak", "2024-11-05", "2025-03-26"};

constexpr Duty kLogCapability{"M-LOG-CAPABILITY", "L-LOG-declare"};
constexpr Duty kLogOptIn{"M-LOG-OPT-IN", ""};
constexpr Duty kLogBeforeResponse{"M-LOG-BEFORE-RESPONSE", ""};
constexpr Duty kLogThreshold{"M-LOG-THRESHOLD", "L-LOG-level-respected"};

constexpr Duty kLogSecrets{"M-LOG-NO-SECRETS", "L-LOG-no-secrets"};

constexpr Duty kDeclared{"", "L-INIT-notifications-only-declared", "2025-06-18"};
constexpr Duty kDeclaredWeak{"", "L-INIT-only-negotiated-weak", "2024-11-05", "2025-03-26"};
constexpr Duty kSubscribed{"", "L-RES-updated-only-subscribed"};

constexpr Duty kCancelUse{"M-CANCEL-NO-OTHER-USE", "L-CANCEL-own-requests-only"};
constexpr Duty kCancelTask{"", "L-CANCEL-task-use-tasks-cancel", "2025-11-25"};

// The notifications of MCP, and which revisions have them.
struct Known {
  std::string_view method;
  std::string_view since;
  bool modern;
};
constexpr Known kKnownMethods[] = {
    {"notifications/cancelled", "2024-11-05", true},
    {"notifications/progress", "2024-11-05", true},
    {"notifications/message", "2024-11-05", true},
    {"notifications/resources/updated", "2024-11-05", true},
    {"notifications/resources/list_changed", "2024-11-05", true},
    {"notifications/tools/list_changed", "2024-11-05", true},
    {"notifications/prompts/list_changed", "2024-11-05", true},
    {"notifications/subscriptions/acknowledged", "2026-07-28", true},
    {"notifications/tasks", "2026-07-28", true},
    {"notifications/tasks/status", "2025-11-25", false},
    {"notifications/elicitation/complete", "2025-11-25", false},
};

const Known* FindKnown(const std::string& method) {
  const auto it = std::find_if(std::begin(kKnownMethods), std::end(kKnownMethods),
                               [&](const Known& known) { return known.method == method; });
  return it == std::end(kKnownMethods) ? nullptr : it;
}

// Calls `judge` with every notification of the server that has a method.
template <typename Judge>
void ForEachNotification(const Ledger& ledger, const Judge& judge) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kNotification) {
      continue;
    }
    if (moment.received->body->Find("method")->is_string()) {
      judge(*moment.received, moment.received->method());
    }
  }
}

bool Declares(const Json* capabilities, std::string_view first, std::string_view second) {
  const Json* value = capabilities == nullptr ? nullptr : capabilities->Find(first, second);
  return value != nullptr && value->is_boolean() && value->boolean();
}

void JudgeSet(const Ledger& ledger, Findings& findings) {
  ForEachNotification(ledger, [&](const Received& received, const std::string& method) {
    const Known* known = FindKnown(method);
    const Session& session = *received.session;
    if (session.only_modern()) {
      if (method == "notifications/elicitation/complete") {
        findings.Report(kNoElicitationComplete, received, method + " is no more in this era");
      } else if (known == nullptr || !known->modern) {
        findings.Report(kKnownSet, received, method + " is no notification of this era");
      }
      return;
    }
    if (!session.only_legacy() || received.revision.empty()) return;
    if (known == nullptr) {
      // Somebody's own, which experimental capabilities are there to announce.
      const Json* capabilities = session.legacy_capabilities;
      if (capabilities == nullptr || capabilities->Find("experimental") != nullptr) return;
      findings.Report({kRespectVersion, kRespectVersionWeak}, received,
                      method + " is no notification of this revision", {.at_most_warn = true});
    } else if (known->since > received.revision) {
      findings.Report({kRespectVersion, kRespectVersionWeak}, received,
                      method + " does not exist in this revision");
    }
  });
}

// --- log messages

// How severe a level is, or -1 for an unknown one.
int Severity(const std::string& level) {
  constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                       "error", "critical", "alert",  "emergency"};
  const auto it = std::find(kLevels.begin(), kLevels.end(), level);
  return it == kLevels.end() ? -1 : static_cast<int>(it - kLevels.begin());
}

struct LogWatch {
  bool asked = false;               // a modern request with a level was sent
  std::vector<const Sent*> asking;  // those of them that may be in flight
  int legacy_level = -1;            // of the last setLevel that was accepted
};

void JudgeModernLog(const Received& received, LogWatch& watch, Findings& findings) {
  const Json* capabilities = received.session->modern_capabilities;
  if (capabilities != nullptr && capabilities->Find("logging") == nullptr) {
    findings.Report(kLogCapability, received,
                    "A log message came from a server that declares no logging");
  }
  if (!watch.asked) {
    findings.Report(kLogOptIn, received, "A log message came though no request asked for any");
    return;
  }
  std::erase_if(watch.asking,
                [&](const Sent* request) { return !request->in_flight_at(received.at); });
  int lowest = 8;
  for (const Sent* request : watch.asking) {
    lowest = std::min(lowest, Severity(request->envelope.log_level->text()));
  }
  if (watch.asking.empty()) {
    findings.Report(kLogBeforeResponse, received,
                    "A log message came after the response to the request that asked for it");
    return;
  }
  const int severity = Severity(
      received.params() == nullptr ? "" : received.params()->FindString("level").value_or(""));
  if (severity >= 0 && severity < lowest) {
    findings.Report(kLogThreshold, received, "A log message is below the level asked for",
                    {.actual = *received.params()->Find("level")});
  }
}

void JudgeLegacyLog(const Received& received, const LogWatch& watch, Findings& findings) {
  const Json* capabilities = received.session->legacy_capabilities;
  if (capabilities != nullptr && capabilities->Find("logging") == nullptr) {
    findings.Report(kLogCapability, received,
                    "A log message came from a server that declares no logging");
  }
  const int severity = Severity(
      received.params() == nullptr ? "" : received.params()->FindString("level").value_or(""));
  if (severity >= 0 && severity < watch.legacy_level) {
    findings.Report(kLogThreshold, received, "A log message is below the level that was set",
                    {.actual = *received.params()->Find("level")});
  }
}

void NoteLevel(const Moment& moment, LogWatch& watch) {
  if (moment.sent != nullptr) {
    if (moment.sent->id != nullptr && moment.sent->envelope.log_level != nullptr) {
      watch.asked = true;
      watch.asking.push_back(moment.sent);
    }
    return;
  }
  const Received& received = *moment.received;
  if (received.kind != Received::Kind::kResult || received.request == nullptr ||
      received.request->method != "logging/setLevel" || received.request->params() == nullptr) {
    return;
  }
  watch.legacy_level = Severity(received.request->params()->FindString("level").value_or(""));
}

void JudgeLogs(const Ledger& ledger, Findings& findings) {
  if (ledger.shared()) return;  // it may be another exchange's
  std::unordered_map<const Session*, LogWatch> watches;
  for (const Moment& moment : ledger.moments()) {
    if (moment.event != nullptr) continue;
    LogWatch& watch = watches[moment.session];
    NoteLevel(moment, watch);
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kNotification ||
        moment.received->method() != "notifications/message") {
      continue;
    }
    const Json* data =
        moment.received->params() == nullptr ? nullptr : moment.received->params()->Find("data");
    if (data != nullptr && HoldsASecret(data->Dump())) {
      // Whether it is one, or a mere example, is the server's to say.
      findings.Report(kLogSecrets, *moment.received,
                      "A log message holds what looks like a private key or a signed token",
                      {.at_most_warn = true});
    }
    if (moment.session->only_modern()) {
      JudgeModernLog(*moment.received, watch, findings);
    } else if (moment.session->only_legacy()) {
      JudgeLegacyLog(*moment.received, watch, findings);
    }
  }
}

// --- legacy: changes

constexpr std::pair<std::string_view, std::string_view> kListChanges[] = {
    {"notifications/tools/list_changed", "tools"},
    {"notifications/prompts/list_changed", "prompts"},
    {"notifications/resources/list_changed", "resources"},
};

void JudgeChanges(const Ledger& ledger, Findings& findings) {
  if (ledger.shared()) return;
  std::unordered_map<const Session*, std::unordered_set<std::string>> subscribed;
  for (const Moment& moment : ledger.moments()) {
    if (moment.sent != nullptr && moment.sent->method == "resources/subscribe" &&
        moment.sent->params() != nullptr) {
      subscribed[moment.session].insert(moment.sent->params()->FindString("uri").value_or(""));
    }
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kNotification) {
      continue;
    }
    const Received& received = *moment.received;
    const Json* capabilities = received.session->legacy_capabilities;
    if (!received.session->only_legacy() || capabilities == nullptr) continue;
    const std::string method = received.method();
    const auto undeclared = [&](const std::string& what) {
      std::string message = method;
      message.append(" came from a server that does not declare ").append(what);
      findings.Report({kDeclared, kDeclaredWeak}, received, message);
    };
    for (const auto& [change, feature] : kListChanges) {
      if (method == change && !Declares(capabilities, feature, "listChanged")) {
        undeclared(std::string(feature) + ".listChanged");
      }
    }
    if (method != "notifications/resources/updated") continue;
    if (!Declares(capabilities, "resources", "subscribe")) undeclared("resources.subscribe");
    const std::string uri =
        received.params() == nullptr ? "" : received.params()->FindString("uri").value_or("");
    const std::unordered_set<std::string>& known = subscribed[moment.session];
    const bool wanted = std::any_of(known.begin(), known.end(), [&](const std::string& prefix) {
      return uri.rfind(prefix, 0) == 0;
    });
    if (!wanted) {
      findings.Report(kSubscribed, received, "An update came for a resource nobody subscribed to",
                      {.actual = Json::String(uri)});
    }
  }
}

// --- cancellations

struct CancelWatch {
  std::unordered_set<std::string> listens;  // modern: ids of listen requests
  std::unordered_set<std::string> own;      // legacy: requests of the server
  std::unordered_set<std::string> tasks;    // those of them that we made a task
};

void JudgeCancellations(const Ledger& ledger, Findings& findings) {
  if (ledger.shared()) return;
  std::unordered_map<const Session*, CancelWatch> watches;
  for (const Moment& moment : ledger.moments()) {
    CancelWatch& watch = watches[moment.session];
    if (moment.sent != nullptr && moment.sent->id != nullptr) {
      if (moment.sent->method == "subscriptions/listen") {
        watch.listens.insert(IdKey(*moment.sent->id));
      }
      if (moment.sent->kind == Sent::Kind::kResponse &&
          moment.sent->body->Find("result", "task") != nullptr) {
        watch.tasks.insert(IdKey(*moment.sent->id));
      }
      continue;
    }
    if (moment.received == nullptr) continue;
    const Received& received = *moment.received;
    if (received.kind == Received::Kind::kRequest) watch.own.insert(IdKey(*received.id()));
    if (received.kind != Received::Kind::kNotification ||
        received.method() != "notifications/cancelled" || received.params() == nullptr) {
      continue;
    }
    const Json* target = received.params()->Find("requestId");
    if (target == nullptr) continue;  // its shape tells
    const bool modern = received.session->only_modern();
    if (!modern && !received.session->only_legacy()) continue;
    if (!modern && watch.tasks.contains(IdKey(*target))) {
      findings.Report(kCancelTask, received,
                      "The server cancelled a request that is a task by now as if it were none",
                      {.actual = *target});
    }
    const auto& allowed = modern ? watch.listens : watch.own;
    if (allowed.count(IdKey(*target)) > 0) continue;
    findings.Report(kCancelUse, received,
                    modern ? "The server cancelled something other than a subscription"
                           : "The server cancelled a request that is not its own",
                    {.actual = *target});
  }
}

}  // namespace

std::vector<Rule> NotificationRules() {
  return {
      {"notification-set",
       {kKnownSet, kNoElicitationComplete, kRespectVersion, kRespectVersionWeak},
       JudgeSet},
      {"log-messages",
       {kLogCapability, kLogOptIn, kLogBeforeResponse, kLogThreshold, kLogSecrets},
       JudgeLogs},
      {"changes-declared", {kDeclared, kDeclaredWeak, kSubscribed}, JudgeChanges},
      {"cancellations", {kCancelUse, kCancelTask}, JudgeCancellations},
  };
}

}  // namespace assay::oracle
