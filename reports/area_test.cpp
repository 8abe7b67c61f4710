#include "reports/area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::Contains;

TEST(AreaTest, BothErasShareTheirAreas) {
  EXPECT_EQ(AreaOf("M-TOOLS-LIST-SHAPE"), "tools");
  EXPECT_EQ(AreaOf("L-TOOLS-name-unique"), "tools");
  EXPECT_EQ(AreaOf("M-PROMPTS-LIST"), AreaOf("L-PROMPT-list"));
}

TEST(AreaTest, TheWholeExtensionIsOneAreaAndSoIsTheContract) {
  EXPECT_EQ(AreaOf("T-GET-SHAPE"), "tasks");
  EXPECT_EQ(AreaOf("L-TASK-get"), "tasks");
  EXPECT_EQ(AreaOf("C-LIST-EXECUTION"), "contract");
}

TEST(AreaTest, AnUnknownIdIsNotGuessedAt) {
  for (const char* id : {"", "M", "M-", "X-TOOLS-A", "TOOLS", "M-NEW-THING"}) {
    EXPECT_EQ(AreaOf(id), "other") << id;
  }
}

TEST(AreaTest, EveryAreaIsListedOnce) {
  EXPECT_THAT(Areas(), AllOf(Contains("tools").Times(1), Contains("http").Times(1),
                             Contains("tasks").Times(1), Contains("contract").Times(1)));
  EXPECT_EQ(Areas().back(), "other");
}

}  // namespace
}  // namespace assay
