// Made-up arguments: required properties only, the plainest value of each type.

#include "discover/tool_arguments.h"

namespace assay {
namespace {

std::optional<Json> MakeValue(const Json& schema) {
  if (const Json* fixed = schema.Find("const")) return *fixed;
  if (const Json* fallback = schema.Find("default")) return *fallback;
  if (const Json* choices = schema.Find("enum")) {
    if (choices->is_array() && !choices->items().empty()) return choices->items().front();
    return std::nullopt;
  }
  // These narrow values to what cannot be guessed, or not be guessed so simply.
  for (const char* narrower : {"pattern", "format", "minLength", "maxLength", "maximum",
                               "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}) {
    if (schema.Find(narrower) != nullptr) return std::nullopt;
  }
  const auto type = schema.FindString("type");
  if (type == "string") return Json::String("assay");
  if (type == "boolean") return Json::Boolean(false);
  if (type == "null") return Json();
  if (type == "integer" || type == "number") {
    if (const Json* least = schema.Find("minimum")) return *least;
    return Json::Integer(1);
  }
  if (type == "array") {
    if (schema.Find("minItems") != nullptr) return std::nullopt;
    return Json::Array();
  }
  if (type == "object") return MakeArguments(schema);
  return std::nullopt;
}

}  // namespace

std::optional<Json> MakeArguments(const Json& schema) {
  Json arguments = Json::Object();
  for (const char* condition : {"allOf", "anyOf", "oneOf", "if", "not", "$ref"}) {
    if (schema.Find(condition) != nullptr) return std::nullopt;
  }
  const Json* required = schema.Find("required");
  if (required == nullptr) return arguments;
  for (const Json& name : required->items()) {
    const Json* property = schema.Find("properties", name.text());
    if (property == nullptr) return std::nullopt;
    auto value = MakeValue(*property);
    if (!value) return std::nullopt;
    arguments.Set(name.text(), std::move(*value));
  }
  return arguments;
}

bool SaysReadOnly(const Json& tool) {
  const Json* hint = tool.Find("annotations", "readOnlyHint");
  return hint != nullptr && hint->is_boolean() && hint->boolean();
}

}  // namespace assay
