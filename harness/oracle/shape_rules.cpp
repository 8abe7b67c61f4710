// The shape of results, notifications and requests of the server.

#include "oracle/shape_rules.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace assay::oracle {
namespace {

// Pointers are prefixes; `*` stands for any one step. Of the rows that match, the longest counts.
struct Row {
  std::string_view subject;  // a method; "" = any
  std::string_view pointer;
  Duty duty;
};

constexpr Duty kMeta{"M-META-RESULT-META-OBJECT", "L-BASE-meta-is-object"};
constexpr Duty kCursor{"M-PAGE-CURSOR-STRING", "L-PAGE-cursor-string"};
constexpr Duty kIcons{"M-ICON-SHAPE", "L-BASE-icon-shape", "2025-11-25"};
constexpr Duty kAnnotations{"M-CONTENT-ANNOTATIONS", "L-BASE-annotations-shape"};

constexpr Duty Titled(std::string_view modern) {
  return {modern, "L-BASE-title-shape", "2025-06-18"};
}
constexpr Duty Newest(std::string_view modern, std::string_view legacy) {
  return {modern, legacy, "2025-11-25"};
}

const std::vector<Row>& ResultRows() {
  static const std::vector<Row> rows = {
      {"", "/_meta", kMeta},
      {"", "/_meta/io.modelcontextprotocol~1serverInfo", {"M-META-SERVERINFO-SHAPE", ""}},
      {"", "/_meta/io.modelcontextprotocol~1serverInfo/icons", kIcons},

      {"initialize", "", {"", "L-INIT-shape-result"}},
      {"initialize", "/capabilities", {"", "L-INIT-shape-capabilities"}},
      {"initialize", "/capabilities/tasks", Newest("", "L-TASK-capability-shape")},
      {"initialize", "/serverInfo/icons", kIcons},
      {"initialize", "/serverInfo/title", Titled("")},
      {"server/discover", "", {"M-DISCOVER-SHAPE", ""}},
      {"server/discover", "/capabilities", {"M-DISCOVER-CAPABILITIES-SHAPE", ""}},
      {"server/discover", "/capabilities/extensions/*", {"M-EXT-SETTINGS-OBJECT", ""}},
      {"ping", "", {"", "L-PING-respond"}},

      {"tools/list", "", {"M-TOOLS-LIST-SHAPE", "L-TOOLS-shape-list-result"}},
      {"tools/list", "/nextCursor", kCursor},
      {"tools/list", "/tools/*", {"M-TOOLS-TOOL-SHAPE", "L-TOOLS-shape-tool"}},
      {"tools/list", "/tools/*/title", Titled("M-TOOLS-TOOL-SHAPE")},
      {"tools/list", "/tools/*/icons", kIcons},
      {"tools/list", "/tools/*/_meta", kMeta},
      {"tools/list", "/tools/*/inputSchema", {"M-TOOLS-INPUT-SCHEMA-OBJECT", "L-TOOLS-shape-tool"}},
      {"tools/list",
       "/tools/*/outputSchema",
       {"M-TOOLS-TOOL-SHAPE", "L-TOOLS-shape-output-schema", "2025-06-18"}},
      {"tools/list",
       "/tools/*/annotations",
       {"M-TOOLS-ANNOTATIONS-SHAPE", "L-TOOLS-shape-annotations", "2025-03-26"}},
      {"tools/list", "/tools/*/execution", Newest("", "L-TASK-tool-execution-shape")},
      {"tools/call", "", {"M-TOOLS-CALL-SHAPE", "L-TOOLS-shape-call-result"}},
      {"tools/call", "/structuredContent", {"", "L-TOOLS-structured-is-object", "2025-06-18"}},
      {"tools/call", "/task", Newest("", "L-TASK-shape-create-result")},
      {"tools/call", "/task/*", Newest("", "L-TASK-shape-task")},

      {"prompts/list", "", {"M-PROMPTS-LIST-SHAPE", "L-PROMPT-shape-list-result"}},
      {"prompts/list", "/nextCursor", kCursor},
      {"prompts/list", "/prompts/*", {"M-PROMPTS-PROMPT-SHAPE", "L-PROMPT-shape-prompt"}},
      {"prompts/list", "/prompts/*/title", Titled("M-PROMPTS-PROMPT-SHAPE")},
      {"prompts/list", "/prompts/*/icons", kIcons},
      {"prompts/list", "/prompts/*/_meta", kMeta},
      {"prompts/get", "", {"M-PROMPTS-GET-SHAPE", "L-PROMPT-shape-get-result"}},
      {"prompts/get", "/messages/*", {"M-PROMPTS-MESSAGE-SHAPE", "L-PROMPT-shape-get-result"}},

      {"resources/list", "", {"M-RES-LIST-SHAPE", "L-RES-shape-list-result"}},
      {"resources/list", "/nextCursor", kCursor},
      {"resources/list", "/resources/*", {"M-RES-RESOURCE-SHAPE", "L-RES-shape-resource"}},
      {"resources/list", "/resources/*/title", Titled("M-RES-RESOURCE-SHAPE")},
      {"resources/list", "/resources/*/icons", kIcons},
      {"resources/list", "/resources/*/_meta", kMeta},
      {"resources/list", "/resources/*/annotations", kAnnotations},
      {"resources/templates/list", "", {"M-RES-TEMPLATES-SHAPE", "L-RES-shape-templates-result"}},
      {"resources/templates/list", "/nextCursor", kCursor},
      {"resources/templates/list",
       "/resourceTemplates/*",
       {"M-RES-TEMPLATE-SHAPE", "L-RES-shape-template"}},
      {"resources/templates/list", "/resourceTemplates/*/title", Titled("M-RES-TEMPLATE-SHAPE")},
      {"resources/templates/list", "/resourceTemplates/*/icons", kIcons},
      {"resources/templates/list", "/resourceTemplates/*/_meta", kMeta},
      {"resources/templates/list", "/resourceTemplates/*/annotations", kAnnotations},
      {"resources/read", "", {"M-RES-READ-SHAPE", "L-RES-shape-read-result"}},
      {"resources/read", "/contents/*", {"M-RES-CONTENTS-SHAPE", "L-RES-shape-contents"}},
      {"resources/read", "/contents/*/_meta", kMeta},
      {"resources/subscribe", "", {"", "L-RES-subscribe-empty-result"}},
      {"resources/unsubscribe", "", {"", "L-RES-subscribe-empty-result"}},

      {"completion/complete", "", {"M-COMPL-SHAPE", "L-COMPLETE-shape-result"}},
      {"logging/setLevel", "", {"", "L-LOG-setlevel-empty-result"}},
      {"subscriptions/listen", "", {"M-SUB-GRACEFUL-SHAPE", ""}},
      {"subscriptions/listen", "/_meta", {"M-SUB-GRACEFUL-SHAPE", ""}},

      {"tasks/get", "", Newest("T-GET-SHAPE", "L-TASK-shape-get-result")},
      {"tasks/get", "/status", Newest("T-TASK-STATUS-VALUES", "L-TASK-shape-get-result")},
      {"tasks/get", "/ttlMs", {"T-TASK-TTL-TYPE", ""}},
      {"tasks/get", "/pollIntervalMs", {"T-TASK-POLL-INTERVAL-TYPE", ""}},
      {"tasks/get", "/inputRequests", {"T-GET-INPUT-REQUIRED", ""}},
      {"tasks/get", "/inputRequests/*", {"T-INPUT-REQUEST-SHAPE", ""}},
      {"tasks/get", "/result", {"T-GET-COMPLETED", ""}},
      {"tasks/get", "/error", {"T-GET-FAILED", ""}},
      {"tasks/result", "", Newest("", "L-TASK-shape-payload-result")},
      {"tasks/list", "", Newest("", "L-TASK-shape-list-result")},
      {"tasks/list", "/nextCursor", kCursor},
      {"tasks/list", "/tasks/*", Newest("", "L-TASK-shape-task")},
      {"tasks/cancel", "", Newest("T-CANCEL-ACK", "L-TASK-shape-cancel-result")},
      {"tasks/update", "", {"T-UPDATE-ACK", ""}},
  };
  return rows;
}

// For results that a resultType makes something else.
const std::vector<Row>& InputRequiredRows() {
  static const std::vector<Row> rows = {
      {"", "", {"M-MRTR-SHAPE", ""}},
      {"", "/_meta", kMeta},
      {"", "/_meta/io.modelcontextprotocol~1serverInfo", {"M-META-SERVERINFO-SHAPE", ""}},
      {"", "/inputRequests/*", {"M-MRTR-REQUEST-KINDS", ""}},
  };
  return rows;
}
const std::vector<Row>& CreateTaskRows() {
  static const std::vector<Row> rows = {
      {"", "", {"T-CREATE-SHAPE", ""}},
      {"", "/_meta", kMeta},
      {"", "/_meta/io.modelcontextprotocol~1serverInfo", {"M-META-SERVERINFO-SHAPE", ""}},
      {"", "/status", {"T-TASK-STATUS-VALUES", ""}},
      {"", "/ttlMs", {"T-TASK-TTL-TYPE", ""}},
      {"", "/pollIntervalMs", {"T-TASK-POLL-INTERVAL-TYPE", ""}},
  };
  return rows;
}

const std::vector<Row>& NotificationRows() {
  static const std::vector<Row> rows = {
      {"", "/_meta", kMeta},
      {"", "/_meta/io.modelcontextprotocol~1subscriptionId", {"M-SUB-ID-VALUE", ""}},
      {"notifications/cancelled", "", {"M-CANCEL-SHAPE", "L-CANCEL-shape"}},
      {"notifications/progress", "", {"M-PROG-SHAPE", "L-PROGRESS-shape"}},
      {"notifications/message", "", {"M-LOG-SHAPE", "L-LOG-shape-message"}},
      {"notifications/resources/updated", "", {"M-RES-UPDATED-SHAPE", "L-RES-shape-updated"}},
      {"notifications/resources/list_changed",
       "",
       {"M-RPC-NOTIFICATION-SHAPE", "L-RES-shape-list-changed"}},
      {"notifications/tools/list_changed",
       "",
       {"M-RPC-NOTIFICATION-SHAPE", "L-TOOLS-shape-list-changed"}},
      {"notifications/prompts/list_changed",
       "",
       {"M-RPC-NOTIFICATION-SHAPE", "L-PROMPT-shape-list-changed"}},
      {"notifications/subscriptions/acknowledged", "", {"M-SUB-ACK-SHAPE", ""}},
      {"notifications/subscriptions/acknowledged",
       "/notifications/taskIds",
       {"T-NOTIF-ACK-TASKIDS", ""}},
      {"notifications/tasks", "", {"T-NOTIF-SHAPE", ""}},
      {"notifications/tasks/status", "", Newest("", "L-TASK-shape-status-notification")},
      {"notifications/elicitation/complete", "", Newest("", "L-ELICIT-complete-id")},
  };
  return rows;
}

// What the server asks of the client: legacy in a request, modern within a result.
const std::vector<Row>& AskRows() {
  static const std::vector<Row> rows = {
      {"", "/_meta", kMeta},
      {"", "/_meta/progressToken", {"", "L-PROGRESS-token-type-sent"}},
      {"ping", "", {"", "L-PING-shape-request"}},
      {"roots/list", "", {"M-ROOTS-SHAPE", "L-ROOTS-shape-request"}},
      {"sampling/createMessage", "", {"M-SAMPLING-SHAPE", "L-SAMPLE-shape-request"}},
      {"sampling/createMessage",
       "/messages/*",
       {"M-SAMPLING-MESSAGE-SHAPE", "L-SAMPLE-shape-message"}},
      {"sampling/createMessage",
       "/modelPreferences",
       {"M-SAMPLING-PREFERENCES-SHAPE", "L-SAMPLE-preferences-range"}},
      {"sampling/createMessage", "/toolChoice",
       Newest("M-SAMPLING-TOOLCHOICE-SHAPE", "L-SAMPLE-tool-choice-shape")},
      {"sampling/createMessage", "/tools/*", {"M-SAMPLING-TOOL-SHAPE", "L-SAMPLE-shape-request"}},
      {"elicitation/create", "", Newest("M-ELICIT-MODE-AND-MESSAGE", "L-ELICIT-common-params")},
      {"elicitation/create", "/requestedSchema",
       Newest("M-ELICIT-FORM-SHAPE", "L-ELICIT-form-params")},
      {"elicitation/create",
       "/requestedSchema/properties/*",
       {"M-ELICIT-FORM-FLAT", "L-ELICIT-flat-schema", "2025-06-18"}},
      {"elicitation/create",
       "/requestedSchema/properties/*/format",
       {"M-ELICIT-FORM-STRING", "L-ELICIT-string-formats", "2025-06-18"}},
      {"elicitation/create", "/url", Newest("M-ELICIT-URL-VALID", "L-ELICIT-url-valid")},
  };
  return rows;
}
constexpr Duty kElicit2025June{"", "L-ELICIT-shape-2025-06", "2025-06-18", "2025-06-18"};
constexpr Duty kElicitForm{"M-ELICIT-FORM-SHAPE", "L-ELICIT-form-params", "2025-11-25"};
constexpr Duty kElicitUrl{"M-ELICIT-URL-SHAPE", "L-ELICIT-url-params", "2025-11-25"};

constexpr Duty kFormString{"M-ELICIT-FORM-STRING", "L-ELICIT-flat-schema", "2025-06-18"};
constexpr Duty kFormNumber{"M-ELICIT-FORM-NUMBER", "L-ELICIT-flat-schema", "2025-06-18"};
constexpr Duty kFormBoolean{"M-ELICIT-FORM-BOOLEAN", "L-ELICIT-flat-schema", "2025-06-18"};
constexpr Duty kFormEnum{"M-ELICIT-FORM-ENUM", "L-ELICIT-flat-schema", "2025-06-18"};

// Content blocks: which requirement depends on what the block says it is.
struct BlockRow {
  std::string_view type;
  Duty duty;
};
constexpr BlockRow kBlocks[] = {
    {"text", {"M-CONTENT-TEXT", "L-TOOLS-shape-text-content"}},
    {"image", {"M-CONTENT-IMAGE", "L-TOOLS-shape-image-content"}},
    {"audio", {"M-CONTENT-AUDIO", "L-TOOLS-shape-audio-content", "2025-03-26"}},
    {"resource_link", {"M-CONTENT-RESOURCE-LINK", "L-TOOLS-shape-resource-link", "2025-06-18"}},
    {"resource", {"M-CONTENT-EMBEDDED", "L-TOOLS-shape-embedded-resource"}},
    {"tool_use", {"M-SAMPLING-TOOL-BLOCK-SHAPE", "L-SAMPLE-shape-message"}},
    {"tool_result", {"M-SAMPLING-TOOL-BLOCK-SHAPE", "L-SAMPLE-shape-message"}},
};
constexpr Duty kBlockTypes{"M-CONTENT-KNOWN-TYPES", "L-TOOLS-content-types"};

std::string_view TakeSegment(std::string_view& pointer) {
  if (pointer.empty()) return {};
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  const std::string_view segment = pointer.substr(1, end - 1);
  pointer.remove_prefix(end);
  return segment;
}

// How many steps of `pointer` the pattern covers; nothing when it leads elsewhere.
std::optional<int> Covers(std::string_view pattern, std::string_view pointer) {
  int depth = 0;
  while (!pattern.empty()) {
    if (pointer.empty()) return std::nullopt;
    const std::string_view wanted = TakeSegment(pattern);
    const std::string_view segment = TakeSegment(pointer);
    if (wanted != "*" && wanted != segment) return std::nullopt;
    ++depth;
  }
  return depth;
}

const Duty* FindDuty(const std::vector<Row>& rows, std::string_view subject,
                     std::string_view pointer) {
  const Row* best = nullptr;
  int best_depth = -1;
  for (const Row& row : rows) {
    if (!row.subject.empty() && row.subject != subject) continue;
    const std::optional<int> depth = Covers(row.pointer, pointer);
    if (!depth || *depth < best_depth) continue;
    best = &row;
    best_depth = *depth;
  }
  return best == nullptr ? nullptr : &best->duty;
}

// The pointer of the innermost content block that `pointer` leads into, or nothing.
std::optional<std::string_view> BlockIn(std::string_view pointer) {
  std::optional<std::string_view> block;
  std::string_view rest = pointer;
  while (!rest.empty()) {
    const bool content = TakeSegment(rest) == "content";
    if (!content) continue;
    // One block, or an array of them.
    std::string_view after = rest;
    const std::string_view index = TakeSegment(after);
    const bool number = !index.empty() && index.find_first_not_of("0123456789") == index.npos;
    block = pointer.substr(0, pointer.size() - (number ? after : rest).size());
  }
  return block;
}

const Duty* BlockDuty(const Json& root, std::string_view pointer) {
  const std::optional<std::string_view> where = BlockIn(pointer);
  if (!where) return nullptr;
  const Json* block = At(root, *where);
  if (block == nullptr || !block->is_object()) return nullptr;
  const std::string type = block->FindString("type").value_or("");
  if (pointer == std::string(*where) + "/type" || type.empty()) return &kBlockTypes;
  if (Covers("/annotations", pointer.substr(where->size()))) return &kAnnotations;
  if (Covers("/_meta", pointer.substr(where->size()))) return &kMeta;
  if (Covers("/icons", pointer.substr(where->size()))) return &kIcons;
  for (const BlockRow& row : kBlocks) {
    if (row.type == type) return &row.duty;
  }
  return &kBlockTypes;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Base64 has a rule of its own, which is stricter (content.cpp).
bool LeftToBase64(const Json& root, const ShapeMismatch& mismatch) {
  if (!EndsWith(mismatch.pointer, "/data") && !EndsWith(mismatch.pointer, "/blob")) return false;
  const Json* value = At(root, mismatch.pointer);
  return value != nullptr && value->is_string();
}

// Reports mismatches, each requirement once.
class Reporter {
 public:
  Reporter(const Received& received, std::string what, bool at_most_warn, Findings& findings)
      : received_(received),
        what_(std::move(what)),
        at_most_warn_(at_most_warn),
        findings_(findings) {}

  void Report(const Duty& duty, const Json& root, const ShapeMismatch& mismatch) {
    const std::string_view id = duty.IdFor(received_.era, received_.revision);
    if (id.empty() || !told_.insert(id).second) return;
    Detail detail{.at_most_warn = at_most_warn_};
    const Json* value = At(root, mismatch.pointer);
    if (value != nullptr && !value->is_object() && !value->is_array()) detail.actual = *value;
    const std::string where = mismatch.pointer.empty() ? "" : " at " + mismatch.pointer;
    findings_.Report(duty, received_,
                     what_ + " does not have its shape" + where + ": " + mismatch.reason,
                     std::move(detail));
  }

 private:
  const Received& received_;
  std::string what_;
  bool at_most_warn_;
  Findings& findings_;
  std::set<std::string_view> told_;
};

// --- what the server asks of the client

const Duty& ElicitDuty(const Received& received, const Json& params,
                       const ShapeMismatch& mismatch) {
  if (Covers("/requestedSchema/properties/*", mismatch.pointer) &&
      !Covers("/requestedSchema/properties/*/format", mismatch.pointer)) {
    std::string_view rest = mismatch.pointer;
    for (int i = 0; i < 3; ++i) TakeSegment(rest);
    const std::string_view property =
        std::string_view(mismatch.pointer).substr(0, mismatch.pointer.size() - rest.size());
    const Json* schema = At(params, property);
    const std::string type = schema == nullptr ? "" : schema->FindString("type").value_or("");
    const bool choice = schema != nullptr && (schema->Find("enum") != nullptr ||
                                              schema->Find("oneOf") != nullptr || type == "array");
    if (choice) return kFormEnum;
    if (type == "string") return kFormString;
    if (type == "number" || type == "integer") return kFormNumber;
    if (type == "boolean") return kFormBoolean;
  }
  const Duty& duty = *FindDuty(AskRows(), "elicitation/create", mismatch.pointer);
  if (received.era == Era::kLegacy && received.revision == "2025-06-18" &&
      duty.IdFor(received.era, received.revision).empty()) {
    return kElicit2025June;
  }
  // What is missing at the top is told by the mode.
  if (!mismatch.pointer.empty() || mismatch.reason.find("`message`") != std::string::npos) {
    return duty;
  }
  return params.FindString("mode") == "url" ? kElicitUrl : kElicitForm;
}

void ReportAsk(const Received& received, std::string_view method, const Json& params,
               const ShapeMismatch& mismatch, Reporter& reporter) {
  if (LeftToBase64(params, mismatch)) return;
  const Duty* duty = method == "elicitation/create" ? &ElicitDuty(received, params, mismatch)
                                                    : BlockDuty(params, mismatch.pointer);
  if (duty == nullptr) duty = FindDuty(AskRows(), method, mismatch.pointer);
  if (duty != nullptr) reporter.Report(*duty, params, mismatch);
}

void JudgeAsks(const Ledger& ledger, Findings& findings) {
  static const Json kNoParams = Json::Object();
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kRequest) continue;
    const Received& received = *moment.received;
    if (received.era != Era::kLegacy || received.revision.empty()) continue;
    const std::string method = received.method();
    const auto shape = ledger.shapes().RequestShape(received.revision, method);
    if (!shape) continue;
    const Json& params = received.params() == nullptr ? kNoParams : *received.params();
    Reporter reporter(received, "The request " + method, false, findings);
    for (const ShapeMismatch& mismatch : ledger.shapes().Check(received.revision, *shape, params)) {
      ReportAsk(received, method, params, mismatch, reporter);
    }
  }
}

