// All tasks of the process. They outlive the requests and connections that made them, and go when
// their time to live is over.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/scheduler.h"
#include "tasks/task.h"

namespace assay::reference {

/// How long a task is kept unless the client wants it otherwise, and at most.
inline constexpr std::chrono::milliseconds kDefaultTtl = std::chrono::minutes(5);
inline constexpr std::chrono::milliseconds kLongestTtl = std::chrono::hours(1);
/// What clients are told to wait between two looks.
inline constexpr std::chrono::milliseconds kPollInterval{200};
/// One owner cannot have more tasks than this that have not ended.
inline constexpr std::size_t kMostTasks = 256;

class TaskStore : private TaskListener {
 public:
  TaskStore(Catalog& catalog, Scheduler& scheduler) : catalog_(catalog), scheduler_(scheduler) {}
  ~TaskStore() override;
  TaskStore(const TaskStore&) = delete;
  TaskStore& operator=(const TaskStore&) = delete;

  /// Starts the tool soon, but not yet: whoever asked hears of the task first. Null if the owner
  /// has too many.
  std::shared_ptr<Task> Create(const Tool& tool, boost::json::object arguments,
                               boost::json::object answers, Caller caller,
                               std::chrono::milliseconds ttl = kDefaultTtl);

  /// Null if there is none of that id, or it belongs to somebody else: nobody learns which.
  std::shared_ptr<Task> Find(std::string_view id, const TaskOwner& asker) const;

  /// In the order in which they were made.
  std::vector<std::shared_ptr<Task>> OwnedBy(const TaskOwner& owner) const;

  /// Cancels and forgets them: nobody can ask for them any more.
  void Forget(const TaskOwner& owner);

  /// The listener is not owned and must take itself off before it goes.
  void AddListener(TaskListener* listener) { listeners_.push_back(listener); }
  void RemoveListener(TaskListener* listener) { std::erase(listeners_, listener); }

 private:
  struct Entry {
    std::shared_ptr<Task> task;
    Scheduler::Timer start;
    Scheduler::Timer expiry;
    std::uint64_t number;
  };

  void Remove(const std::string& id);
  void TaskChanged(const Task& task) override;
  void TaskNotified(const Task& task, std::string_view method, std::string_view params) override;

  Catalog& catalog_;
  Scheduler& scheduler_;
  std::map<std::string, Entry, std::less<>> tasks_;
  std::uint64_t last_number_ = 0;
  std::vector<TaskListener*> listeners_;
};

}  // namespace assay::reference
