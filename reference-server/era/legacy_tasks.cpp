#include "era/legacy_tasks.h"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "tasks/core_tasks.h"
#include "tasks/task_fields.h"

namespace assay::reference {

namespace json = boost::json;

LegacyTasks::LegacyTasks(TaskStore& tasks, std::string session, const std::string& principal,
                         Outbox& outbox, ClientRequests& client_requests)
    : tasks_(tasks),
      session_(std::move(session)),
      owner_(OwnerFor(session_, principal)),
      outbox_(outbox),
      client_requests_(client_requests) {
  tasks_.AddListener(this);
}

LegacyTasks::~LegacyTasks() {
  tasks_.RemoveListener(this);
  if (owner_.principal.empty()) tasks_.Forget(owner_);
}

bool LegacyTasks::Handle(const Request& request, const ReplyTo& to) {
  if (request.method == "tasks/result") {
    Result(request, to);
    return true;
  }
  const std::optional<Outcome> outcome = AnswerCoreTasks(tasks_, request, owner_);
  if (outcome) outbox_.Answer(to, *outcome);
  return outcome.has_value();
}

bool LegacyTasks::Cancel(const std::string& id_key) {
  const auto found = waiting_.find(id_key);
  if (found == waiting_.end()) return false;
  outbox_.Forgo(found->second.to);
  waiting_.erase(found);
  return true;
}

void LegacyTasks::Result(const Request& request, const ReplyTo& to) {
  auto found = FindTask(tasks_, request, owner_);
  if (auto* error = std::get_if<ProtocolError>(&found)) {
    return outbox_.Answer(to, std::move(*error));
  }
  const auto& task = std::get<std::shared_ptr<Task>>(found);
  if (IsTerminal(task->status())) return outbox_.Answer(to, CoreTaskResult(*task));
  waiting_.emplace(request.id.key(), Waiting{task, to});
  if (task->status() == TaskStatus::kInputRequired) AskFor(task, to);
}

void LegacyTasks::AskFor(const std::shared_ptr<Task>& task, const ReplyTo& to) {
  if (asked_.contains(task.get())) return;
  asked_[task.get()] =
      client_requests_.Ask(task->input_requests(), RelatedTask(*task), to.id,
                           [this, task](ClientRequests::Answers answers) {
                             asked_.erase(task.get());
                             const auto* refusal = std::get_if<std::string>(&answers);
                             if (refusal != nullptr) return task->FailToAnswer(*refusal);
                             const auto problem = task->Answer(std::get<json::object>(answers));
                             if (problem) task->FailToAnswer(*problem);
                           });
}

void LegacyTasks::TaskChanged(const Task& task) {
  if (task.owner() != owner_) return;
  if (task.caller().session == session_) {
    outbox_.Notify("notifications/tasks/status", json::serialize(CoreTask(task)));
  }
  const auto asked = asked_.find(&task);
  if (IsTerminal(task.status()) && asked != asked_.end()) {
    client_requests_.Withdraw(asked->second);
    asked_.erase(asked);
  }
  std::vector<Waiting> ready;
  for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
    if (waiting->second.task.get() != &task) {
      ++waiting;
      continue;
    }
    ready.push_back(waiting->second);
    waiting = IsTerminal(task.status()) ? waiting_.erase(waiting) : std::next(waiting);
  }
  for (const Waiting& waiting : ready) {
    if (IsTerminal(task.status())) {
      outbox_.Answer(waiting.to, CoreTaskResult(task));
    } else if (task.status() == TaskStatus::kInputRequired) {
      AskFor(waiting.task, waiting.to);
    }
  }
}

void LegacyTasks::TaskNotified(const Task& task, std::string_view method, std::string_view params) {
  if (task.caller().session != session_) return;
  std::string text(params);
  text.insert(1, R"("_meta":)" + json::serialize(RelatedTask(task)) + ",");
  outbox_.Notify(method, text);
}

}  // namespace assay::reference
