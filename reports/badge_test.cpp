#include "reports/badge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <sstream>

#include "message/json.h"
#include "reports/exit_code.h"
#include "reports/sample_report.h"

namespace assay {
namespace {

std::string MessageOf(const Report& report) {
  std::ostringstream out;
  WriteBadgeJson(report, out);
  const JsonParse parse = ParseJson(out.str());
  EXPECT_EQ(parse.error, "");
  EXPECT_EQ(parse.value->Find("schemaVersion")->AsInteger(), 1);
  std::ostringstream picture;
  WriteBadgeSvg(report, picture);
  pugi::xml_document svg;
  EXPECT_TRUE(svg.load_string(picture.str().c_str()));
  EXPECT_EQ(svg.child("svg").child_value("title"), "MCP: " + *parse.value->FindString("message"));
  return *parse.value->FindString("message");
}

Report Passing() {
  Report report = SampleReport();
  report.results = {report.results.back()};
  report.stale.clear();
  report.exit_code = ExitCode(report);
  return report;
}

TEST(BadgeTest, TellsErasAndHowManyFindingsCount) {
  EXPECT_EQ(MessageOf(SampleReport()), "modern: 3 findings");
}

TEST(BadgeTest, AServerThatMeetsWhatIsRequiredConforms) {
  Report report = Passing();
  report.target.eras = {"modern", "legacy"};
  EXPECT_EQ(MessageOf(report), "legacy + modern: conforms");
}

TEST(BadgeTest, DoesNotSayConformsWhenNotEverythingWasJudged) {
  Report report = Passing();
  report.exit_code = 130;
  EXPECT_EQ(MessageOf(report), "modern: incomplete");
  EXPECT_EQ(MessageOf(Report()), "not tested");
}

TEST(BadgeTest, NothingOfTheServersWordsIsInIt) {
  Report report = Passing();
  report.target.eras = {"<script>", "modern"};
  EXPECT_EQ(MessageOf(report), "modern: conforms");
}

}  // namespace
}  // namespace assay
