// How a case comes to be about what the oracle judges.

#include "case/attribution.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

Step Request(bool may_go_unanswered) {
  Step step;
  step.message = Json::Object({{"method", Json::String("ping")}});
  if (!may_go_unanswered) return step;
  step.expect.emplace();
  step.expect->set_up = true;
  step.expect->any_of.emplace_back().nothing = true;
  return step;
}

TEST(Attribution, TheAnswerItWasFoundInIsJudgedOnceMore) {
  Case test_case;
  test_case.steps = {Request(false), Request(false), Request(false)};
  Attribute(test_case, "M-A", "steps/1");
  EXPECT_EQ(test_case.requires_ids, std::vector<std::string>{"M-A"});
  ASSERT_EQ(test_case.steps.size(), 4U);
  EXPECT_EQ(test_case.steps[2].verb, Step::Verb::kExpect);
  EXPECT_EQ(RequirementsOf(test_case.steps), std::vector<std::string>{"M-A"});
}

TEST(Attribution, ARequestThatMayGoUnansweredIsNoGoodForIt) {
  Case test_case;
  Step parallel;
  parallel.verb = Step::Verb::kParallel;
  parallel.branches = {{Request(true)}, {Request(false)}};
  test_case.steps = {parallel};
  Attribute(test_case, "M-A", "steps/0/parallel/0/0");
  EXPECT_EQ(test_case.steps[0].branches[0].size(), 1U);
  ASSERT_EQ(test_case.steps[0].branches[1].size(), 2U);
  EXPECT_EQ(test_case.steps[0].branches[1][1].verb, Step::Verb::kExpect);
}

TEST(Attribution, WhatACaseIsAboutAlreadyChangesNothing) {
  Case test_case;
  test_case.requires_ids = {"M-A"};
  test_case.steps = {Request(false)};
  Attribute(test_case, "M-A", "steps/0");
  EXPECT_EQ(test_case.steps.size(), 1U);
}

}  // namespace
}  // namespace assay
