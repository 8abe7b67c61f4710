// The life of tasks as it shows in a transcript.

#include "oracle/tasks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/conduct.h"
#include "oracle/order.h"

namespace assay::oracle {
namespace {

constexpr Duty kFinal{"T-STATUS-TRANSITIONS", "L-TASK-terminal-final", "2025-11-25"};
constexpr Duty kInitial{"", "L-TASK-initial-working", "2025-11-25"};
constexpr Duty kCreatedAt{"T-TASK-TIMESTAMPS", "L-TASK-created-at", "2025-11-25"};
constexpr Duty kUpdatedAt{"T-TASK-TIMESTAMPS", "L-TASK-last-updated-at", "2025-11-25"};
constexpr Duty kSameCreation{"T-GET-CONSISTENT-WITH-CREATE", "L-TASK-created-at", "2025-11-25"};
constexpr Duty kSameId{"T-TASK-ID-STABLE", "L-TASK-param-over-meta", "2025-11-25"};
constexpr Duty kNewId{"T-TASK-ID-STABLE", "L-TASK-id-unique", "2025-11-25"};
constexpr Duty kCancelled{"", "L-TASK-cancel-transition", "2025-11-25"};
constexpr Duty kRelated{"", "L-TASK-result-related-task", "2025-11-25"};
constexpr Duty kUnrelated{"", "L-TASK-related-task-not-in-get", "2025-11-25"};
constexpr Duty kStatusUnrelated{"", "L-TASK-status-notification-no-related", "2025-11-25"};
constexpr Duty kDeclared{"", "L-TASK-declare", "2025-11-25"};
constexpr Duty kIgnored{"", "L-TASK-undeclared-ignored", "2025-11-25"};
constexpr Duty kFailedMessage{"T-GET-FAILED-STATUS-MESSAGE", "L-TASK-failed-status-message",
                              "2025-11-25"};

constexpr Duty kKeyUnique{"T-INPUT-KEYS-UNIQUE", ""};
constexpr Duty kKeyReused{"T-INPUT-KEYS-NOT-REUSED", ""};
constexpr Duty kRelatedEverywhere{"", "L-TASK-related-task-everywhere", "2025-11-25"};
constexpr Duty kAugments{"", "L-TASK-requestor-capability", "2025-11-25"};
constexpr Duty kAsksRelated{"", "L-TASK-requestor-no-related-in-ops", "2025-11-25"};

constexpr Duty kOpaqueCursor{"", "L-TASK-requestor-opaque-cursor", "2025-11-25"};

constexpr std::string_view kRelatedKey = "io.modelcontextprotocol/related-task";

bool Terminal(const std::string& status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

bool Timestamp(const std::string& text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() <= kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return false;
  }
  return true;
}

// A key of the inputRequests of a task.
struct AskedKey {
  Json request;
  std::size_t answered_at = kNever;  // our answer was acknowledged
  const Received* gone = nullptr;    // and then this did not ask it any more
};

struct KnownTask {
  std::string status;
  std::string created_at;
  const Received* teller = nullptr;  // what told the status first
  bool answered = false;             // an answer told of it, and not only notifications
  std::map<std::string, AskedKey, std::less<>> keys;
};

bool DeclaresTasks(const Sent& request) {
  const Json* capabilities = request.envelope.capabilities;
  return capabilities != nullptr && capabilities->Find("extensions", kTasksExtension) != nullptr;
}

class TaskWalk {
 public:
  explicit TaskWalk(Findings& findings) : findings_(findings) {}

  void Look(const Moment& moment) {
    if (moment.sent != nullptr && moment.sent->kind == Sent::Kind::kResponse) {
      const Json* cursor = moment.sent->body->Find("result", "nextCursor");
      if (cursor != nullptr) given_cursors_.insert({moment.session, cursor->Dump()});
    }
    if (moment.received == nullptr) return;
    const Received& received = *moment.received;
    if (received.kind == Received::Kind::kNotification) {
      Notification(received);
      return;
    }
    if (received.kind == Received::Kind::kRequest) {
      ServerRequest(received);
      return;
    }
    const Sent* request = received.request;
    if (received.kind != Received::Kind::kResult || request == nullptr ||
        request->answer != &received || request->reused_id || !received.result()->is_object()) {
      return;
    }
    if (received.era == Era::kModern) {
      if (DeclaresTasks(*request)) Modern(received, *request);
    } else if (received.revision == "2025-11-25") {
      Legacy(received, *request);
    }
  }

