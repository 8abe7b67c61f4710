#include "runner/baseline.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "reports/exit_code.h"

namespace assay {
namespace {

Result ResultOf(const std::string& id, Verdict verdict, std::vector<std::string> broken = {}) {
  Result result;
  result.case_id = id;
  result.revision = "2025-11-25";
  result.transport = "stdio";
  result.verdict = verdict;
  for (std::string& requirement : broken) {
    ReportedFinding finding;
    finding.requirement = std::move(requirement);
    finding.counts_as = verdict;
    result.findings.push_back(std::move(finding));
  }
  return result;
}

Report ReportOf(std::vector<Result> results) {
  Report report;
  report.required = {"must"};
  report.results = std::move(results);
  return report;
}

// Where and why `text` is refused.
std::string Refusal(const std::string& text) {
  try {
    ParseBaseline("b.yaml", text);
  } catch (const InputError& error) {
    return ToString(error.place()) + ": " + error.what();
  }
  return "";
}

const char kEntry[] = R"(- case: legacy/tools/unknown-tool
  requirement: L-TOOLS-unknown-tool
  reason: SDK answers isError; upstream issue 1234
)";

TEST(ParseBaseline, ReadsEntries) {
  const Baseline baseline = ParseBaseline("b.yaml", std::string("# known\n") + kEntry +
                                                        R"(- case: a@b
  requirement: R
  reason: because
  revision: 2025-11-25
  transport: http
)");
  ASSERT_EQ(baseline.size(), 2U);
  EXPECT_EQ(baseline[0].case_id, "legacy/tools/unknown-tool");
  EXPECT_EQ(baseline[0].requirement, "L-TOOLS-unknown-tool");
  EXPECT_EQ(baseline[0].reason, "SDK answers isError; upstream issue 1234");
  EXPECT_EQ(baseline[0].place.line, 2);
  EXPECT_EQ(baseline[1].revision, "2025-11-25");
  EXPECT_EQ(baseline[1].transport, "http");
}

TEST(ParseBaseline, AnEmptyListIsABaseline) { EXPECT_TRUE(ParseBaseline("b.yaml", "[]").empty()); }

TEST(ParseBaseline, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(Refusal("a: 1\n"), "b.yaml:1:1: expected a list of {case, requirement, reason}");
  EXPECT_EQ(Refusal("- text\n"), "b.yaml:1:3: expected an entry {case, requirement, reason}");
  EXPECT_EQ(Refusal("- {case: a, requirement: R}\n"), "b.yaml:1:3: missing key 'reason'");
  EXPECT_EQ(Refusal("- {case: a, requirement: R, reason: ''}\n"),
            "b.yaml:1:37: expected text for 'reason'");
  EXPECT_EQ(Refusal("- {case: [a], requirement: R, reason: x}\n"),
            "b.yaml:1:10: expected text for 'case'");
  EXPECT_EQ(Refusal("- {case: a, requirement: R, reason: x, because: y}\n"),
            "b.yaml:1:40: unknown key 'because'; expected one of: case, requirement, reason, "
            "revision, transport");
  EXPECT_EQ(Refusal("- {case: a, requirement: R, reason: x, transport: pipe}\n"),
            "b.yaml:1:51: expected stdio or http, got 'pipe'");
  EXPECT_EQ(Refusal(std::string(kEntry) + kEntry), "b.yaml:4:3: the same entry stands on line 1");
}

class ApplyBaselineTest : public testing::Test {
 protected:
  // Applies one entry for `case_id` and requirement R.
  void Apply(const std::string& case_id, const std::vector<std::string>& left_out = {}) {
    const BaselineEntry entry{case_id, "R", "known bug", revision_, "", {"b.yaml", 3, 3}};
    ApplyBaseline({entry}, left_out, report_);
  }

