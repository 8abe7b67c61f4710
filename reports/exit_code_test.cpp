#include "reports/exit_code.h"

#include <gtest/gtest.h>

#include "reports/sample_report.h"

namespace assay {
namespace {

Report ReportOf(std::vector<Result> results, std::vector<std::string> required = {"must"}) {
  Report report;
  report.required = std::move(required);
  report.results = std::move(results);
  report.exit_code = ExitCode(report);
  return report;
}

TEST(ExitCode, CountsOnlyWhatIsRequired) {
  const Result fail = SampleResult("a", Verdict::kFail, "M");
  const Result warn = SampleResult("b", Verdict::kWarn, "S");
  const Result differs = SampleResult("c", Verdict::kDiffers, "C");
  EXPECT_EQ(ReportOf({}).exit_code, 0);
  EXPECT_EQ(ReportOf({warn, differs}).exit_code, 0);
  EXPECT_EQ(ReportOf({fail}).exit_code, 1);
  EXPECT_EQ(ReportOf({warn}, {"must", "should"}).exit_code, 1);
  EXPECT_EQ(ReportOf({differs}, {"must", "should"}).exit_code, 0);
  EXPECT_EQ(ReportOf({differs}, {"must", "should", "contract"}).exit_code, 1);
}

TEST(ExitCode, CountsAWarningBesideAFailure) {
  Result both = SampleResult("a", Verdict::kFail, "M");
  both.findings.push_back(SampleResult("a", Verdict::kWarn, "S").findings[0]);
  EXPECT_EQ(CountFindings(ReportOf({both})), 1);
  EXPECT_EQ(CountFindings(ReportOf({both}, {"must", "should"})), 2);
}

TEST(ExitCode, LeavesOutWhatTheBaselineKnows) {
  Result known = SampleResult("a", Verdict::kFail, "M");
  known.findings[0].baselined = true;
  EXPECT_EQ(ReportOf({known}).exit_code, 0);
  known.findings.push_back(SampleResult("a", Verdict::kFail, "M2").findings[0]);
  EXPECT_EQ(ReportOf({known}).exit_code, 1);
}

TEST(ExitCode, AVerdictWithoutFindingsStillCounts) {
  Result warn = SampleResult("a", Verdict::kWarn, "S");
  warn.findings.clear();
  warn.repeat_differs = true;
  EXPECT_EQ(ReportOf({warn}).exit_code, 0);
  EXPECT_EQ(ReportOf({warn}, {"should"}).exit_code, 1);
}

TEST(ExitCode, AFindingOfMayNeverCounts) {
  Result result = SampleResult("a", Verdict::kPass, "Y");
  EXPECT_EQ(ReportOf({result}, {"must", "should", "contract"}).exit_code, 0);
}

TEST(ExitCode, OneWinsOverThree) {
  const Result error = SampleResult("e", Verdict::kError, "M");
  EXPECT_EQ(ReportOf({error}).exit_code, 3);
  EXPECT_EQ(ReportOf({error, SampleResult("a", Verdict::kFail, "M")}).exit_code, 1);
  Report stale = ReportOf({error});
  stale.stale.push_back({"a", "M", "b.yaml:1:1"});
  EXPECT_EQ(ExitCode(stale), 1);
}

TEST(ExitMeaning, SaysWhy) {
  EXPECT_EQ(ExitMeaning(ReportOf({})), "exit 0: meets what is required (must)");
  Report report =
      ReportOf({SampleResult("a", Verdict::kFail, "M"), SampleResult("b", Verdict::kWarn, "S")},
               {"must", "should"});
  EXPECT_EQ(ExitMeaning(report), "exit 1: 2 findings at a required level (must, should)");
  report.stale.push_back({"a", "M", "b.yaml:1:1"});
  EXPECT_EQ(ExitMeaning(report),
            "exit 1: 2 findings at a required level (must, should), 1 stale baseline entry");
  report.results = {SampleResult("e", Verdict::kError, "M")};
  report.exit_code = 3;
  EXPECT_EQ(ExitMeaning(report), "exit 3: not everything could be judged");
  report.results.clear();
  EXPECT_EQ(ExitMeaning(report), "exit 3: the server could not be tested");
  report.exit_code = 130;
  EXPECT_EQ(ExitMeaning(report), "exit 130: interrupted; this is what ran until then");
}

}  // namespace
}  // namespace assay
