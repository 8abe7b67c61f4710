#include "tasks/handle_tasks.h"

#include <variant>

#include "tasks/task_fields.h"

namespace assay::reference {

std::optional<Outcome> AnswerTaskHandle(TaskStore& tasks, const Request& request,
                                        const TaskOwner& owner) {
  if (request.method != "tasks/get" && request.method != "tasks/cancel") return std::nullopt;
  auto found = FindTask(tasks, request, owner);
  if (auto* error = std::get_if<ProtocolError>(&found)) return std::move(*error);
  Task& task = *std::get<std::shared_ptr<Task>>(found);
  if (request.method == "tasks/cancel") task.Cancel();
  return FinishModernResult(CommonTaskFields(task), "complete");
}

}  // namespace assay::reference