// --- notifications

void JudgeNotifications(const Ledger& ledger, Findings& findings) {
  static const Json kNoParams = Json::Object();
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kNotification) {
      continue;
    }
    const Received& received = *moment.received;
    if (received.era == Era::kLegacy && received.revision.empty()) continue;
    if (received.params() != nullptr && !received.params()->is_object()) continue;  // jsonrpc.cpp
    const std::string method = received.method();
    const auto shape = ledger.shapes().NotificationShape(received.revision, method);
    if (!shape) continue;
    const Json& params = received.params() == nullptr ? kNoParams : *received.params();
    Reporter reporter(received, "The notification " + method, false, findings);
    for (const ShapeMismatch& mismatch : ledger.shapes().Check(received.revision, *shape, params)) {
      const Duty* duty = FindDuty(NotificationRows(), method, mismatch.pointer);
      if (duty != nullptr) reporter.Report(*duty, params, mismatch);
    }
  }
}

// --- results

bool DeclaresTasks(const Sent& request) {
  const Json* capabilities = request.envelope.capabilities;
  return capabilities != nullptr && capabilities->Find("extensions", kTasksExtension) != nullptr;
}

// Result type and cache hints have rules of their own (results.cpp): puts good ones in their place.
const Json& WithoutOwnRules(const Json& result, Json& changed) {
  const auto repair = [&](std::string_view key, bool fits, const Json& good) {
    if (fits) return;
    if (changed.is_null()) changed = result;
    changed.Set(key, good);
  };
  const Json* type = result.Find("resultType");
  const Json* ttl = result.Find("ttlMs");
  const std::string scope = result.FindString("cacheScope").value_or("");
  repair("resultType", type != nullptr && type->is_string(), Json::String("complete"));
  repair("ttlMs", ttl != nullptr && ttl->is_integer() && ttl->text()[0] != '-', Json::Integer(0));
  repair("cacheScope", scope == "public" || scope == "private", Json::String("private"));
  return changed.is_null() ? result : changed;
}

