// The dialect of 2025-11-25, where tasks are part of the core (basic/utilities/tasks): how it shows
// them, and the requests that are answered at once.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <variant>

#include "protocol/answer.h"
#include "protocol/message.h"
#include "tasks/task_store.h"

namespace assay::reference {

inline constexpr std::string_view kRelatedTaskKey = "io.modelcontextprotocol/related-task";

/// The time to live that `params.task` of a tools/call asks for, within our bounds; nothing if the
/// call is not to become a task.
std::variant<std::optional<std::chrono::milliseconds>, ProtocolError> ReadTaskParam(
    const Request& request);

/// What `initialize` says: tools can be called as tasks, tasks listed and cancelled.
boost::json::object CoreTasksCapability();

/// The Task as this dialect shows it: a tool that failed makes a failed task.
boost::json::object CoreTask(const Task& task);

/// {related-task: {taskId}}, for the `_meta` of whatever belongs to the task.
boost::json::object RelatedTask(const Task& task);

/// tasks/get, tasks/list and tasks/cancel; nothing for another method.
std::optional<Outcome> AnswerCoreTasks(TaskStore& tasks, const Request& request,
                                       const TaskOwner& owner);

/// What tasks/result says of a task that has ended.
Outcome CoreTaskResult(const Task& task);

}  // namespace assay::reference