 private:
  void Modern(const Received& received, const Sent& request) {
    const Json& result = *received.result();
    if (request.method == "tools/call" && result.FindString("resultType") == "task") {
      Created(received, result);
    } else if (request.method == "tasks/get") {
      Asked(received, request, result);
    } else if (request.method == "tasks/update") {
      Answered(received, request);
    }
  }

  void Legacy(const Received& received, const Sent& request) {
    const Json& result = *received.result();
    const Json* meta = result.Find("_meta");
    const bool related = meta != nullptr && meta->Find(kRelatedKey) != nullptr;
    if (request.method == "tools/call") {
      const Json* task = result.Find("task");
      if (task == nullptr || !task->is_object() || result.Find("content") != nullptr) return;
      LegacyCreation(received, request);
      Created(received, *task);
      if (request.envelope.progress_token != nullptr) {
        task_of_token_[{received.session, IdKey(*request.envelope.progress_token)}] =
            task->FindString("taskId").value_or("");
      }
      const std::string status = task->FindString("status").value_or("working");
      if (status != "working") {
        findings_.Report(kInitial, received, "A new task does not begin as working",
                         {.expected = Json::String("working"), .actual = Json::String(status)});
      }
    } else if (request.method == "tasks/get" || request.method == "tasks/cancel") {
      Asked(received, request, result);
      if (request.method == "tasks/cancel") Cancelled(received, result);
      if (related) {
        findings_.Report(kUnrelated, received,
                         "The result of " + request.method + " carries related-task metadata");
      }
    } else if (request.method == "tasks/list") {
      const Json* tasks = result.Find("tasks");
      if (tasks == nullptr) return;
      for (const Json& task : tasks->items()) Told(received, task);
    } else if (request.method == "tasks/result") {
      const Json* id = meta == nullptr ? nullptr : meta->Find(kRelatedKey, "taskId");
      const Json* asked = request.params() == nullptr ? nullptr : request.params()->Find("taskId");
      if (id == nullptr || asked == nullptr || !Equal(*id, *asked)) {
        findings_.Report(kRelated, received,
                         "The result of tasks/result does not carry its related-task metadata");
      }
    }
  }

  void LegacyCreation(const Received& received, const Sent& request) {
    const Json* capabilities = received.session->legacy_capabilities;
    const Json* call = capabilities == nullptr
                           ? nullptr
                           : capabilities->Find("tasks", "requests", "tools", "call");
    const bool asked = request.params() != nullptr && request.params()->Find("task") != nullptr;
    if (capabilities == nullptr || call != nullptr || !asked) return;
    if (capabilities->Find("tasks") != nullptr) {
      findings_.Report(kDeclared, received,
                       "A call became a task, but tasks.requests.tools.call is not declared");
    } else {
      findings_.Report(kIgnored, received, "A call became a task, but tasks are not declared");
    }
  }

  void Cancelled(const Received& received, const Json& task) {
    const auto status = task.FindString("status");
    if (status && *status != "cancelled") {
      findings_.Report(kCancelled, received, "tasks/cancel was answered by a task not cancelled",
                       {.expected = Json::String("cancelled"), .actual = Json::String(*status)});
    }
  }

  void Notification(const Received& received) {
    const std::string method = received.method();
    if (received.params() == nullptr) return;
    if (method == "notifications/progress") {
      Progress(received);
    } else if (method == "notifications/tasks" && received.era == Era::kModern) {
      Told(received, *received.params());
    } else if (method == "notifications/tasks/status" && received.era == Era::kLegacy) {
      Told(received, *received.params());
      if (received.body->Find("params", "_meta", kRelatedKey) != nullptr) {
        findings_.Report(kStatusUnrelated, received,
                         "A task's status notification carries related-task metadata");
      }
    }
  }

