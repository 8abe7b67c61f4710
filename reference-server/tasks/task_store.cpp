#include "tasks/task_store.h"

#include <algorithm>
#include <utility>

#include "random/random.h"

namespace assay::reference {

namespace json = boost::json;

TaskStore::~TaskStore() {
  for (const auto& [id, entry] : tasks_) {
    scheduler_.Cancel(entry.start);
    scheduler_.Cancel(entry.expiry);
  }
}

std::shared_ptr<Task> TaskStore::Create(const Tool& tool, json::object arguments,
                                        json::object answers, Caller caller,
                                        std::chrono::milliseconds ttl) {
  TaskOwner owner = OwnerFor(caller.session, caller.principal);
  const auto running = std::ranges::count_if(tasks_, [&owner](const auto& one) {
    return one.second.task->owner() == owner && !IsTerminal(one.second.task->status());
  });
  if (static_cast<std::size_t>(running) >= kMostTasks) return nullptr;

  std::string id = NewRandomId();
  TaskListener& listener = *this;
  auto task = std::make_shared<Task>(id, tool, std::move(arguments), std::move(caller),
                                     std::move(owner), ttl, catalog_, scheduler_, listener);
  Entry& entry = tasks_[id];
  entry = {task,
           scheduler_.After(std::chrono::milliseconds(0),
                            [task, answers = std::move(answers)] { task->Run(answers); }),
           scheduler_.After(ttl, [this, id] { Remove(id); }), ++last_number_};
  return task;
}

std::shared_ptr<Task> TaskStore::Find(std::string_view id, const TaskOwner& asker) const {
  const auto found = tasks_.find(id);
  if (found == tasks_.end() || found->second.task->owner() != asker) return nullptr;
  return found->second.task;
}

std::vector<std::shared_ptr<Task>> TaskStore::OwnedBy(const TaskOwner& owner) const {
  std::map<std::uint64_t, std::shared_ptr<Task>> owned;
  for (const auto& [id, entry] : tasks_) {
    if (entry.task->owner() == owner) owned.emplace(entry.number, entry.task);
  }
  std::vector<std::shared_ptr<Task>> tasks;
  for (auto& [number, task] : owned) tasks.push_back(std::move(task));
  return tasks;
}

void TaskStore::Forget(const TaskOwner& owner) {
  for (const std::shared_ptr<Task>& task : OwnedBy(owner)) Remove(task->id());
}

void TaskStore::Remove(const std::string& id) {
  const auto found = tasks_.find(id);
  const Entry removed = std::move(found->second);
  tasks_.erase(found);
  scheduler_.Cancel(removed.start);
  scheduler_.Cancel(removed.expiry);
  removed.task->Cancel();
}

void TaskStore::TaskChanged(const Task& task) {
  // A copy, because hearing of a change may end a subscription.
  const std::vector<TaskListener*> listeners = listeners_;
  for (TaskListener* listener : listeners) {
    if (std::ranges::find(listeners_, listener) != listeners_.end()) listener->TaskChanged(task);
  }
}

void TaskStore::TaskNotified(const Task& task, std::string_view method, std::string_view params) {
  for (TaskListener* listener : listeners_) listener->TaskNotified(task, method, params);
}

}  // namespace assay::reference
