#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "catalog/asking_tools.h"
#include "catalog/cart_tools.h"
#include "catalog/catalog.h"
#include "catalog/content.h"
#include "catalog/task_tools.h"
#include "catalog/tool.h"
#include "catalog/tool_definition.h"

namespace assay::reference {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

/// A fixture without parameters that always returns the same.
Tool Constant(std::string_view definition, ToolResult (*make)()) {
  return Define(definition, [make](const json::object&, ToolCall& call) { call.Finish(make()); });
}

// --- the plain ones

Tool Echo() {
  return Define(R"({
    "name": "echo",
    "title": "Echo",
    "description": "Returns the message it is given.",
    "inputSchema": {
      "type": "object",
      "properties": {"message": {"type": "string", "description": "What to return"}},
      "required": ["message"],
      "additionalProperties": false
    },
    "annotations": {"title": "Echo", "readOnlyHint": true, "destructiveHint": false,
                    "idempotentHint": true, "openWorldHint": false},
    "icons": [{"src": "data:image/png;base64,)" +
                    std::string(kPngBase64) +
                    R"(", "mimeType": "image/png", "sizes": ["1x1"]}],
    "execution": {"taskSupport": "forbidden"}
  })",
                [](const json::object& arguments, ToolCall& call) {
                  call.Finish(Text(arguments.at("message").as_string()));
                });
}

/// Integers are added exactly, up to 63 bits: beyond 2^53 a detour over double would be wrong.
std::optional<json::value> Sum(const json::value& a, const json::value& b) {
  if (a.is_uint64() || b.is_uint64()) return std::nullopt;
  const std::int64_t* x = a.if_int64();
  const std::int64_t* y = b.if_int64();
  if (x != nullptr && y != nullptr) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(*x, *y, &sum)) return std::nullopt;
    return json::value(sum);
  }
  const double sum = a.to_number<double>() + b.to_number<double>();
  if (!std::isfinite(sum)) return std::nullopt;
  return json::value(sum);
}

Tool Add() {
  return Define(R"({
    "name": "add",
    "title": "Add",
    "description": "Adds two numbers and returns the sum as structured content.",
    "inputSchema": {
      "type": "object",
      "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
      "required": ["a", "b"],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {"sum": {"type": "number"}},
      "required": ["sum"],
      "additionalProperties": false
    },
    "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
                    "openWorldHint": false}
  })",
                [](const json::object& arguments, ToolCall& call) {
                  const std::optional<json::value> sum = Sum(arguments.at("a"), arguments.at("b"));
                  if (!sum) return call.Finish(Failure("The sum is too large to be represented."));
                  const json::object structured{{"sum", *sum}};
                  call.Finish({{TextBlock(json::serialize(structured))}, structured});
                });
}

// --- the one that takes its time

struct SlowWork {
  milliseconds duration;
  int steps;
  int done = 0;
  /// Counts as active work for as long as this exists: until the call ends or is cancelled.
  std::shared_ptr<void> counted;
};

void SlowStep(ToolCall& call, SlowWork work) {
  if (work.done > 0) {
    call.ReportProgress(work.done, work.steps,
                        "step " + std::to_string(work.done) + " of " + std::to_string(work.steps));
  }
  if (work.done == work.steps) {
    return call.Finish(Text("Worked for " + std::to_string(work.duration.count()) + " ms in " +
                            std::to_string(work.steps) + " steps."));
  }
  // Waits are cut from the whole, so that they add up to exactly `duration`.
  const milliseconds wait =
      work.duration * (work.done + 1) / work.steps - work.duration * work.done / work.steps;
  ++work.done;
  call.Later(wait, [work = std::move(work)](ToolCall& again) { SlowStep(again, work); });
}

Tool Slow() {
  return Define(R"({
    "name": "slow",
    "title": "Slow work",
    "description": "Works for a while in steps, reports progress after each, and can be cancelled.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "duration_ms": {"type": "integer", "minimum": 0, "maximum": 600000, "default": 1000},
        "steps": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 4}
      },
      "additionalProperties": false
    },
    "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
                    "openWorldHint": false},
    "execution": {"taskSupport": "forbidden"}
  })",
                [](const json::object& arguments, ToolCall& call) {
                  const json::value* duration = arguments.if_contains("duration_ms");
                  const json::value* steps = arguments.if_contains("steps");
                  SlowStep(call,
                           {milliseconds(duration == nullptr ? 1000 : duration->to_number<int>()),
                            steps == nullptr ? 4 : steps->to_number<int>(), 0,
                            call.catalog().CountSlowWork()});
                });
}

// --- the fixtures of the official conformance suite

ToolResult SimpleText() { return Text("This is a simple text response for testing."); }
ToolResult Image() { return {{ImageBlock()}}; }
ToolResult Audio() { return {{AudioBlock()}}; }