  void Progress(const Received& received) {
    const Json* token = received.params()->Find("progressToken");
    if (token == nullptr) return;
    const auto task = task_of_token_.find({received.session, IdKey(*token)});
    if (task == task_of_token_.end()) return;
    const Json* id = received.params()->Find("_meta", kRelatedKey, "taskId");
    if (id != nullptr && id->is_string() && id->text() == task->second) return;
    Detail detail{.expected = Json::String(task->second)};
    if (id != nullptr) detail.actual = *id;
    findings_.Report(kRelatedEverywhere, received,
                     "Progress of a task does not carry its related-task metadata",
                     std::move(detail));
  }

  // The server may itself make tasks, of what it asks of the client.
  void ServerRequest(const Received& received) {
    const Json* params = received.params();
    if (params == nullptr || received.era != Era::kLegacy) return;
    const std::string method = received.method();
    if (method == "tasks/get" || method == "tasks/result" || method == "tasks/cancel") {
      if (params->Find("_meta", kRelatedKey) == nullptr) return;
      findings_.Report(kAsksRelated, received, method + " carries related-task metadata");
      return;
    }
    const Json* cursor = params->Find("cursor");
    if (method == "tasks/list" && cursor != nullptr &&
        given_cursors_.count({received.session, cursor->Dump()}) == 0) {
      findings_.Report(kOpaqueCursor, received, "tasks/list has a cursor that we never gave",
                       {.actual = *cursor});
    }
    const Json* capabilities = received.session->client_capabilities;
    if (params->Find("task") == nullptr || capabilities == nullptr) return;
    const auto slash = method.find('/');
    if (slash == std::string::npos) return;
    const Json* declared =
        capabilities->Find("tasks", "requests", method.substr(0, slash), method.substr(slash + 1));
    if (declared != nullptr) return;
    findings_.Report(kAugments, received,
                     "The server wants a task made of " + method + ", which was not declared");
  }

  void Created(const Received& received, const Json& task) {
    const auto id = task.FindString("taskId");
    const auto known = id ? known_.find(Key(received, *id)) : known_.end();
    if (known != known_.end()) {
      if (!known->second.answered) {
        // A notification overtook the answer, as it may where they go different ways; what the
        // answer says is older.
        known->second.answered = true;
        JudgeTimes(received, task);
        return;
      }
      findings_.Report(kNewId, received, "A new task has the id of another",
                       {.actual = Json::String(*id)});
      known_.erase(known);
    }
    Told(received, task);
  }

  void Asked(const Received& received, const Sent& request, const Json& task) {
    const Json* asked = request.params() == nullptr ? nullptr : request.params()->Find("taskId");
    const Json* id = task.Find("taskId");
    if (asked != nullptr && id != nullptr && asked->is_string() && id->is_string() &&
        !Equal(*asked, *id)) {
      findings_.Report(kSameId, received, request.method + " answered with another task",
                       {.expected = *asked, .actual = *id});
      return;
    }
    Told(received, task);
    if (request.method == "tasks/get" && task.FindString("status") == "failed" &&
        task.FindString("statusMessage").value_or("").empty()) {
      findings_.Report(kFailedMessage, received, "A failed task does not say why");
    }
  }

  // The answers of the client were acknowledged.
  void Answered(const Received& received, const Sent& request) {
    const Json* params = request.params();
    const Json* responses = params == nullptr ? nullptr : params->Find("inputResponses");
    const auto task = params == nullptr ? std::nullopt : params->FindString("taskId");
    if (responses == nullptr || !task) return;
    const auto known = known_.find(Key(received, *task));
    if (known == known_.end()) return;
    for (const JsonMember& member : responses->members()) {
      const auto key = known->second.keys.find(member.key);
      if (key != known->second.keys.end()) key->second.answered_at = received.at;
    }
  }

