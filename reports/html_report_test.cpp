#include "reports/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "message/json.h"
#include "reports/html_page.h"
#include "reports/sample_report.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string PageOf(const Report& report) {
  std::ostringstream out;
  WriteHtmlReport(report, out);
  return out.str();
}

// The lines of the page's data, parsed.
std::vector<Json> DataOf(const std::string& page) {
  const std::string opening = "id=\"data\">";
  const std::size_t start = page.find(opening) + opening.size();
  std::istringstream data(page.substr(start, page.find("</script>", start) - start));
  std::vector<Json> lines;
  for (std::string line; std::getline(data, line);) {
    const JsonParse parse = ParseJson(line);
    EXPECT_EQ(parse.error, "");
    lines.push_back(parse.value.value_or(Json()));
  }
  return lines;
}

TEST(HtmlReportTest, IsOnePageThatLoadsNothing) {
  const std::string page = PageOf(SampleReport());
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-inline")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST(HtmlReportTest, HasALineForTheWholeAndOneForEachResult) {
  const Report report = SampleReport();
  const std::vector<Json> data = DataOf(PageOf(report));
  ASSERT_EQ(data.size(), 1 + report.results.size());
  EXPECT_EQ(data[0].Find("results")->items().size(), report.results.size());
  EXPECT_EQ(*data[0].Find("results")->items()[0].FindString("case"), report.results[0].case_id);
  EXPECT_EQ(*data[0].Find("target", "refusals")->FindString("legacy"), "-32601 <initialize>");
}

TEST(HtmlReportTest, AFindingNamesTheLinesItIsAbout) {
  const Json details = DataOf(PageOf(SampleReport()))[1];
  const Json& finding = details.Find("findings")->items()[0];
  const std::vector<Json>& wire = details.Find("wire")->items();
  ASSERT_EQ(finding.Find("wire")->items().size(), 2U);
  const std::int64_t sent = *finding.Find("wire")->items()[0].AsInteger();
  EXPECT_EQ(*wire.at(static_cast<std::size_t>(sent)).FindString("text"),
            R"({"id":1,"method":"tools/list"})");
  EXPECT_EQ(*finding.Find("expected")->FindString("text"), R"({"code":-32022})");
  EXPECT_EQ(*details.FindString("file"), "suite: modern/versioning\ncases:\n  - id: unsupported\n");
}

TEST(HtmlReportTest, ValuesKeepTheTextOfTheirNumbers) {
  const Json details = DataOf(PageOf(SampleReport()))[1];
  EXPECT_THAT(*details.Find("findings")->items()[0].Find("actual")->FindString("text"),
              HasSubstr("1.0e2"));
}

TEST(HtmlReportTest, NothingThatAServerSaysIsMarkup) {
  Report report = SampleReport();
  const std::string hostile = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>";
  report.target.server_name = hostile;
  report.target.capabilities = Json::Object({{"modern", Json::Object({{hostile, Json()}})}});
  report.results[0].findings[0].message = hostile;
  report.results[0].transcript[3].bytes = hostile;
  const std::string page = PageOf(report);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_EQ(*DataOf(page)[0].Find("target")->FindString("name"), hostile);
}

TEST(HtmlReportTest, WhatReordersOrHidesTextIsSpelledOut) {
  Report report = SampleReport();
  report.target.server_name = "a\u202eb\u2028c";
  EXPECT_EQ(*DataOf(PageOf(report))[0].Find("target")->FindString("name"), "a\\u{202e}b\\u{2028}c");
}

TEST(HtmlReportTest, LongLinesAreCutAndTheirSizeTold) {
  Report report = SampleReport();
  report.results[0].transcript[3].bytes = std::string(1'000'000, 'x');
  const std::string page = PageOf(report);
  EXPECT_LT(page.size(), 400'000U);
  const Json details = DataOf(page)[1];
  const Json& line = details.Find("wire")->items()[4];
  EXPECT_EQ(line.Find("bytes")->AsInteger(), 1'000'000);
}

TEST(HtmlReportTest, ManyLongWiresLeaveRoomForEachOther) {
  Report report = SampleReport();
  const Result example = report.results[0];
  report.results.assign(2000, example);
  TranscriptLine filler = example.transcript[0];
  filler.bytes = std::string(20'000, 'x');
  for (Result& result : report.results) {
    result.transcript.insert(result.transcript.end(), 10, filler);
  }
  const std::string page = PageOf(report);
  EXPECT_LT(page.size(), 100'000'000U);
  const Json details = DataOf(page).back();
  EXPECT_GT(*details.Find("left_out")->AsInteger(), 0);
  EXPECT_EQ(details.Find("findings")->items()[0].Find("wire")->items().size(), 2U);
}

TEST(HtmlReportTest, AnEmptyReportIsAPageToo) {
  const std::vector<Json> data = DataOf(PageOf(Report()));
  ASSERT_EQ(data.size(), 1U);
  EXPECT_TRUE(data[0].Find("results")->items().empty());
}

TEST(HtmlPageTest, TextsAreEscapedForAttributesToo) {
  EXPECT_EQ(HtmlText("<a href='x' title=\"y\">&"),
            "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;");
}

TEST(HtmlReportTest, WhatWasMeasuredIsInTheData) {
  const Json overview = DataOf(PageOf(MeasuredReport())).front();
  const Json* rows = At(overview, "/measured/rows");
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(rows->Dump(), R"([["checkout","legacy","2","1510 ms","1500 ms of 1500 ms","a","b"]])");
}

}  // namespace
}  // namespace assay
