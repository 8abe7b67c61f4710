#include "runner/tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace assay {
namespace {

Result ResultOf(const std::string& id, Verdict verdict, const std::string& requirement = "",
                const std::string& message = "it is wrong") {
  Result result;
  result.case_id = id;
  result.verdict = verdict;
  if (!requirement.empty()) {
    result.requires_ids = {requirement};
    if (verdict != Verdict::kPass && verdict != Verdict::kSkip) {
      ReportedFinding finding;
      finding.requirement = requirement;
      finding.message = message;
      result.findings.push_back(finding);
    }
  }
  return result;
}

TEST(CountVerdicts, CountsEachAlsoWhereThereIsNone) {
  Report report;
  report.results = {ResultOf("a", Verdict::kPass), ResultOf("b", Verdict::kPass),
                    ResultOf("c", Verdict::kWarn)};
  CountVerdicts(report);
  EXPECT_EQ(report.counts.size(), 6U);
  EXPECT_EQ(report.counts[Verdict::kPass], 2);
  EXPECT_EQ(report.counts[Verdict::kWarn], 1);
  EXPECT_EQ(report.counts[Verdict::kError], 0);
}

TEST(FindCauses, GathersTheSameWordsInThreeCasesOrMore) {
  Report report;
  report.results = {
      ResultOf("a", Verdict::kFail, "R"), ResultOf("b", Verdict::kFail, "R"),
      ResultOf("c", Verdict::kFail, "R"), ResultOf("d", Verdict::kFail, "S"),
      ResultOf("e", Verdict::kFail, "S"), ResultOf("f", Verdict::kFail, "R", "other")};
  FindCauses(report);
  ASSERT_EQ(report.causes.size(), 1U);
  EXPECT_EQ(report.causes[0].requirement, "R");
  EXPECT_EQ(report.causes[0].message, "it is wrong");
  EXPECT_EQ(report.causes[0].cases, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(FindCauses, TheGreatestComesFirst) {
  Report report;
  for (const char* id : {"a", "b", "c"})
    report.results.push_back(ResultOf(id, Verdict::kFail, "A"));
  for (const char* id : {"d", "e", "f", "g"}) {
    report.results.push_back(ResultOf(id, Verdict::kFail, "B"));
  }
  FindCauses(report);
  ASSERT_EQ(report.causes.size(), 2U);
  EXPECT_EQ(report.causes[0].cases.size(), 4U);
}

TEST(FindCauses, TheWorstComesBeforeTheGreatest) {
  Report report;
  for (const char* id : {"a", "b", "c", "d"}) {
    report.results.push_back(ResultOf(id, Verdict::kWarn, "R"));
    report.results.back().findings[0].counts_as = Verdict::kWarn;
  }
  for (const char* id : {"e", "f", "g"}) {
    report.results.push_back(ResultOf(id, Verdict::kFail, "R"));
  }
  FindCauses(report);
  ASSERT_EQ(report.causes.size(), 2U);
  EXPECT_EQ(report.causes[0].counts_as, Verdict::kFail);
  EXPECT_EQ(report.causes[0].cases.size(), 3U);
  EXPECT_EQ(report.causes[1].counts_as, Verdict::kWarn);
  EXPECT_EQ(report.causes[1].cases.size(), 4U);
}

struct TellTest : testing::Test {
  TellTest() { facts.legacy.served = true; }

  void Add(const std::string& id, const std::string& since = "2025-11-25",
           Level level = Level::kMust, const std::string& transport = "any") {
    Requirement requirement;
    requirement.transport = transport;
    requirement.id = id;
    requirement.level = level;
    requirement.basis = Basis::kKeyword;
    requirement.since = since;
    requirement.observable = "wire";
    catalogue.Add(requirement);
  }
  RequirementState StateOf(const std::string& id) {
    report.requirements.clear();
    TellRequirements(catalogue, cases, facts, proved, false, report);
    for (const RequirementState& state : report.requirements) {
      if (state.id == id) return state;
    }
    return {};
  }

  Catalogue catalogue;
  std::vector<Case> cases;
  ServerFacts facts;
  std::set<std::string> proved;
  Report report;
};

TEST_F(TellTest, PassedFailedOrNotJudged) {
  for (const char* id : {"P", "F", "N"}) Add(id);
  proved = {"P", "F"};
  report.results = {ResultOf("c", Verdict::kFail, "F")};
  EXPECT_EQ(StateOf("P").state, "passed");
  EXPECT_EQ(StateOf("F").state, "failed");
  EXPECT_EQ(StateOf("N").state, "not-judged");
  EXPECT_EQ(StateOf("N").why, "no case yet");
  EXPECT_EQ(StateOf("P").level, "must");
}

TEST_F(TellTest, ASkippedCaseSaysWhyItsRequirementWasNotJudged) {
  Add("R");
  Case test_case;
  test_case.id = "suite/case@variant";
  test_case.requires_ids = {"R"};
  cases = {test_case};
  report.results = {ResultOf("suite/case@variant", Verdict::kSkip, "R")};
  report.results[0].skip_reason = "needs-role";
  report.results[0].skip_detail = "no tool plays it";
  EXPECT_EQ(StateOf("R").state, "not-judged");
  EXPECT_EQ(StateOf("R").why,
            "no tool has the role it needs (a profile names them): no tool plays it");
  EXPECT_EQ(StateOf("R").cases, std::vector<std::string>{"suite/case"});
}

TEST_F(TellTest, WhatTheOracleWatchesPassesOnlyWhenSomethingRan) {
  ASSERT_FALSE(OracleRules().empty());
  const OracleRule& rule = OracleRules().front();
  const std::string id(rule.requirements.front());
  Add(id);
  EXPECT_EQ(StateOf(id).state, "not-judged");
  report.results = {ResultOf("c", Verdict::kPass)};
  EXPECT_EQ(StateOf(id).state, "passed");
}

TEST_F(TellTest, WhatHoldsOnlyOverTheOtherTransportHasNotPassedUnseen) {
  const std::string id(OracleRules().front().requirements.front());
  Add(id, "2025-11-25", Level::kMust, "http");
  report.results = {ResultOf("c", Verdict::kPass)};
  EXPECT_EQ(StateOf(id).state, "not-judged");
  EXPECT_EQ(StateOf(id).why, "holds only over HTTP");
  proved = {id};
  EXPECT_EQ(StateOf(id).state, "passed");
}

TEST_F(TellTest, WhatARuleCouldNotJudgeHasNotPassed) {
  for (const char* id : {"P", "F"}) Add(id);
  proved = {"P", "F"};
  report.results = {ResultOf("c", Verdict::kPass), ResultOf("d", Verdict::kFail, "F")};
  report.results[0].unjudged = {{"P", "its dialect is unknown"}, {"F", "so is this"}};
  EXPECT_EQ(StateOf("P").state, "not-judged");
  EXPECT_EQ(StateOf("P").why, "its dialect is unknown");
  EXPECT_EQ(StateOf("F").state, "failed");
  report.results[1].unjudged = {{"P", "its dialect is unknown"}, {"P", "so is another"}};
  EXPECT_EQ(StateOf("P").why, "its dialect is unknown, and 1 more like it");
}

TEST_F(TellTest, OnlyTheErasThatTheServerSpeaks) {
  Add("L");
  Add("M", "2026-07-28");
  Add("C", "2025-11-25", Level::kContract);
  StateOf("");
  ASSERT_EQ(report.requirements.size(), 2U);
  EXPECT_EQ(report.requirements[0].id, "L");
  EXPECT_EQ(report.requirements[1].id, "C");
}

TEST(JudgesOf, NamesCasesOnceWithoutVariants) {
  std::vector<Case> cases(3);
  cases[0].id = "s/a@x";
  cases[1].id = "s/a@y";
  cases[2].id = "s/b";
  for (Case& test_case : cases) test_case.requires_ids = {"no oracle's"};
  EXPECT_EQ(JudgesOf(cases).at("no oracle's"), (std::vector<std::string>{"s/a", "s/b"}));
}

TEST(JudgesOf, KnowsTheTransports) {
  std::vector<Case> cases(3);
  cases[0].id = "s/any";
  cases[1].id = "s/http";
  cases[1].transport = "http";
  cases[2].id = "s/process";
  cases[2].steps.resize(1);
  cases[2].steps[0].verb = Step::Verb::kClose;
  for (Case& test_case : cases) test_case.requires_ids = {"no oracle's"};
  EXPECT_EQ(JudgesOf(cases, "stdio").at("no oracle's"),
            (std::vector<std::string>{"s/any", "s/process"}));
  EXPECT_EQ(JudgesOf(cases, "http").at("no oracle's"),
            (std::vector<std::string>{"s/any", "s/http"}));
  EXPECT_TRUE(JudgesOf({}, "stdio").contains("L-STDIO-no-embedded-newline"));
  EXPECT_FALSE(JudgesOf({}, "http").contains("L-STDIO-no-embedded-newline"));
}

TEST(WhyNotJudged, GivesTheReason) {
  Requirement requirement;
  requirement.transport = "any";
  requirement.observable = "wire";
  EXPECT_EQ(WhyNotJudged(requirement, {"s/a"}), "");
  EXPECT_EQ(WhyNotJudged(requirement, {}), "no case yet");
  requirement.observable = "not-observable";
  EXPECT_EQ(WhyNotJudged(requirement, {}), "cannot be seen from outside");
  requirement.level = Level::kMay;
  EXPECT_NE(WhyNotJudged(requirement, {}).find("MAY"), std::string::npos);
  requirement.why_not = "it shows only in ten minutes";
  EXPECT_EQ(WhyNotJudged(requirement, {}), "it shows only in ten minutes");
  EXPECT_EQ(WhyNotJudged(requirement, {"s/a"}), "");
}

}  // namespace
}  // namespace assay
