// What is kept, and how it is found again.

#include "campaign/corpus.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace assay {
namespace {

namespace fs = std::filesystem;

const Manner kModern = {.era = Era::kModern, .revision = "2026-07-28"};
const Manner kLegacy = {.era = Era::kLegacy, .revision = "2025-11-25"};

Play PlayOf(std::string bytes) { return {{.family = "x", .bytes = std::move(bytes)}}; }

TEST(Corpus, KeepsEachPlayOnceForEachManner) {
  Corpus corpus;
  EXPECT_TRUE(corpus.Add(kModern, PlayOf("a")));
  EXPECT_FALSE(corpus.Add(kModern, PlayOf("a")));
  EXPECT_TRUE(corpus.Add(kLegacy, PlayOf("a")));
  EXPECT_EQ(corpus.size(), 2U);
}

TEST(Corpus, PrefersWhatWasChosenLess) {
  Corpus corpus;
  corpus.Add(kModern, PlayOf("a"));
  corpus.Add(kModern, PlayOf("b"));
  corpus.Add(kLegacy, PlayOf("c"));
  Chance chance(1);
  int a = 0;
  for (int i = 0; i < 100; ++i) {
    const Play* play = corpus.Choose(kModern, chance);
    ASSERT_NE(play, nullptr);
    EXPECT_NE(play->front().bytes, "c");
    a += play->front().bytes == "a" ? 1 : 0;
  }
  EXPECT_EQ(a, 50);
  EXPECT_EQ(corpus.Choose({.era = Era::kNone}, chance), nullptr);
}

TEST(Corpus, IsReadAsItWasWritten) {
  const fs::path folder =
      fs::path(testing::TempDir()) /
      ("corpus" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
       std::to_string(::getpid()));
  const Play play = {
      {.family = "framing", .bytes = std::string("\xFF\0$", 3), .end = "\r\n", .split = {1, 2}},
      {.family = "sequence",
       .bytes = "é ${made1}",
       .http = ParseJson(R"({"headers":{"A":null}})").value,
       .save = {{"made1", "/result"}}}};
  Corpus corpus;
  corpus.Add(kModern, play);
  corpus.WriteTo(folder.string());
  Corpus read;
  read.ReadFrom(folder.string());
  EXPECT_EQ(read.size(), 1U);
  EXPECT_FALSE(read.Add(kModern, play));
  for (const auto& file : fs::directory_iterator(folder)) {
    EXPECT_EQ(file.path().filename().string().size(), 64U);
  }
  fs::remove_all(folder);
}

TEST(Corpus, AFolderThatIsNotThereIsEmpty) {
  Corpus corpus;
  corpus.ReadFrom("/nonexistent/corpus");
  EXPECT_EQ(corpus.size(), 0U);
}

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(Sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace assay
