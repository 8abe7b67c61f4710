#include "oracle/ecma_regex.h"

#include <gtest/gtest.h>

namespace assay::oracle {
namespace {

// "yes", "no", "open" (not told), or the fault.
std::string Search(std::string_view pattern, std::string_view text) {
  const EcmaRegex regex(pattern);
  if (!regex.fault().empty()) return regex.fault();
  const auto found = regex.FoundIn(text);
  return !found ? "open" : *found ? "yes" : "no";
}

TEST(EcmaRegexTest, IsSearchedForAnywhere) {
  EXPECT_EQ(Search("b+", "abbc"), "yes");
  EXPECT_EQ(Search("^b", "abbc"), "no");
  EXPECT_EQ(Search("", "x"), "yes");
  EXPECT_EQ(Search("a|", "x"), "yes");
  EXPECT_EQ(Search("^(?:a|bc)*$", "abca"), "yes");
  EXPECT_EQ(Search("^(?<year>\\d{4})-(\\d{2})$", "2026-07"), "yes");
}

TEST(EcmaRegexTest, AnchorsAreThoseOfTheWholeText) {
  EXPECT_EQ(Search("^b", "a\nb"), "no");
  EXPECT_EQ(Search("a$", "a\n"), "no");
  EXPECT_EQ(Search("^abc$", "abc"), "yes");
}

TEST(EcmaRegexTest, GroupsAreFollowedFiftyDeep) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "a" + std::string(depth, ')');
  };
  EXPECT_EQ(Search(nested(50), "a"), "yes");
  EXPECT_EQ(Search(nested(51), "a"), "open");
}

TEST(EcmaRegexTest, CountsCodePoints) {
  EXPECT_EQ(Search("^.$", "\xF0\x9F\x98\x80"), "yes");
  EXPECT_EQ(Search("^[\xC3\xA4-\xC3\xBC]$", "\xC3\xB6"), "yes");
  EXPECT_EQ(Search("^.$", "\xE2\x80\xA8"), "no");  // U+2028 ends a line
}

TEST(EcmaRegexTest, ClassesAreAsciiButForSpace) {
  EXPECT_EQ(Search("^\\d$", "\xD9\xA1"), "no");  // an Arabic digit
  EXPECT_EQ(Search("^\\w$", "\xC3\xA4"), "no");
  EXPECT_EQ(Search("^\\W$", "\xC3\xA4"), "yes");
  EXPECT_EQ(Search("^\\s$", "\xC2\xA0"), "yes");
  EXPECT_EQ(Search("^[^\\S]$", "\xEF\xBB\xBF"), "yes");
  EXPECT_EQ(Search("\\bx\\b", "\xC3\xA4x\xC3\xA4"), "yes");
  EXPECT_EQ(Search("\\Bx", "ax"), "yes");
}

TEST(EcmaRegexTest, Escapes) {
  EXPECT_EQ(Search("^\\x41\\u0042\\t\\0\\cJ$", std::string_view("AB\t\0\n", 5)), "yes");
  EXPECT_EQ(Search("^\\$\\.\\/\\-\\@$", "$./-@"), "yes");
  EXPECT_EQ(Search("^[\\b]$", "\b"), "yes");
  EXPECT_EQ(Search("^[[\\]]+$", "[]"), "yes");
  EXPECT_EQ(Search("[]", "a"), "no");
  EXPECT_EQ(Search("^[^]$", "\n"), "yes");
}

TEST(EcmaRegexTest, LooksAround) {
  EXPECT_EQ(Search("^(?=.*\\d)(?!.*x).{3,}$", "ab1"), "yes");
  EXPECT_EQ(Search("^(?=.*\\d)(?!.*x).{3,}$", "ax1"), "no");
  EXPECT_EQ(Search("(?<=a)b", "ab"), "yes");
  EXPECT_EQ(Search("(?<!a)b", "ab"), "no");
}

TEST(EcmaRegexTest, WhatOnlyOneGrammarHasMeansWhatItMeansThere) {
  EXPECT_EQ(Search("^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$", "a.b-c@d.org"), "yes");
  EXPECT_EQ(Search("^{a}$", "{a}"), "yes");
  EXPECT_EQ(Search("^]$", "]"), "yes");
}

TEST(EcmaRegexTest, WhatMayMeanTwoThingsIsNotTold) {
  for (const char* pattern : {"\\p{L}", "\\u{61}", "[\\u{61}-b]", "(a)\\1", "\\k<a>", "\\A", "\\z",
                              "(?i:a)", "(?=a)*", "\\uD83D\\uDE00", "\\01", "\\x4", "a{5000}"}) {
    EXPECT_EQ(Search(pattern, "a"), "open") << pattern;
  }
}

TEST(EcmaRegexTest, Faults) {
  for (const char* pattern : {"(", ")", "a)", "[", "[a", "*", "a**", "a++", "+a", "^*", "\\",
                              "[b-a]", "a{2,1}", "(?:", "(?<a", "{1}", "x|*"}) {
    const EcmaRegex regex(pattern);
    EXPECT_NE(regex.fault(), "") << pattern;
    EXPECT_EQ(regex.FoundIn("a"), std::nullopt) << pattern;
  }
}

TEST(EcmaRegexTest, GivesUpInTime) {
  EXPECT_EQ(Search("^(a+)+$", std::string(40, 'a') + "b"), "open");
  EXPECT_EQ(Search("a", std::string(1'000'000, 'b')), "open");
  EXPECT_EQ(Search(std::string(500, '(') + std::string(500, ')'), "a"), "open");
}

}  // namespace
}  // namespace assay::oracle
