// The dialect in which a tools/call stays open and its task is known by a handle: the first
// notifications/progress of the call and its result carry `taskHandle` in their `_meta`. tasks/get
// tells of the task and never what came of it: that is told by the call alone.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string_view>

#include "protocol/answer.h"
#include "protocol/message.h"
#include "tasks/task_store.h"

namespace assay::reference {

inline constexpr std::string_view kTaskHandleKey = "taskHandle";

/// tasks/get and tasks/cancel, which name the handle as `taskId`; nothing for another method. A
/// repeated cancel is answered like the first.
std::optional<Outcome> AnswerTaskHandle(TaskStore& tasks, const Request& request,
                                        const TaskOwner& owner);

}  // namespace assay::reference
