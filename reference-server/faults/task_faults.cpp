// What goes wrong with tasks, in the core of 2025-11-25 (basic/utilities/tasks) and in the
// extension io.modelcontextprotocol/tasks.
#include <boost/json.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

std::string_view StatusOf(const json::object& task) {
  const json::value* status = task.if_contains("status");
  return status == nullptr || !status->is_string() ? std::string_view()
                                                   : std::string_view(status->get_string());
}

bool HasEnded(const json::object& task) {
  const std::string_view status = StatusOf(task);
  return status == "completed" || status == "failed" || status == "cancelled";
}

void SetStatus(json::object& task, std::string_view status) {
  task["status"] = status;
  for (const std::string_view outcome : {"result", "error"}) task.stable_erase(outcome);
}

int ErrorCodeOf(const FaultyMessage& answer) {
  const json::value* error = answer.message.if_contains("error");
  return error == nullptr ? 0 : error->at("code").to_number<int>();
}

bool IsUnknownTask(const FaultyMessage& answer) {
  return ErrorCodeOf(answer) == -32602 &&
         answer.message.at("error").at("message").as_string().starts_with("Unknown task");
}

void Succeed(FaultyMessage& answer, json::object result) {
  answer.message.stable_erase("error");
  answer.message["result"] = std::move(result);
  answer.changed = true;
}

/// As the client was told: every task, as it was shown last, and which of them it cancelled.
struct Tasks {
  std::map<std::string, json::object, std::less<>> shown;
  std::set<std::string, std::less<>> cancelled;
};

Script CancelRewritesEndedTask() {
  return {.answer = [tasks = std::make_shared<Tasks>()](FaultyMessage& answer) {
    if (!answer.is_modern) return;
    const std::string id(answer.param("taskId"));
    if (answer.method == "tasks/cancel" && answer.result() != nullptr) tasks->cancelled.insert(id);
    json::object* task = answer.method == "tasks/get" ? answer.result() : nullptr;
    if (task != nullptr && tasks->cancelled.contains(id)) SetStatus(*task, "cancelled");
  }};
}

Script LegacyCancelRewritesEndedTask() {
  return {.answer = [tasks = std::make_shared<Tasks>()](FaultyMessage& answer) {
    if (answer.is_modern) return;
    const std::string id(answer.param("taskId"));
    if (answer.method == "tasks/get") {
      json::object* task = answer.result();
      if (task == nullptr) return;
      if (tasks->cancelled.contains(id)) SetStatus(*task, "cancelled");
      tasks->shown[id] = *task;
    }
    const auto known = tasks->shown.find(id);
    if (answer.method != "tasks/cancel" || known == tasks->shown.end()) return;
    if (ErrorCodeOf(answer) == 0 || !HasEnded(known->second)) return;
    tasks->cancelled.insert(id);
    SetStatus(known->second, "cancelled");
    Succeed(answer, known->second);
  }};
}

Script SecondCancelRefused() {
  return {.answer = [ended = std::make_shared<std::set<std::string, std::less<>>>()](
                        FaultyMessage& answer) {
    const json::object* result = answer.is_modern ? answer.result() : nullptr;
    if (result == nullptr) return;
    const std::string id(answer.param("taskId"));
    if (answer.method == "tasks/get" && HasEnded(*result)) ended->insert(id);
    if (answer.method == "tasks/cancel" && !ended->insert(id).second) {
      answer.Fail(-32602, "Cannot cancel a task that has ended");
    }
  }};
}

Script UnknownTaskAcknowledged() {
  return {.answer = [](FaultyMessage& answer) {
    const bool acknowledged = answer.method == "tasks/cancel" || answer.method == "tasks/update";
    if (answer.is_modern && acknowledged && IsUnknownTask(answer)) {
      Succeed(answer, {{"resultType", "complete"}});
    }
  }};
}

Script FailedTaskStaysWorking() {
  const auto spoil = [](FaultyMessage& message, json::object* task) {
    if (!message.is_modern || task == nullptr || StatusOf(*task) != "failed") return;
    SetStatus(*task, "working");
    task->stable_erase("statusMessage");
    message.changed = true;
  };
  return {.answer =
              [spoil](FaultyMessage& answer) {
                spoil(answer, answer.method == "tasks/get" ? answer.result() : nullptr);
              },
          .notification =
              [spoil](FaultyMessage& notification) {
                json::value* params = notification.message.if_contains("params");
                if (notification.method != "notifications/tasks" || params == nullptr) return;
                spoil(notification, params->if_object());
              }};
}

Script FailedTaskHasNoResult() {
  return {.answer = [](FaultyMessage& answer) {
    const json::object* result = answer.method == "tasks/result" ? answer.result() : nullptr;
    const json::value* is_error = result == nullptr ? nullptr : result->if_contains("isError");
    if (is_error != nullptr && *is_error == json::value(true)) {
      answer.Fail(-32602, "The task is not completed");
    }
  }};
}

Script RequiredTaskRunsAtOnce() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.is_modern || answer.method != "tools/call" || ErrorCodeOf(answer) != -32601) return;
    if (answer.request.at("params").as_object().contains("task")) return;
    Succeed(answer, {{"content", json::array{json::object{{"type", "text"}, {"text", "Done."}}}}});
  }};
}

}  // namespace

std::vector<NamedFault> TaskFaults() {
  return {
      {"cancel-rewrites-ended-task", "C-TASK-CANCEL-NEVER-REWRITES", "BUG-180",
       "says of an ended task that it is cancelled, once somebody tried to",
       CancelRewritesEndedTask},
      {"cancel-rewrites-ended-task-legacy", "L-TASK-terminal-final", "BUG-180",
       "lets a client of 2025-11-25 cancel a task that it knows to have ended",
       LegacyCancelRewritesEndedTask},
      {"second-cancel-refused", "C-TASK-CANCEL-IDEMPOTENT", "BUG-193",
       "refuses to cancel an ended task in the modern era too", SecondCancelRefused},
      {"unknown-task-acknowledged", "T-ERR-CANCEL-UNKNOWN", "BUG-192",
       "acknowledges tasks/cancel and tasks/update of tasks that there are not",
       UnknownTaskAcknowledged},
      {"failed-task-stays-working", "T-GET-FAILED", "BUG-188",
       "says of a failed task for ever that it is working", FailedTaskStaysWorking},
      {"failed-task-has-no-result", "L-TASK-result-identical", "BUG-183",
       "answers tasks/result of a failed task with an error of its own", FailedTaskHasNoResult},
      {"required-task-runs-at-once", "L-TASK-tool-required", "BUG-187",
       "runs a tool that must be a task without one", RequiredTaskRunsAtOnce},
  };
}

}  // namespace assay::reference
