// What every modern result says of itself.

#include "oracle/results.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace assay::oracle {
namespace {

constexpr Duty kTypePresent{"M-RPC-RESULTTYPE-PRESENT", ""};
constexpr Duty kTypeKnown{"M-RPC-RESULTTYPE-KNOWN", ""};
constexpr Duty kTypeInput{"M-RPC-RESULTTYPE-INPUT-REQUIRED", ""};
constexpr Duty kAskingMethods{"M-MRTR-OTHER-METHODS", ""};
constexpr Duty kTaskUndeclared{"T-CREATE-NOT-WITHOUT-DECLARATION", ""};
constexpr Duty kTaskMethods{"T-CREATE-ONLY-SUPPORTED-METHODS", ""};
constexpr Duty kTaskExclusive{"T-RESULTTYPE-TASK-EXCLUSIVE", ""};
constexpr Duty kTaskType{"T-CREATE-RESULTTYPE", ""};
constexpr Duty kGetComplete{"T-GET-RESULTTYPE-COMPLETE", ""};
constexpr Duty kUpdateComplete{"T-UPDATE-RESULTTYPE", ""};
constexpr Duty kCancelComplete{"T-CANCEL-RESULTTYPE", ""};

constexpr Duty kTtlNonNegative{"M-CACHE-TTL-NON-NEGATIVE", ""};
constexpr Duty kTtlInteger{"M-CACHE-TTL-INTEGER", ""};
constexpr Duty kScopeValues{"M-CACHE-SCOPE-VALUES", ""};
constexpr Duty kScopeSame{"M-CACHE-SCOPE-SAME-ON-PAGES", ""};
constexpr Duty kNoHintsOnInput{"M-CACHE-NO-HINTS-ON-INPUT-REQUIRED", ""};

constexpr Duty kServerInfo{"M-META-SERVERINFO", ""};
constexpr Duty kDiscoverServerInfo{"M-DISCOVER-SERVERINFO", ""};

constexpr Duty kAtLeastOne{"M-MRTR-AT-LEAST-ONE", ""};
constexpr Duty kKeysUnique{"M-MRTR-KEYS-UNIQUE", ""};
constexpr Duty kUndeclaredKind{"M-MRTR-NO-UNDECLARED-KIND", ""};
constexpr Duty kModeSupported{"M-ELICIT-MODE-SUPPORTED", ""};
constexpr Duty kSamplingTools{"M-SAMPLING-TOOLS-CAPABILITY", ""};
constexpr Duty kSamplingContext{"M-SAMPLING-INCLUDECONTEXT-CAPABILITY", ""};
constexpr Duty kNoElicitationId{"M-ELICIT-NO-ELICITATION-ID", ""};
constexpr Duty kTaskUndeclaredKind{"T-INPUT-DECLARED-CAPABILITIES", ""};

struct CacheRow {
  std::string_view method;
  Duty duty;
};
constexpr CacheRow kCacheable[] = {
    {"server/discover", {"M-CACHE-HINTS-DISCOVER", ""}},
    {"tools/list", {"M-CACHE-HINTS-TOOLS-LIST", ""}},
    {"prompts/list", {"M-CACHE-HINTS-PROMPTS-LIST", ""}},
    {"resources/list", {"M-CACHE-HINTS-RESOURCES-LIST", ""}},
    {"resources/templates/list", {"M-CACHE-HINTS-TEMPLATES-LIST", ""}},
    {"resources/read", {"M-CACHE-HINTS-RESOURCES-READ", ""}},
};

std::string Name(const Received& received) { return "The result of " + received.request->method; }

// Calls `judge` with every result of the modern era that is an object.
template <typename Judge>
void ForEachModernResult(const Ledger& ledger, const Judge& judge) {
  if (!ledger.speaks_modern()) return;
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kResult) continue;
    const Received& received = *moment.received;
    const Sent* request = received.request;
    if (received.era != Era::kModern || received.revision.empty() || request == nullptr ||
        request->answer != &received || request->reused_id || !received.result()->is_object()) {
      continue;
    }
    judge(received, *request, *received.result());
  }
}

