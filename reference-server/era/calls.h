// The tools/call requests of one connection that are being worked on.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "catalog/tool.h"
#include "catalog/tool_call.h"
#include "era/client_requests.h"
#include "era/outbox.h"
#include "era/services.h"
#include "era/settings.h"
#include "era/state_signer.h"
#include "protocol/message.h"
#include "tasks/task.h"

namespace assay::reference {

class Calls : private ToolCallHost, private TaskListener {
 public:
  Calls(const Services& services, const Settings& settings, Outbox& outbox,
        ClientRequests& client_requests);
  /// What is still running is cancelled, and nothing more is said of it.
  ~Calls() override;
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// Checks the params and starts the tool. Answers at once, or later, or never if it is cancelled.
  /// `caller` lacks its principal, which the settings know.
  void Start(const Request& request, Caller caller, const ReplyTo& to);

  bool IsRunning(const std::string& id_key) const { return running_.contains(id_key); }
  bool empty() const { return running_.empty(); }

  /// False if no such call is running.
  bool Cancel(const std::string& id_key);

 private:
  struct Running {
    std::shared_ptr<ToolCall> call;
    ReplyTo to;
    std::string tool;
    /// Never null; shared with the tool while it runs, which may end the call.
    std::shared_ptr<const boost::json::object> arguments;
    /// Set if a legacy client wants a task made of it.
    std::optional<std::chrono::milliseconds> task_ttl;
    /// In the handle dialect: the task that does the work while the call stays open.
    std::shared_ptr<Task> task = nullptr;
    /// The questions that a legacy client has not answered yet.
    ClientRequests::Ticket asked = 0;
  };

  /// Runs the tool, for the first time or with more answers than before.
  void Proceed(const std::string& id_key);
  /// Whether the call goes on as a task, or is refused because it does not.
  bool BecameTask(Running& running, const Tool& tool);
  std::shared_ptr<Task> MakeTask(Running& running, const Tool& tool, std::chrono::milliseconds ttl);
  void AskLegacyClient(ToolCall& call, const InputRequests& requests);
  StateBinding BindingOf(const Running& running) const;
  void End(const ToolCall& call, const Outcome& outcome);

  void Notify(const ToolCall& call, std::string_view method, std::string_view params) override;
  void Finish(const ToolCall& call, ToolResult result) override;
  void Refuse(const ToolCall& call, ProtocolError error) override;
  void Ask(ToolCall& call, InputRequests requests) override;
  void CloseStream(const ToolCall& call) override;

  void TaskChanged(const Task& task) override;
  void TaskNotified(const Task& task, std::string_view method, std::string_view params) override;
  /// The open call that the task works for, or null.
  Running* CallOf(const Task& task);

  Services services_;
  const Settings& settings_;
  Outbox& outbox_;
  ClientRequests& client_requests_;
  std::unordered_map<std::string, Running> running_;  // by RequestId::key
};

}  // namespace assay::reference
