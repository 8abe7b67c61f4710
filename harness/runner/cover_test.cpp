#include "runner/cover.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace assay {
namespace {

struct CoverTest : testing::Test {
  CoverTest() {
    for (const char* id : {"A", "B", "C"}) {
      Requirement requirement;
      requirement.id = id;
      requirement.since = "2024-11-05";
      requirement.until = std::string(id) == "C" ? "2025-06-18" : "";
      catalogue.Add(requirement);
    }
  }

  void Plan(const std::string& id, std::vector<std::string> requires_ids, std::size_t requests,
            const std::string& revision = "2025-11-25") {
    Case& test_case = cases.emplace_back();
    test_case.id = id;
    test_case.era = Era::kLegacy;
    test_case.session = "fresh";
    test_case.requires_ids = std::move(requires_ids);
    test_case.steps.resize(requests);
    plan.push_back({.test_case = &test_case,
                    .era = Era::kLegacy,
                    .revision = revision,
                    .skip_reason = "",
                    .skip_detail = ""});
  }
  std::string Cover() {
    std::string ids;
    for (const PlannedRun& run : EachRequirementOnce(plan, catalogue)) {
      ids += (ids.empty() ? "" : " ") + run.test_case->id;
    }
    return ids;
  }

  Catalogue catalogue;
  std::deque<Case> cases;
  std::vector<PlannedRun> plan;
};

TEST_F(CoverTest, OneOfThoseThatProveTheSameStays) {
  Plan("dear", {"A"}, 5);
  Plan("cheap", {"A"}, 1);
  Plan("same", {"A"}, 1);
  EXPECT_EQ(Cover(), "cheap");
}

TEST_F(CoverTest, OneThatProvesMoreStandsForSeveral) {
  Plan("a", {"A"}, 1);
  Plan("b", {"B"}, 1);
  Plan("both", {"A", "B"}, 1);
  EXPECT_EQ(Cover(), "both");
}

// The first is worth most at first; when the second has come for what is left, it adds nothing.
TEST_F(CoverTest, WhatHasBecomeSuperfluousGoes) {
  Plan("cheap", {"A"}, 1);
  Plan("needed", {"A", "B"}, 9);
  EXPECT_EQ(Cover(), "needed");
}

TEST_F(CoverTest, EveryRevisionIsJudged) {
  Plan("case", {"A"}, 1, "2025-11-25");
  Plan("case", {"A"}, 1, "2025-06-18");
  EXPECT_EQ(Cover(), "case case");
}

TEST_F(CoverTest, OneWithoutARevisionIsNotNeededBesideOneThatHasOne) {
  Plan("at one", {"A"}, 2);
  Plan("at none", {"A"}, 1, "");
  EXPECT_EQ(Cover(), "at one");
}

TEST_F(CoverTest, OneWithoutARevisionProvesWhatNobodyElseDoes) {
  Plan("at one", {"A"}, 2);
  Plan("at none", {"B"}, 1, "");
  EXPECT_EQ(Cover(), "at one at none");
}

TEST_F(CoverTest, WhatIsNotInForceAtARevisionIsNotProvedThere) {
  Plan("late", {"C"}, 1, "2025-11-25");
  Plan("early", {"C"}, 1, "2025-06-18");
  EXPECT_EQ(Cover(), "early");
}

TEST_F(CoverTest, WhatIsSkippedStaysAndProvesNothing) {
  Plan("skipped", {"A"}, 1);
  plan.back().skip_reason = "not-declared";
  Plan("runs", {"A"}, 3);
  EXPECT_EQ(Cover(), "skipped runs");
}

}  // namespace
}  // namespace assay
