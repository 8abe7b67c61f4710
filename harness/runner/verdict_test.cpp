#include "runner/verdict.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

Requirement RequirementOf(const std::string& id, Level level, Basis basis) {
  Requirement requirement;
  requirement.id = id;
  requirement.level = level;
  requirement.basis = basis;
  requirement.since = "2025-06-18";
  requirement.until = "2025-11-25";
  requirement.link = "https://example.org/" + id;
  requirement.text = "It does " + id + ".";
  return requirement;
}

Finding FindingOf(const std::string& message, const std::string& step = "",
                  std::optional<Json> actual = std::nullopt) {
  Finding finding;
  finding.requirement = "R";
  finding.message = message;
  finding.step = step;
  finding.actual = std::move(actual);
  return finding;
}

struct WeighTest : testing::Test {
  // What a finding of a requirement with this level and basis counts as.
  std::optional<Verdict> Weigh(Level level, Basis basis, bool at_most_warn = false) {
    Catalogue catalogue;
    catalogue.Add(RequirementOf("R", level, basis));
    Finding finding = FindingOf("m");
    finding.at_most_warn = at_most_warn;
    const auto weighed = WeighFindings({finding}, test_case, "2025-11-25", false, catalogue);
    if (weighed.empty()) return std::nullopt;
    return weighed.front().counts_as;
  }

  Case test_case;
};

TEST_F(WeighTest, AMustOnFirmGroundFails) {
  for (const Basis basis : {Basis::kKeyword, Basis::kSchema, Basis::kJsonRpc, Basis::kHttp}) {
    EXPECT_EQ(Weigh(Level::kMust, basis), Verdict::kFail);
    EXPECT_EQ(Weigh(Level::kMustNot, basis), Verdict::kFail);
    EXPECT_EQ(Weigh(Level::kMust, basis, true), Verdict::kWarn);
  }
}

TEST_F(WeighTest, WhatIsInForceInTheOtherEraCountsThere) {
  Catalogue catalogue;
  Requirement modern = RequirementOf("R", Level::kMust, Basis::kKeyword);
  modern.since = "2026-07-28";
  modern.until = "";
  catalogue.Add(modern);
  Requirement newer = RequirementOf("S", Level::kMust, Basis::kKeyword);
  catalogue.Add(newer);
  Finding of_newer = FindingOf("n");
  of_newer.requirement = "S";
  const auto weighed =
      WeighFindings({FindingOf("m"), of_newer}, test_case, "2025-03-26", false, catalogue);
  ASSERT_EQ(weighed.size(), 1U);  // S is not in force yet
  EXPECT_EQ(weighed[0].requirement, "R");
}

TEST_F(WeighTest, AMustOnSoftGroundWarns) {
  for (const Basis basis : {Basis::kProse, Basis::kExample, Basis::kDerived}) {
    EXPECT_EQ(Weigh(Level::kMust, basis), Verdict::kWarn);
  }
}

TEST_F(WeighTest, TheOtherLevels) {
  EXPECT_EQ(Weigh(Level::kShould, Basis::kKeyword), Verdict::kWarn);
  EXPECT_EQ(Weigh(Level::kShouldNot, Basis::kKeyword), Verdict::kWarn);
  EXPECT_EQ(Weigh(Level::kContract, Basis::kNone), Verdict::kDiffers);
  EXPECT_EQ(Weigh(Level::kContract, Basis::kNone, true), Verdict::kDiffers);
  EXPECT_EQ(Weigh(Level::kMay, Basis::kKeyword), std::nullopt);
}

TEST_F(WeighTest, ACaseLowersTheLevelOfWhatItProves) {
  test_case.level = Level::kShould;
  EXPECT_EQ(Weigh(Level::kMust, Basis::kKeyword), Verdict::kFail);  // the oracle's, not its own
  test_case.requires_ids = {"R"};
  EXPECT_EQ(Weigh(Level::kMust, Basis::kKeyword), Verdict::kWarn);
  EXPECT_EQ(Weigh(Level::kContract, Basis::kNone), Verdict::kDiffers);
  test_case.level = Level::kMay;
  EXPECT_EQ(Weigh(Level::kMust, Basis::kKeyword), std::nullopt);
}

