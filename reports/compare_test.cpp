#include "reports/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Result Good(const std::string& id) {
  Result result = SampleResult(id, Verdict::kPass, "M-X");
  result.findings.clear();
  return result;
}

Result Skipped(const std::string& id) {
  Result result = Good(id);
  result.verdict = Verdict::kSkip;
  result.skip_reason = "not-declared";
  return result;
}

Report With(std::vector<Result> results) {
  Report report;
  report.results = std::move(results);
  return report;
}

std::vector<std::string> IdsOf(const std::vector<Change>& changes) {
  std::vector<std::string> ids;
  for (const Change& change : changes) {
    ids.push_back((change.after != nullptr ? change.after : change.before)->case_id);
  }
  return ids;
}

// Two reports and what changed between them, which points into them.
struct Compared {
  Report before;
  Report after;
  Comparison changes = Compare(before, after);
};

const Result kFailed = SampleResult("a", Verdict::kFail, "M-X");

TEST(CompareTest, WhatFailsNowIsARegressionAndWhatFailedAFix) {
  const Report good = With({Good("a"), Good("b")});
  const Report bad = With({kFailed, Good("b")});
  EXPECT_THAT(IdsOf(Compare(good, bad).regressions), ElementsAre("a"));
  EXPECT_THAT(Compare(good, bad).regressions[0].broken, ElementsAre("M-X"));
  EXPECT_THAT(IdsOf(Compare(bad, good).fixes), ElementsAre("a"));
  EXPECT_TRUE(Compare(bad, good).regressions.empty());
}

TEST(CompareTest, TheSameReportChangesNothing) {
  const Report report = SampleReport();
  const Comparison comparison = Compare(report, report);
  EXPECT_TRUE(comparison.regressions.empty());
  EXPECT_TRUE(comparison.fixes.empty());
  EXPECT_TRUE(comparison.lost.empty());
  EXPECT_TRUE(comparison.gained.empty());
  EXPECT_TRUE(comparison.added.empty());
  EXPECT_TRUE(comparison.gone.empty());
}

TEST(CompareTest, AnotherBrokenRequirementInAFailedCaseIsARegression) {
  Result both = kFailed;
  both.findings.push_back(SampleResult("a", Verdict::kWarn, "M-Y").findings[0]);
  const Compared compared{With({kFailed}), With({both})};
  const Comparison& comparison = compared.changes;
  ASSERT_EQ(comparison.regressions.size(), 1U);
  EXPECT_THAT(comparison.regressions[0].broken, ElementsAre("M-Y"));
}

TEST(CompareTest, AWarningThatBecameAFailureIsARegression) {
  const Result warned = SampleResult("a", Verdict::kWarn, "M-X");
  EXPECT_EQ((Compared{With({warned}), With({kFailed})}.changes.regressions.size()), 1U);
  EXPECT_EQ((Compared{With({kFailed}), With({warned})}.changes.fixes.size()), 1U);
}

TEST(CompareTest, WhatTheBaselineKnowsIsNone) {
  Result known = kFailed;
  known.findings[0].baselined = true;
  EXPECT_TRUE((Compared{With({Good("a")}), With({known})}.changes.regressions.empty()));
}

TEST(CompareTest, WhatIsJudgedNoLongerIsNoFix) {
  const Compared compared{With({kFailed}), With({Skipped("a")})};
  const Comparison& comparison = compared.changes;
  EXPECT_TRUE(comparison.fixes.empty());
  EXPECT_THAT(IdsOf(comparison.lost), ElementsAre("a"));
  EXPECT_THAT(IdsOf(Compared{With({Skipped("a")}), With({Good("a")})}.changes.gained),
              ElementsAre("a"));
  EXPECT_THAT(IdsOf(Compared{With({Skipped("a")}), With({kFailed})}.changes.regressions),
              ElementsAre("a"));
}

TEST(CompareTest, RevisionsAreTakenApart) {
  Result other = kFailed;
  other.revision = "2025-11-25";
  const Compared compared{With({kFailed}), With({other})};
  const Comparison& comparison = compared.changes;
  EXPECT_EQ(comparison.added.size(), 1U);
  EXPECT_EQ(comparison.gone.size(), 1U);
  EXPECT_TRUE(comparison.regressions.empty());
}

TEST(CompareTest, EveryFormTellsAndNoneLetsTheServerFormat) {
  Result hostile = kFailed;
  hostile.findings[0].message = "<script>alert(1)</script> **bold** \x1b[31m";
  const Report before = With({Good("a")});
  const Report after = With({hostile});
  const Comparison comparison = Compare(before, after);
  std::ostringstream text;
  PrintComparison(comparison, text);
  EXPECT_THAT(text.str(), HasSubstr("pass → fail  a (2026-07-28 stdio)"));
  EXPECT_THAT(text.str(), HasSubstr("1 regression, 0 fixes"));
  EXPECT_THAT(text.str(), Not(HasSubstr("\x1b")));
  std::ostringstream markdown;
  WriteComparisonMarkdown(comparison, markdown);
  EXPECT_THAT(markdown.str(), HasSubstr("\\<script"));
  EXPECT_THAT(markdown.str(), HasSubstr("\\*\\*bold"));
  std::ostringstream html;
  WriteComparisonHtml(comparison, after, html);
  EXPECT_THAT(html.str(), HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(html.str(), Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace assay
