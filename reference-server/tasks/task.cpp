#include "tasks/task.h"

#include <utility>

#include "catalog/content.h"

namespace assay::reference {

namespace json = boost::json;

TaskOwner OwnerFor(const std::string& session, const std::string& principal) {
  return principal.empty() ? TaskOwner{session, {}} : TaskOwner{{}, principal};
}

Task::Task(std::string id, Tool tool, json::object arguments, Caller caller, TaskOwner owner,
           std::chrono::milliseconds ttl, Catalog& catalog, Scheduler& scheduler,
           TaskListener& listener)
    : id_(std::move(id)),
      tool_(std::move(tool)),
      arguments_(std::move(arguments)),
      owner_(std::move(owner)),
      ttl_(ttl),
      scheduler_(scheduler),
      listener_(listener),
      call_(std::make_shared<ToolCall>(std::move(caller), catalog, scheduler,
                                       static_cast<ToolCallHost&>(*this))),
      created_at_(scheduler.Now()),
      last_updated_at_(created_at_) {}

void Task::Run(const json::object& answers) {
  call_->AddAnswers(answers);
  if (!IsTerminal(status_)) tool_.run(arguments_, *call_);
}

std::optional<std::string> Task::Answer(const json::object& answers) {
  json::object taken;
  for (const auto& [key, request] : input_requests_) {
    const json::value* answer = answers.if_contains(key);
    if (answer == nullptr) continue;
    if (const auto problem = AnswerProblem(request, *answer)) return key + ": " + *problem;
    taken[key] = *answer;
  }
  if (taken.empty()) return std::nullopt;
  std::erase_if(input_requests_,
                [&taken](const auto& request) { return taken.contains(request.first); });
  call_->AddAnswers(taken);
  if (!input_requests_.empty()) {
    Become(TaskStatus::kInputRequired, status_message_);
    return std::nullopt;
  }
  Become(TaskStatus::kWorking, {});
  tool_.run(arguments_, *call_);
  return std::nullopt;
}

void Task::FailToAnswer(std::string_view why) {
  call_->Finish(
      {{TextBlock("The client did not answer: " + std::string(why))}, std::nullopt, true});
}

bool Task::Cancel() {
  if (IsTerminal(status_)) return false;
  call_->Cancel();
  Become(TaskStatus::kCancelled, "The task was cancelled by request.");
  return true;
}

void Task::Notify(const ToolCall& /*call*/, std::string_view method, std::string_view params) {
  listener_.TaskNotified(*this, method, params);
}

void Task::Finish(const ToolCall& /*call*/, ToolResult result) {
  std::string message = result.is_error ? "The tool reported an error." : std::string();
  outcome_ = std::move(result);
  Become(TaskStatus::kCompleted, std::move(message));
}

void Task::Refuse(const ToolCall& /*call*/, ProtocolError error) {
  std::string message = error.message;
  outcome_ = std::move(error);
  Become(TaskStatus::kFailed, std::move(message));
}

void Task::Ask(ToolCall& call, InputRequests requests) {
  for (const auto& [key, request] : requests) {
    if (!CanAsk(request, call.caller().capabilities, call.caller().revision)) {
      return FailToAnswer("it does not declare " + std::string(CapabilityFor(request)));
    }
  }
  input_requests_ = std::move(requests);
  Become(TaskStatus::kInputRequired, "The task waits for the client's input.");
}

void Task::Become(TaskStatus status, std::string message) {
  status_ = status;
  status_message_ = std::move(message);
  if (status != TaskStatus::kInputRequired) input_requests_.clear();
  last_updated_at_ = scheduler_.Now();
  listener_.TaskChanged(*this);
}

}  // namespace assay::reference
