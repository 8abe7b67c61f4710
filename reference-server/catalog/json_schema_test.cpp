#include "catalog/json_schema.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

namespace json = boost::json;

struct Example {
  const char* schema;
  const char* good;
  const char* bad;
};

TEST(SchemaProblem, TellsGoodFromBad) {
  const Example examples[] = {
      {R"({"type":"object","required":["a"]})", R"({"a":1})", R"({"b":1})"},
      {R"({"properties":{"a":{"type":"integer"}}})", R"({"a":1.0})", R"({"a":1.5})"},
      {R"({"properties":{"a":{"type":["string","null"]}}})", R"({"a":null})", R"({"a":1})"},
      {R"({"properties":{"a":{"enum":["x","y"]}}})", R"({"a":"y"})", R"({"a":"z"})"},
      {R"({"properties":{"a":{"const":1}}})", R"({"a":1})", R"({"a":2})"},
      {R"({"properties":{"a":{"minimum":0,"exclusiveMaximum":10}}})", R"({"a":9})", R"({"a":10})"},
      {R"({"properties":{"a":{"maxLength":2}}})", R"({"a":"éé"})", R"({"a":"abc"})"},
      {R"({"properties":{"a":true},"additionalProperties":false})", R"({"a":1})", R"({"b":1})"},
      {R"({"additionalProperties":{"type":"string"}})", R"({"a":"1"})", R"({"a":1})"},
      {R"({"dependentRequired":{"a":["b"]}})", R"({"b":1})", R"({"a":1})"},
      {R"({"properties":{"a":{"prefixItems":[{"type":"number"}],"items":false}}})", R"({"a":[1]})",
       R"({"a":[1,2]})"},
      {R"({"properties":{"a":{"items":{"type":"number"},"maxItems":2}}})", R"({"a":[1,2]})",
       R"({"a":[1,2,3]})"},
      {R"({"allOf":[{"required":["a"]},{"required":["b"]}]})", R"({"a":1,"b":1})", R"({"a":1})"},
      {R"({"anyOf":[{"required":["a"]},{"required":["b"]}]})", R"({"b":1})", R"({})"},
      {R"({"oneOf":[{"required":["a"]},{"required":["b"]}]})", R"({"b":1})", R"({"a":1,"b":1})"},
      {R"({"not":{"required":["a"]}})", R"({"b":1})", R"({"a":1})"},
      {R"({"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}})",
       R"({"c":1})", R"({"a":1})"},
      {R"({"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}})", R"({"a":1})",
       R"({"a":"1"})"},
      {R"({"$defs":{"n":{"$anchor":"num","type":"number"}},"properties":{"a":{"$ref":"#num"}}})",
       R"({"a":1})", R"({"a":"1"})"},
      {R"({"properties":{"a":{"$ref":"https://example.com/schema"}}})", R"({"b":1})", R"({"a":1})"},
  };
  for (const Example& example : examples) {
    const json::object schema = json::parse(example.schema).as_object();
    EXPECT_FALSE(SchemaProblem(schema, json::parse(example.good))) << example.schema;
    EXPECT_TRUE(SchemaProblem(schema, json::parse(example.bad))) << example.schema;
  }
}

TEST(SchemaProblem, IsBounded) {
  const json::object endless = json::parse(R"({"allOf":[{"$ref":"#"},{"$ref":"#"}]})").as_object();
  EXPECT_TRUE(SchemaProblem(endless, json::object()));
}

}  // namespace
}  // namespace assay::reference
