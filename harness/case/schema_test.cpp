#include "case/schema.h"

#include <gtest/gtest.h>

#include "case/format.h"

namespace assay {
namespace {

std::vector<std::string> KeysOf(const Json* mapping) {
  std::vector<std::string> keys;
  for (const JsonMember& member : mapping->Find("properties")->members())
    keys.push_back(member.key);
  return keys;
}

std::vector<std::string> KeysOf(const Part& part) {
  std::vector<std::string> keys;
  for (const Key& key : part.keys) keys.emplace_back(key.name);
  return keys;
}

TEST(SchemaTest, HasTheKeysOfTheTables) {
  const Json schema = CaseFileSchema();
  EXPECT_EQ(schema.FindString("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(KeysOf(&schema), KeysOf(CaseFilePart()));
  EXPECT_EQ(KeysOf(schema.Find("$defs", "case")), KeysOf(CasePart()));
  const std::vector<Json>& steps = schema.Find("$defs", "step", "oneOf")->items();
  ASSERT_EQ(steps.size(), Steps().size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(KeysOf(&steps[i]), KeysOf(Steps()[i]));
    EXPECT_EQ(steps[i].Find("required")->items().front().text(), Steps()[i].name)
        << "the verb is what a step must have";
    EXPECT_FALSE(steps[i].Find("additionalProperties")->boolean());
  }
}

// Every `$ref` leads somewhere, and everything has a description for the editor to show.
void CheckReferences(const Json& schema, const Json& root) {
  if (const auto reference = schema.FindString("$ref")) {
    EXPECT_NE(At(root, reference->substr(1)), nullptr) << *reference;
  }
  if (const Json* properties = schema.Find("properties")) {
    for (const JsonMember& member : properties->members()) {
      EXPECT_TRUE(member.value.FindString("description")) << member.key;
    }
  }
  for (const Json& item : schema.items()) CheckReferences(item, root);
  for (const JsonMember& member : schema.members()) CheckReferences(member.value, root);
}

TEST(SchemaTest, IsComplete) {
  const Json schema = CaseFileSchema();
  CheckReferences(schema, schema);
}

TEST(SchemaTest, VariablesMayStandForValuesInsideACase) {
  const Json schema = CaseFileSchema();
  const std::string variable = R"({"$ref":"#/$defs/variable"})";
  const Json* envelope = nullptr;
  for (const Json& step : schema.Find("$defs", "step", "oneOf")->items()) {
    if (step.Find("properties", "request") != nullptr) {
      envelope = step.Find("properties", "envelope", "anyOf");
    }
  }
  ASSERT_NE(envelope, nullptr);
  EXPECT_EQ(envelope->items().back().Dump(), variable);
  EXPECT_EQ(schema.Find("properties", "era")->Dump().find(variable), std::string::npos);
}

}  // namespace
}  // namespace assay
