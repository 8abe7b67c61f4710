// What has to hold before anything can be judged, and what an unstated dialect leaves open.

#include "oracle/json_schema.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "oracle/json_schema_document.h"
#include "oracle/json_schema_evaluation.h"
#include "oracle/json_schema_syntax.h"

namespace assay::oracle {
namespace {

using Kind = SchemaAnswer::Kind;

constexpr std::size_t kMostValues = 50'000;

// Why nothing can be said about `json`, or "": what an object with two members of one name means is
// open (RFC 8259 §4), and what is huge takes too long. `left` counts down.
std::string Unfit(const Json& json, std::size_t& left) {
  if (left == 0) return "it is too large";
  --left;
  for (const Json& item : json.items()) {
    if (std::string why = Unfit(item, left); !why.empty()) return why;
  }
  std::vector<std::string_view> keys;
  keys.reserve(json.members().size());
  for (const JsonMember& member : json.members()) {
    keys.push_back(member.key);
    if (std::string why = Unfit(member.value, left); !why.empty()) return why;
  }
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  return twice == keys.end() ? "" : "it has two members called " + std::string(*twice);
}

std::string Unfit(const Json& json) {
  std::size_t left = kMostValues;
  return Unfit(json, left);
}

SchemaAnswer CheckInstanceBy(Dialect dialect, const Json& schema, const Json& instance) {
  const SchemaDocument document(schema, dialect);
  const SchemaAnswer syntax = CheckSyntax(document);
  if (syntax.kind != Kind::kValid) return {Kind::kNotJudged, "the schema's fault: " + syntax.why};
  return Evaluate(document, instance);
}

}  // namespace

SchemaAnswer CheckSchema(const Json& schema) {
  if (const std::string why = Unfit(schema); !why.empty()) {
    return {Kind::kNotJudged, "nothing can be said of the schema: " + why};
  }
  const auto dialect = DialectOf(schema, Dialect::k2020);
  if (!dialect) return {Kind::kNotJudged, "its dialect is " + schema.Find("$schema")->Dump()};
  return CheckSyntax(SchemaDocument(schema, *dialect));
}

SchemaAnswer CheckInstance(const Json& schema, const Json& instance, DefaultDialect by_default) {
  for (const Json* json : {&schema, &instance}) {
    if (const std::string why = Unfit(*json); !why.empty()) {
      return {Kind::kNotJudged,
              std::string(json == &schema ? "nothing can be said of the schema: "
                                          : "nothing can be said of the value: ") +
                  why};
    }
  }
  const auto dialect = DialectOf(schema, Dialect::k2020);
  if (!dialect) {
    return {Kind::kNotJudged, "the schema's dialect is " + schema.Find("$schema")->Dump()};
  }
  SchemaAnswer answer = CheckInstanceBy(*dialect, schema, instance);
  if (by_default == DefaultDialect::k2020 || schema.Find("$schema") != nullptr) return answer;
  const SchemaAnswer other = CheckInstanceBy(Dialect::kDraft07, schema, instance);
  if (other.kind == answer.kind) return answer;
  return {Kind::kNotJudged,
          "the schema names no dialect, and by draft-07 and 2020-12 it means "
          "different things"};
}

}  // namespace assay::oracle
