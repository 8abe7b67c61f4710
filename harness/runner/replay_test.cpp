// When a saved failure is fixed, and when nothing is known.

#include "runner/replay.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

using State = Replayed::State;

ReportedFinding Found(const std::string& requirement, const std::string& level, Verdict counts_as) {
  ReportedFinding finding;
  finding.requirement = requirement;
  finding.level = level;
  finding.counts_as = counts_as;
  finding.message = "it is so";
  return finding;
}

Report OnlyMust() {
  Report report;
  report.required = {"must"};
  return report;
}

TEST(Replay, APassIsFixed) { EXPECT_EQ(JudgeReplay(Result{}, OnlyMust()).state, State::kFixed); }

TEST(Replay, WhatTheCaseIsAboutFailsItThoughItDoesNotCount) {
  Result result;
  result.verdict = Verdict::kWarn;
  result.requires_ids = {"M-A"};
  result.findings = {Found("M-A", "should", Verdict::kWarn)};
  const Replayed replayed = JudgeReplay(result, OnlyMust());
  EXPECT_EQ(replayed.state, State::kFailed);
  EXPECT_EQ(replayed.why, "M-A: it is so");
}

TEST(Replay, AnotherFindingFailsItOnlyWhereItCounts) {
  Result result;
  result.verdict = Verdict::kWarn;
  result.requires_ids = {"M-A"};
  result.findings = {Found("M-B", "should", Verdict::kWarn)};
  EXPECT_EQ(JudgeReplay(result, OnlyMust()).state, State::kFixed);
  result.verdict = Verdict::kFail;
  result.findings = {Found("M-B", "must", Verdict::kFail)};
  EXPECT_EQ(JudgeReplay(result, OnlyMust()).state, State::kFailed);
}

TEST(Replay, WhatDidNotRunIsAnError) {
  Result skipped;
  skipped.verdict = Verdict::kSkip;
  skipped.skip_reason = "not-this-era";
  EXPECT_EQ(JudgeReplay(skipped, OnlyMust()).state, State::kError);
  Result broken;
  broken.verdict = Verdict::kError;
  broken.error = "no connection called b";
  EXPECT_EQ(JudgeReplay(broken, OnlyMust()).why, "no connection called b");
}

}  // namespace
}  // namespace assay