  void JudgeKeys(const Received& received, KnownTask& known, const Json* requests) {
    // What was asked for before counts, not what came meanwhile.
    const std::size_t as_of = received.request == nullptr ? received.at : received.request->at;
    // Over HTTP a notification may be older than any answer, even than the question.
    const bool is_new = received.request != nullptr || received.entry->exchange == 0;
    for (auto& [name, key] : known.keys) {
      const bool asked = requests != nullptr && requests->Find(name) != nullptr;
      if (is_new && !asked && key.answered_at < as_of && key.gone == nullptr) key.gone = &received;
    }
    if (requests == nullptr) return;
    for (const JsonMember& member : requests->members()) {
      const auto [it, fresh] = known.keys.try_emplace(member.key, AskedKey{member.value});
      if (fresh) continue;
      if (!Equal(it->second.request, member.value)) {
        findings_.Report(kKeyUnique, received,
                         "A key of inputRequests stands for two different requests",
                         {.expected = it->second.request, .actual = member.value});
      } else if (it->second.gone != nullptr && !MayBeOlder(received, *it->second.gone)) {
        findings_.Report(kKeyReused, received,
                         "A key of inputRequests came back after it had been answered",
                         {.actual = Json::String(member.key)});
      }
    }
  }

  // Something the server says of a task, in whatever message.
  void Told(const Received& received, const Json& task) {
    const auto id = task.FindString("taskId");
    if (!id) return;
    JudgeTimes(received, task);
    const std::string status = task.FindString("status").value_or("");
    const std::string created = task.FindString("createdAt").value_or("");
    const auto [it, fresh] = known_.try_emplace(Key(received, *id));
    KnownTask& known = it->second;
    known.answered = known.answered || received.is_response();
    if (!fresh) {
      JudgeEnd(received, known, status);
      if (!created.empty() && !known.created_at.empty() && created != known.created_at) {
        findings_.Report(kSameCreation, received, "The createdAt of a task changed",
                         {.expected = Json::String(known.created_at),
                          .actual = Json::String(created),
                          .at_most_warn = true});
      }
    }
    if (received.era == Era::kModern && !status.empty()) {
      JudgeKeys(received, known, task.Find("inputRequests"));
    }
    // What had ended stays so; whoever said it first, what follows him is held to it.
    if (!status.empty() && !Terminal(known.status)) {
      known.status = status;
      known.teller = &received;
    }
    if (!created.empty()) known.created_at = created;
  }

  void JudgeEnd(const Received& received, const KnownTask& known, const std::string& status) {
    if (!Terminal(known.status) || status.empty() || status == known.status) return;
    if (MayBeOlder(received, *known.teller)) return;
    findings_.Report(kFinal, received,
                     "A task that had ended changed: " + known.status + " became " + status,
                     {.expected = Json::String(known.status), .actual = Json::String(status)});
  }

  // Whether the server may have said `later` first: answers that were on their way meanwhile
  // overtake each other, and over HTTP so do the messages of different streams.
  static bool MayBeOlder(const Received& later, const Received& earlier) {
    if (later.request != nullptr) return later.request->at < earlier.at;
    return !SameStream(later, earlier);
  }

  void JudgeTimes(const Received& received, const Json& task) {
    const auto judge = [&](std::string_view member, const Duty& duty) {
      const auto text = task.FindString(member);
      if (text && !Timestamp(*text)) {
        findings_.Report(duty, received, std::string(member) + " is no ISO 8601 timestamp",
                         {.actual = Json::String(*text)});
      }
    };
    judge("createdAt", kCreatedAt);
    judge("lastUpdatedAt", kUpdatedAt);
  }

  // A server that keeps no store may begin to count anew.
  static std::pair<const Session*, std::string> Key(const Received& received,
                                                    const std::string& id) {
    return {received.session, id};
  }

  Findings& findings_;
  std::map<std::pair<const Session*, std::string>, KnownTask> known_;
  std::map<std::pair<const Session*, std::string>, std::string> task_of_token_;
  std::set<std::pair<const Session*, std::string>> given_cursors_;  // to the server
};

void JudgeTasks(const Ledger& ledger, Findings& findings) {
  TaskWalk walk(findings);
  for (const Moment& moment : ledger.moments()) walk.Look(moment);
}

}  // namespace

std::vector<Rule> TaskRules() {
  return {{"tasks",
           {kFinal,       kInitial,       kCreatedAt, kUpdatedAt, kSameCreation,      kSameId,
            kNewId,       kCancelled,     kRelated,   kUnrelated, kStatusUnrelated,   kDeclared,
            kIgnored,     kFailedMessage, kKeyUnique, kKeyReused, kRelatedEverywhere, kAugments,
            kAsksRelated, kOpaqueCursor},
           JudgeTasks}};
}

}  // namespace assay::oracle