ToolResult EmbeddedResource() {
  return {{EmbeddedText("test://embedded-resource", "text/plain",
                        "This is an embedded resource content.")}};
}

ToolResult MultipleContentTypes() {
  return {{TextBlock("Multiple content types test:"), ImageBlock(),
           EmbeddedText("test://mixed-content-resource", "application/json",
                        R"({"test":"data","value":123})")}};
}

ToolResult ResourceLink() {
  return {{json::object{{"type", "resource_link"},
                        {"uri", "test://static-text"},
                        {"name", "static-text"},
                        {"title", "Static text"},
                        {"mimeType", "text/plain"},
                        {"annotations", json::object{{"audience", json::array{"user"}},
                                                     {"priority", 0.5},
                                                     {"lastModified", "2026-07-28T00:00:00Z"}}}}}};
}

ToolResult Error() { return Failure("This tool intentionally returns an error for testing"); }

void ProgressStep(ToolCall& call, int done) {
  call.ReportProgress(done, 100, "Completed " + std::to_string(done) + " of 100");
  if (done == 100) return call.Finish(Text("Progress was reported at 0, 50 and 100."));
  call.Later(milliseconds(50), [done](ToolCall& again) { ProgressStep(again, done + 50); });
}

Tool WithProgress() {
  return Define(R"({
    "name": "test_tool_with_progress",
    "description": "Reports its progress three times.",
    "inputSchema": {"type": "object", "properties": {}}
  })",
                [](const json::object&, ToolCall& call) { ProgressStep(call, 0); });
}

Tool WithLogging() {
  return Define(R"({
    "name": "test_tool_with_logging",
    "description": "Sends three log messages of level info.",
    "inputSchema": {"type": "object", "properties": {}}
  })",
                [](const json::object&, ToolCall& call) {
                  call.Log(LogLevel::kInfo, "Tool execution started");
                  call.Log(LogLevel::kInfo, "Tool processing data");
                  call.Log(LogLevel::kInfo, "Tool execution completed");
                  call.Finish(Text("Three messages were logged."));
                });
}

Tool AllLogLevels() {
  return Define(R"({
    "name": "test_logging_tool",
    "description": "Sends one log message of each of the eight levels.",
    "inputSchema": {"type": "object", "properties": {}}
  })",
                [](const json::object&, ToolCall& call) {
                  for (const std::string_view name : kLogLevelNames) {
                    call.Log(*ParseLogLevel(name), "A message of level " + std::string(name));
                  }
                  call.Finish(Text("A message of each level was logged."));
                });
}

Tool RichSchema() {
  return Define(R"({
    "name": "json_schema_2020_12_tool",
    "description": "Validates its arguments by a schema that uses much of JSON Schema 2020-12.",
    "inputSchema": {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "type": "object",
      "$defs": {
        "address": {
          "$anchor": "addressDef",
          "type": "object",
          "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }
      },
      "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
        "point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}],
                  "items": false}
      },
      "dependentRequired": {"phone": ["name"]},
      "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}, {"required": ["name"]},
                           {"maxProperties": 0}]}],
      "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
      "then": {"required": ["phone"]},
      "else": {},
      "additionalProperties": false
    }
  })",
                [](const json::object& arguments, ToolCall& call) {
                  call.Finish(Text("JSON Schema 2020-12 accepts " + json::serialize(arguments)));
                });
}

Tool NeedsSampling() {
  return Define(
      R"({
    "name": "test_missing_capability",
    "description": "Cannot work for a client that does not declare the sampling capability.",
    "inputSchema": {"type": "object", "properties": {}}
  })",
      [](const json::object&, ToolCall& call) {
        if (call.caller().capabilities.contains("sampling")) {
          return call.Finish(Text("The client declares sampling."));
        }
        // 2026-07-28 basic/index#error-codes; the legacy era has no code for it.
        if (IsModern(call.caller().revision)) {
          return call.Refuse(
              {ErrorCode::kMissingClientCapability, "The client must declare sampling",
               json::object{{"requiredCapabilities", json::object{{"sampling", json::object()}}}}});
        }
        call.Finish(Failure("The client must declare the sampling capability."));
      });
}

Tool MirroredParameter() {
  return Define(R"({
    "name": "test_x_mcp_header",
    "description": "Returns its region, which a client also sends as a header over HTTP.",
    "inputSchema": {
      "type": "object",
      "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
      "required": ["region"]
    },
    "annotations": {"readOnlyHint": true}
  })",
                [](const json::object& arguments, ToolCall& call) {
                  call.Finish(Text("Region: " + std::string(arguments.at("region").as_string())));
                });
}

