// The tasks of one legacy session (2025-11-25 basic/utilities/tasks): what the client asks of them,
// the requests that wait for one to end, and what they want to know of the client.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "era/client_requests.h"
#include "era/outbox.h"
#include "protocol/message.h"
#include "tasks/task_store.h"

namespace assay::reference {

class LegacyTasks : private TaskListener {
 public:
  LegacyTasks(TaskStore& tasks, std::string session, const std::string& principal, Outbox& outbox,
              ClientRequests& client_requests);
  /// A session's tasks go with it; those of a principal stay.
  ~LegacyTasks() override;
  LegacyTasks(const LegacyTasks&) = delete;
  LegacyTasks& operator=(const LegacyTasks&) = delete;

  /// False if the method is not one of tasks.
  bool Handle(const Request& request, const ReplyTo& to);

  bool IsWaiting(const std::string& id_key) const { return waiting_.contains(id_key); }
  bool Cancel(const std::string& id_key);

 private:
  struct Waiting {
    std::shared_ptr<Task> task;
    ReplyTo to;
  };

  void Result(const Request& request, const ReplyTo& to);
  /// Asks the client what the task wants to know, on the stream of a tasks/result that waits
  /// (basic/utilities/tasks#input-required-status).
  void AskFor(const std::shared_ptr<Task>& task, const ReplyTo& to);

  void TaskChanged(const Task& task) override;
  void TaskNotified(const Task& task, std::string_view method, std::string_view params) override;

  TaskStore& tasks_;
  /// A principal has several sessions: each hears of its own tasks, and can ask for all of them.
  const std::string session_;
  const TaskOwner owner_;
  Outbox& outbox_;
  ClientRequests& client_requests_;
  std::map<std::string, Waiting> waiting_;               // by RequestId::key
  std::map<const Task*, ClientRequests::Ticket> asked_;  // while the client has not answered
};

}  // namespace assay::reference
