// The little of JSON Schema that can be judged without an implementation of it.

#include "oracle/json_schema.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::oracle {
namespace {

constexpr int kDeepest = 32;

bool IsTypeName(const Json& name) {
  constexpr std::array<std::string_view, 7> kTypes = {"null",   "boolean", "object", "array",
                                                      "number", "integer", "string"};
  return name.is_string() && std::find(kTypes.begin(), kTypes.end(), name.text()) != kTypes.end();
}

bool IsType(const Json& type) {
  if (!type.is_array()) return IsTypeName(type);
  return !type.items().empty() && std::all_of(type.items().begin(), type.items().end(), IsTypeName);
}

bool IsStrings(const Json& list) {
  return list.is_array() && std::all_of(list.items().begin(), list.items().end(),
                                        [](const Json& item) { return item.is_string(); });
}

std::optional<std::string> Fault(const Json& schema, int depth) {
  if (depth == 0 || schema.is_boolean()) return std::nullopt;
  if (!schema.is_object()) return "a schema is " + std::string(schema.KindName());
  if (const Json* type = schema.Find("type"); type != nullptr && !IsType(*type)) {
    return "type is " + type->Dump();
  }
  if (const Json* required = schema.Find("required");
      required != nullptr && !IsStrings(*required)) {
    return "required is no array of strings";
  }
  if (const Json* values = schema.Find("enum"); values != nullptr && !values->is_array()) {
    return "enum is no array";
  }
  for (const std::string_view keyword : {"properties", "patternProperties", "$defs"}) {
    const Json* children = schema.Find(keyword);
    if (children == nullptr) continue;
    if (!children->is_object()) return std::string(keyword) + " is no object";
    for (const JsonMember& member : children->members()) {
      if (auto fault = Fault(member.value, depth - 1)) return fault;
    }
  }
  for (const std::string_view keyword : {"allOf", "anyOf", "oneOf"}) {
    const Json* children = schema.Find(keyword);
    if (children == nullptr) continue;
    if (!children->is_array()) return std::string(keyword) + " is no array";
    for (const Json& child : children->items()) {
      if (auto fault = Fault(child, depth - 1)) return fault;
    }
  }
  return std::nullopt;
}

bool HasType(const Json& value, std::string_view type) {
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_integer();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  return type != "null" || value.is_null();
}

bool HasOneType(const Json& value, const Json& type) {
  if (type.is_string()) return HasType(value, type.text());
  return std::any_of(type.items().begin(), type.items().end(),
                     [&](const Json& one) { return HasType(value, one.text()); });
}

std::optional<std::string> Breaks(const Json& schema, const Json& value, const std::string& where,
                                  int depth) {
  // Older dialects ignore everything beside a reference.
  if (depth == 0 || !schema.is_object() || schema.Find("$ref") != nullptr) return std::nullopt;
  const std::string place = where.empty() ? "the value" : where;
  if (const Json* type = schema.Find("type"); type != nullptr && IsType(*type)) {
    if (!HasOneType(value, *type)) {
      return place + " is " + std::string(value.KindName()) + ", the type is " + type->Dump();
    }
  }
  if (const Json* values = schema.Find("enum"); values != nullptr && values->is_array()) {
    const bool listed = std::any_of(values->items().begin(), values->items().end(),
                                    [&](const Json& item) { return Equal(item, value); });
    if (!listed) return place + " is none of the enumerated values";
  }
  if (value.is_object()) {
    if (const Json* required = schema.Find("required"); required != nullptr) {
      for (const Json& name : required->items()) {
        if (name.is_string() && value.Find(name.text()) == nullptr) {
          return place + " lacks " + name.text();
        }
      }
    }
    if (const Json* properties = schema.Find("properties"); properties != nullptr) {
      for (const JsonMember& property : properties->members()) {
        const Json* child = value.Find(property.key);
        if (child == nullptr) continue;
        if (auto why = Breaks(property.value, *child, where + "/" + property.key, depth - 1)) {
          return why;
        }
      }
    }
  }
  const Json* items = schema.Find("items");
  if (value.is_array() && items != nullptr && items->is_object() &&
      schema.Find("prefixItems") == nullptr) {
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      if (auto why = Breaks(*items, value.items()[i], where + "/" + std::to_string(i), depth - 1)) {
        return why;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> SchemaFault(const Json& schema) { return Fault(schema, kDeepest); }

std::optional<std::string> Nonconformance(const Json& schema, const Json& value) {
  return Breaks(schema, value, "", kDeepest);
}

}  // namespace assay::oracle
