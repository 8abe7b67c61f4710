#include "runner/kill_matrix.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace assay {
namespace {

Report ReportWith(const std::string& case_id, const std::string& requirement) {
  Result result;
  result.case_id = case_id;
  result.transport = "stdio";
  if (!requirement.empty()) {
    ReportedFinding finding;
    finding.requirement = requirement;
    finding.message = "wrong";
    result.verdict = Verdict::kFail;
    result.findings.push_back(finding);
  }
  Report report;
  report.results.push_back(result);
  return report;
}

const SeededFault kFault{"late", "R", "BUG-1", "answers late"};

std::string Printed(const KillMatrix& matrix) {
  std::ostringstream out;
  matrix.Print(out);
  return out.str();
}

TEST(ReadFaults, OneALine) {
  const auto faults = ReadFaults("a\tR\tBUG-1\ttext one\nb\tS\t-\ttwo\n");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].text, "text one");
  EXPECT_EQ(faults[1].bug, "-");
}

TEST(KillMatrix, AFindingOnTheRequirementCatches) {
  KillMatrix matrix({"s/a", "s/b"});
  matrix.AddFaulty(kFault, ReportWith("s/a@x", "R"));
  EXPECT_TRUE(matrix.Sound());
  EXPECT_NE(Printed(matrix).find("caught   late  R  by s/a\n"), std::string::npos)
      << Printed(matrix);
  EXPECT_EQ(matrix.ToJson().Find("idle_cases")->Dump(), R"(["s/b"])");
}

TEST(KillMatrix, AFindingOnAnotherRequirementDoesNot) {
  KillMatrix matrix({"s/a"});
  matrix.AddFaulty(kFault, ReportWith("s/a", "S"));
  EXPECT_FALSE(matrix.Sound());
  EXPECT_NE(Printed(matrix).find("MISSED   late  R  found instead: S"), std::string::npos);
  EXPECT_EQ(matrix.ToJson().Find("missed")->Dump(), R"(["late"])");
}

TEST(KillMatrix, ARunThatCouldNotBeJudgedIsNoCatch) {
  KillMatrix matrix({"s/a"});
  matrix.AddFailed(kFault, "no report");
  EXPECT_FALSE(matrix.Sound());
  EXPECT_NE(Printed(matrix).find("no report"), std::string::npos);
}

TEST(KillMatrix, WithoutAFaultNothingMayBeFound) {
  KillMatrix matrix({"s/a"});
  matrix.AddClean(ReportWith("s/a", ""));
  EXPECT_TRUE(matrix.Sound());
  matrix.AddClean(ReportWith("s/a", "R"));
  EXPECT_FALSE(matrix.Sound());
  EXPECT_NE(Printed(matrix).find("UNCLEAN  s/a (stdio)  R: wrong"), std::string::npos);
}

}  // namespace
}  // namespace assay
