#include "catalog/task_tools.h"

#include <boost/json.hpp>
#include <chrono>
#include <string>

#include "catalog/tool_definition.h"

namespace assay::reference {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

Tool Greet() {
  return Define(
      R"({
    "name": "greet",
    "description": "Greets somebody, at once and never as a task.",
    "inputSchema": {
      "type": "object",
      "properties": {"name": {"type": "string", "description": "Whom to greet"}},
      "required": ["name"]
    },
    "annotations": {"readOnlyHint": true},
    "execution": {"taskSupport": "forbidden"}
  })",
      [](const json::object& arguments, ToolCall& call) {
        call.Finish(Text("Hello, " + std::string(arguments.at("name").as_string()) + "!"));
      });
}

constexpr int kComputeSteps = 10;

void ComputeStep(ToolCall& call, milliseconds whole, int done, const std::string& label) {
  if (done > 0) call.ReportProgress(done, kComputeSteps, label);
  if (done == kComputeSteps) {
    return call.Finish(Text("Computed " + label + " in " + std::to_string(whole.count()) + " ms."));
  }
  call.Later(whole / kComputeSteps,
             [whole, done, label](ToolCall& again) { ComputeStep(again, whole, done + 1, label); });
}

Tool SlowCompute() {
  return Define(R"({
    "name": "slow_compute",
    "description": "Computes for a while; can be a task.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "seconds": {"type": "number", "minimum": 0, "maximum": 3600, "default": 1},
        "label": {"type": "string", "default": "a result"}
      }
    },
    "annotations": {"readOnlyHint": true},
    "execution": {"taskSupport": "optional"}
  })",
                [](const json::object& arguments, ToolCall& call) {
                  const json::value* seconds = arguments.if_contains("seconds");
                  const json::value* label = arguments.if_contains("label");
                  const double whole = seconds == nullptr ? 1 : seconds->to_number<double>();
                  ComputeStep(call, milliseconds(static_cast<std::int64_t>(whole * 1000)), 0,
                              label == nullptr ? "a result" : label->get_string().c_str());
                });
}

Tool FailingJob() {
  return Define(
      R"({
    "name": "failing_job",
    "description": "A task that ends with an error of the tool.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true},
    "execution": {"taskSupport": "required"}
  })",
      [](const json::object&, ToolCall& call) { call.Finish(Failure("This job always fails.")); });
}

Tool ProtocolErrorJob() {
  return Define(R"({
    "name": "protocol_error_job",
    "description": "A task that ends with a JSON-RPC error.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true},
    "execution": {"taskSupport": "optional"}
  })",
                [](const json::object&, ToolCall& call) {
                  call.Refuse({ErrorCode::kInternalError, "This job always breaks."});
                });
}

InputRequest AskYesOrNo(std::string_view question) {
  return AskUser(question, {{"confirm", json::object{{"type", "boolean"}}}}, {"confirm"});
}

bool SaidYes(const json::object& answers, std::string_view key) {
  const json::object* form = Accepted(answers.at(key).as_object());
  return form != nullptr && form->at("confirm").as_bool();
}

Tool ConfirmDelete() {
  return Define(R"({
    "name": "confirm_delete",
    "description": "Pretends to delete a file after the user has confirmed it; can be a task.",
    "inputSchema": {
      "type": "object",
      "properties": {"filename": {"type": "string", "description": "The file"}},
      "required": ["filename"]
    },
    "annotations": {"readOnlyHint": true},
    "execution": {"taskSupport": "optional"}
  })",
                [](const json::object& arguments, ToolCall& call) {
                  const std::string file(arguments.at("filename").as_string());
                  const auto* answers =
                      call.Ask({{"confirmation", AskYesOrNo("Really delete " + file + "?")}});
                  if (answers == nullptr) return;
                  call.Finish(Text(SaidYes(*answers, "confirmation") ? "Deleted " + file + "."
                                                                     : "Kept " + file + "."));
                });
}

Tool MultiInput() {
  return Define(R"({
    "name": "multi_input",
    "description": "Asks two questions at once; can be a task.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true},
    "execution": {"taskSupport": "optional"}
  })",
                [](const json::object&, ToolCall& call) {
                  const auto* answers = call.Ask({{"first", AskYesOrNo("The first question?")},
                                                  {"second", AskYesOrNo("The second question?")}});
                  if (answers == nullptr) return;
                  const int yes =
                      (SaidYes(*answers, "first") ? 1 : 0) + (SaidYes(*answers, "second") ? 1 : 0);
                  call.Finish(Text("Confirmed " + std::to_string(yes) + " of 2."));
                });
}

Tool AsksBeforeItsTask() {
  Tool tool = Define(R"({
    "name": "test_tool_with_task",
    "description": "Asks for a name before it becomes a task that greets.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true},
    "execution": {"taskSupport": "optional"}
  })",
                     [](const json::object&, ToolCall& call) {
                       const json::object* form =
                           Accepted(call.answers().at("user_name").as_object());
                       if (form == nullptr) return call.Finish(Text("Nobody wants a greeting."));
                       call.Finish(Text("Hello, " + std::string(form->at("name").as_string()) +
                                        "! The task is done."));
                     });
  tool.asks_first = {
      {"user_name",
       AskUser("What is your name?", {{"name", json::object{{"type", "string"}}}}, {"name"})}};
  return tool;
}

}  // namespace

std::vector<Tool> TaskTools() {
  return {Greet(),         SlowCompute(), FailingJob(),       ProtocolErrorJob(),
          ConfirmDelete(), MultiInput(),  AsksBeforeItsTask()};
}

}  // namespace assay::reference
