#include "era/calls.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "catalog/catalog.h"
#include "catalog/content.h"
#include "catalog/json_schema.h"
#include "catalog/shape.h"
#include "era/rounds.h"
#include "tasks/core_tasks.h"
#include "tasks/extension_tasks.h"
#include "tasks/handle_tasks.h"
#include "tasks/task_store.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

ToolResult Failure(std::string_view text) { return {{TextBlock(text)}, std::nullopt, true}; }

}  // namespace

Calls::Calls(const Services& services, const Settings& settings, Outbox& outbox,
             ClientRequests& client_requests)
    : services_(services), settings_(settings), outbox_(outbox), client_requests_(client_requests) {
  services_.tasks.AddListener(this);
}

Calls::~Calls() {
  services_.tasks.RemoveListener(this);
  for (const auto& [key, running] : running_) {
    running.call->Cancel();
    if (running.task != nullptr) running.task->Cancel();
  }
}

void Calls::Start(const Request& request, Caller caller, const ReplyTo& to) {
  static const json::value kNoArguments = json::object();
  const json::value* name =
      request.params == nullptr ? nullptr : request.params->if_contains("name");
  if (name == nullptr || !name->is_string()) {
    return outbox_.Answer(to, InvalidParams("Invalid params: name must be a string"));
  }
  const json::value* given = request.params->if_contains("arguments");
  const json::value& arguments = given == nullptr ? kNoArguments : *given;
  if (!arguments.is_object()) {
    return outbox_.Answer(to, InvalidParams("Invalid params: arguments must be an object"));
  }
  const Tool* tool = services_.catalog.FindTool(name->get_string());
  if (tool == nullptr) {
    return outbox_.Answer(to, InvalidParams("Unknown tool: " + std::string(name->get_string())));
  }

  const bool is_modern = IsModern(caller.revision);
  const bool has_core_tasks =
      caller.revision == Revision::k2025_11_25 && settings_.tasks != TaskDialect::kOff;
  const std::string key = caller.id.key();
  caller.principal = settings_.principal;
  ToolCallHost& host = *this;
  Running running{
      std::make_shared<ToolCall>(std::move(caller), services_.catalog, services_.scheduler, host),
      to, tool->name,
      // Not in the memory of the line, which the call may outlive.
      std::make_shared<const json::object>(arguments.get_object(), json::storage_ptr()),
      std::nullopt};
  if (is_modern) {
    auto answers =
        ReadAnswers(request, BindingOf(running), services_.signer, services_.scheduler.Now());
    if (auto* error = std::get_if<ProtocolError>(&answers)) {
      return outbox_.Answer(to, std::move(*error));
    }
    running.call->AddAnswers(std::get<json::object>(answers));
  }
  if (has_core_tasks) {
    auto ttl = ReadTaskParam(request);
    if (auto* error = std::get_if<ProtocolError>(&ttl)) {
      return outbox_.Answer(to, std::move(*error));
    }
    running.task_ttl = std::get<0>(ttl);
  }
  running_.emplace(key, std::move(running));
  Proceed(key);
}

void Calls::Proceed(const std::string& id_key) {
  Running& running = running_.at(id_key);
  // The tool may end the call, and so the entry.
  const std::shared_ptr<ToolCall> call = running.call;
  const Tool* tool = services_.catalog.FindTool(running.tool);
  if (tool == nullptr) return call->Refuse(InvalidParams("Unknown tool: " + running.tool));
  // server/tools#error-handling: a model can correct its arguments if it is told what is wrong with
  // them, so this is a result and not a protocol error.
  if (const std::optional<std::string> problem =
          SchemaProblem(tool->definition.at("inputSchema").as_object(), *running.arguments)) {
    return call->Finish(Failure("Invalid arguments for tool " + tool->name + ": " + *problem));
  }
  if (call->Ask(tool->asks_first) == nullptr) return;
  if (BecameTask(running, *tool)) return;
  const std::shared_ptr<const json::object> arguments = running.arguments;
  tool->run(*arguments, *call);
}

bool Calls::BecameTask(Running& running, const Tool& tool) {
  const Caller& caller = running.call->caller();
  const TaskSupport support = tool.task_support();
  if (!IsModern(caller.revision)) {
    if (caller.revision != Revision::k2025_11_25 || settings_.tasks == TaskDialect::kOff) {
      return false;
    }
    const bool wanted = running.task_ttl.has_value();
    if (wanted ? support == TaskSupport::kForbidden : support == TaskSupport::kRequired) {
      running.call->Refuse(
          {ErrorCode::kMethodNotFound, wanted ? "This tool cannot be called as a task"
                                              : "This tool can only be called as a task"});
      return true;
    }
    if (!wanted) return false;
    const std::shared_ptr<Task> task = MakeTask(running, tool, *running.task_ttl);
    if (task == nullptr) return true;
    const json::object body{{"task", CoreTask(*task)}};
    End(*running.call, FinishResult(body, caller.revision));
    return true;
  }
  if (settings_.tasks == TaskDialect::kOff || support == TaskSupport::kForbidden) return false;
  if (settings_.tasks == TaskDialect::kHandle) {
    const std::shared_ptr<Task> task = MakeTask(running, tool, kDefaultTtl);
    if (task == nullptr) return true;
    running.task = task;
    if (caller.progress_token) {
      TaskNotified(*task, "notifications/progress",
                   R"({"progressToken":)" + caller.progress_token->text() + R"(,"progress":0})");
    }
    return true;
  }
  if (!DeclaresTasks(caller.capabilities)) {
    if (support != TaskSupport::kRequired) return false;
    running.call->Refuse(TasksNotDeclared());
    return true;
  }
  const std::shared_ptr<Task> task = MakeTask(running, tool, kDefaultTtl);
  if (task != nullptr) End(*running.call, CreatedTask(*task));
  return true;
}

