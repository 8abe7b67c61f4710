#include "catalog/tool_call.h"

#include <utility>

namespace assay::reference {

namespace json = boost::json;

ToolCall::ToolCall(Caller caller, Catalog& catalog, Scheduler& scheduler, ToolCallHost& host)
    : caller_(std::move(caller)), catalog_(catalog), scheduler_(scheduler), host_(host) {}

ToolCall::~ToolCall() { scheduler_.Cancel(timer_); }

void ToolCall::ReportProgress(int progress, int total, std::string_view message) {
  if (ended_ || !caller_.progress_token) return;
  // The token goes back as it came, so the params are put together as text.
  std::string params = R"({"progressToken":)" + caller_.progress_token->text() + R"(,"progress":)" +
                       std::to_string(progress) + R"(,"total":)" + std::to_string(total);
  if (caller_.revision >= Revision::k2025_03_26) {
    params += R"(,"message":)" + json::serialize(json::value(message));
  }
  params += '}';
  host_.Notify(*this, "notifications/progress", params);
}

void ToolCall::Log(LogLevel level, std::string_view text) {
  if (ended_ || !caller_.log_level || level < *caller_.log_level) return;
  const json::object params{{"level", Name(level)}, {"logger", "tools"}, {"data", text}};
  host_.Notify(*this, "notifications/message", json::serialize(params));
}

void ToolCall::Later(std::chrono::milliseconds delay, std::function<void(ToolCall&)> next) {
  timer_ = scheduler_.After(delay, [self = weak_from_this(), next = std::move(next)] {
    const std::shared_ptr<ToolCall> call = self.lock();
    if (call == nullptr || call->ended_) return;
    call->timer_ = Scheduler::kNoTimer;
    next(*call);
  });
}

const json::object* ToolCall::Ask(InputRequests requests) {
  if (ended_) return nullptr;
  InputRequests open;
  for (auto& question : requests) {
    const std::string& key = question.first;
    const json::value* answer = answers_.if_contains(key);
    if (answer == nullptr) {
      open.push_back(std::move(question));
    } else if (const auto problem = AnswerProblem(question.second, *answer)) {
      Refuse(InvalidParams("Invalid params: the answer to " + key + ": " + *problem));
      return nullptr;
    }
  }
  if (open.empty()) return &answers_;
  host_.Ask(*this, std::move(open));
  return nullptr;
}

void ToolCall::AddAnswers(const json::object& answers) {
  for (const auto& [key, answer] : answers) answers_.insert_or_assign(key, answer);
}

void ToolCall::Finish(ToolResult result) {
  if (std::exchange(ended_, true)) return;
  host_.Finish(*this, std::move(result));
}

void ToolCall::Refuse(ProtocolError error) {
  if (std::exchange(ended_, true)) return;
  host_.Refuse(*this, std::move(error));
}

void ToolCall::Cancel() {
  ended_ = true;
  scheduler_.Cancel(timer_);
  timer_ = Scheduler::kNoTimer;
}

}  // namespace assay::reference
