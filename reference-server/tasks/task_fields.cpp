#include "tasks/task_fields.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace assay::reference {

namespace json = boost::json;

std::string_view Name(TaskStatus status) {
  switch (status) {
    case TaskStatus::kWorking:
      return "working";
    case TaskStatus::kInputRequired:
      return "input_required";
    case TaskStatus::kCompleted:
      return "completed";
    case TaskStatus::kFailed:
      return "failed";
    case TaskStatus::kCancelled:
      return "cancelled";
  }
  return {};
}

std::string Timestamp(std::chrono::system_clock::time_point time) {
  const auto since_epoch =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  const std::time_t seconds = since_epoch.count() / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 40> text;
  const std::size_t size = std::strftime(text.data(), text.size(), "%FT%T", &parts);
  std::snprintf(text.data() + size, text.size() - size, ".%03dZ",
                static_cast<int>(since_epoch.count() % 1000));
  return text.data();
}

json::object CommonTaskFields(const Task& task) {
  json::object fields{{"taskId", task.id()},
                      {"status", Name(task.status())},
                      {"createdAt", Timestamp(task.created_at())},
                      {"lastUpdatedAt", Timestamp(task.last_updated_at())}};
  if (!task.status_message().empty()) fields["statusMessage"] = task.status_message();
  return fields;
}

std::variant<std::shared_ptr<Task>, ProtocolError> FindTask(const TaskStore& tasks,
                                                            const Request& request,
                                                            const TaskOwner& owner) {
  const json::value* id =
      request.params == nullptr ? nullptr : request.params->if_contains("taskId");
  if (id == nullptr || !id->is_string()) {
    return InvalidParams("Invalid params: taskId must be a string");
  }
  std::shared_ptr<Task> task = tasks.Find(id->get_string(), owner);
  if (task == nullptr) return InvalidParams("Unknown task: it never existed, or has expired");
  return task;
}

}  // namespace assay::reference
