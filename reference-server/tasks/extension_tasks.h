// The dialect of the modern era: the extension io.modelcontextprotocol/tasks.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string_view>

#include "protocol/answer.h"
#include "protocol/message.h"
#include "tasks/task_store.h"

namespace assay::reference {

inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

/// Whether a request's client capabilities declare the extension.
bool DeclaresTasks(const boost::json::object& client_capabilities);

/// -32021, naming the extension.
ProtocolError TasksNotDeclared();

/// CreateTaskResult: what a tools/call is answered with that became a task.
ResultText CreatedTask(const Task& task);

/// DetailedTask: the task with what its status brings along, as tasks/get and notifications/tasks
/// show it.
boost::json::object DetailedTask(const Task& task);

/// tasks/get, tasks/update and tasks/cancel; nothing for another method.
std::optional<Outcome> AnswerTaskExtension(TaskStore& tasks, const Request& request,
                                           const boost::json::object& client_capabilities,
                                           const TaskOwner& owner);

}  // namespace assay::reference
