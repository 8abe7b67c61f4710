#include "oracle/json_schema.h"

#include <gtest/gtest.h>

namespace assay::oracle {
namespace {

Json Parse(std::string_view text) { return *ParseJson(text).value; }

bool Valid(std::string_view schema) { return !SchemaFault(Parse(schema)); }
bool Fits(std::string_view schema, std::string_view value) {
  return !Nonconformance(Parse(schema), Parse(value));
}

TEST(JsonSchemaTest, Schemas) {
  EXPECT_TRUE(Valid("{}"));
  EXPECT_TRUE(Valid("true"));
  EXPECT_TRUE(Valid(R"({"type":["string","null"],"properties":{"a":true},"x":1})"));
  EXPECT_TRUE(Valid(R"({"properties":{"type":{"type":"string"}}})"));
  EXPECT_FALSE(Valid("[]"));
  EXPECT_FALSE(Valid(R"({"type":"any"})"));
  EXPECT_FALSE(Valid(R"({"type":[]})"));
  EXPECT_FALSE(Valid(R"({"required":true})"));
  EXPECT_FALSE(Valid(R"({"properties":[]})"));
  EXPECT_FALSE(Valid(R"({"properties":{"a":{"anyOf":[{"type":"x"}]}}})"));
  EXPECT_FALSE(Valid(R"({"enum":"a"})"));
}

TEST(JsonSchemaTest, Values) {
  EXPECT_TRUE(Fits(R"({"type":"integer"})", "1.0"));
  EXPECT_FALSE(Fits(R"({"type":"integer"})", "1.5"));
  EXPECT_TRUE(Fits(R"({"type":["string","null"]})", "null"));
  EXPECT_FALSE(Fits(R"({"type":"object"})", "[]"));
  EXPECT_FALSE(Fits(R"({"required":["a"]})", "{}"));
  EXPECT_TRUE(Fits(R"({"required":["a"]})", "[]"));
  EXPECT_FALSE(Fits(R"({"properties":{"a":{"items":{"type":"string"}}}})", R"({"a":["x",1]})"));
  EXPECT_FALSE(Fits(R"({"enum":["a",1]})", "2"));
  EXPECT_TRUE(Fits(R"({"enum":["a",1]})", "1.0"));
}

TEST(JsonSchemaTest, SaysNothingOfWhatItDoesNotKnow) {
  EXPECT_TRUE(Fits(R"({"$ref":"#/$defs/a","type":"string"})", "1"));
  EXPECT_TRUE(Fits(R"({"anyOf":[{"type":"string"}]})", "1"));
  EXPECT_TRUE(Fits(R"({"prefixItems":[{}],"items":{"type":"string"}})", "[1]"));
  EXPECT_TRUE(Fits("true", "1"));
}

}  // namespace
}  // namespace assay::oracle