  Report report_;
  std::string revision_;
};

TEST_F(ApplyBaselineTest, KnowsAFindingAndSaysWhy) {
  report_ = ReportOf({ResultOf("a", Verdict::kFail, {"R"})});
  Apply("a");
  EXPECT_TRUE(report_.results[0].findings[0].baselined);
  EXPECT_EQ(report_.results[0].findings[0].baseline_reason, "known bug");
  EXPECT_EQ(report_.results[0].baseline, "expected");
  EXPECT_TRUE(report_.stale.empty());
  EXPECT_EQ(ExitCode(report_), 0);
}

TEST_F(ApplyBaselineTest, MustFailForTheStatedRequirement) {
  report_ = ReportOf({ResultOf("a", Verdict::kFail, {"OTHER"})});
  Apply("a");
  EXPECT_FALSE(report_.results[0].findings[0].baselined);
  EXPECT_EQ(report_.results[0].baseline, "stale");
  ASSERT_EQ(report_.stale.size(), 1U);
  EXPECT_EQ(report_.stale[0].place, "b.yaml:3:3");
  EXPECT_EQ(ExitCode(report_), 1);
}

TEST_F(ApplyBaselineTest, AResultWithAnotherFindingIsNotExpected) {
  report_ = ReportOf({ResultOf("a", Verdict::kFail, {"R", "NEW"})});
  Apply("a");
  EXPECT_TRUE(report_.results[0].findings[0].baselined);
  EXPECT_EQ(report_.results[0].baseline, "");
  EXPECT_EQ(ExitCode(report_), 1);
}

TEST_F(ApplyBaselineTest, AnEntryWithoutAVariantCoversAll) {
  report_ = ReportOf({ResultOf("a@x", Verdict::kFail, {"R"}), ResultOf("a@y", Verdict::kPass),
                      ResultOf("ab", Verdict::kFail, {"R"})});
  Apply("a");
  EXPECT_EQ(report_.results[0].baseline, "expected");
  EXPECT_EQ(report_.results[1].baseline, "");
  EXPECT_FALSE(report_.results[2].findings[0].baselined);
  EXPECT_TRUE(report_.stale.empty());
}

TEST_F(ApplyBaselineTest, AnEntryWithAVariantCoversOnlyThat) {
  report_ =
      ReportOf({ResultOf("a@x", Verdict::kFail, {"R"}), ResultOf("a@y", Verdict::kFail, {"R"})});
  Apply("a@x");
  EXPECT_TRUE(report_.results[0].findings[0].baselined);
  EXPECT_FALSE(report_.results[1].findings[0].baselined);
}

TEST_F(ApplyBaselineTest, AnEntryWithARevisionCoversOnlyThat) {
  revision_ = "2025-06-18";
  report_ = ReportOf({ResultOf("a", Verdict::kFail, {"R"})});
  Apply("a");
  EXPECT_FALSE(report_.results[0].findings[0].baselined);
  EXPECT_TRUE(report_.stale.empty());  // its case did not run there
}

TEST_F(ApplyBaselineTest, IsStaleOnlyIfItsCaseRan) {
  report_ = ReportOf({ResultOf("b", Verdict::kPass)});
  Apply("a");
  EXPECT_TRUE(report_.stale.empty());
  report_ = ReportOf({ResultOf("a", Verdict::kSkip)});
  Apply("a");
  EXPECT_TRUE(report_.stale.empty());
  report_ = ReportOf({ResultOf("a", Verdict::kPass)});
  Apply("a");
  EXPECT_EQ(report_.stale.size(), 1U);
}

TEST_F(ApplyBaselineTest, IsNotStaleWhileAVariantIsUndecided) {
  report_ = ReportOf({ResultOf("a@x", Verdict::kPass), ResultOf("a@y", Verdict::kError)});
  Apply("a");
  EXPECT_TRUE(report_.stale.empty());
  Result unprepared = ResultOf("a@y", Verdict::kSkip);
  unprepared.skip_reason = "precondition";
  report_ = ReportOf({ResultOf("a@x", Verdict::kPass), unprepared});
  Apply("a");
  EXPECT_TRUE(report_.stale.empty());
  unprepared.skip_reason = "not-declared";
  report_ = ReportOf({ResultOf("a@x", Verdict::kPass), unprepared});
  Apply("a");
  EXPECT_EQ(report_.stale.size(), 1U);
}

TEST_F(ApplyBaselineTest, IsNotStaleWhileAVariantWasLeftOut) {
  report_ = ReportOf({ResultOf("a@x", Verdict::kPass)});
  Apply("a", {"a@y"});
  EXPECT_TRUE(report_.stale.empty());
  Apply("a", {"b@y"});
  EXPECT_EQ(report_.stale.size(), 1U);
}

TEST_F(ApplyBaselineTest, AGlobCoversEveryCaseThatMatches) {
  report_ = ReportOf({ResultOf("modern/a/x", Verdict::kFail, {"R"}),
                      ResultOf("modern/b/x@y", Verdict::kFail, {"R", "OTHER"}),
                      ResultOf("legacy/a/x", Verdict::kFail, {"R"}),
                      ResultOf("modern/c", Verdict::kPass)});
  Apply("modern/*/x");
  EXPECT_EQ(report_.results[0].baseline, "expected");
  EXPECT_EQ(report_.results[0].findings[0].baseline_reason, "known bug");
  EXPECT_TRUE(report_.results[1].findings[0].baselined);
  EXPECT_FALSE(report_.results[1].findings[1].baselined);
  EXPECT_FALSE(report_.results[2].findings[0].baselined);
  EXPECT_TRUE(report_.stale.empty());
}

TEST_F(ApplyBaselineTest, AGlobIsStaleWhenNothingThatRanFailed) {
  Result unprepared = ResultOf("b", Verdict::kSkip);
  unprepared.skip_reason = "precondition";
  report_ = ReportOf({ResultOf("a", Verdict::kFail, {"R"}), ResultOf("b", Verdict::kPass)});
  Apply("*");
  EXPECT_TRUE(report_.stale.empty());
  report_ = ReportOf({ResultOf("a", Verdict::kPass), unprepared});
  Apply("*");
  ASSERT_EQ(report_.stale.size(), 1U);
  EXPECT_EQ(report_.stale[0].case_id, "*");
  EXPECT_EQ(report_.results[0].baseline, "");  // no single result is to blame
  report_ = ReportOf({unprepared});
  Apply("*");
  EXPECT_TRUE(report_.stale.empty());
  report_ = ReportOf({ResultOf("a", Verdict::kPass)});
  Apply("*", {"b"});
  EXPECT_TRUE(report_.stale.empty());
  Apply("c*", {"b"});
  EXPECT_TRUE(report_.stale.empty());
}

TEST(ApplyBaseline, TheReasonOfAnExactEntryIsToldBeforeThatOfAGlob) {
  Report report = ReportOf({ResultOf("a", Verdict::kFail, {"R"})});
  ApplyBaseline({{"*", "R", "all over", "", "", {}}, {"a", "R", "just here", "", "", {}}}, {},
                report);
  EXPECT_EQ(report.results[0].findings[0].baseline_reason, "just here");
  EXPECT_TRUE(report.stale.empty());
}

TEST(UpdatedBaseline, KeepsGlobsAndAddsNothingTheyCover) {
  const Baseline baseline = ParseBaseline("b.yaml", R"(
- { case: "modern/*", requirement: R, reason: no cache hints }
- { case: "*", requirement: FIXED, reason: was broken }
)");
  Report report = ReportOf({ResultOf("modern/a", Verdict::kFail, {"R"}),
                            ResultOf("modern/b", Verdict::kFail, {"R"}),
                            ResultOf("legacy/c", Verdict::kFail, {"R"})});
  ApplyBaseline(baseline, {}, report);
  ASSERT_EQ(report.stale.size(), 1U);
  const Baseline updated = ParseBaseline("b.yaml", UpdatedBaseline(baseline, report));
  ASSERT_EQ(updated.size(), 2U);
  EXPECT_EQ(updated[0].case_id, "legacy/c");
  EXPECT_EQ(updated[1].case_id, "modern/*");
  EXPECT_EQ(updated[1].reason, "no cache hints");
}

TEST(UpdatedBaseline, KeepsReasonsDropsWhatIsStaleAddsWhatCounts) {
  const Baseline baseline = ParseBaseline("b.yaml", R"(
- { case: z, requirement: GONE, reason: never runs here }
- { case: fixed, requirement: R, reason: was broken }
- { case: known, requirement: R, reason: "issue #7: later" }
)");
  Report report = ReportOf({
      ResultOf("new", Verdict::kFail, {"R", "Q"}),
      ResultOf("known", Verdict::kFail, {"R"}),
      ResultOf("fixed", Verdict::kPass),
      ResultOf("warned", Verdict::kWarn, {"S"}),
  });
  ApplyBaseline(baseline, {}, report);
  EXPECT_EQ(
      UpdatedBaseline(baseline, report),
      R"(# Known findings. Each must fail for the requirement it names; one whose case ran and did not
# fail is stale, and fails the run.
- case: known
  requirement: R
  reason: "issue #7: later"
- case: new
  requirement: Q
  reason: "TODO: say why"
- case: new
  requirement: R
  reason: "TODO: say why"
- case: z
  requirement: GONE
  reason: never runs here
)");
}

TEST(UpdatedBaseline, NamesTheRevisionWhereTheCasePassesElsewhere) {
  Report report = ReportOf({ResultOf("a", Verdict::kFail, {"R"}), ResultOf("a", Verdict::kPass)});
  report.results[0].revision = "2025-06-18";
  const std::string text = UpdatedBaseline({}, report);
  const Baseline updated = ParseBaseline("b.yaml", text);
  ASSERT_EQ(updated.size(), 1U) << text;
  EXPECT_EQ(updated[0].revision, "2025-06-18");
  EXPECT_EQ(updated[0].transport, "stdio");
}

TEST(UpdatedBaseline, KnowsEverythingThatCounts) {
  Report report =
      ReportOf({ResultOf("a@it's: #1", Verdict::kFail, {"R"}),
                ResultOf("true", Verdict::kFail, {"R"}), ResultOf("- x", Verdict::kFail, {"R"})});
  const Baseline updated = ParseBaseline("b.yaml", UpdatedBaseline({}, report));
  ApplyBaseline(updated, {}, report);
  EXPECT_EQ(ExitCode(report), 0);
}

TEST(UpdatedBaseline, OfACleanRunIsEmpty) {
  const std::string text = UpdatedBaseline({}, ReportOf({ResultOf("a", Verdict::kPass)}));
  EXPECT_TRUE(ParseBaseline("b.yaml", text).empty());
}

}  // namespace
}  // namespace assay
