#include "reports/visible_text.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

TEST(Visible, KeepsOrdinaryText) {
  EXPECT_EQ(Visible("a \\ \"b\" ключ 🔑 👩‍💻"),
            "a \\ \"b\" ключ 🔑 👩‍💻");
}

TEST(Visible, SpellsOutControlCharacters) {
  EXPECT_EQ(Visible(std::string_view("\x1b[2J\r\n\t\0\x7f", 9)), "\\x1b[2J\\r\\n\\t\\x00\\x7f");
}

TEST(Visible, SpellsOutWhatIsNotUtf8) {
  EXPECT_EQ(Visible("a\xff"
                    "b\xc3"),
            "a\\xffb\\xc3");
  EXPECT_EQ(Visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
}

TEST(Visible, SpellsOutWhatHidesOrReorders) {
  EXPECT_EQ(Visible("\xc2\x9b"), "\\u{9b}");        // a C1 control that starts a sequence
  EXPECT_EQ(Visible("\xe2\x80\xae"), "\\u{202e}");  // right-to-left override
  EXPECT_EQ(Visible("\xe2\x80\x8b"), "\\u{200b}");  // zero-width space
  EXPECT_EQ(Visible("\xef\xbb\xbf"), "\\u{feff}");  // byte order mark
  EXPECT_EQ(Visible("\xef\xbf\xbf"), "\\u{ffff}");  // forbidden in XML
  EXPECT_EQ(Visible("\xf3\xa0\x80\x81"), "\\u{e0001}");
}

TEST(Excerpt, CutsBetweenCharactersAndSaysSo) {
  EXPECT_EQ(Excerpt("short", 5), "short");
  EXPECT_EQ(Excerpt("abcdef", 4), "abcd… (2 more bytes)");
  EXPECT_EQ(Excerpt("abcключ", 4), "abc… (8 more bytes)");
  EXPECT_EQ(Excerpt("\x80\x80\x80\x80\x80\x80", 5), "\\x80\\x80… (4 more bytes)");
}

TEST(ValidUtf8, ReplacesWhatIsNot) {
  EXPECT_EQ(ValidUtf8("a\xff\n"), "a\xef\xbf\xbd\n");
  EXPECT_EQ(ValidUtf8("ключ"), "ключ");
}

TEST(Unwrapped, JoinsLines) { EXPECT_EQ(Unwrapped("  a\n  b\t c \n"), "a b c"); }

TEST(ShellWord, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(ShellWord("modern/x@y-1.2"), "modern/x@y-1.2");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("a b;$(rm)"), "'a b;$(rm)'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord("a'\\\x1b"), "$'a\\'\\\\\\x1b'");
  EXPECT_EQ(ShellWord("ключ"), "'ключ'");
}

}  // namespace
}  // namespace assay
