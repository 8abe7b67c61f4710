// What goes wrong with the shape of tools and of their results (server/tools).
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// Changes each tool that is listed.
Script EditTools(void (*edit)(json::object& tool, bool is_modern)) {
  return {.answer = [edit](FaultyMessage& answer) {
    json::object* result = answer.method == "tools/list" ? answer.result() : nullptr;
    if (result == nullptr) return;
    for (json::value& tool : result->at("tools").as_array()) {
      edit(tool.as_object(), answer.is_modern);
    }
  }};
}

Script ExecutionDropped() {
  return EditTools([](json::object& tool, bool is_modern) {
    if (is_modern) tool.stable_erase("execution");
  });
}

Script FalseHintsDropped() {
  return EditTools([](json::object& tool, bool is_modern) {
    json::value* annotations = is_modern ? nullptr : tool.if_contains("annotations");
    if (annotations == nullptr) return;
    json::object kept;
    for (const auto& hint : annotations->as_object()) {
      if (hint.value() != json::value(false)) kept[hint.key()] = hint.value();
    }
    *annotations = std::move(kept);
  });
}

Script PropertiesDropped() {
  return EditTools([](json::object& tool, bool is_modern) {
    if (!is_modern) tool.at("inputSchema").as_object().stable_erase("properties");
  });
}

Script SchemaKeywordsDropped() {
  return EditTools([](json::object& tool, bool is_modern) {
    if (is_modern) return;
    for (const char* keyword : {"additionalProperties", "$defs", "$schema"}) {
      tool.at("inputSchema").as_object().stable_erase(keyword);
    }
  });
}

Script EmptyPropertiesAsArray() {
  return EditTools([](json::object& tool, bool) {
    json::object& schema = tool.at("inputSchema").as_object();
    json::value* properties = schema.if_contains("properties");
    if (properties != nullptr && properties->as_object().empty()) *properties = json::array();
  });
}

Script InputSchemaEmpty() {
  return EditTools([](json::object& tool, bool) { tool["inputSchema"] = json::object(); });
}

Script InputSchemaNull() {
  return EditTools([](json::object& tool, bool) {
    if (tool.at("inputSchema").as_object().at("properties").as_object().empty()) {
      tool["inputSchema"] = nullptr;
    }
  });
}

Script OutputSchemaRootReference() {
  return EditTools([](json::object& tool, bool) {
    json::value* schema = tool.if_contains("outputSchema");
    if (schema == nullptr) return;
    *schema = json::object{{"$ref", "#/$defs/Result"},
                           {"$defs", json::object{{"Result", std::move(*schema)}}}};
  });
}

Script HintsAreStrings() {
  return EditTools([](json::object& tool, bool) {
    json::value* annotations = tool.if_contains("annotations");
    if (annotations == nullptr) return;
    for (auto& hint : annotations->as_object()) {
      if (hint.value().is_bool()) hint.value() = hint.value().get_bool() ? "true" : "false";
    }
  });
}

/// Changes the list of tools as a whole.
Script EditToolList(void (*edit)(json::array& tools)) {
  return {.answer = [edit](FaultyMessage& answer) {
    json::object* result = answer.method == "tools/list" ? answer.result() : nullptr;
    if (result != nullptr) edit(result->at("tools").as_array());
  }};
}

Script NameWithNewline() {
  return EditToolList([](json::array& tools) {
    tools.push_back(json::object{{"name", "test_broken_name\n"},
                                 {"description", "A tool whose name ends with a line break."},
                                 {"inputSchema", json::object{{"type", "object"}}}});
  });
}

Script DuplicateNames() {
  return EditToolList([](json::array& tools) { tools.push_back(json::value(tools.front())); });
}

Script OrderChanges() {
  return {.answer = [turn = 0](FaultyMessage& answer) mutable {
    json::object* result = answer.method == "tools/list" ? answer.result() : nullptr;
    if (result == nullptr) return;
    json::array& tools = result->at("tools").as_array();
    if (++turn % 2 == 0) std::reverse(tools.begin(), tools.end());
  }};
}

/// The final result of a call; null if it failed, became a task or asks for input.
json::object* GoodCallResult(FaultyMessage& answer) {
  json::object* result = answer.method == "tools/call" ? answer.result() : nullptr;
  const bool is_good =
      result != nullptr && result->contains("content") && !result->contains("isError");
  return is_good ? result : nullptr;
}

Script StructuredContentOffSchema() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = GoodCallResult(answer);
    if (result == nullptr || !result->contains("structuredContent")) return;
    result->at("structuredContent") = json::object{{"total", 1}, {"extra", true}};
  }};
}

Script StructuredContentMissing() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = GoodCallResult(answer);
    if (result != nullptr) result->stable_erase("structuredContent");
  }};
}

Script StructuredContentIsArray() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = GoodCallResult(answer);
    if (result == nullptr || !result->contains("structuredContent")) return;
    result->at("structuredContent") = json::array{result->at("structuredContent")};
  }};
}

Script ContentNull() {
  return {.answer = [](FaultyMessage& answer) {
    if (json::object* result = GoodCallResult(answer)) (*result)["content"] = nullptr;
  }};
}

Script ContentMissing() {
  return {.answer = [](FaultyMessage& answer) {
    if (json::object* result = GoodCallResult(answer)) result->stable_erase("content");
  }};
}

