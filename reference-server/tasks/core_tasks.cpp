#include "tasks/core_tasks.h"

#include <algorithm>
#include <utility>

#include "catalog/page.h"
#include "catalog/shape.h"
#include "tasks/task_fields.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::size_t kTasksPerPage = 50;

Outcome List(const TaskStore& tasks, const Request& request, const TaskOwner& owner) {
  std::size_t offset = 0;
  const std::vector<std::shared_ptr<Task>> owned = tasks.OwnedBy(owner);
  if (request.params != nullptr) {
    if (const json::value* cursor = request.params->if_contains("cursor")) {
      const auto position =
          cursor->is_string() ? ReadCursor("tasks", cursor->get_string()) : std::nullopt;
      // Tasks come and go, so any page that we could have named is one, even if it is empty now.
      if (!position || *position == 0 || *position % kTasksPerPage != 0) {
        return InvalidParams("Invalid params: unknown cursor");
      }
      offset = *position;
    }
  }
  const std::size_t end = std::min(owned.size(), offset + kTasksPerPage);
  json::array shown;
  for (std::size_t i = offset; i < end; ++i) shown.push_back(CoreTask(*owned[i]));
  json::object body{{"tasks", std::move(shown)}};
  if (end < owned.size()) body["nextCursor"] = MakeCursor("tasks", end);
  return FinishResult(body, kNewestLegacy);
}

}  // namespace

std::variant<std::optional<std::chrono::milliseconds>, ProtocolError> ReadTaskParam(
    const Request& request) {
  const json::value* task =
      request.params == nullptr ? nullptr : request.params->if_contains("task");
  if (task == nullptr) return std::nullopt;
  if (!task->is_object()) return InvalidParams("Invalid params: task must be an object");
  const json::value* ttl = task->get_object().if_contains("ttl");
  if (ttl == nullptr) return kDefaultTtl;
  if (!ttl->is_number()) return InvalidParams("Invalid params: task.ttl must be a number");
  const double wanted = ttl->to_number<double>();
  if (!(wanted >= 0)) return InvalidParams("Invalid params: task.ttl must not be negative");
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::min(wanted, static_cast<double>(kLongestTtl.count()))));
}

json::object CoreTasksCapability() {
  return {{"list", json::object()},
          {"cancel", json::object()},
          {"requests", json::object{{"tools", json::object{{"call", json::object()}}}}}};
}

json::object CoreTask(const Task& task) {
  json::object fields = CommonTaskFields(task);
  const auto* result = std::get_if<ToolResult>(&task.outcome());
  if (result != nullptr && result->is_error) fields["status"] = Name(TaskStatus::kFailed);
  fields["ttl"] = task.ttl().count();
  fields["pollInterval"] = kPollInterval.count();
  return fields;
}

json::object RelatedTask(const Task& task) {
  return {{kRelatedTaskKey, json::object{{"taskId", task.id()}}}};
}

std::optional<Outcome> AnswerCoreTasks(TaskStore& tasks, const Request& request,
                                       const TaskOwner& owner) {
  if (request.method == "tasks/list") return List(tasks, request, owner);
  if (request.method != "tasks/get" && request.method != "tasks/cancel") return std::nullopt;
  auto found = FindTask(tasks, request, owner);
  if (auto* error = std::get_if<ProtocolError>(&found)) return std::move(*error);
  Task& task = *std::get<std::shared_ptr<Task>>(found);
  if (request.method == "tasks/cancel" && !task.Cancel()) {
    return InvalidParams("Cannot cancel the task: it has ended");
  }
  return FinishResult(CoreTask(task), kNewestLegacy);
}

Outcome CoreTaskResult(const Task& task) {
  if (const auto* error = std::get_if<ProtocolError>(&task.outcome())) return *error;
  const auto* result = std::get_if<ToolResult>(&task.outcome());
  if (result == nullptr) {
    return ProtocolError{ErrorCode::kInvalidParams, "The task was cancelled and has no result"};
  }
  json::object body = ShapeToolResult(*result, task.caller().revision);
  body["_meta"] = RelatedTask(task);
  return FinishResult(body, task.caller().revision);
}

}  // namespace assay::reference
