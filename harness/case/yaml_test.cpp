#include "case/yaml.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

std::string Dumped(std::string_view text) { return ToJson(ParseYaml("f.yaml", text)).Dump(); }

// "f.yaml:2:1: message", or "" when the text is good.
std::string Problem(std::string_view text) {
  try {
    ParseYaml("f.yaml", text);
  } catch (const InputError& error) {
    return ToString(error);
  }
  return "";
}

TEST(YamlTest, OnlyFourWordsHaveAMeaning) {
  EXPECT_EQ(Dumped("[true, false, null, ~, , True, NULL, Null, yes, on, 'true', \"~\"]"),
            R"([true,false,null,null,null,"True","NULL","Null","yes","on","true","~"])");
}

TEST(YamlTest, NumbersKeepTheirText) {
  EXPECT_EQ(Dumped("[1, 1.0, -0, 9007199254740993, 1e400, 1E+2]"),
            "[1,1.0,-0,9007199254740993,1e400,1E+2]");
  EXPECT_EQ(Dumped("[010, 0x10, 1_000, +1, .5, 1., .inf, '1', \"1\"]"),
            R"(["010","0x10","1_000","+1",".5","1.",".inf","1","1"])");
}

TEST(YamlTest, BlockTextIsText) {
  EXPECT_EQ(Dumped("a: |\n  1\nb: >-\n  true\n  x\n"), R"({"a":"1\n","b":"true x"})");
  EXPECT_EQ(Dumped("a: |\n  x\n  \ty\n"), R"({"a":"x\n\ty\n"})")
      << "a tab in text is no indentation";
}

TEST(YamlTest, KeepsKeysInOrderAndTheirPlaces) {
  const YamlNode root = ParseYaml("f.yaml", "b: 1\na:\n  - x\n  - \"y\"\n");
  ASSERT_TRUE(root.is_mapping());
  EXPECT_EQ(root.keys[0].text, "b");
  EXPECT_EQ(root.keys[1].line, 2);
  const YamlNode& y = root.Find("a")->items[1];
  EXPECT_TRUE(y.quoted);
  EXPECT_EQ(y.line, 4);
  EXPECT_EQ(y.column, 5);
  EXPECT_EQ(root.Find("c"), nullptr);
}

TEST(YamlTest, ColumnsCountCharacters) {
  const YamlNode root = ParseYaml("f.yaml", "{ключ: 1, b: 2}");
  EXPECT_EQ(root.keys[1].column, 11);
}

TEST(YamlTest, ExactJson) {
  EXPECT_EQ(Dumped("a: {$json: '{\"x\":1.0,\"x\":1e400}'}"), R"({"a":{"x":1.0,"x":1e400}})");
  EXPECT_EQ(ToJson(ParseYaml("f.yaml", "$json: 1.0")).kind(), Json::Kind::kRaw);
  EXPECT_EQ(Dumped("{$json: '1', a: 2}"), R"({"$json":"1","a":2})");
}

TEST(YamlTest, OddButGood) {
  EXPECT_EQ(Dumped("\xEF\xBB\xBF"
                   "a: 1\n"),
            R"({"a":1})")
      << "a byte order mark";
  EXPECT_EQ(Dumped("---\na: 1\n...\n"), R"({"a":1})");
  EXPECT_EQ(Dumped("a: 1\r\nb: 2\r\n"), R"({"a":1,"b":2})");
  EXPECT_EQ(Dumped(""), "null");
  EXPECT_EQ(Dumped("# nothing\n"), "null");
}

TEST(YamlTest, DuplicateKeys) {
  EXPECT_EQ(Problem("a: 1\nb: 2\n\"a\": 3\n"),
            "f.yaml:3:1: duplicate key 'a'; the first one is on line 1");
  EXPECT_EQ(Problem("x:\n  - {k: 1, k: 2}\n"),
            "f.yaml:2:12: duplicate key 'k'; the first one is on line 2");
}

