#include "reports/sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "message/json.h"
#include "reports/sample_report.h"

namespace assay {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

Json RunOf(const Report& report) {
  std::ostringstream out;
  WriteSarif(report, out);
  const JsonParse parse = ParseJson(out.str());
  EXPECT_EQ(parse.error, "");
  EXPECT_EQ(*parse.value->FindString("version"), "2.1.0");
  return parse.value->Find("runs")->items().at(0);
}

TEST(SarifTest, EachFindingIsAResultOfItsRequirementsRule) {
  const Json run = RunOf(SampleReport());
  const auto& rules = run.Find("tool", "driver", "rules")->items();
  const auto& results = run.Find("results")->items();
  std::set<std::string> ids;
  for (const Json& rule : rules) EXPECT_TRUE(ids.insert(*rule.FindString("id")).second);
  ASSERT_EQ(results.size(), 6U);
  for (const Json& result : results) {
    const auto index = static_cast<std::size_t>(*result.Find("ruleIndex")->AsInteger());
    EXPECT_EQ(rules.at(index).FindString("id"), result.FindString("ruleId"));
  }
  EXPECT_EQ(results[0].FindString("level"), "error");
  EXPECT_EQ(results[2].FindString("level"), "warning");
  EXPECT_EQ(results[4].FindString("level"), "note");
}

TEST(SarifTest, AResultStandsWhereItsCaseStands) {
  const Json run = RunOf(SampleReport());
  const Json& place = run.Find("results")->items()[0].Find("locations")->items().at(0);
  EXPECT_EQ(*place.Find("physicalLocation", "artifactLocation")->FindString("uri"),
            "cases/modern/versioning/unsupported.yaml");
  EXPECT_EQ(place.Find("physicalLocation", "region", "startLine")->AsInteger(), 4);
  EXPECT_EQ(place.Find("physicalLocation", "region", "startColumn")->AsInteger(), 5);
}

TEST(SarifTest, PlacesThatAreNoUrisAreEncoded) {
  Report report = SampleReport();
  report.results[0].place = "my cases/a%b#c.yaml:7:1";
  report.results[1].place = "";
  const Json run = RunOf(report);
  const auto uri = [&](std::size_t i) {
    const Json& place = run.Find("results")->items()[i].Find("locations")->items().at(0);
    return *place.Find("physicalLocation", "artifactLocation")->FindString("uri");
  };
  EXPECT_EQ(uri(0), "my%20cases/a%25b%23c.yaml");
  EXPECT_EQ(uri(1), "modern/versioning/unsupported@other");
}

TEST(SarifTest, WhatTheBaselineKnowsIsSuppressedWithItsReason) {
  const Json run = RunOf(SampleReport());
  const Json& known = run.Find("results")->items()[3];
  EXPECT_EQ(*known.Find("suppressions")->items().at(0).FindString("justification"), "issue # 1234");
  EXPECT_EQ(run.Find("results")->items()[0].Find("suppressions"), nullptr);
}

TEST(SarifTest, FingerprintsTellFindingsApart) {
  const Json run = RunOf(SampleReport());
  std::set<std::string> prints;
  for (const Json& result : run.Find("results")->items()) {
    prints.insert(*result.Find("partialFingerprints")->FindString("finding/v1"));
  }
  EXPECT_EQ(prints.size(), run.Find("results")->items().size());
}

TEST(SarifTest, AnErrorOfTheHarnessIsANotificationAndNoResult) {
  const Json run = RunOf(SampleReport());
  const Json& invocation = run.Find("invocations")->items().at(0);
  EXPECT_FALSE(invocation.Find("executionSuccessful")->boolean());
  EXPECT_EQ(invocation.Find("toolExecutionNotifications")->items().size(), 1U);
}

TEST(SarifTest, WhatAServerSaysIsSpelledOut) {
  std::ostringstream out;
  WriteSarif(SampleReport(), out);
  EXPECT_THAT(out.str(), Not(ContainsRegex(R"([^\\]\\u001b)")));
  EXPECT_THAT(out.str(), HasSubstr("\\\\x1b"));
}

TEST(SarifTest, AnEmptyReportIsARunWithoutResults) {
  const Json run = RunOf(Report());
  EXPECT_TRUE(run.Find("results")->items().empty());
  EXPECT_TRUE(run.Find("invocations")->items()[0].Find("executionSuccessful")->boolean());
}

}  // namespace
}  // namespace assay