TEST(WeighFindings, OnlyWhatIsInForceCounts) {
  Catalogue catalogue;
  catalogue.Add(RequirementOf("R", Level::kMust, Basis::kKeyword));
  const std::vector<Finding> findings = {FindingOf("m")};
  EXPECT_EQ(WeighFindings(findings, {}, "2024-11-05", false, catalogue).size(), 0U);
  EXPECT_EQ(WeighFindings(findings, {}, "2026-07-28", false, catalogue).size(),
            1U);  // the other era, to which a case may cross
  EXPECT_EQ(WeighFindings(findings, {}, "2025-06-18", false, catalogue).size(), 1U);
  EXPECT_EQ(WeighFindings(findings, {}, "", false, catalogue).size(), 1U);
}

TEST(WeighFindings, OnlyWhatHoldsOverTheTransportCounts) {
  Catalogue catalogue;
  Requirement requirement = RequirementOf("R", Level::kMust, Basis::kKeyword);
  requirement.transport = "stdio";
  catalogue.Add(requirement);
  EXPECT_EQ(WeighFindings({FindingOf("m")}, {}, "2025-06-18", false, catalogue).size(), 1U);
  EXPECT_EQ(WeighFindings({FindingOf("m")}, {}, "2025-06-18", true, catalogue).size(), 0U);
}

TEST(WeighFindings, TellsEachOnceWithAllThatIsKnown) {
  Catalogue catalogue;
  catalogue.Add(RequirementOf("R", Level::kMust, Basis::kProse));
  const auto weighed = WeighFindings(
      {FindingOf("m", "steps/1", Json::Integer(1)), FindingOf("m", "steps/2"), FindingOf("n")}, {},
      "2025-11-25", false, catalogue);
  ASSERT_EQ(weighed.size(), 2U);
  EXPECT_EQ(weighed[0].step, "steps/1");
  EXPECT_EQ(weighed[0].level, "must");
  EXPECT_EQ(weighed[0].basis, "prose");
  EXPECT_EQ(weighed[0].text, "It does R.");
  EXPECT_EQ(weighed[0].link, "https://example.org/R");
  EXPECT_EQ(weighed[0].actual->Dump(), "1");
  EXPECT_EQ(weighed[1].message, "n");
}

TEST(WeighFindings, TwoFindingsOfOneStepAreOneDefect) {
  Catalogue catalogue;
  catalogue.Add(RequirementOf("R", Level::kMust, Basis::kKeyword));
  catalogue.Add(RequirementOf("S", Level::kMust, Basis::kKeyword));
  const auto weigh = [&](const std::vector<Finding>& findings) {
    return WeighFindings(findings, {}, "2025-11-25", false, catalogue);
  };
  const auto finding = [](const char* requirement, const char* message, const char* step) {
    Finding made;
    made.requirement = requirement;
    made.message = message;
    made.step = step;
    return made;
  };
  const Finding oracles = finding("R", "never answered", "steps/1");
  Finding expected = finding("R", "got none", "steps/1");
  expected.expected = Json::Integer(1);
  for (const auto& findings : {std::vector{oracles, expected}, std::vector{expected, oracles}}) {
    const auto weighed = weigh(findings);
    ASSERT_EQ(weighed.size(), 1U);
    EXPECT_EQ(weighed[0].message, "got none");
  }
  expected.at_most_warn = true;  // the weightier wins, or the verdict would change
  EXPECT_EQ(weigh({expected, oracles})[0].message, "never answered");
  EXPECT_EQ(weigh({oracles, finding("R", "other", "steps/2"), finding("R", "third", ""),
                   finding("S", "fourth", "steps/1")})
                .size(),
            4U);
}

TEST(WorstVerdict, FailBeforeWarnBeforeDiffers) {
  const auto worst = [](std::initializer_list<Verdict> verdicts) {
    std::vector<ReportedFinding> findings;
    for (const Verdict verdict : verdicts) {
      findings.emplace_back();
      findings.back().counts_as = verdict;
    }
    return WorstVerdict(findings);
  };
  EXPECT_EQ(worst({}), Verdict::kPass);
  EXPECT_EQ(worst({Verdict::kDiffers}), Verdict::kDiffers);
  EXPECT_EQ(worst({Verdict::kDiffers, Verdict::kWarn}), Verdict::kWarn);
  EXPECT_EQ(worst({Verdict::kWarn, Verdict::kFail, Verdict::kDiffers}), Verdict::kFail);
}

}  // namespace
}  // namespace assay
