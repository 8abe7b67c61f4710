#include "message/template.h"

#include <gtest/gtest.h>

#include "message/matcher.h"

namespace assay {
namespace {

Json Parse(std::string_view text) { return ParseJson(text).value.value(); }

std::optional<Json> Variables(std::string_view name) {
  if (name == "n") return Json::Number("1.0");
  if (name == "s") return Json::String("a.b");
  if (name == "dollar") return Json::String("$any");
  if (name == "object") return Parse(R"({"$regex":".*","k":[1]})");
  if (name == "role.echo.tool") return Json::String("echo");
  if (name == "raw") return Json::Raw("1e400");
  return std::nullopt;
}

std::string Filled(std::string_view text) { return FillValue(Parse(text), Variables).Dump(); }

bool Matches(std::string_view pattern, std::string_view value) {
  const Json json = Parse(value);
  return !Match(FillPattern(Parse(pattern), Variables), &json, {});
}

TEST(TemplateTest, ScalarThatIsOneVariableKeepsItsType) {
  EXPECT_EQ(Filled(R"({"id":"${n}","o":"${object}"})"),
            R"({"id":1.0,"o":{"$regex":".*","k":[1]}})");
  EXPECT_EQ(Filled(R"(["${raw}"])"), "[1e400]");
  EXPECT_EQ(Filled(R"("${role.echo.tool}")"), R"("echo")");
}

TEST(TemplateTest, MembersThatMayBeMissingAreLeftOut) {
  EXPECT_EQ(Filled(R"({"a":"${nothing?}","b":"${n?}"})"), R"({"b":1.0})");
  EXPECT_EQ(VariablesOf(Parse(R"(["${nothing?}"])")), std::vector<std::string>{"nothing"});
  EXPECT_THROW(Filled(R"(["${nothing?}"])"), UnknownVariable);
}

TEST(TemplateTest, InsideLongerTextVariablesAreText) {
  EXPECT_EQ(Filled(R"("id ${n}!")"), R"("id 1.0!")");
  EXPECT_EQ(Filled(R"("${s}${s}")"), R"("a.ba.b")");
  EXPECT_EQ(Filled(R"("see ${object}")"), R"("see {\"$regex\":\".*\",\"k\":[1]}")");
  EXPECT_EQ(Filled(R"({"key-${s}":1})"), R"({"key-a.b":1})");
}

TEST(TemplateTest, DoubledDollarIsLiteral) {
  EXPECT_EQ(Filled(R"({"$$schema":"$$${s}$${s}"})"), R"({"$schema":"$a.b${s}"})");
  EXPECT_EQ(Filled(R"("5$ or $5, ${open")"), R"("5$ or $5, ${open")");
}

TEST(TemplateTest, ValuesOfVariablesAreNotFilledInAgain) {
  const Lookup lookup = [](std::string_view) { return Json::String("$$ ${x}"); };
  EXPECT_EQ(FillValue(Json::String("${x}"), lookup).text(), "$$ ${x}");
}

TEST(TemplateTest, ExactJsonTextStaysExact) {
  EXPECT_EQ(Filled(R"({"params":{"$json":"{\"a\":1.00,\"a\":${n}}"}})"),
            R"({"params":{"a":1.00,"a":1.0}})");
  EXPECT_EQ(FillValue(Json::Raw("[1.0, ${s}]"), Variables).Dump(), "[1.0, a.b]");
  EXPECT_EQ(Filled(R"({"$json":"1","other":2})"), R"({"$json":"1","other":2})");
}

TEST(TemplateTest, VariableWithoutValueIsNamed) {
  try {
    Filled(R"("a ${nobody}")");
    FAIL() << "expected UnknownVariable";
  } catch (const UnknownVariable& unknown) {
    EXPECT_EQ(unknown.name(), "nobody");
    EXPECT_STREQ(unknown.what(), "no value for ${nobody}");
  }
}

TEST(TemplateTest, ListsVariables) {
  EXPECT_EQ(VariablesOf(Parse(R"({"${k}":["${b} and ${a}",{"x":"$${not}"},"${b}"]})")),
            (std::vector<std::string>{"a", "b", "k"}));
  EXPECT_EQ(VariablesOf(Json::Raw("[${a}]")), std::vector<std::string>{"a"});
}

TEST(TemplateTest, PatternsKeepTheirMatchers) {
  EXPECT_TRUE(Matches(R"({"a":"$string","b":{"$gte":"${n}"}})", R"({"a":"x","b":1})"));
  EXPECT_FALSE(Matches(R"({"b":{"$gte":"${n}"}})", R"({"b":0})"));
  EXPECT_TRUE(Matches(R"({"$oneOf":["${n}","$null"]})", "1"));
}

TEST(TemplateTest, ValuesInPatternsAreLiteral) {
  EXPECT_TRUE(Matches(R"("${dollar}")", R"("$any")"));
  EXPECT_FALSE(Matches(R"("${dollar}")", "1"));
  EXPECT_TRUE(Matches(R"({"a":"${object}"})", R"({"a":{"$regex":".*","k":[1.0]}})"));
  EXPECT_FALSE(Matches(R"({"a":"${object}"})", R"({"a":"text"})"));
  EXPECT_TRUE(Matches(R"({"${dollar}":1})", R"({"$any":1})"));
  EXPECT_TRUE(Matches(R"("$${n}")", R"("${n}")"));
  EXPECT_TRUE(Matches(R"({"$$ref":"$$string"})", R"({"$ref":"$string"})"));
  EXPECT_FALSE(Matches(R"("$$string")", R"("text")"));
}

TEST(TemplateTest, ValuesInRegularExpressionsAreLiteral) {
  EXPECT_TRUE(Matches(R"({"$regex":"^${s}$"})", R"("a.b")"));
  EXPECT_FALSE(Matches(R"({"$regex":"^${s}$"})", R"("axb")"));
}

TEST(TemplateTest, ExactTextInPatternsIsLiteral) {
  EXPECT_TRUE(Matches(R"({"a":{"$json":"{\"$any\":1.0}"}})", R"({"a":{"$any":1}})"));
  EXPECT_FALSE(Matches(R"({"a":{"$json":"{\"$any\":1.0}"}})", R"({"a":5})"));
}

}  // namespace
}  // namespace assay
