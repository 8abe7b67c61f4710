// One tool: how it is listed, and what it does.
#pragma once

#include <boost/json.hpp>
#include <deque>
#include <functional>
#include <string>

#include "catalog/tool_call.h"

namespace assay::reference {

/// Whether a call may go on as a task (2025-11-25 basic/utilities/tasks#tool-level-negotiation).
enum class TaskSupport : unsigned char { kForbidden, kOptional, kRequired };

struct Tool {
  std::string name;
  /// As tools/list shows it to the newest revisions.
  boost::json::object definition;
  /// Gets arguments that fit the inputSchema. They do not outlive the call to `run`.
  std::function<void(const boost::json::object& arguments, ToolCall& call)> run;
  /// What has to be known before the work starts, or becomes a task.
  InputRequests asks_first = {};

  /// By `execution.taskSupport` of the definition.
  TaskSupport task_support() const;
};

/// Every tool that is always there, in the order in which they are listed. The first one can be
/// called without arguments. A deque, because a running tool may add another.
std::deque<Tool> BuildTools();

/// The tool that test_trigger_tool_change adds and removes.
Tool BuildDynamicTool();

}  // namespace assay::reference
