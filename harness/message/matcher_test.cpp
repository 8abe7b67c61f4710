#include "message/matcher.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

Json Parse(std::string_view text) {
  JsonParse parse = ParseJson(text);
  EXPECT_TRUE(parse.value.has_value()) << text << ": " << parse.error;
  return parse.value.value_or(Json());
}

const Json& Saved() {
  static const Json saved = Parse(R"({"a":1,"$b":[2]})");
  return saved;
}

MatchContext Context() {
  MatchContext context;
  context.saved = [](std::string_view name) { return name == "saved" ? &Saved() : nullptr; };
  context.shape = [](std::string_view name, const Json& value) -> std::optional<Mismatch> {
    if (name == "Tool" && value.Find("name") != nullptr) return std::nullopt;
    return Mismatch{"/name", "missing"};
  };
  return context;
}

std::optional<Mismatch> MatchText(std::string_view pattern, std::string_view value) {
  const Json json = Parse(value);
  return Match(Parse(pattern), &json, Context());
}

testing::AssertionResult Accepts(std::string_view pattern, std::string_view value) {
  const auto mismatch = MatchText(pattern, value);
  if (!mismatch) return testing::AssertionSuccess();
  return testing::AssertionFailure() << pattern << " refuses " << value << " at \""
                                     << mismatch->pointer << "\": " << mismatch->reason;
}

testing::AssertionResult Refuses(std::string_view pattern, std::string_view value) {
  if (MatchText(pattern, value)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << pattern << " accepts " << value;
}

// "pointer: reason"
std::string Reason(std::string_view pattern, std::string_view value) {
  const auto mismatch = MatchText(pattern, value);
  return mismatch ? mismatch->pointer + ": " + mismatch->reason : "(match)";
}

TEST(MatcherTest, ScalarsAreEqualByValue) {
  EXPECT_TRUE(Accepts("1", "1.0"));
  EXPECT_TRUE(Accepts("100", "1e2"));
  EXPECT_TRUE(Accepts(R"("A")", R"("\u0041")"));
  EXPECT_TRUE(Accepts("null", "null"));
  EXPECT_TRUE(Refuses("1", R"("1")"));
  EXPECT_TRUE(Refuses("9007199254740993", "9007199254740992"));
  EXPECT_TRUE(Refuses("null", "false"));
  EXPECT_TRUE(Refuses("null", R"("")"));
}

TEST(MatcherTest, MappingsAreSubsets) {
  EXPECT_TRUE(Accepts(R"({"a":1})", R"({"b":2,"a":1})"));
  EXPECT_TRUE(Accepts("{}", R"({"b":2})"));
  EXPECT_TRUE(Refuses(R"({"a":1})", R"({"b":2})"));
  EXPECT_TRUE(Refuses("{}", "[]"));
  EXPECT_TRUE(Refuses(R"({"a":null})", "{}")) << "~ is JSON null, not absence";
}

TEST(MatcherTest, SequencesMatchElementByElement) {
  EXPECT_TRUE(Accepts(R"([1,"$any",{"a":1}])", R"([1,null,{"a":1,"b":2}])"));
  EXPECT_TRUE(Refuses("[1]", "[1,2]"));
  EXPECT_TRUE(Refuses("[1,2]", "[1]"));
  EXPECT_TRUE(Refuses("[1,2]", "[2,1]"));
  EXPECT_TRUE(Refuses("[]", "{}"));
}

TEST(MatcherTest, WordsAreTypes) {
  const std::vector<std::string> values = {"null", "true", "1", "1.5", R"("x")", "[]", "{}"};
  const std::vector<std::pair<std::string, std::string>> words = {
      {"$any", "1111111"},     {"$null", "1000000"},   {"$boolean", "0100000"},
      {"$integer", "0010000"}, {"$number", "0011000"}, {"$string", "0000100"},
      {"$array", "0000010"},   {"$object", "0000001"}, {"$absent", "0000000"},
  };
  for (const auto& [word, accepted] : words) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(!MatchText("\"" + word + "\"", values[i]), accepted[i] == '1')
          << word << " on " << values[i];
    }
  }
  EXPECT_TRUE(Accepts(R"("$integer")", "1.0"));
}

