#include "case/glob.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(MatchesGlob, StarCrossesSlashes) {
  EXPECT_TRUE(MatchesGlob("*", "modern/tools/list@x"));
  EXPECT_TRUE(MatchesGlob("modern/*", "modern/tools/list"));
  EXPECT_TRUE(MatchesGlob("*/list", "modern/tools/list"));
  EXPECT_TRUE(MatchesGlob("*tools*", "modern/tools/list"));
  EXPECT_FALSE(MatchesGlob("modern", "modern/tools/list"));
  EXPECT_FALSE(MatchesGlob("legacy/*", "modern/tools/list"));
}

TEST(MatchesGlob, OtherCharactersStandForThemselves) {
  EXPECT_TRUE(MatchesGlob("a?c", "abc"));
  EXPECT_FALSE(MatchesGlob("a?c", "ac"));
  EXPECT_TRUE(MatchesGlob("a@b.c", "a@b.c"));
  EXPECT_FALSE(MatchesGlob("a.c", "abc"));
  EXPECT_TRUE(MatchesGlob("[ab]c", "ac"));
  EXPECT_TRUE(MatchesGlob("a\\*", "a\\bc"));  // a backslash is one
}

}  // namespace
}  // namespace assay
