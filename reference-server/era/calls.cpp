#include "era/calls.h"

#include <optional>
#include <utility>

#include "catalog/content.h"
#include "catalog/json_schema.h"
#include "catalog/shape.h"

namespace assay::reference {

namespace json = boost::json;

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
  const Tool* tool = catalog_.FindTool(name->get_string());
  if (tool == nullptr) {
    return outbox_.Answer(to, InvalidParams("Unknown tool: " + std::string(name->get_string())));
  }

  const std::string key = caller.id.key();
  ToolCallHost& host = *this;
  const auto call = std::make_shared<ToolCall>(std::move(caller), catalog_, scheduler_, host);
  running_.emplace(key, Running{call, to});
  // server/tools#error-handling: a model can correct its arguments if it is told what is wrong with
  // them, so this is a result and not a protocol error.
  if (const std::optional<std::string> problem =
          SchemaProblem(tool->definition.at("inputSchema").as_object(), arguments)) {
    return call->Finish({{TextBlock("Invalid arguments for tool " + tool->name + ": " + *problem)},
                         std::nullopt,
                         true});
  }
  tool->run(arguments.get_object(), *call);
}

bool Calls::Cancel(const std::string& id_key) {
  const auto found = running_.find(id_key);
  if (found == running_.end()) return false;
  const Running running = std::move(found->second);
  running_.erase(found);
  running.call->Cancel();
  outbox_.Forgo(running.to);
  return true;
}

void Calls::CancelAll() {
  while (!running_.empty()) Cancel(std::string(running_.begin()->first));
}

void Calls::Notify(const ToolCall& /*call*/, std::string_view method, std::string_view params) {
  outbox_.Notify(method, params);
}

void Calls::Finish(const ToolCall& call, ToolResult result) {
  const Revision revision = call.caller().revision;
  End(call, FinishResult(ShapeToolResult(std::move(result), revision), revision));
}

void Calls::Refuse(const ToolCall& call, ProtocolError error) { End(call, std::move(error)); }

void Calls::End(const ToolCall& call, const Outcome& outcome) {
  const auto found = running_.find(call.caller().id.key());
  // Keeps the call alive until its own method that led here has returned.
  const Running ended = std::move(found->second);
  running_.erase(found);
  outbox_.Answer(ended.to, outcome);
}

}  // namespace assay::reference