TEST(MatcherTest, OnlyAbsentAcceptsWhatIsNotThere) {
  EXPECT_FALSE(Match(Parse(R"("$absent")"), nullptr, Context()));
  for (const char* pattern :
       {R"("$any")", "null", R"("x")", "[]", "{}", R"({"$regex":""})", R"({"$oneOf":[1]})",
        R"({"$contains":1})", R"({"$every":"$any"})", R"({"$length":0})", R"({"$gte":0})",
        R"({"$unique":true})", R"({"$sameAs":"saved"})", R"({"$shape":"Tool"})"}) {
    EXPECT_TRUE(Match(Parse(pattern), nullptr, Context())) << pattern;
  }
  EXPECT_TRUE(Accepts(R"({"a":"$absent","b":1})", R"({"b":1})"));
  EXPECT_TRUE(Refuses(R"({"a":"$absent"})", R"({"a":null})"));
  EXPECT_TRUE(Accepts(R"({"a":{"$oneOf":["$absent",1]}})", "{}"));
  EXPECT_TRUE(Accepts(R"({"a":{"$not":1}})", "{}"));
  EXPECT_TRUE(Refuses(R"({"a":{"$not":"$absent"}})", "{}"));
}

TEST(MatcherTest, Timestamps) {
  for (const char* text :
       {"2025-01-12T15:00:58Z", "2025-01-12T15:00:58.123456+02:00", "2024-02-29t00:00:00z",
        "2016-12-31T23:59:60Z", "2025-01-12T15:00:58-0530", "2025-01-12T15:00"}) {
    EXPECT_TRUE(Accepts(R"("$timestamp")", "\"" + std::string(text) + "\"")) << text;
  }
  for (const char* text :
       {"", "yesterday", "2025-01-12", "2025-13-01T00:00:00Z", "2025-02-29T00:00:00Z",
        "2025-01-12T24:00:00Z", "2025-01-12T15:60:00Z", "2025-01-12T15:00:58Zz",
        "2025-01-12T15:00:58.Z", "1736694058", "2025-01-12T15:00:58+25:00"}) {
    EXPECT_TRUE(Refuses(R"("$timestamp")", "\"" + std::string(text) + "\"")) << text;
  }
  EXPECT_TRUE(Refuses(R"("$timestamp")", "1736694058"));
}

TEST(MatcherTest, DoubledDollarIsLiteral) {
  EXPECT_TRUE(Accepts(R"("$$any")", R"("$any")"));
  EXPECT_TRUE(Refuses(R"("$$any")", R"("x")"));
  EXPECT_TRUE(Accepts(R"({"$$schema":1})", R"({"$schema":1})"));
  EXPECT_EQ(Reason(R"({"$$schema":1})", R"({"$schema":2})"), "/$schema: expected 1, got 2");
  EXPECT_TRUE(Accepts(R"({"$contains":"$$x"})", R"("a$x")"));
}

TEST(MatcherTest, Regex) {
  EXPECT_TRUE(Accepts(R"({"$regex":"b+"})", R"("abba")")) << "a search, not a full match";
  EXPECT_TRUE(Accepts(R"({"$regex":"^[a-z]{3}$"})", R"("abc")"));
  EXPECT_TRUE(Refuses(R"({"$regex":"^[a-z]{3}$"})", R"("abcd")"));
  EXPECT_TRUE(Refuses(R"({"$regex":"1"})", "1"));
}