const std::vector<Row>& RowsFor(const Received& received, const std::string& type) {
  if (received.era == Era::kModern && type == "input_required") return InputRequiredRows();
  if (received.era == Era::kModern && type == "task") return CreateTaskRows();
  return ResultRows();
}

void ReportResult(const Received& received, const Json& result, const ShapeMismatch& mismatch,
                  const std::vector<Row>& rows, Reporter& reporter) {
  if (LeftToBase64(result, mismatch)) return;
  // What is asked within a result is judged like a request of its own.
  if (Covers("/inputRequests/*/params", mismatch.pointer)) {
    std::string_view rest = mismatch.pointer;
    for (int i = 0; i < 3; ++i) TakeSegment(rest);
    const std::string at = mismatch.pointer.substr(0, mismatch.pointer.size() - rest.size());
    const Json* params = At(result, at);
    const Json* ask = At(result, at.substr(0, at.rfind('/')));
    ReportAsk(received, ask->FindString("method").value_or(""), *params,
              {std::string(rest), mismatch.reason}, reporter);
    return;
  }
  const Duty* duty = BlockDuty(result, mismatch.pointer);
  if (duty == nullptr) duty = FindDuty(rows, received.request->method, mismatch.pointer);
  if (duty != nullptr) reporter.Report(*duty, result, mismatch);
}

