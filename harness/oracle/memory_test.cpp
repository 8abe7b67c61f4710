// Hand-written series of marks, in MiB.

#include "oracle/memory.h"

#include <gtest/gtest.h>

#include "oracle/oracle.h"

namespace assay::oracle {
namespace {

std::size_t GrowthIn(std::vector<std::size_t> mebibytes) {
  for (std::size_t& mark : mebibytes) mark <<= 20U;
  return SteadyGrowth(mebibytes) >> 20U;
}

TEST(SteadyGrowth, IsWhatComesWithEachMessage) {
  EXPECT_EQ(GrowthIn({20, 30, 40, 50, 60, 70, 80, 90}), 40U);
  EXPECT_EQ(GrowthIn({20, 20, 20, 20, 30, 38, 50, 60}), 40U);
}

TEST(SteadyGrowth, IsMuch) {
  EXPECT_EQ(GrowthIn({20, 28, 36, 44, 52, 60, 68, 76}), 32U);
  EXPECT_EQ(GrowthIn({20, 28, 36, 44, 52, 60, 68, 75}), 0U);
}

TEST(SteadyGrowth, IsNotWhatLevelsOff) {
  EXPECT_EQ(GrowthIn({20, 60, 90, 110, 130, 150, 152, 153}), 0U);
  EXPECT_EQ(GrowthIn({20, 60, 90, 90, 90, 90, 90, 90}), 0U);
}

TEST(SteadyGrowth, IsNotALeap) { EXPECT_EQ(GrowthIn({20, 20, 20, 20, 20, 120, 120, 120}), 0U); }

TEST(SteadyGrowth, IsNotASawtooth) { EXPECT_EQ(GrowthIn({20, 60, 30, 70, 40, 80, 50, 110}), 0U); }

TEST(SteadyGrowth, IsNotShrinking) {
  EXPECT_EQ(GrowthIn({190, 170, 150, 130, 90, 70, 50, 30}), 0U);
}

TEST(SteadyGrowth, IsNotToldByFewMarks) { EXPECT_EQ(GrowthIn({20, 60, 100, 140, 180}), 0U); }

TEST(MemoryRule, TellsHowMuchCameAndAfterWhat) {
  Transcript transcript;
  transcript.era = Era::kModern;
  transcript.revision = "2026-07-28";
  for (std::size_t i = 1; i <= kMemoryMarks; ++i) {
    Entry& entry = transcript.entries.emplace_back();
    entry.connection = "main";
    entry.direction = Entry::Direction::kEvent;
    entry.event = Entry::Event::kMemory;
    entry.memory = (i * 10) << 20U;
  }
  const std::vector<Finding> findings = JudgeTranscript(transcript, Shapes());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].requirement, "C-MEMORY-SETTLES");
  EXPECT_EQ(findings[0].actual->text(),
            "40 MiB in the second half of the way: 10 MiB, 20 MiB, 30 MiB, 40 MiB, 50 MiB, 60 MiB, "
            "70 MiB, 80 MiB");
  transcript.entries.back().memory = std::size_t{70} << 20U;
  EXPECT_TRUE(JudgeTranscript(transcript, Shapes()).empty());
}

}  // namespace
}  // namespace assay::oracle
