#include "runner/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/place.h"
#include "reports/exit_code.h"
#include "runner/tally.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result Named(const std::string& id, Verdict verdict = Verdict::kPass) {
  Result result;
  result.case_id = id;
  result.verdict = verdict;
  result.transport = "stdio";
  result.requires_ids = {"M-X"};
  if (verdict == Verdict::kFail) {
    ReportedFinding finding;
    finding.requirement = "M-X";
    finding.message = "It is wrong.";
    result.findings.push_back(finding);
  }
  return result;
}

PartialReport Shard(int number, int of, std::vector<Result> results, std::string state = "passed",
                    std::string why = "") {
  Report report;
  report.shard = number;
  report.shards = of;
  report.required = {"must"};
  report.target.server_name = "server";
  report.target.eras = {"modern"};
  report.results = std::move(results);
  report.requirements = {{"M-X", "must", "keyword", std::move(state), std::move(why), {}}};
  report.exit_code = ExitCode(report);
  return {"part-" + std::to_string(number) + ".json", std::move(report)};
}

std::vector<std::string> IdsOf(const Report& report) {
  std::vector<std::string> ids;
  for (const Result& result : report.results) ids.push_back(result.case_id);
  return ids;
}

TEST(MergeTest, ShardsTakeTurnsInWhateverOrderTheyAreGiven) {
  const Report whole =
      MergeReports({Shard(2, 3, {Named("b"), Named("e")}), Shard(3, 3, {Named("c")}),
                    Shard(1, 3, {Named("a"), Named("d")})});
  EXPECT_THAT(IdsOf(whole), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_EQ(whole.shards, 1);
  EXPECT_EQ(whole.counts.at(Verdict::kPass), 5);
}

TEST(MergeTest, CausesAreFoundInTheWhole) {
  const Report whole = MergeReports({Shard(1, 3, {Named("a", Verdict::kFail)}, "failed"),
                                     Shard(2, 3, {Named("b", Verdict::kFail)}, "failed"),
                                     Shard(3, 3, {Named("c", Verdict::kFail)}, "failed")});
  ASSERT_EQ(whole.causes.size(), 1U);
  EXPECT_THAT(whole.causes[0].cases, ElementsAre("a", "b", "c"));
  EXPECT_EQ(whole.exit_code, 1);
}

std::string StateOf(const Report& report) {
  return report.requirements.at(0).state + ":" + report.requirements.at(0).why;
}

TEST(MergeTest, ARequirementIsWhatTheWholeSays) {
  const auto joined = [](PartialReport one, PartialReport two) {
    return StateOf(MergeReports({std::move(one), std::move(two)}));
  };
  const std::string did_not_run(kCasesDidNotRun);
  EXPECT_EQ(joined(Shard(1, 2, {}, "not-judged", did_not_run), Shard(2, 2, {Named("b")})),
            "passed:");
  EXPECT_EQ(joined(Shard(1, 2, {Named("a")}, "passed", "watched"), Shard(2, 2, {Named("b")})),
            "passed:");
  EXPECT_EQ(joined(Shard(1, 2, {Named("a")}), Shard(2, 2, {Named("b", Verdict::kFail)}, "failed")),
            "failed:");
  EXPECT_EQ(joined(Shard(1, 2, {}, "not-judged", did_not_run),
                   Shard(2, 2, {}, "not-judged", did_not_run)),
            "not-judged:" + did_not_run);
}

TEST(MergeTest, WhatOneShardLeftOpenHasNotPassed) {
  Result open = Named("a");
  open.unjudged = {{"M-X", "it is too deep"}};
  const Report whole = MergeReports(
      {Shard(1, 2, {open}, "not-judged", "it is too deep"), Shard(2, 2, {Named("b")})});
  EXPECT_EQ(StateOf(whole), "not-judged:it is too deep");
}

TEST(MergeTest, TheFirstReasonToSkipIsTold) {
  Result first = Named("a", Verdict::kSkip);
  first.skip_reason = "not-declared";
  Result second = Named("b", Verdict::kSkip);
  second.skip_reason = "needs-role";
  const Report whole =
      MergeReports({Shard(1, 2, {first}, "not-judged", "the server does not declare it"),
                    Shard(2, 2, {second}, "not-judged",
                          "no tool has the role it needs (a profile names them)")});
  EXPECT_EQ(StateOf(whole), "not-judged:the server does not declare it");
}

TEST(MergeTest, AnEntryIsStaleOnlyWhereNoShardSawItsFinding) {
  PartialReport one = Shard(1, 2, {Named("a/x")});
  one.report.stale = {{"a/*", "M-X", "b.yaml:1:3"}, {"c", "M-Y", "b.yaml:4:3"}};
  PartialReport two = Shard(2, 2, {Named("a/y", Verdict::kFail)}, "failed");
  two.report.stale = {{"c", "M-Y", "b.yaml:4:3"}};
  const Report whole = MergeReports({one, two});
  ASSERT_EQ(whole.stale.size(), 1U);
  EXPECT_EQ(whole.stale[0].case_id, "c");
}

TEST(MergeTest, AnInterruptedShardMakesTheWholeIncomplete) {
  PartialReport one = Shard(1, 2, {Named("a")});
  one.report.partial = true;
  EXPECT_EQ(MergeReports({one, Shard(2, 2, {Named("b")})}).exit_code, 130);
}

std::string ProblemOf(std::vector<PartialReport> parts) {
  try {
    MergeReports(std::move(parts));
  } catch (const InputError& problem) {
    return ToString(problem);
  }
  return "";
}

TEST(MergeTest, RefusesWhatIsNotTheWhole) {
  EXPECT_THAT(ProblemOf({Shard(1, 3, {}), Shard(3, 3, {})}), HasSubstr("shard 2 is missing"));
  EXPECT_THAT(ProblemOf({Shard(1, 2, {})}), HasSubstr("shard 2 is missing"));
  EXPECT_THAT(ProblemOf({Shard(1, 2, {}), Shard(1, 2, {})}), HasSubstr("once more"));
  EXPECT_THAT(ProblemOf({Shard(1, 2, {}), Shard(2, 3, {})}), HasSubstr("shards"));
  EXPECT_THAT(ProblemOf({Shard(1, 1, {Named("a")}), Shard(1, 1, {Named("a")})}),
              HasSubstr("stands in two"));
  PartialReport other = Shard(2, 2, {});
  other.report.target.server_name = "another";
  EXPECT_THAT(ProblemOf({Shard(1, 2, {}), other}), HasSubstr("is about another"));
  EXPECT_THAT(ProblemOf({Shard(1, 2, {}), Shard(2, 2, {})}), IsEmpty());
}

}  // namespace
}  // namespace assay
