#include "runner/kept_transcript.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace assay {
namespace {

Entry Line(Entry::Direction direction, std::string bytes) {
  Entry entry;
  entry.at = std::chrono::microseconds(5);
  entry.connection = "main";
  entry.direction = direction;
  entry.bytes = std::move(bytes);
  entry.step = "steps/1";
  return entry;
}

TEST(KeepTranscript, KeepsAllOfAnOrdinaryOne) {
  Transcript transcript;
  transcript.entries = {Line(Entry::Direction::kOut, "a"), Line(Entry::Direction::kIn, "b"),
                        Line(Entry::Direction::kError, "c"), Line(Entry::Direction::kEvent, "d")};
  const auto kept = KeepTranscript(transcript);
  ASSERT_EQ(kept.size(), 4U);
  const char* const directions[] = {"out", "in", "err", "event"};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].direction, directions[i]);
    EXPECT_EQ(kept[i].bytes, transcript.entries[i].bytes);
    EXPECT_EQ(kept[i].connection, "main");
    EXPECT_EQ(kept[i].step, "steps/1");
    EXPECT_EQ(kept[i].at.count(), 5);
  }
}

TEST(KeepTranscript, NamesTokensInsteadOfShowingThem) {
  const auto told = [](const std::string& authorization) {
    Entry entry = Line(Entry::Direction::kOut, "");
    HttpRequest request;
    request.fields = {{"authorization", authorization}, {"X-Other", "Bearer abc"}};
    entry.request = std::make_shared<const HttpRequest>(request);
    Transcript transcript;
    transcript.entries = {entry};
    return KeepTranscript(transcript, {{"other", "abc"}, {"narrow", "c"}}).front().bytes;
  };
  EXPECT_EQ(told("Bearer abc"),
            "POST | authorization: Bearer ${token.other} | X-Other: Bearer abc");
  EXPECT_EQ(told("Bearer c"), "POST | authorization: Bearer ${token.narrow} | X-Other: Bearer abc");
  EXPECT_EQ(told("Bearer zabc"), "POST | authorization: Bearer zabc | X-Other: Bearer abc");
}

TEST(KeepTranscript, CutsALongLine) {
  Transcript transcript;
  transcript.entries = {Line(Entry::Direction::kIn, std::string(500'000, 'x'))};
  const auto kept = KeepTranscript(transcript);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_LT(kept[0].bytes.size(), 270'000U);
  EXPECT_TRUE(kept[0].bytes.ends_with("x[237856 bytes left out]"));
}

TEST(KeepTranscript, LeavesTheMiddleOutAndSaysSo) {
  Transcript transcript;
  for (int i = 0; i < 100'000; ++i) {
    transcript.entries.push_back(Line(Entry::Direction::kIn, std::to_string(i)));
  }
  const auto kept = KeepTranscript(transcript);
  EXPECT_LT(kept.size(), 6'000U);
  EXPECT_EQ(kept.front().bytes, "0");
  EXPECT_EQ(kept.back().bytes, "99999");
  std::size_t marks = 0;
  for (const TranscriptLine& line : kept) {
    if (line.direction != "event") continue;
    ++marks;
    EXPECT_EQ(line.bytes, std::to_string(100'000 - (kept.size() - 1)) + " lines left out");
  }
  EXPECT_EQ(marks, 1U);
}

}  // namespace
}  // namespace assay