void JudgeResult(const Ledger& ledger, const Received& received, Findings& findings) {
  const Sent& request = *received.request;
  const Json* result = received.result();
  std::string revision = received.revision;
  if (received.era == Era::kModern) {
    if (!ledger.speaks_modern() || revision.empty()) return;
  } else if (revision.empty()) {
    // The first answer of all: what all revisions ask of it holds even when it names none of them.
    if (request.method != "initialize") return;
    revision = "2025-11-25";
  }
  Json changed;
  if (received.era == Era::kModern) result = &WithoutOwnRules(*result, changed);

  const std::string type = result->FindString("resultType").value_or("");
  const bool task_method = request.method.rfind("tasks/", 0) == 0;
  std::string shape = ledger.shapes().ResultShape(revision, request.method).value_or("");
  if (received.era == Era::kModern) {
    if ((task_method || type == "task") && !DeclaresTasks(request)) return;
    const bool may_ask = request.method == "tools/call" || request.method == "prompts/get" ||
                         request.method == "resources/read";
    // On another method it is the type that is wrong (results.cpp).
    if ((type == "input_required" && !may_ask) ||
        (type == "task" && request.method != "tools/call"))
      return;
  } else if (request.method == "tasks/result") {
    shape = "CallToolResult";  // the only request that a client can make a task of
  }
  if (shape.empty()) return;
  Reporter reporter(received, "The result of " + request.method,
                    request.kind != Sent::Kind::kRequest, findings);
  const std::vector<Row>& rows = RowsFor(received, type);
  for (const ShapeMismatch& mismatch : ledger.shapes().Check(revision, shape, *result)) {
    ReportResult(received, *result, mismatch, rows, reporter);
  }
}