std::shared_ptr<Task> Calls::MakeTask(Running& running, const Tool& tool,
                                      std::chrono::milliseconds ttl) {
  std::shared_ptr<Task> task = services_.tasks.Create(
      tool, *running.arguments, running.call->answers(), running.call->caller(), ttl);
  if (task == nullptr) {
    running.call->Refuse({ErrorCode::kInternalError, "Too many tasks are running; try later"});
  }
  return task;
}

bool Calls::Cancel(const std::string& id_key) {
  const auto found = running_.find(id_key);
  if (found == running_.end()) return false;
  const Running running = std::move(found->second);
  running_.erase(found);
  running.call->Cancel();
  if (running.task != nullptr) running.task->Cancel();
  client_requests_.Withdraw(running.asked);
  outbox_.Forgo(running.to);
  return true;
}

void Calls::Notify(const ToolCall& call, std::string_view method, std::string_view params) {
  outbox_.Notify(method, params, call.caller().id.text());
}

void Calls::Finish(const ToolCall& call, ToolResult result) {
  const Revision revision = call.caller().revision;
  End(call, FinishResult(ShapeToolResult(std::move(result), revision), revision));
}

void Calls::Refuse(const ToolCall& call, ProtocolError error) { End(call, std::move(error)); }

void Calls::Ask(ToolCall& call, InputRequests requests) {
  const Caller& caller = call.caller();
  std::optional<ProtocolError> missing =
      MissingCapability(requests, caller.capabilities, caller.revision);
  if (!IsModern(caller.revision)) {
    // The legacy era has no code for it, and a model can do something with the text.
    if (missing) return call.Finish(Failure(missing->message));
    return AskLegacyClient(call, requests);
  }
  if (missing) return call.Refuse(*std::move(missing));
  const Running& running = running_.at(caller.id.key());
  End(call, InputRequired(requests, call.answers(), BindingOf(running), services_.signer,
                          services_.scheduler.Now()));
}

void Calls::AskLegacyClient(ToolCall& call, const InputRequests& requests) {
  const std::string key = call.caller().id.key();
  const auto ticket = client_requests_.Ask(
      requests, {}, call.caller().id.text(), [this, key](ClientRequests::Answers answers) {
        const std::shared_ptr<ToolCall> asker = running_.at(key).call;
        if (const auto* error = std::get_if<std::string>(&answers)) {
          return asker->Finish(Failure("The client did not answer: " + *error));
        }
        asker->AddAnswers(std::get<json::object>(answers));
        Proceed(key);
      });
  running_.at(key).asked = ticket;
}

void Calls::CloseStream(const ToolCall& call) { outbox_.CloseStream(call.caller().id.text()); }

StateBinding Calls::BindingOf(const Running& running) const {
  return {"tools/call", running.tool, *running.arguments, settings_.principal};
}

void Calls::End(const ToolCall& call, const Outcome& outcome) {
  const auto found = running_.find(call.caller().id.key());
  // Keeps the call alive until its own method that led here has returned.
  const Running ended = std::move(found->second);
  running_.erase(found);
  outbox_.Answer(ended.to, outcome);
}

Calls::Running* Calls::CallOf(const Task& task) {
  const auto found = std::ranges::find_if(
      running_, [&task](const auto& entry) { return entry.second.task.get() == &task; });
  return found == running_.end() ? nullptr : &found->second;
}

void Calls::TaskNotified(const Task& task, std::string_view method, std::string_view params) {
  const Running* running = CallOf(task);
  if (running == nullptr) return;
  const json::object handle{{kTaskHandleKey, task.id()}};
  std::string text(params);
  text.insert(1, R"("_meta":)" + json::serialize(handle) + ",");
  outbox_.Notify(method, text, running->to.id);
}

void Calls::TaskChanged(const Task& task) {
  Running* running = CallOf(task);
  if (running == nullptr) return;
  if (task.status() == TaskStatus::kInputRequired) {
    // There is no way to ask while a call is open.
    return running->task->FailToAnswer("a task of this dialect cannot ask");
  }
  if (!IsTerminal(task.status())) return;
  if (const auto* error = std::get_if<ProtocolError>(&task.outcome())) {
    return End(*running->call, *error);
  }
  const auto* result = std::get_if<ToolResult>(&task.outcome());
  json::object body = ShapeToolResult(
      result == nullptr ? Failure("The task was cancelled.") : *result, kNewestModern);
  body["isError"] = result == nullptr || result->is_error;
  End(*running->call, FinishModernResult(body, "complete", {{kTaskHandleKey, task.id()}}));
}

}  // namespace assay::reference
