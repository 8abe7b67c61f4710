#include "oracle/json_schema.h"

#include <gtest/gtest.h>

#include <ostream>

namespace assay::oracle {

void PrintTo(SchemaAnswer::Kind kind, std::ostream* out) {
  constexpr const char* kNames[] = {"valid", "invalid", "doubtful", "not judged"};
  *out << kNames[static_cast<int>(kind)];
}

namespace {

using Kind = SchemaAnswer::Kind;

constexpr std::string_view kDraft07 = R"("$schema":"http://json-schema.org/draft-07/schema#")";

Json Parse(std::string_view text) { return *ParseJson(text).value; }
// `text` is an object; it gets a `$schema`.
std::string By07(std::string_view text) {
  const std::string_view rest = text.substr(1);
  return "{" + std::string(kDraft07) + (rest == "}" ? "" : ",") + std::string(rest);
}

Kind Check(std::string_view schema) { return CheckSchema(Parse(schema)).kind; }
Kind Fit(std::string_view schema, std::string_view value) {
  return CheckInstance(Parse(schema), Parse(value)).kind;
}

// --- is it a schema?

TEST(CheckSchemaTest, EveryKeywordHasAForm) {
  struct Keyword {
    std::string_view good;
    std::string_view bad;
  };
  for (const Keyword& keyword : std::initializer_list<Keyword>{
           {R"({"type":"string"})", R"({"type":"any"})"},
           {R"({"type":["string","null"]})", R"({"type":[]})"},
           {R"({"type":["null"]})", R"({"type":["null","null"]})"},
           {R"({"required":[]})", R"({"required":true})"},
           {R"({"required":["a","b"]})", R"({"required":["a","a"]})"},
           {R"({"properties":{"a":true}})", R"({"properties":[]})"},
           {R"({"properties":{"type":{"type":"null"}}})", R"({"properties":{"a":"string"}})"},
           {R"({"patternProperties":{"^a":{}}})", R"({"patternProperties":{"^a":1}})"},
           {R"({"additionalProperties":false})", R"({"additionalProperties":"no"})"},
           {R"({"propertyNames":{}})", R"({"propertyNames":[]})"},
           {R"({"minProperties":0})", R"({"minProperties":-1})"},
           {R"({"maxProperties":1.0})", R"({"maxProperties":1.5})"},
           {R"({"items":{}})", R"({"items":5})"},
           {R"({"contains":{}})", R"({"contains":[]})"},
           {R"({"minItems":1})", R"({"minItems":"1"})"},
           {R"({"uniqueItems":true})", R"({"uniqueItems":1})"},
           {R"({"enum":[1]})", R"({"enum":"a"})"},
           {R"({"const":[]})", R"({"const":1,"maxItems":-1})"},
           {R"({"multipleOf":0.1})", R"({"multipleOf":0})"},
           {R"({"minimum":-1})", R"({"minimum":"0"})"},
           {R"({"exclusiveMinimum":1})", R"({"exclusiveMinimum":true})"},
           {R"({"maxLength":9})", R"({"maxLength":null})"},
           {R"({"pattern":"a"})", R"({"pattern":{}})"},
           {R"({"allOf":[{}]})", R"({"allOf":[]})"},
           {R"({"anyOf":[true]})", R"({"anyOf":{}})"},
           {R"({"oneOf":[{"not":{}}]})", R"({"oneOf":[{"not":[]}]})"},
           {R"({"if":true,"then":{},"else":{}})", R"({"if":"x"})"},
           {R"({"definitions":{"a":{}}})", R"({"definitions":{"a":{"type":"x"}}})"},
           {R"({"dependencies":{"a":["b"],"c":{}}})", R"({"dependencies":{"a":["b","b"]}})"},
           {R"({"title":"a"})", R"({"title":1})"},
           {R"({"description":""})", R"({"description":null})"},
           {R"({"examples":[1]})", R"({"examples":1})"},
           {R"({"format":"none such"})", R"({"format":[]})"},
           {R"({"readOnly":true})", R"({"readOnly":"true"})"},
       }) {
    EXPECT_EQ(Check(keyword.good), Kind::kValid) << keyword.good;
    EXPECT_EQ(Check(keyword.bad), Kind::kInvalid) << keyword.bad;
    EXPECT_EQ(Check(By07(keyword.good)), Kind::kValid) << keyword.good;
    EXPECT_EQ(Check(By07(keyword.bad)), Kind::kInvalid) << keyword.bad;
  }
}

TEST(CheckSchemaTest, TheDialectsDiffer) {
  for (const std::string_view only_07 :
       {R"({"items":[{}]})", R"({"$defs":1})", R"({"prefixItems":{}})", R"({"$anchor":"#"})",
        R"({"dependentRequired":[]})", R"({"unevaluatedItems":1})", R"({"$id":"a#b"})",
        R"({"minContains":-1})", R"({"deprecated":1})"}) {
    EXPECT_EQ(Check(only_07), Kind::kInvalid) << only_07;
    EXPECT_EQ(Check(By07(only_07)), Kind::kValid) << only_07;
  }
  EXPECT_EQ(Check(R"({"additionalItems":5})"), Kind::kValid);
  EXPECT_EQ(Check(By07(R"({"additionalItems":5})")), Kind::kInvalid);
}

TEST(CheckSchemaTest, TheDialectIsTheDeclaredOne) {
  const auto with = [](std::string_view dialect) {
    return Check("{\"$schema\":\"" + std::string(dialect) + "\",\"items\":[{}]}");
  };
  EXPECT_EQ(with("https://json-schema.org/draft/2020-12/schema"), Kind::kInvalid);
  EXPECT_EQ(with("http://json-schema.org/draft-07/schema"), Kind::kValid);
  EXPECT_EQ(with("http://json-schema.org/draft-04/schema#"), Kind::kNotJudged);
  EXPECT_EQ(Check(R"({"$schema":7})"), Kind::kInvalid);
  EXPECT_EQ(Check(R"({"$defs":{"a":{"$schema":"x:y","type":1}}})"), Kind::kNotJudged);
  EXPECT_EQ(Check(R"({"$defs":{"a":{"$schema":"x:y"}},"type":1})"), Kind::kInvalid);
}

TEST(CheckSchemaTest, UnknownKeywordsAreLegal) {
  EXPECT_EQ(Check(R"({"x-mcp-header":5,"nullable":true,"definition":[]})"), Kind::kValid);
  EXPECT_EQ(Check("true"), Kind::kValid);
  EXPECT_EQ(Check("[]"), Kind::kInvalid);
}

TEST(CheckSchemaTest, SaysWhere) {
  EXPECT_EQ(CheckSchema(Parse(R"({"properties":{"a/b":{"anyOf":[{},{"type":"x"}]}}})")).why,
            R"(/properties/a~1b/anyOf/1: type: "x" is no type, or list of different types)");
  EXPECT_EQ(CheckSchema(Parse(R"({"required":1})")).why,
            "the root: required: 1 is no list of different strings");
}

TEST(CheckSchemaTest, AReferenceToNothingIsADoubt) {
  EXPECT_EQ(Check(R"({"$ref":"#/$defs/a"})"), Kind::kDoubtful);
  EXPECT_EQ(Check(R"({"$ref":"#a"})"), Kind::kDoubtful);
  EXPECT_EQ(Check(R"({"$ref":"#/$defs/a","$defs":{"a":{}}})"), Kind::kValid);
  EXPECT_EQ(Check(R"({"$ref":"https://example.com/a"})"), Kind::kValid);
  EXPECT_EQ(Check(R"({"$ref":1})"), Kind::kInvalid);
  // Only the reference makes it a schema.
  EXPECT_EQ(Check(R"({"$ref":"#/components/a","components":{"a":{"type":"x"}}})"), Kind::kDoubtful);
}

TEST(CheckSchemaTest, APatternThatIsNoneIsADoubt) {
  EXPECT_EQ(Check(R"({"pattern":"(a"})"), Kind::kDoubtful);
  EXPECT_EQ(Check(R"({"patternProperties":{"[":{}}})"), Kind::kDoubtful);
  EXPECT_EQ(Check(R"({"pattern":"\\p{L}"})"), Kind::kValid);
}

TEST(CheckSchemaTest, AMemberTwiceIsNotJudged) {
  EXPECT_EQ(Check(R"({"type":"string","type":1})"), Kind::kNotJudged);
}

// --- does a value conform?

struct Fitting {
  std::string_view schema;
  std::string_view good;
  std::string_view bad;
};

TEST(CheckInstanceTest, KeywordsOfBothDialects) {
  for (const Fitting& one : std::initializer_list<Fitting>{
           {R"({"type":"integer"})", "1.0", "1.5"},
           {R"({"type":["string","null"]})", "null", "1"},
           {R"({"enum":["a",1]})", "1.0", "2"},
           {R"({"const":{"a":[1]}})", R"({"a":[1.0]})", R"({"a":[]})"},
           {R"({"multipleOf":0.01})", "19.99", "19.999"},
           {R"({"minimum":9007199254740993})", "9007199254740993", "9007199254740992"},
           {R"({"maximum":1e400})", "1e399", "1e401"},
           {R"({"exclusiveMinimum":1})", "1.1", "1.0"},
           {R"({"exclusiveMaximum":1})", "0", "1"},
           {R"({"minLength":2})", "\"\xF0\x9F\x98\x80x\"", "\"\xF0\x9F\x98\x80\""},
           {R"({"maxLength":1})", "\"\xF0\x9F\x98\x80\"", "\"ab\""},
           {R"({"pattern":"^a"})", "\"ab\"", "\"ba\""},
           {R"({"minItems":1})", "[0]", "[]"},
           {R"({"maxItems":1})", "{}", "[1,2]"},
           {R"({"uniqueItems":true})", "[1,\"1\"]", "[1,1.0]"},
           {R"({"items":{"type":"string"}})", "[\"a\"]", "[\"a\",1]"},
           {R"({"contains":{"const":1}})", "[0,1]", "[0]"},
           {R"({"minProperties":1})", "{\"a\":1}", "{}"},
           {R"({"maxProperties":0})", "{}", "{\"a\":1}"},
           {R"({"required":["a"]})", "[]", "{}"},
           {R"({"properties":{"a":{"type":"null"}}})", R"({"b":1})", R"({"a":1})"},
           {R"({"patternProperties":{"^a":false}})", R"({"b":1})", R"({"ab":1})"},
           {R"({"properties":{"a":{}},"patternProperties":{"^b":{}},"additionalProperties":false})",
            R"({"a":1,"bc":1})", R"({"a":1,"c":1})"},
           {R"({"propertyNames":{"maxLength":1}})", R"({"a":1})", R"({"ab":1})"},
           {R"({"allOf":[{"minimum":1},{"maximum":2}]})", "2", "3"},
           {R"({"anyOf":[{"type":"null"},{"minimum":1}]})", "null", "0"},
           {R"({"oneOf":[{"minimum":1},{"maximum":2}]})", "3", "2"},
           {R"({"not":{"type":"null"}})", "1", "null"},
           {R"({"if":{"const":1},"then":{"type":"string"},"else":{"minimum":5}})", "6", "1"},
           {R"({"if":{"const":1},"else":{"minimum":5}})", "1", "2"},
           {R"({"properties":{"a":false}})", "{}", R"({"a":1})"},
           {R"({"definitions":{"a":{"type":"null"}},"items":{"$ref":"#/definitions/a"}})", "[null]",
            "[1]"},
           {R"({"properties":{"next":{"$ref":"#"}},"required":["v"]})", R"({"v":1,"next":{"v":2}})",
            R"({"v":1,"next":{}})"},
           {R"({"definitions":{"a b":{"type":"null"}},"items":{"$ref":"#/definitions/a%20b"}})",
            "[null]", "[1]"},
       }) {
    EXPECT_EQ(Fit(one.schema, one.good), Kind::kValid) << one.schema;
    EXPECT_EQ(Fit(one.schema, one.bad), Kind::kInvalid) << one.schema;
    EXPECT_EQ(Fit(By07(one.schema), one.good), Kind::kValid) << one.schema;
    EXPECT_EQ(Fit(By07(one.schema), one.bad), Kind::kInvalid) << one.schema;
  }
}

TEST(CheckInstanceTest, KeywordsOf2020) {
  for (const Fitting& one : std::initializer_list<Fitting>{
           {R"({"prefixItems":[{"type":"null"}],"items":{"type":"string"}})", "[null,\"a\"]",
            "[null,1]"},
           {R"({"contains":{"const":1},"minContains":2,"maxContains":2})", "[1,0,1]", "[1,1,1]"},
           {R"({"contains":{"const":1},"minContains":0,"maxContains":0})", "[]", "[1]"},
           {R"({"dependentRequired":{"a":["b"]}})", R"({"b":1})", R"({"a":1})"},
           {R"({"dependentSchemas":{"a":{"required":["b"]}}})", R"({"a":1,"b":1})", R"({"a":1})"},
           {R"({"$ref":"#a","minimum":1,"$defs":{"x":{"$anchor":"a","type":"integer"}}})", "1",
            "0"},
           {R"({"items":{"$ref":"item"},"$defs":{"x":{"$id":"item","type":"null"}}})", "[null]",
            "[1]"},
           {R"({"$id":"https://e.org/a/b","items":{"$ref":"c#/$defs/d"},
                "$defs":{"x":{"$id":"c","$defs":{"d":{"type":"null"}}}}})",
            "[null]", "[1]"},
           {R"({"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false})", R"({"a":1})",
            R"({"b":1})"},
           {R"({"anyOf":[{"required":["a"],"properties":{"a":{}}},{"properties":{"b":{}}}],
                "unevaluatedProperties":false})",
            R"({"a":1,"b":1})", R"({"b":1,"c":1})"},
           {R"({"prefixItems":[{}],"contains":{"const":1},"unevaluatedItems":false})", "[0,1]",
            "[0,2,1]"},
           {R"({"not":{"not":{"properties":{"a":{}}}},"unevaluatedProperties":false})", "{}",
            R"({"a":1})"},
           {R"({"$id":"https://e.org/tree","$dynamicAnchor":"node","type":"object",
                "properties":{"kids":{"items":{"$dynamicRef":"#node"}}}})",
            R"({"kids":[{"kids":[]}]})", R"({"kids":[1]})"},
           {R"({"$id":"https://e.org/strict","$dynamicAnchor":"node","$ref":"tree",
                "unevaluatedProperties":false,
                "$defs":{"t":{"$id":"tree","$dynamicAnchor":"node",
                              "properties":{"kids":{"items":{"$dynamicRef":"#node"}}}}}})",
            R"({"kids":[{"kids":[]}]})", R"({"kids":[{"x":1}]})"},
       }) {
    EXPECT_EQ(Fit(one.schema, one.good), Kind::kValid) << one.schema;
    EXPECT_EQ(Fit(one.schema, one.bad), Kind::kInvalid) << one.schema;
  }
}

TEST(CheckInstanceTest, KeywordsOfDraft07) {
  for (const Fitting& one : std::initializer_list<Fitting>{
           {R"({"items":[{"type":"null"}],"additionalItems":{"type":"string"}})", "[null,\"a\"]",
            "[null,1]"},
           {R"({"dependencies":{"a":["b"],"c":{"required":["d"]}}})", R"({"a":1,"b":1})",
            R"({"c":1})"},
           // Beside a reference nothing counts.
           {R"({"properties":{"a":{"$ref":"#/definitions/a","minimum":5}},
                "definitions":{"a":{"type":"integer"}}})",
            R"({"a":1})", R"({"a":""})"},
           {R"({"definitions":{"x":{"$id":"#a","type":"null"}},"items":{"$ref":"#a"}})", "[null]",
            "[1]"},
       }) {
    EXPECT_EQ(Fit(By07(one.schema), one.good), Kind::kValid) << one.schema;
    EXPECT_EQ(Fit(By07(one.schema), one.bad), Kind::kInvalid) << one.schema;
  }
  for (const std::string_view ignored :
       {R"({"prefixItems":[false]})", R"({"dependentRequired":{"a":["b"]}})",
        R"({"unevaluatedProperties":false})", R"({"contains":true,"maxContains":0})"}) {
    EXPECT_EQ(Fit(By07(ignored), ignored[2] == 'p' || ignored[2] == 'c' ? "[1]" : R"({"a":1})"),
              Kind::kValid)
        << ignored;
  }
}

TEST(CheckInstanceTest, FormatIsAnAnnotation) {
  EXPECT_EQ(Fit(R"({"format":"email","contentEncoding":"base64"})", "\"@\""), Kind::kValid);
}

TEST(CheckInstanceTest, SaysWhere) {
  const SchemaAnswer answer = CheckInstance(
      Parse(R"({"properties":{"a":{"items":{"type":"string"}}}})"), Parse(R"({"a":["x",1]})"));
  EXPECT_EQ(answer.why, R"(/a/1 is a number, the type is "string" (/properties/a/items/type))");
}

// `\p{L}` is not told, so any text is: what follows from it either way?
TEST(CheckInstanceTest, WhatIsNotJudgedStaysSoUnlessItDoesNotMatter) {
  const std::string open = R"({"pattern":"\\p{L}"})";
  const auto fit = [](const std::string& schema) { return Fit(schema, "\"x\""); };
  EXPECT_EQ(fit(open), Kind::kNotJudged);
  EXPECT_EQ(fit(R"({"not":)" + open + "}"), Kind::kNotJudged);
  EXPECT_EQ(fit(R"({"allOf":[)" + open + ",{}]}"), Kind::kNotJudged);
  EXPECT_EQ(fit(R"({"allOf":[)" + open + ",false]}"), Kind::kInvalid);
  EXPECT_EQ(fit(R"({"anyOf":[)" + open + ",{}]}"), Kind::kValid);
  EXPECT_EQ(fit(R"({"anyOf":[)" + open + ",false]}"), Kind::kNotJudged);
  EXPECT_EQ(fit(R"({"oneOf":[)" + open + ",{}]}"), Kind::kNotJudged);
  EXPECT_EQ(fit(R"({"oneOf":[)" + open + ",{},{}]}"), Kind::kInvalid);
  EXPECT_EQ(fit(R"({"if":)" + open + R"(,"then":false})"), Kind::kNotJudged);
  EXPECT_EQ(fit(R"({"if":)" + open + R"(,"then":false,"else":false})"), Kind::kInvalid);
  EXPECT_EQ(fit(R"({"if":)" + open + R"(,"then":{},"else":true})"), Kind::kValid);
  EXPECT_EQ(fit(R"({"pattern":"\\p{L}","type":"number"})"), Kind::kInvalid);
}

TEST(CheckInstanceTest, WhatIsNotJudgedMayHaveEvaluated) {
  const std::string_view maybe =
      R"({"anyOf":[{},{"properties":{"b":{"pattern":"\\p{L}"}}}],"unevaluatedProperties":false})";
  EXPECT_EQ(Fit(maybe, R"({"b":"x"})"), Kind::kNotJudged);
  EXPECT_EQ(Fit(maybe, "{}"), Kind::kValid);
  const std::string_view names =
      R"({"patternProperties":{"\\p{L}":{}},"additionalProperties":false})";
  EXPECT_EQ(Fit(names, R"({"b":"x"})"), Kind::kNotJudged);
}

TEST(CheckInstanceTest, WhatIsElsewhereIsNotJudged) {
  EXPECT_EQ(Fit(R"({"$ref":"https://example.com/a"})", "1"), Kind::kNotJudged);
  EXPECT_EQ(Fit(R"({"$schema":"https://json-schema.org/draft/2019-09/schema"})", "1"),
            Kind::kNotJudged);
  EXPECT_EQ(Fit(R"({"dependencies":{"a":["b"]}})", R"({"a":1})"), Kind::kNotJudged);
  EXPECT_EQ(Fit(R"({"type":"any"})", "1"), Kind::kNotJudged);
}

TEST(CheckInstanceTest, WhatTakesTooLongIsNotJudged) {
  EXPECT_EQ(Fit(R"({"$ref":"#"})", "1"), Kind::kNotJudged);
  EXPECT_EQ(Fit(R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})", "1"), Kind::kNotJudged);
  std::string twice = R"({"$defs":{"x0":false)";
  for (int i = 1; i < 60; ++i) {
    const std::string before = R"({"$ref":"#/$defs/x)" + std::to_string(i - 1) + "\"}";
    twice += ",\"x" + std::to_string(i) + "\":{\"anyOf\":[" + before + "," + before + "]}";
  }
  EXPECT_EQ(Fit(twice + R"(},"$ref":"#/$defs/x59"})", "1"), Kind::kNotJudged);
  std::string many = "[0";
  for (int i = 1; i < 60'000; ++i) many += ",0";
  EXPECT_EQ(Fit(R"({"uniqueItems":true})", many + "]"), Kind::kNotJudged);
}

TEST(CheckInstanceTest, WithoutADialectBothMustAgree) {
  const auto fit = [](std::string_view schema, std::string_view value) {
    return CheckInstance(Parse(schema), Parse(value), DefaultDialect::kUnstated).kind;
  };
  EXPECT_EQ(fit(R"({"required":["a"]})", "{}"), Kind::kInvalid);
  EXPECT_EQ(fit(R"({"required":["a"]})", R"({"a":1})"), Kind::kValid);
  EXPECT_EQ(fit(R"({"prefixItems":[false]})", "[1]"), Kind::kNotJudged);
  EXPECT_EQ(fit(R"({"items":[false]})", "[1]"), Kind::kNotJudged);
  EXPECT_EQ(fit(By07(R"({"items":[false]})"), "[1]"), Kind::kInvalid);
}

}  // namespace
}  // namespace assay::oracle