void JudgeResults(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kResult) continue;
    const Received& received = *moment.received;
    const Sent* request = received.request;
    if (request == nullptr || request->answer != &received || request->reused_id) continue;
    if (request->kind == Sent::Kind::kUnreadable || !received.result()->is_object()) continue;
    JudgeResult(ledger, received, findings);
  }
}

std::vector<Duty> DutiesOf(std::initializer_list<const std::vector<Row>*> tables,
                           std::initializer_list<Duty> more) {
  std::vector<Duty> duties(more);
  for (const std::vector<Row>* rows : tables) {
    for (const Row& row : *rows) duties.push_back(row.duty);
  }
  for (const BlockRow& row : kBlocks) duties.push_back(row.duty);
  return duties;
}

}  // namespace

std::vector<Rule> ShapeRules() {
  const std::initializer_list<Duty> asks = {kBlockTypes,     kAnnotations, kMeta,      kIcons,
                                            kElicit2025June, kElicitForm,  kElicitUrl, kFormString,
                                            kFormNumber,     kFormBoolean, kFormEnum};
  return {
      {"result-shapes",
       DutiesOf({&ResultRows(), &InputRequiredRows(), &CreateTaskRows(), &AskRows()}, asks),
       JudgeResults},
      {"notification-shapes", DutiesOf({&NotificationRows()}, {}), JudgeNotifications},
      {"server-request-shapes", DutiesOf({&AskRows()}, asks), JudgeAsks},
  };
}

}  // namespace assay::oracle
