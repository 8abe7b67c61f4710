#include "message/json.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

Json Parse(std::string_view text) {
  JsonParse parse = ParseJson(text);
  EXPECT_TRUE(parse.value.has_value()) << text << ": " << parse.error;
  return parse.value.value_or(Json());
}

TEST(JsonTest, WritesWhatItRead) {
  for (const std::string_view text : {
           R"({"a":1,"a":2})",
           R"([1.0,1e400,-0,0.10,1E+2,9007199254740993,123456789012345678901234567890])",
           R"({"z":null,"a":[true,false,{}],"":""})",
           R"("tab\t quote\" slash/ backslash\\ \u0001")",
           R"("ключ-🔑")",
       }) {
    EXPECT_EQ(Parse(text).Dump(), text);
  }
}

TEST(JsonTest, TextOfStringIsUnescaped) {
  EXPECT_EQ(Parse(R"("\u0041\ud83d\udd11\n")").text(), "A🔑\n");
  EXPECT_EQ(Parse(R"("a\u0000b")").text(), std::string("a\0b", 3));
}

TEST(JsonTest, AllowsWhitespaceAround) {
  EXPECT_EQ(Parse(" \t\r\n [ 1 , 2 ] \n ").Dump(), "[1,2]");
}

TEST(JsonTest, NotesDuplicateKeysOnceEach) {
  const JsonParse parse = ParseJson(R"({"a":{"x":1,"x":2,"x":3},"b":1,"b":2})");
  EXPECT_EQ(parse.duplicate_keys, (std::vector<std::string>{"x", "b"}));
  EXPECT_EQ(parse.value->Find("a", "x")->text(), "3") << "the last one counts";
}

TEST(JsonTest, LoneSurrogatesAreReadAndNoted) {
  const JsonParse parse = ParseJson(R"(["\ud800", "\udc00x", "\ud83d\udd11", "\\ud800"])");
  ASSERT_TRUE(parse.value.has_value()) << parse.error;
  EXPECT_TRUE(parse.lone_surrogate);
  EXPECT_EQ(parse.value->items()[0].text(), "\uFFFD");
  EXPECT_EQ(parse.value->items()[1].text(), "\uFFFDx");
  EXPECT_EQ(parse.value->items()[2].text(), "🔑");
  EXPECT_EQ(parse.value->items()[3].text(), "\\ud800") << "an escaped backslash is no escape";
  EXPECT_FALSE(ParseJson(R"("\\ud800")").lone_surrogate);
}

TEST(JsonTest, RefusesWhatIsNotJson) {
  for (const std::string_view text :
       {"",    " ",     "{",        "[1,]",    "{\"a\":1,}", "{a:1}",    "'a'",
        "01",  "1.",    ".5",       "+1",      "NaN",        "Infinity", "nul",
        "1 2", "{} {}", "\"a\nb\"", "\"\\x\"", "\"open",     "// c\n1",  "\xEF\xBB\xBF{}"}) {
    const JsonParse parse = ParseJson(text);
    EXPECT_FALSE(parse.value.has_value()) << text;
    EXPECT_FALSE(parse.error.empty()) << text;
  }
}

TEST(JsonTest, SaysWhereTheErrorIs) {
  EXPECT_EQ(ParseJson("{\"a\": x}").offset, 6U);
  EXPECT_EQ(ParseJson("1 2").offset, 2U);
  EXPECT_EQ(ParseJson("[\"a\xFF\"]").offset, 3U);
  EXPECT_EQ(ParseJson("[\"a\xFF\"]").error, "not valid UTF-8");
}

TEST(JsonTest, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseJson(nested(512)).value.has_value());
  EXPECT_FALSE(ParseJson(nested(513)).value.has_value());
}

TEST(JsonTest, AnyExponentIsANumber) {
  EXPECT_EQ(Parse("[1e99999999999999999999,-1E-99999999999999999999]").Dump(),
            "[1e99999999999999999999,-1E-99999999999999999999]");
}

TEST(JsonTest, ComparesNumbersExactly) {
  EXPECT_EQ(CompareNumbers("1", "1.0"), 0);
  EXPECT_EQ(CompareNumbers("100", "1e2"), 0);
  EXPECT_EQ(CompareNumbers("0.1", "1E-1"), 0);
  EXPECT_EQ(CompareNumbers("-0", "0.000"), 0);
  EXPECT_EQ(CompareNumbers("1e400", "10e399"), 0);
  EXPECT_LT(CompareNumbers("9007199254740992", "9007199254740993"), 0);
  EXPECT_LT(CompareNumbers("-2", "1"), 0);
  EXPECT_LT(CompareNumbers("-2", "-1"), 0);
  EXPECT_GT(CompareNumbers("10", "9"), 0);
  EXPECT_GT(CompareNumbers("0.2", "0.19"), 0);
  EXPECT_GT(CompareNumbers("1e99999999999999999999", "9"), 0);
  EXPECT_LT(CompareNumbers("1e-99999999999999999999", "0.1"), 0);
}

TEST(JsonTest, DividesExactly) {
  EXPECT_EQ(IsMultiple("19.99", "0.01"), true);
  EXPECT_EQ(IsMultiple("19.999", "0.01"), false);
  EXPECT_EQ(IsMultiple("-4.5", "1.5"), true);
  EXPECT_EQ(IsMultiple("0.0", "7"), true);
  EXPECT_EQ(IsMultiple("120", "1e1"), true);
  EXPECT_EQ(IsMultiple("12", "1e1"), false);
  EXPECT_EQ(IsMultiple("1e308", "0.123456789"), false);
  EXPECT_EQ(IsMultiple("900719925474099300", "9007199254740993"), true);
  EXPECT_EQ(IsMultiple("900719925474099400", "9007199254740993"), false);
  EXPECT_EQ(IsMultiple("99999999999999999999", "9999999999999999999"), std::nullopt);
  EXPECT_EQ(IsMultiple("1e99999999", "7"), std::nullopt);
}

