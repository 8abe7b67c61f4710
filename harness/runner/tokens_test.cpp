#include "runner/tokens.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Tokens, AreSpelledLikeTheirNamesAndTheFirstIsTheRunsOwn) {
  const std::map<std::string, std::string> tokens = TokensByName();
  EXPECT_EQ(OwnToken(), "assay");
  EXPECT_TRUE(tokens.contains(OwnToken()));
  EXPECT_EQ(2 * tokens.size(), AskForTokens().size());
  for (const auto& [name, token] : tokens) EXPECT_EQ(name, token);
}

}  // namespace
}  // namespace assay
