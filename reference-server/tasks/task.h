// A tools/call that goes on after its request was answered. Knows nothing of the dialects in which
// clients speak of it.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "catalog/input_request.h"
#include "catalog/tool.h"
#include "catalog/tool_call.h"
#include "protocol/error.h"

namespace assay::reference {

class Task;

/// Hears of what happens to tasks, at the moment it happens.
class TaskListener {
 public:
  virtual ~TaskListener() = default;
  /// Another status, or other requests for input.
  virtual void TaskChanged(const Task& /*task*/) {}
  /// The tool reports its progress or logs.
  virtual void TaskNotified(const Task& /*task*/, std::string_view /*method*/,
                            std::string_view /*params*/) {}
};

enum class TaskStatus : unsigned char {
  kWorking,
  kInputRequired,
  kCompleted,  // with a result, which may say isError
  kFailed,     // with a JSON-RPC error
  kCancelled,
};

constexpr bool IsTerminal(TaskStatus status) { return status >= TaskStatus::kCompleted; }

/// Whom a task belongs to. In the modern era there are no sessions, and without authorization no
/// principals: then whoever knows the id may use it.
struct TaskOwner {
  std::string session;
  std::string principal;
  bool operator==(const TaskOwner&) const = default;
};

/// A principal keeps its tasks over sessions.
TaskOwner OwnerFor(const std::string& session, const std::string& principal);

class Task : private ToolCallHost {
 public:
  using Time = std::chrono::system_clock::time_point;
  using Outcome = std::variant<std::monostate, ToolResult, ProtocolError>;

  /// `tool` may be gone from the catalogue while the task runs, so it is kept.
  Task(std::string id, Tool tool, boost::json::object arguments, Caller caller, TaskOwner owner,
       std::chrono::milliseconds ttl, Catalog& catalog, Scheduler& scheduler,
       TaskListener& listener);

  const std::string& id() const { return id_; }
  const TaskOwner& owner() const { return owner_; }
  const Caller& caller() const { return call_->caller(); }
  std::chrono::milliseconds ttl() const { return ttl_; }
  Time created_at() const { return created_at_; }
  Time last_updated_at() const { return last_updated_at_; }
  TaskStatus status() const { return status_; }
  /// For people: what it waits for, or how it ended; may be empty.
  const std::string& status_message() const { return status_message_; }
  /// What is asked and not yet answered, while the status is kInputRequired.
  const InputRequests& input_requests() const { return input_requests_; }
  /// Nothing until it is completed or failed.
  const Outcome& outcome() const { return outcome_; }

  /// Starts the tool; `answers` are those of earlier rounds of the call.
  void Run(const boost::json::object& answers);
  /// Takes the answers to what is asked and ignores the rest; goes on when nothing is left open.
  /// Returns what is wrong with one of them, and then takes none.
  std::optional<std::string> Answer(const boost::json::object& answers);
  /// The client cannot or will not answer.
  void FailToAnswer(std::string_view why);
  /// False if it has ended.
  bool Cancel();

 private:
  void Notify(const ToolCall& call, std::string_view method, std::string_view params) override;
  void Finish(const ToolCall& call, ToolResult result) override;
  void Refuse(const ToolCall& call, ProtocolError error) override;
  void Ask(ToolCall& call, InputRequests requests) override;
  void CloseStream(const ToolCall& /*call*/) override {}
  void Become(TaskStatus status, std::string message);

  std::string id_;
  Tool tool_;
  boost::json::object arguments_;
  TaskOwner owner_;
  std::chrono::milliseconds ttl_;
  Scheduler& scheduler_;
  TaskListener& listener_;
  std::shared_ptr<ToolCall> call_;
  Time created_at_;
  Time last_updated_at_;
  TaskStatus status_ = TaskStatus::kWorking;
  std::string status_message_;
  InputRequests input_requests_;
  Outcome outcome_;
};

}  // namespace assay::reference
