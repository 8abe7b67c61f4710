// Every seeded fault of the reference server is found, by a finding on the requirement that it
// breaks; and without a fault there is nothing to find.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "runner/kill_matrix.h"
#include "selftest/reference_run.h"

namespace assay {
namespace {

bool Names(const Report& report, const std::string& requirement) {
  return std::any_of(report.results.begin(), report.results.end(), [&](const Result& result) {
    return std::any_of(
        result.findings.begin(), result.findings.end(),
        [&](const ReportedFinding& finding) { return finding.requirement == requirement; });
  });
}

// The cases that name `requirement`; most faults are caught by one of them.
std::vector<std::string> CasesFor(const std::string& requirement) {
  std::vector<std::string> ids;
  for (const Case& test_case : BuiltinLibrary().cases) {
    const auto& required = test_case.requires_ids;
    if (std::find(required.begin(), required.end(), requirement) != required.end()) {
      ids.push_back(test_case.id);
    }
  }
  return ids;
}

TEST(Faults, NoneMeansNoFindings) {
  const Report report = RunReference({}, {});
  EXPECT_GT(report.counts.at(Verdict::kPass), 150);
  for (const Result& result : report.results) {
    EXPECT_TRUE(result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip)
        << result.case_id << " at " << result.revision << ": " << ToString(result.verdict) << " "
        << (result.findings.empty() ? result.error : result.findings.front().message);
  }
}

TEST(Faults, NoneMeansNoFindingsOverHttp) {
  const Report report = RunReference({}, {}, {"all"}, Over::kHttp);
  EXPECT_GT(report.counts.at(Verdict::kPass), 500);
  for (const Result& result : report.results) {
    EXPECT_TRUE(result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip)
        << result.case_id << " at " << result.revision << ": " << ToString(result.verdict) << " "
        << (result.findings.empty() ? result.error : result.findings.front().message);
  }
}

// Only the stream is late, and no sentence says when its head must come.
TEST(Faults, AStreamWhoseHeadIsKeptBackFailsNothing) {
  const Report report =
      RunReference({"http/legacy-exchange/get-is-a-stream-or-not-allowed*", "legacy/ids/*"},
                   {"--fault", "http-get-silent"}, {"2025-11-25"}, Over::kHttp);
  EXPECT_GT(report.results.size(), 10U);
  EXPECT_EQ(report.counts.at(Verdict::kFail), 0);
  EXPECT_GT(report.counts.at(Verdict::kWarn), 0);
}

TEST(Faults, NoneMeansNoFindingsWithTokens) {
  const Report report = RunReference({"http/*"}, AskForTokens(), {"all"}, Over::kHttp);
  std::set<std::string> passed;
  for (const Result& result : report.results) {
    EXPECT_TRUE(result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip)
        << result.case_id << " at " << result.revision << ": " << ToString(result.verdict) << " "
        << (result.findings.empty() ? result.error : result.findings.front().message);
    if (result.verdict == Verdict::kPass) passed.insert(result.case_id);
  }
  for (const Case& test_case : BuiltinLibrary().cases) {
    if (test_case.when.tokens.empty()) continue;
    EXPECT_TRUE(passed.contains(test_case.id)) << test_case.id << " was skipped";
  }
}

class FaultPart : public testing::TestWithParam<std::size_t> {};

TEST_P(FaultPart, EachIsCaughtForTheRequirementItBreaks) {
  const auto faults = ListFaults();
  EXPECT_GE(faults.size(), 40U);
  for (std::size_t i = GetParam(); i < faults.size(); i += kSelfTestParts) {
    const std::vector<std::string>& fault = faults[i];
    ASSERT_EQ(fault.size(), 4U) << fault.front();
    const std::string& name = fault[0];
    // explore_test.cpp, fuzz_test.cpp
    if (name.starts_with("order-") || name.starts_with("value-")) continue;
    const std::string& requirement = fault[1];
    EXPECT_NE(BuiltinLibrary().catalogue.Find(requirement), nullptr)
        << name << " names an unknown requirement " << requirement;
    const bool over_http =
        NeedsHttp({.name = name, .requirement = requirement, .bug = fault[2], .text = fault[3]});
    const Over transport = over_http ? Over::kHttp : Over::kStdio;
    const std::vector<std::string> filters = CasesFor(requirement);
    const auto catches = [&](const std::vector<std::string>& by,
                             const std::vector<std::string>& revisions,
                             std::vector<std::string> arguments = {}) {
      arguments.insert(arguments.end(), {"--fault", name});
      return Names(RunReference(by, arguments, revisions, transport), requirement);
    };
    bool caught = !filters.empty() && catches(filters, {"all"});
    // What is wrong about callers shows when there are several.
    if (!caught && !filters.empty() && transport == Over::kHttp) {
      caught = catches(filters, {"all"}, AskForTokens());
    }
    // Else it is the oracle's to catch, in whatever case shows it.
    if (!caught) caught = catches({}, {});
    EXPECT_TRUE(caught) << name << " breaks " << requirement << ", and nothing says so";
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultPart, testing::Range<std::size_t>(0, kSelfTestParts));

}  // namespace
}  // namespace assay