TEST(JsonTest, KnowsIntegersByValue) {
  for (const char* text : {"0", "-0", "1.0", "1e2", "12.50e1", "1e400", "9007199254740993"}) {
    EXPECT_TRUE(Json::Number(text).is_integer()) << text;
  }
  for (const char* text : {"0.5", "1e-1", "12.55e1"}) {
    EXPECT_FALSE(Json::Number(text).is_integer()) << text;
  }
  EXPECT_FALSE(Json::String("1").is_integer());
  EXPECT_EQ(Json::Number("-9223372036854775808").AsInteger(), INT64_MIN);
  EXPECT_EQ(Json::Number("12.50e1").AsInteger(), 125);
  EXPECT_EQ(Json::Number("9223372036854775808").AsInteger(), std::nullopt);
  EXPECT_EQ(Json::Number("1e400").AsInteger(), std::nullopt);
  EXPECT_EQ(Json::Number("1.5").AsInteger(), std::nullopt);
}

TEST(JsonTest, EqualityIsOfValues) {
  EXPECT_TRUE(Equal(Parse(R"({"a":1,"b":[2]})"), Parse(R"({"b":[2.0],"a":1e0})")));
  EXPECT_TRUE(Equal(Parse(R"("\u0041")"), Parse(R"("A")")));
  EXPECT_FALSE(Equal(Parse("1"), Parse("\"1\"")));
  EXPECT_FALSE(Equal(Parse("[1,2]"), Parse("[2,1]")));
  EXPECT_FALSE(Equal(Parse(R"({"a":1})"), Parse(R"({"a":1,"b":1})")));
  EXPECT_FALSE(Equal(Parse("null"), Parse("false")));
  // Of duplicates the last one counts, on either side.
  EXPECT_TRUE(Equal(Parse(R"({"a":1,"a":2})"), Parse(R"({"a":1,"a":2})")));
  EXPECT_TRUE(Equal(Parse(R"({"a":1,"a":2})"), Parse(R"({"a":2})")));
  EXPECT_FALSE(Equal(Parse(R"({"a":1,"a":1})"), Parse(R"({"a":1,"b":2})")));
  EXPECT_FALSE(Equal(Parse(R"({"a":1,"b":2})"), Parse(R"({"a":1,"a":1})")));
}

TEST(JsonTest, EscapesTokensOfPointers) {
  EXPECT_EQ(PointerToken("a/b~c"), "a~1b~0c");
  const Json json = Parse(R"({"a/b~c":1})");
  EXPECT_NE(At(json, "/" + PointerToken("a/b~c")), nullptr);
}

TEST(JsonTest, FollowsPointers) {
  const Json root = Parse(R"({"a":[10,{"b/c":1,"m~n":2,"~1":3}],"":4})");
  EXPECT_EQ(At(root, ""), &root);
  EXPECT_EQ(At(root, "/a/0")->text(), "10");
  EXPECT_EQ(At(root, "/a/1/b~1c")->text(), "1");
  EXPECT_EQ(At(root, "/a/1/m~0n")->text(), "2");
  EXPECT_EQ(At(root, "/a/1/~01")->text(), "3");
  EXPECT_EQ(At(root, "/")->text(), "4");
  for (const std::string_view pointer :
       {"/b", "/a/2", "/a/-", "/a/00", "/a/+0", "/a/0/x", "a", "/a/", "/a/18446744073709551616"}) {
    EXPECT_EQ(At(root, pointer), nullptr) << pointer;
  }
}

TEST(JsonTest, SetsAndRemovesMembers) {
  Json object = Parse(R"({"a":1,"b":2})");
  object.Set("a", Json::Integer(3));
  object.Set("c", Json());
  object.Remove("b");
  EXPECT_EQ(object.Dump(), R"({"a":3,"c":null})");
  EXPECT_EQ(Json::Array().Find("a"), nullptr);
  EXPECT_EQ(Parse(R"({"s":"x","n":1})").FindString("s"), "x");
  EXPECT_EQ(Parse(R"({"s":"x","n":1})").FindString("n"), std::nullopt);
}

TEST(JsonTest, KnowsTheNumberGrammar) {
  for (const char* text : {"0", "-0", "10", "1.5", "1e5", "1E+5", "1.0e-7"}) {
    EXPECT_TRUE(IsJsonNumber(text)) << text;
  }
  for (const char* text :
       {"", "-", "01", "+1", "1.", ".1", "1e", "1e+", "0x1", "1_0", " 1", "1 "}) {
    EXPECT_FALSE(IsJsonNumber(text)) << text;
  }
}

TEST(JsonTest, FindsInvalidUtf8) {
  EXPECT_EQ(FindInvalidUtf8("a\u00e9\u20ac🔑"), std::string_view::npos);
  EXPECT_EQ(FindInvalidUtf8("ab\x80"), 2U) << "a continuation without a start";
  EXPECT_EQ(FindInvalidUtf8("a\xC3"), 1U) << "cut short";
  EXPECT_EQ(FindInvalidUtf8("\xC0\xAF"), 0U) << "overlong";
  EXPECT_EQ(FindInvalidUtf8("\xE0\x80\xAF"), 0U) << "overlong";
  EXPECT_EQ(FindInvalidUtf8("\xED\xA0\x80"), 0U) << "a surrogate";
  EXPECT_EQ(FindInvalidUtf8("\xF4\x90\x80\x80"), 0U) << "beyond U+10FFFF";
}

}  // namespace
}  // namespace assay
