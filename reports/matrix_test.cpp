#include "reports/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string PageOf(const std::vector<MatrixRow>& rows) {
  std::ostringstream out;
  WriteMatrixHtml(rows, out);
  return out.str();
}

TEST(MatrixTest, ACellOpensItsFindingsWhichLeadIntoTheServersReport) {
  const std::string page = PageOf({{"mine", SampleReport(), ""}});
  EXPECT_THAT(page, HasSubstr("href=\"#s0-versions\">1 broken</a>"));
  EXPECT_THAT(page, HasSubstr("id=\"s0-versions\""));
  EXPECT_THAT(page, HasSubstr("href=\"mine/report.html#case="
                              "modern%2Fversioning%2Funsupported%7C2026-07-28%7Cstdio\""));
  EXPECT_THAT(page, HasSubstr("2 cases, for example"));
}

TEST(MatrixTest, AServerThatLeftNoReportHasItsRowAndTheReason) {
  const std::string page =
      PageOf({{"mine", SampleReport(), ""}, {"dead", std::nullopt, "cannot start <it>"}});
  EXPECT_THAT(page, HasSubstr("2 MCP servers"));
  EXPECT_THAT(page, HasSubstr("cannot start &lt;it&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("dead/report.html")));
}

TEST(MatrixTest, NothingThatAServerSaysIsMarkup) {
  Report report = SampleReport();
  report.target.server_name = "<script>alert(1)</script>";
  report.results[0].findings[0].message = "\"><img src=x>";
  report.results[0].findings[0].link = "javascript:alert(1)";
  const std::string page = PageOf({{"mine", report, ""}});
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("javascript:")));
}

TEST(MatrixTest, MarkdownHasTheSameCells) {
  std::ostringstream out;
  WriteMatrixMarkdown({{"mine", SampleReport(), ""}}, out);
  EXPECT_THAT(out.str(), HasSubstr("versions"));
  EXPECT_THAT(out.str(), HasSubstr("1 broken"));
  EXPECT_THAT(out.str(), Not(HasSubstr("<b>")));
}

TEST(MatrixTest, NoServersAreAPageToo) { EXPECT_THAT(PageOf({}), HasSubstr("0 MCP servers")); }

}  // namespace
}  // namespace assay
