#include "discover/tool_arguments.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

// The arguments made for an inputSchema, as text; "-" where none can be made.
std::string Made(const std::string& schema) {
  const auto arguments = MakeArguments(*ParseJson(schema).value);
  return arguments ? arguments->Dump() : "-";
}
std::string MadeFor(const std::string& property) {
  return Made(R"({"type":"object","properties":{"p":)" + property + R"(},"required":["p"]})");
}

TEST(MakeArguments, OnlyWhatIsRequired) {
  EXPECT_EQ(Made("{}"), "{}");
  EXPECT_EQ(Made(R"({"properties":{"a":{"type":"string"}}})"), "{}");
  EXPECT_EQ(Made(R"({"properties":{"a":{"type":"string"},"b":{}},"required":["a"]})"),
            R"({"a":"assay"})");
}

TEST(MakeArguments, ThePlainestValueOfEachType) {
  EXPECT_EQ(MadeFor(R"({"type":"string"})"), R"({"p":"assay"})");
  EXPECT_EQ(MadeFor(R"({"type":"boolean"})"), R"({"p":false})");
  EXPECT_EQ(MadeFor(R"({"type":"null"})"), R"({"p":null})");
  EXPECT_EQ(MadeFor(R"({"type":"integer"})"), R"({"p":1})");
  EXPECT_EQ(MadeFor(R"({"type":"number","minimum":5})"), R"({"p":5})");
  EXPECT_EQ(MadeFor(R"({"type":"array"})"), R"({"p":[]})");
  EXPECT_EQ(MadeFor(R"({"type":"object","properties":{"q":{"type":"null"}},"required":["q"]})"),
            R"({"p":{"q":null}})");
  EXPECT_EQ(MadeFor(R"({"enum":["x","y"]})"), R"({"p":"x"})");
  EXPECT_EQ(MadeFor(R"({"const":7})"), R"({"p":7})");
  EXPECT_EQ(MadeFor(R"({"type":"string","default":"d"})"), R"({"p":"d"})");
}

TEST(MakeArguments, NothingWhereItCannotBeGuessed) {
  for (const char* property :
       {R"({})", R"({"type":["string","null"]})", R"({"type":"string","pattern":"^a$"})",
        R"({"type":"string","format":"uri"})", R"({"type":"array","minItems":1})", R"({"enum":[]})",
        R"({"type":"object","oneOf":[]})", R"(5)"}) {
    EXPECT_EQ(MadeFor(property), "-") << property;
  }
  EXPECT_EQ(Made(R"({"required":["a"]})"), "-");
  EXPECT_EQ(Made(R"({"anyOf":[]})"), "-");
}

TEST(MakeArguments, SurvivesASchemaThatIsNone) {
  for (const char* schema :
       {R"(5)", R"([])", R"({"required":5})", R"({"required":[5],"properties":[]})"}) {
    Made(schema);  // whatever it makes of it
  }
}

TEST(MakeArguments, WhatItMakesFitsTheBounds) {
  EXPECT_EQ(MadeFor(R"({"type":"string","minLength":10})"), "-");
  EXPECT_EQ(MadeFor(R"({"type":"string","maxLength":2})"), "-");
  EXPECT_EQ(MadeFor(R"({"type":"integer","maximum":0})"), "-");
  EXPECT_EQ(MadeFor(R"({"type":"integer","exclusiveMinimum":3})"), "-");
  EXPECT_EQ(MadeFor(R"({"type":"number","multipleOf":7})"), "-");
}

TEST(SaysReadOnly, OnlyWhenItSaysSo) {
  const auto says = [](const char* tool) { return SaysReadOnly(*ParseJson(tool).value); };
  EXPECT_TRUE(says(R"({"annotations":{"readOnlyHint":true}})"));
  EXPECT_FALSE(says(R"({"annotations":{"readOnlyHint":false}})"));
  EXPECT_FALSE(says(R"({"annotations":{"readOnlyHint":"true"}})"));
  EXPECT_FALSE(says(R"({"annotations":[]})"));
  EXPECT_FALSE(says(R"({})"));
}

}  // namespace
}  // namespace assay