bool MayAsk(const std::string& method) {
  return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

const Json* Extension(const Sent& request, std::string_view name) {
  const Json* capabilities = request.envelope.capabilities;
  return capabilities == nullptr ? nullptr : capabilities->Find("extensions", name);
}

bool DeclaresAnyExtension(const Sent& request) {
  const Json* capabilities = request.envelope.capabilities;
  const Json* extensions = capabilities == nullptr ? nullptr : capabilities->Find("extensions");
  return extensions != nullptr && !extensions->members().empty();
}

// --- result types

void JudgeTaskType(const Received& received, const Sent& request, const std::string& type,
                   Findings& findings) {
  const Json actual = Json::String(type);
  if (Extension(request, kTasksExtension) == nullptr) {
    if (type == "task") {
      findings.Report(kTaskUndeclared, received,
                      Name(received) + " is a task, and the request declared no tasks");
    }
    return;
  }
  if (type == "task") {
    if (request.method == "tools/call") return;
    // Two examples of the extension's page do it with tasks/get (modern-notes B1).
    const bool task_method = request.method.rfind("tasks/", 0) == 0;
    findings.Report(task_method ? kTaskExclusive : kTaskMethods, received,
                    Name(received) + " has result type task",
                    {.actual = actual, .at_most_warn = request.method == "tasks/get"});
    return;
  }
  const Duty* duty = request.method == "tasks/get"      ? &kGetComplete
                     : request.method == "tasks/update" ? &kUpdateComplete
                     : request.method == "tasks/cancel" ? &kCancelComplete
                                                        : nullptr;
  if (duty != nullptr && type != "complete") {
    findings.Report(*duty, received, Name(received) + " does not have result type complete",
                    {.expected = Json::String("complete"), .actual = actual});
  }
  if (request.method == "tools/call" && type == "complete" &&
      received.result()->Find("content") == nullptr &&
      received.result()->FindString("taskId").has_value()) {
    findings.Report(kTaskType, received, "A created task does not have result type task",
                    {.expected = Json::String("task"), .actual = actual});
  }
}

void JudgeTypes(const Ledger& ledger, Findings& findings) {
  ForEachModernResult(ledger, [&](const Received& received, const Sent& request,
                                  const Json& result) {
    const Json* type = result.Find("resultType");
    if (type == nullptr || !type->is_string()) {
      Detail detail;
      if (type != nullptr) detail.actual = *type;
      findings.Report(kTypePresent, received,
                      Name(received) + (type == nullptr ? " has no resultType"
                                                        : " has a resultType that is no string"),
                      std::move(detail));
      return;
    }
    const std::string& text = type->text();
    if (text == "input_required") {
      if (!MayAsk(request.method)) {
        findings.Report(kAskingMethods, received, Name(received) + " asks for input");
      }
    } else if (text == "complete") {
      if (MayAsk(request.method) && result.Find("inputRequests") != nullptr) {
        findings.Report(kTypeInput, received,
                        Name(received) + " has input requests and result type complete");
      }
    } else if (text != "task") {
      // Extensions may add types, but only for those who declared them.
      findings.Report(kTypeKnown, received, Name(received) + " has an unknown resultType",
                      {.actual = *type, .at_most_warn = DeclaresAnyExtension(request)});
    }
    JudgeTaskType(received, request, text, findings);
  });
}

// --- cache hints

void JudgeHints(const Received& received, const Json& result, const Duty& duty,
                Findings& findings) {
  const Json* ttl = result.Find("ttlMs");
  const Json* scope = result.Find("cacheScope");
  if (ttl == nullptr || scope == nullptr) {
    const char* which = ttl != nullptr     ? " has no cacheScope"
                        : scope != nullptr ? " has no ttlMs"
                                           : " has neither ttlMs nor cacheScope";
    findings.Report(duty, received, Name(received) + which);
  }
  if (ttl != nullptr) {
    if (!ttl->is_number()) {
      findings.Report(duty, received, Name(received) + " has a ttlMs that is no number",
                      {.actual = *ttl});
    } else if (CompareNumbers(ttl->text(), "0") < 0) {
      findings.Report(kTtlNonNegative, received, Name(received) + " has a negative ttlMs",
                      {.actual = *ttl});
    } else if (!ttl->is_integer()) {
      findings.Report(kTtlInteger, received, Name(received) + " has a ttlMs that is no integer",
                      {.actual = *ttl});
    }
  }
  if (scope != nullptr &&
      !(scope->is_string() && (scope->text() == "public" || scope->text() == "private"))) {
    findings.Report(kScopeValues, received,
                    Name(received) + " has a cacheScope that is neither public nor private",
                    {.actual = *scope});
  }
}

void JudgeCaching(const Ledger& ledger, Findings& findings) {
  std::map<std::pair<std::string, std::string>, std::string> scope_of_cursor;  // method, cursor
  ForEachModernResult(ledger, [&](const Received& received, const Sent& request,
                                  const Json& result) {
    const auto row = std::find_if(std::begin(kCacheable), std::end(kCacheable),
                                  [&](const CacheRow& it) { return it.method == request.method; });
    if (row == std::end(kCacheable)) return;
    const std::string type = result.FindString("resultType").value_or("complete");
    if (type == "input_required") {
      if (result.Find("ttlMs") != nullptr || result.Find("cacheScope") != nullptr) {
        findings.Report(kNoHintsOnInput, received,
                        Name(received) + " asks for input and has cache hints");
      }
      return;
    }
    if (type != "complete") return;
    JudgeHints(received, result, row->duty, findings);

    const std::string scope = result.FindString("cacheScope").value_or("");
    if (const auto next = result.FindString("nextCursor")) {
      scope_of_cursor[{request.method, *next}] = scope;
    }
    const Json* params = request.params();
    const auto cursor = params == nullptr ? std::nullopt : params->FindString("cursor");
    if (!cursor) return;
    const auto before = scope_of_cursor.find({request.method, *cursor});
    if (before != scope_of_cursor.end() && before->second != scope && !scope.empty() &&
        !before->second.empty()) {
      findings.Report(kScopeSame, received,
                      "Pages of one " + request.method + " have different cacheScope",
                      {.expected = Json::String(before->second), .actual = Json::String(scope)});
    }
  });
}

void JudgeServerInfo(const Ledger& ledger, Findings& findings) {
  ForEachModernResult(ledger, [&](const Received& received, const Sent& request,
                                  const Json& result) {
    const Json* meta = result.Find("_meta");
    if (meta != nullptr && meta->Find(kServerInfoKey) != nullptr) return;
    if (request.method == "server/discover") {
      findings.Report(kDiscoverServerInfo, received,
                      "The result of server/discover does not say which server it is");
    } else {
      findings.Report(kServerInfo, received, "A result does not say which server it comes from");
    }
  });
}

// --- input

// Whether the request's capabilities let the server ask `method`.
bool MayBeAsked(const Sent& request, const std::string& method) {
  const std::string_view name = method == "elicitation/create"       ? "elicitation"
                                : method == "sampling/createMessage" ? "sampling"
                                : method == "roots/list"             ? "roots"
                                                                     : "";
  if (name.empty()) return true;  // no such request: the shape tells
  const Json* capabilities = request.envelope.capabilities;
  return capabilities != nullptr && capabilities->Find(name) != nullptr;
}

void JudgeAsk(const Received& received, const Json& ask, const Duty& undeclared,
              Findings& findings) {
  const Sent& request = *received.request;
  const std::string method = ask.FindString("method").value_or("");
  const Json* declared = request.envelope.capabilities;
  const auto declares = [declared](auto... path) {
    return declared != nullptr && declared->Find(path...) != nullptr;
  };
  if (!MayBeAsked(request, method)) {
    findings.Report(undeclared, received,
                    Name(received) + " asks for " + method + ", which the request did not declare");
    return;
  }
  const Json* params = ask.Find("params");
  if (params == nullptr) return;
  if (method == "elicitation/create") {
    const std::string mode = params->FindString("mode").value_or("form");
    // An empty capability stands for forms alone.
    const bool form = declares("elicitation", "form") || !declares("elicitation", "url");
    if ((mode == "form" && !form) || (mode == "url" && !declares("elicitation", "url"))) {
      findings.Report(kModeSupported, received,
                      Name(received) + " elicits in a mode that was not declared",
                      {.actual = Json::String(mode)});
    }
    if (params->Find("elicitationId") != nullptr) {
      findings.Report(kNoElicitationId, received,
                      Name(received) + " elicits with an elicitationId, which is no more",
                      {.at_most_warn = true});
    }
  } else if (method == "sampling/createMessage") {
    const bool tools = params->Find("tools") != nullptr || params->Find("toolChoice") != nullptr;
    if (tools && !declares("sampling", "tools")) {
      findings.Report(kSamplingTools, received,
                      Name(received) + " samples with tools, which was not declared");
    }
    const std::string context = params->FindString("includeContext").value_or("none");
    if (context != "none" && !declares("sampling", "context")) {
      findings.Report(kSamplingContext, received,
                      Name(received) + " samples with context, which was not declared",
                      {.actual = Json::String(context)});
    }
  }
}

void JudgeInput(const Ledger& ledger, Findings& findings) {
  ForEachModernResult(ledger, [&](const Received& received, const Sent& request,
                                  const Json& result) {
    const bool of_task = request.method == "tasks/get";
    const bool asks =
        (MayAsk(request.method) && result.FindString("resultType") == "input_required") ||
        (of_task && Extension(request, kTasksExtension) != nullptr);
    if (!asks) return;
    const Json* requests = result.Find("inputRequests");
    if (!of_task && requests == nullptr && result.Find("requestState") == nullptr) {
      findings.Report(kAtLeastOne, received,
                      Name(received) + " asks for input without requests or state");
    }
    if (requests == nullptr) return;
    std::set<std::string_view> keys;
    for (const JsonMember& member : requests->members()) {
      if (!keys.insert(member.key).second) {
        findings.Report(kKeysUnique, received, Name(received) + " asks twice under one key",
                        {.actual = Json::String(member.key)});
      }
      JudgeAsk(received, member.value, of_task ? kTaskUndeclaredKind : kUndeclaredKind, findings);
    }
  });
}

}  // namespace

std::vector<Rule> ResultRules() {
  std::vector<Duty> hints = {kTtlNonNegative, kTtlInteger, kScopeValues, kScopeSame,
                             kNoHintsOnInput};
  for (const CacheRow& row : kCacheable) hints.push_back(row.duty);
  return {
      {"result-types",
       {kTypePresent, kTypeKnown, kTypeInput, kAskingMethods, kTaskUndeclared, kTaskMethods,
        kTaskExclusive, kTaskType, kGetComplete, kUpdateComplete, kCancelComplete},
       JudgeTypes},
      {"cache-hints", std::move(hints), JudgeCaching},
      {"server-info", {kServerInfo, kDiscoverServerInfo}, JudgeServerInfo},
      {"input-requests",
       {kAtLeastOne, kKeysUnique, kUndeclaredKind, kModeSupported, kSamplingTools, kSamplingContext,
        kNoElicitationId, kTaskUndeclaredKind},
       JudgeInput},
  };
}

}  // namespace assay::oracle