Tool MirroredValues() {
  return Define(R"({
    "name": "mirror_values",
    "description": "Returns its arguments, which a client also sends as headers over HTTP.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "urgent": {"type": "boolean", "x-mcp-header": "Urgent"},
        "place": {
          "type": "object",
          "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}
        }
      }
    },
    "annotations": {"readOnlyHint": true}
  })",
                [](const json::object& arguments, ToolCall& call) {
                  call.Finish(Text(json::serialize(arguments)));
                });
}

Tool Reconnection() {
  return Define(R"({
    "name": "test_reconnection",
    "description": "Breaks its stream off before the answer, which waits for the client to come back.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                [](const json::object&, ToolCall& call) {
                  call.CloseStream();
                  call.Later(milliseconds(100), [](ToolCall& again) {
                    again.Finish(Text("The client came back for this."));
                  });
                });
}

// --- the ones that change something

Tool Trigger(std::string_view definition, void (Catalog::*change)(), std::string text) {
  return Define(definition, [change, text = std::move(text)](const json::object&, ToolCall& call) {
    (call.catalog().*change)();
    call.Finish(Text(text));
  });
}

}  // namespace

TaskSupport Tool::task_support() const {
  const json::value* execution = definition.if_contains("execution");
  const json::value* support =
      execution == nullptr ? nullptr : execution->as_object().if_contains("taskSupport");
  if (support == nullptr || *support == "forbidden") return TaskSupport::kForbidden;
  return *support == "required" ? TaskSupport::kRequired : TaskSupport::kOptional;
}

std::deque<Tool> BuildTools() {
  std::deque<Tool> tools;
  tools.push_back(Constant(R"({
    "name": "test_simple_text",
    "description": "Returns a fixed text.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
                    "openWorldHint": false}
  })",
                           SimpleText));
  tools.push_back(Echo());
  tools.push_back(Add());
  tools.push_back(Slow());
  tools.push_back(Constant(R"({
    "name": "test_image_content",
    "description": "Returns an image.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                           Image));
  tools.push_back(Constant(R"({
    "name": "test_audio_content",
    "description": "Returns a sound.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                           Audio));
  tools.push_back(Constant(R"({
    "name": "test_embedded_resource",
    "description": "Returns an embedded resource.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                           EmbeddedResource));
  tools.push_back(Constant(R"({
    "name": "test_multiple_content_types",
    "description": "Returns a text, an image and an embedded resource.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                           MultipleContentTypes));
  tools.push_back(Constant(R"({
    "name": "test_resource_link",
    "description": "Returns a link to a resource.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                           ResourceLink));
  tools.push_back(WithProgress());
  tools.push_back(WithLogging());
  tools.push_back(AllLogLevels());
  tools.push_back(Constant(R"({
    "name": "test_error_handling",
    "description": "Always fails.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                           Error));
  tools.push_back(RichSchema());
  tools.push_back(NeedsSampling());
  tools.push_back(Define(R"({
    "name": "test_active_calls",
    "description": "Tells how many calls of slow are being worked on.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                         [](const json::object&, ToolCall& call) {
                           call.Finish(Text(std::to_string(call.catalog().SlowWork())));
                         }));
  tools.push_back(Trigger(R"({
    "name": "test_touch_watched_resource",
    "description": "Changes the content of test://watched-resource.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false}
  })",
                          &Catalog::TouchWatchedResource, "test://watched-resource was changed."));
  tools.push_back(Trigger(R"({
    "name": "test_trigger_tool_change",
    "description": "Adds test_dynamic_tool to the tools, or removes it.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false}
  })",
                          &Catalog::ToggleDynamicTool, "The list of tools was changed."));
  tools.push_back(Trigger(R"({
    "name": "test_trigger_prompt_change",
    "description": "Adds test_dynamic_prompt to the prompts, or removes it.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false}
  })",
                          &Catalog::ToggleDynamicPrompt, "The list of prompts was changed."));
  tools.push_back(Trigger(R"({
    "name": "test_trigger_resource_change",
    "description": "Adds test://dynamic-resource to the resources, or removes it.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false}
  })",
                          &Catalog::ToggleDynamicResource, "The list of resources was changed."));
  tools.push_back(MirroredParameter());
  tools.push_back(MirroredValues());
  tools.push_back(Reconnection());
  for (std::vector<Tool>& more : std::array{AskingTools(), TaskTools(), CartTools()}) {
    std::ranges::move(more, std::back_inserter(tools));
  }
  return tools;
}

Tool BuildDynamicTool() {
  return Constant(R"({
    "name": "test_dynamic_tool",
    "description": "Exists only between two calls of test_trigger_tool_change.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": true}
  })",
                  SimpleText);
}

}  // namespace assay::reference