TEST(YamlTest, AliasesAnchorsAndTags) {
  EXPECT_EQ(Problem("a: &x 1\nb: *x\n"),
            "f.yaml:1:4: anchors are not allowed here; write the value out where it is needed");
  EXPECT_EQ(Problem("a: 1\nb: *x\n"),
            "f.yaml:2:4: not valid YAML: aliases are not allowed here; write the value out");
  EXPECT_EQ(Problem("a: !!str 1\n"),
            "f.yaml:1:4: tags (tag:yaml.org,2002:str) are not allowed; quote a value to make it a "
            "string");
  EXPECT_EQ(Problem("- !thing {}\n"),
            "f.yaml:1:3: tags (!thing) are not allowed; quote a value to make it a string");
}

TEST(YamlTest, AliasBomb) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 8; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  EXPECT_EQ(Problem(bomb),
            "f.yaml:1:5: anchors are not allowed here; write the value out where it is needed");
}

TEST(YamlTest, FurtherDocuments) {
  const std::string message = "content after the end of the document; a file holds one document";
  EXPECT_EQ(Problem("a: 1\n---\nb: 2\n"), "f.yaml:2:1: " + message);
  EXPECT_EQ(Problem("- a\nb: 1\n"), "f.yaml:2:1: " + message);
  EXPECT_EQ(Problem("a: 1\n...\nb: 2\n"), "f.yaml:3:1: " + message);
}

TEST(YamlTest, TabsInIndentation) {
  const std::string message = "a tab in the indentation; use spaces";
  EXPECT_EQ(Problem("a:\n\tb: 1\n"), "f.yaml:2:1: " + message);
  EXPECT_EQ(Problem("a:\n  b: 1\n  \tc: 2\n"), "f.yaml:3:3: " + message);
}

TEST(YamlTest, DepthIsBounded) {
  const auto flow = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(Problem(flow(64)), "");
  EXPECT_EQ(Problem(flow(65)), "f.yaml:1:65: nested deeper than 64 levels");
  EXPECT_EQ(Problem(flow(1000)), "f.yaml:1:65: nested deeper than 64 levels");
  std::string block;
  for (std::size_t i = 0; i < 1000; ++i) block += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(Problem(block), "f.yaml:65:65: nested deeper than 64 levels");
}

TEST(YamlTest, SizeIsBounded) {
  EXPECT_EQ(Problem(std::string((4 << 20) + 1, '#')),
            "f.yaml: larger than 4 MiB, too large to load");
  std::string many = "[";
  for (int i = 0; i < 200'000; ++i) many += "\n1,";
  EXPECT_EQ(Problem(many + "]"), "f.yaml:200001:1: more than 200000 values in one file");
}

TEST(YamlTest, NotUtf8) {
  EXPECT_EQ(Problem("a: 1\nключ: \"x\xFF\"\n"), "f.yaml:2:9: not UTF-8; case files are UTF-8 text");
  EXPECT_EQ(Problem(std::string_view("a\0: 1", 5)),
            "f.yaml:1:2: a control character; write it as an escape in a double-quoted text");
}

TEST(YamlTest, SyntaxErrorsSayWhatWasExpected) {
  EXPECT_EQ(Problem("a: {b: ${x}}\n"),
            "f.yaml:1:9: not valid YAML: expected ',' or '}'; inside brackets a text with {}[], or "
            "\"${…}\" is quoted");
  EXPECT_EQ(Problem("a: b: c\n"),
            "f.yaml:1:5: not valid YAML: a ':' that follows no key; quote a text that holds ': '");
  EXPECT_EQ(Problem("a: @x\n"),
            "f.yaml:1:4: not valid YAML: this character cannot begin a value; quote the text");
  EXPECT_EQ(Problem("? [a]\n: 1\n"),
            "f.yaml:1:3: a list or mapping cannot be a key; is a bracket not closed?");
  EXPECT_EQ(Problem(": 1\n"), "f.yaml:1:1: expected a key before the colon");
}

}  // namespace
}  // namespace assay
