// What the dialects have in common when they show a task.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/error.h"
#include "protocol/message.h"
#include "tasks/task_store.h"

namespace assay::reference {

/// "working", "input_required", ...
std::string_view Name(TaskStatus status);

/// "2026-07-28T09:00:00.000Z".
std::string Timestamp(std::chrono::system_clock::time_point time);

/// taskId, status, statusMessage if there is one, createdAt and lastUpdatedAt.
boost::json::object CommonTaskFields(const Task& task);

/// The task that the request's params name by `taskId`, or the error: -32602 if there is none that
/// the owner can see.
std::variant<std::shared_ptr<Task>, ProtocolError> FindTask(const TaskStore& tasks,
                                                            const Request& request,
                                                            const TaskOwner& owner);

}  // namespace assay::reference