TEST(MatcherTest, RegexStandsHostileText) {
  const std::string text = "\"" + std::string(100'000, 'a') + "\"";
  EXPECT_TRUE(Refuses(R"({"$regex":"^(a|aa)+$b"})", text));
  EXPECT_TRUE(Accepts(R"({"$regex":"^.*a$"})", text));
}

TEST(MatcherTest, ChoicesAndNegation) {
  for (const char* key : {"$oneOf", "$anyOf"}) {
    const std::string pattern =
        R"({"code":{")" + std::string(key) + R"(":[-32700,-32600,"$string",{"a":1}]}})";
    EXPECT_TRUE(Accepts(pattern, R"({"code":-32600})"));
    EXPECT_TRUE(Accepts(pattern, R"({"code":"x"})"));
    EXPECT_TRUE(Accepts(pattern, R"({"code":{"a":1,"b":2}})"));
    EXPECT_TRUE(Refuses(pattern, R"({"code":-32601})"));
  }
  EXPECT_TRUE(Accepts(R"({"$not":{"a":1}})", R"({"a":2})"));
  EXPECT_TRUE(Refuses(R"({"$not":{"a":1}})", R"({"a":1,"b":2})"));
}

TEST(MatcherTest, Contains) {
  EXPECT_TRUE(Accepts(R"({"$contains":"2026-07-28"})", R"(["2025-11-25","2026-07-28"])"));
  EXPECT_TRUE(
      Accepts(R"({"$contains":{"name":"echo"}})", R"([{"name":"a"},{"name":"echo","x":1}])"));
  EXPECT_TRUE(Accepts(R"({"$contains":"key"})", R"("missing key x")"));
  EXPECT_TRUE(Refuses(R"({"$contains":"x"})", R"(["y"])"));
  EXPECT_TRUE(Refuses(R"({"$contains":"x"})", R"({"x":1})"));
  EXPECT_TRUE(Refuses(R"({"$contains":"$string"})", R"("x")"));
  EXPECT_TRUE(Refuses(R"({"$contains":1})", R"("1")"));
}

TEST(MatcherTest, EveryLengthUnique) {
  EXPECT_TRUE(Accepts(R"({"$every":{"name":"$string"}})", R"([{"name":"a"},{"name":"b"}])"));
  EXPECT_TRUE(Accepts(R"({"$every":"$string"})", "[]"));
  EXPECT_EQ(Reason(R"({"$every":{"name":"$string"}})", R"([{"name":"a"},{"name":1}])"),
            "/1/name: expected a string, got 1");
  EXPECT_TRUE(Refuses(R"({"$every":"$any"})", "{}"));

  EXPECT_TRUE(Accepts(R"({"$length":2})", R"(["a","b"])"));
  EXPECT_TRUE(Accepts(R"({"$length":2})", R"("é🔑")")) << "in characters";
  EXPECT_TRUE(Accepts(R"({"$length":{"$gte":1,"$lte":2}})", R"({"a":1})"));
  EXPECT_TRUE(Refuses(R"({"$length":{"$gte":1}})", "[]"));
  EXPECT_TRUE(Refuses(R"({"$length":1})", "1"));

  EXPECT_TRUE(Accepts(R"({"$unique":true})", R"([1,"1",{"a":1},{"a":2},[]])"));
  EXPECT_EQ(Reason(R"({"$unique":true})", R"([{"a":1,"b":2},1,{"b":2.0,"a":1}])"),
            R"(/2: {"b":2.0,"a":1} occurs more than once)");
  EXPECT_TRUE(Refuses(R"({"$unique":true})", "{}"));
  EXPECT_TRUE(Refuses(R"({"$unique":true})", R"([{"a":1,"a":2},{"a":2}])"));
}

TEST(MatcherTest, Bounds) {
  EXPECT_TRUE(Accepts(R"({"$gte":1,"$lte":3})", "1"));
  EXPECT_TRUE(Accepts(R"({"$gte":1,"$lte":3})", "3.0"));
  EXPECT_TRUE(Refuses(R"({"$gte":1,"$lte":3})", "3.5"));
  EXPECT_TRUE(Refuses(R"({"$gte":1,"$lte":3})", "0"));
  EXPECT_TRUE(Refuses(R"({"$gte":1})", R"("2")"));
  EXPECT_TRUE(Accepts(R"({"$gte":9007199254740993})", "9007199254740993"));
  EXPECT_TRUE(Refuses(R"({"$gte":9007199254740993})", "9007199254740992"));
}

TEST(MatcherTest, SameAsIsEquality) {
  EXPECT_TRUE(Accepts(R"({"$sameAs":"saved"})", R"({"$b":[2.0],"a":1})"));
  EXPECT_TRUE(Refuses(R"({"$sameAs":"saved"})", R"({"$b":[2],"a":1,"c":3})")) << "no subset match";
  EXPECT_EQ(Reason(R"({"$sameAs":"other"})", "1"), ": nothing was saved as other");
}

TEST(MatcherTest, ShapesAreTheContexts) {
  EXPECT_TRUE(Accepts(R"({"tools":{"$every":{"$shape":"Tool"}}})", R"({"tools":[{"name":"a"}]})"));
  EXPECT_EQ(Reason(R"({"tools":{"$every":{"$shape":"Tool"}}})", R"({"tools":[{}]})"),
            "/tools/0/name: missing");
}

TEST(MatcherTest, MatchersAndMembersMayStandTogether) {
  EXPECT_TRUE(Accepts(R"({"a":1,"$length":2})", R"({"a":1,"b":2})"));
  EXPECT_TRUE(Refuses(R"({"a":1,"$length":2})", R"({"a":1})"));
  EXPECT_TRUE(Refuses(R"({"a":1,"$length":2})", R"({"a":2,"b":2})"));
}

TEST(MatcherTest, SaysWhereAndWhy) {
  EXPECT_EQ(Reason(R"({"error":{"code":-32602}})", R"({"error":{"code":-32601}})"),
            "/error/code: expected -32602, got -32601");
  EXPECT_EQ(Reason(R"({"a/b":{"m~n":"$string"}})", R"({"a/b":{"m~n":null}})"),
            "/a~1b/m~0n: expected a string, got null");
  EXPECT_EQ(Reason(R"({"a":1})", "{}"), "/a: expected 1, got nothing");
  EXPECT_EQ(Reason(R"({"a":"$absent"})", R"({"a":1})"), "/a: expected nothing, got 1");
  EXPECT_EQ(Reason(R"({"$oneOf":[1,2]})", "3"), ": expected one of [1,2], got 3");
}

TEST(MatcherTest, ReasonsAreCutBetweenCharacters) {
  std::string value = "\"x";
  for (int i = 0; i < 1000; ++i) value += "é";
  value += "\"";
  const auto mismatch = MatchText("1", value);
  ASSERT_TRUE(mismatch);
  EXPECT_LT(mismatch->reason.size(), 250U);
  EXPECT_TRUE(mismatch->reason.ends_with("é…"));
  EXPECT_EQ(FindInvalidUtf8(mismatch->reason), std::string_view::npos);
}

TEST(MatcherTest, GoodPatternsPassTheCheck) {
  for (const char* pattern :
       {R"({"a":["$any",{"$regex":"^a{2}$"},{"$oneOf":[1]}],"$length":{"$gte":1}})",
        R"({"$$schema":"$$x"})", R"("${var}")", R"({"$regex":"${var}("})", R"({"$gte":"${var}"})",
        R"({"$oneOf":"${list}"})", R"({"a":"5$"})"}) {
    EXPECT_EQ(CheckPattern(Parse(pattern)), std::nullopt) << pattern;
  }
}

TEST(MatcherTest, BadPatternsAreExplained) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"a":"$strng"})", "there is no matcher $strng (a literal $ is written $$)"},
      {R"([{"$regexp":"a"}])", "there is no matcher $regexp (a literal $ is written $$)"},
      {R"("$regex")", "$regex takes an argument: {$regex: …}"},
      {R"({"$regex":1})", "$regex expects a regular expression"},
      {R"({"$oneOf":1})", "$oneOf expects a list of at least one pattern"},
      {R"({"$anyOf":[]})", "$anyOf expects a list of at least one pattern"},
      {R"({"$gte":"1"})", "$gte expects a number"},
      {R"({"$unique":false})", "$unique expects true"},
      {R"({"$sameAs":1})", "$sameAs expects a name"},
      {R"({"$shape":""})", "$shape expects a name"},
      {R"({"$not":{"$contains":"$x"}})", "there is no matcher $x (a literal $ is written $$)"},
  };
  for (const auto& [pattern, problem] : kCases) {
    EXPECT_EQ(CheckPattern(Parse(pattern)), problem) << pattern;
  }
  const auto regex = CheckPattern(Parse(R"({"$regex":"a("})"));
  ASSERT_TRUE(regex);
  EXPECT_TRUE(regex->starts_with("$regex is not a regular expression: "));
  const auto raw = CheckPattern(Json::Raw("{"));
  ASSERT_TRUE(raw);
  EXPECT_TRUE(raw->starts_with("$json is not JSON: "));
}

TEST(MatcherTest, LiteralPatternMatchesTheValueItself) {
  const Json value = Parse(R"({"$regex":"$any","$$":["$null"],"n":1.0})");
  EXPECT_FALSE(Match(LiteralPattern(value), &value, Context()));
  const Json other = Parse(R"({"$regex":"x","$$":["$null"],"n":1.0})");
  EXPECT_TRUE(Match(LiteralPattern(value), &other, Context()));
  const Json any = Parse("1");
  EXPECT_TRUE(Match(LiteralPattern(Json::Raw("not json")), &any, Context()));
}

}  // namespace
}  // namespace assay
