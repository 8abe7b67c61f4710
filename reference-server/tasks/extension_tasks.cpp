#include "tasks/extension_tasks.h"

#include <utility>
#include <variant>

#include "catalog/input_request.h"
#include "catalog/shape.h"
#include "tasks/task_fields.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

json::object FlatTask(const Task& task) {
  json::object fields = CommonTaskFields(task);
  fields["ttlMs"] = task.ttl().count();
  fields["pollIntervalMs"] = kPollInterval.count();
  return fields;
}

Outcome Update(Task& task, const Request& request) {
  const json::value* responses = request.params->if_contains("inputResponses");
  if (responses == nullptr || !responses->is_object()) {
    return InvalidParams("Invalid params: inputResponses must be an object");
  }
  if (const auto problem = task.Answer(responses->get_object())) {
    return InvalidParams("Invalid params: inputResponses " + *problem);
  }
  return FinishModernResult({}, "complete");
}

}  // namespace

bool DeclaresTasks(const json::object& client_capabilities) {
  const json::value* extensions = client_capabilities.if_contains("extensions");
  return extensions != nullptr && extensions->is_object() &&
         extensions->get_object().contains(kTasksExtension);
}

ProtocolError TasksNotDeclared() {
  const json::object extensions{{kTasksExtension, json::object()}};
  return {ErrorCode::kMissingClientCapability,
          "The client must declare the extension " + std::string(kTasksExtension),
          json::object{{"requiredCapabilities", json::object{{"extensions", extensions}}}}};
}

ResultText CreatedTask(const Task& task) { return FinishModernResult(FlatTask(task), "task"); }

json::object DetailedTask(const Task& task) {
  json::object fields = FlatTask(task);
  if (task.status() == TaskStatus::kInputRequired) {
    fields["inputRequests"] = InputRequestsObject(task.input_requests());
  }
  if (const auto* result = std::get_if<ToolResult>(&task.outcome())) {
    json::object body = ShapeToolResult(*result, task.caller().revision);
    body["resultType"] = "complete";
    fields["result"] = std::move(body);
  }
  if (const auto* error = std::get_if<ProtocolError>(&task.outcome())) {
    fields["error"] = ErrorMember(*error);
  }
  return fields;
}

std::optional<Outcome> AnswerTaskExtension(TaskStore& tasks, const Request& request,
                                           const json::object& client_capabilities,
                                           const TaskOwner& owner) {
  const std::string_view method = request.method;
  if (method != "tasks/get" && method != "tasks/update" && method != "tasks/cancel") {
    return std::nullopt;
  }
  if (!DeclaresTasks(client_capabilities)) return TasksNotDeclared();
  auto found = FindTask(tasks, request, owner);
  if (auto* error = std::get_if<ProtocolError>(&found)) return std::move(*error);
  Task& task = *std::get<std::shared_ptr<Task>>(found);
  if (method == "tasks/get") return FinishModernResult(DetailedTask(task), "complete");
  if (method == "tasks/update") return Update(task, request);
  // The same acknowledgement whether or not there is still something to cancel
  // (tasks#cancelling-tasks).
  task.Cancel();
  return FinishModernResult({}, "complete");
}

}  // namespace assay::reference