Script TextIsBare() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = GoodCallResult(answer);
    if (result == nullptr) return;
    for (json::value& block : result->at("content").as_array()) {
      if (block.at("type") == json::value("text")) block = block.at("text");
    }
  }};
}

Script BrokenBase64() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = GoodCallResult(answer);
    if (result == nullptr) return;
    for (json::value& block : result->at("content").as_array()) {
      json::value* data = block.as_object().if_contains("data");
      if (data != nullptr) *data = "data:;base64," + std::string(data->as_string());
    }
  }};
}

Script ArgumentsRequired() {
  return {.answer = [](FaultyMessage& answer) {
    if (GoodCallResult(answer) == nullptr) return;
    if (!answer.request.at("params").as_object().contains("arguments")) {
      answer.Fail(-32602, "Invalid params: arguments is required");
    }
  }};
}

Script ArgumentsNotValidated() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.method == "tools/call" ? answer.result() : nullptr;
    if (result == nullptr || !result->contains("isError")) return;
    const json::value& text = result->at("content").at(0).at("text");
    if (!text.as_string().starts_with("Invalid arguments")) return;
    result->at("content") = json::array{json::object{{"type", "text"}, {"text", "undefined"}}};
    result->stable_erase("isError");
  }};
}

Script NamesIgnoreCase() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || line.method != "tools/call") return;
    json::value* params = line.message->if_contains("params");
    json::value* name = params == nullptr || !params->is_object()
                            ? nullptr
                            : params->get_object().if_contains("name");
    if (name == nullptr || !name->is_string()) return;
    for (char& c : name->get_string()) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    line.changed = true;
  }};
}

}  // namespace

std::vector<NamedFault> ToolFaults() {
  return {
      {"execution-dropped", "C-EXECUTION-SURVIVES", "BUG-132",
       "leaves execution out of tools/list in the modern era", ExecutionDropped},
      {"false-hints-dropped", "C-LIST-PARITY", "BUG-133",
       "leaves annotations that are false out in the legacy era", FalseHintsDropped},
      {"properties-dropped", "C-LIST-PARITY", "BUG-136",
       "leaves the properties out of each inputSchema in the legacy era", PropertiesDropped},
      {"schema-keywords-dropped", "C-LIST-PARITY", "BUG-147",
       "leaves additionalProperties, $defs and $schema out in the legacy era",
       SchemaKeywordsDropped},
      {"empty-properties-as-array", "L-TOOLS-shape-tool", "BUG-134",
       "writes empty properties as []", EmptyPropertiesAsArray},
      {"input-schema-empty", "M-TOOLS-INPUT-SCHEMA-OBJECT", "BUG-135",
       "lists every tool with the inputSchema {}", InputSchemaEmpty},
      {"input-schema-null", "M-TOOLS-TOOL-SHAPE", "BUG-135",
       "lists tools without parameters with the inputSchema null", InputSchemaNull},
      {"output-schema-root-reference", "L-TOOLS-shape-output-schema", "BUG-146",
       "lists an outputSchema with a $ref instead of a type at its root",
       OutputSchemaRootReference},
      {"hints-are-strings", "M-TOOLS-ANNOTATIONS-SHAPE", "BUG-133",
       "writes annotation hints as strings", HintsAreStrings},
      {"name-with-newline", "M-TOOLS-NAME-CHARSET", "BUG-151",
       "lists a tool whose name ends with a line break", NameWithNewline},
      {"duplicate-names", "L-TOOLS-name-unique", "BUG-151", "lists the first tool twice",
       DuplicateNames},
      {"tool-order-changes", "M-TOOLS-LIST-ORDER", "BUG-130",
       "lists the tools in another order every second time", OrderChanges},
      {"structured-content-off-schema", "M-TOOLS-STRUCTURED-CONFORMS", "BUG-140",
       "returns structured content that the outputSchema forbids", StructuredContentOffSchema},
      {"structured-content-missing", "L-TOOLS-output-conforms", "BUG-142",
       "returns no structured content although there is an outputSchema", StructuredContentMissing},
      {"structured-content-is-array", "L-TOOLS-structured-is-object", "BUG-141",
       "returns structured content that is an array", StructuredContentIsArray},
      {"content-null", "M-TOOLS-CALL-SHAPE", "BUG-142", "returns results with content null",
       ContentNull},
      {"content-missing", "L-TOOLS-shape-call-result", "BUG-142", "returns results without content",
       ContentMissing},
      {"text-is-bare", "M-CONTENT-TEXT", "BUG-166", "returns strings where text blocks should be",
       TextIsBare},
      {"broken-base64", "M-CONTENT-IMAGE", "BUG-166",
       "returns images as data URIs instead of base64", BrokenBase64},
      {"arguments-required", "L-TOOLS-arguments-optional", "BUG-148",
       "refuses tools/call without arguments", ArgumentsRequired},
      {"arguments-not-validated", "M-TOOLS-VALIDATE-INPUTS", "-",
       "runs tools with arguments that their inputSchema forbids", ArgumentsNotValidated},
      {"names-ignore-case", "M-TOOLS-NAME-CASE-SENSITIVE", "BUG-150",
       "runs a tool whose name is written in capitals", NamesIgnoreCase},
  };
}

}  // namespace assay::reference
