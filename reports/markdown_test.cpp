#include "reports/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Written(const Report& report) {
  std::ostringstream out;
  WriteMarkdown(report, out);
  return out.str();
}

TEST(Markdown, TellsCausesThenFindingsThenWhatWasNotJudged) {
  const std::string text = Written(SampleReport());
  EXPECT_THAT(text, HasSubstr("| fail | warn | differs | error | skip | pass |\n"));
  EXPECT_THAT(text, HasSubstr("| 4 | 1 | 1 | 1 | 2 | 1 |\n"));
  EXPECT_THAT(text, HasSubstr("\n## Causes\n\n### fail: The server prints a banner: "
                              "\\<listening\\>\n\nM-STDOUT · must · keyword\n"));
  const std::size_t causes = text.find("\n## Causes\n");
  const std::size_t findings = text.find("\n## Findings\n");
  const std::size_t others = text.find("\n## Findings that do not count\n");
  const std::size_t not_judged = text.find("\n## Not judged\n");
  ASSERT_NE(not_judged, std::string::npos);
  EXPECT_LT(causes, findings);
  EXPECT_LT(findings, others);
  EXPECT_LT(others, not_judged);
  EXPECT_THAT(text, HasSubstr("- 1 case: the server did not start"));
  EXPECT_THAT(text, HasSubstr("- 1 case skipped: the server does not declare it: prompts\n"));
  EXPECT_THAT(text, HasSubstr("- 1 requirement: no case covers it (`M-LOAD`)\n"));
  EXPECT_THAT(text, Not(HasSubstr("modern/ping (")));
}

TEST(Markdown, ShowsOneExampleOfEachRequirement) {
  const std::string text = Written(SampleReport());
  EXPECT_THAT(text, HasSubstr("### fail ×2: M-VER-UNSUPPORTED · must · keyword\n"));
  EXPECT_THAT(text, HasSubstr("> An unsupported version is refused.\n"));
  EXPECT_THAT(text, HasSubstr("<https://modelcontextprotocol.io/specification/x#y>"));
  EXPECT_THAT(text, HasSubstr("```text\n→ {\"id\":1,\"method\":\"tools/list\"}\n← "));
  EXPECT_THAT(text, HasSubstr("expected {\"code\":-32022}\n"));
  EXPECT_THAT(text, HasSubstr("Also in 1 case: `modern/versioning/unsupported@other "));
}

TEST(Markdown, HostileTextCanNeitherFormatNorEndItsBlock) {
  Report report = SampleReport();
  report.results[0].transcript[3].bytes = "```\n# injected <script>";
  report.results[0].findings[0].message = "[x](javascript:y) | `a` <img>";
  const std::string text = Written(report);
  EXPECT_THAT(text, HasSubstr("# Assay: evil\\\\x1b\\[2J\\|\\<b\\>server\\</b\\> 2.0\n"));
  EXPECT_THAT(text, HasSubstr("\n````text\n"));
  EXPECT_THAT(text, HasSubstr("← ```\\n# injected <script>\n"));
  EXPECT_THAT(text, HasSubstr("\\[x\\](javascript:y) \\| \\`a\\` \\<img\\>"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Markdown, ForeignWordsAreNeitherListsNorLinks) {
  Report report = SampleReport();
  const auto written = [&](const std::string& message) {
    report.results[0].findings[0].message = message;
    return Written(report);
  };
  EXPECT_THAT(written("- a-b"), HasSubstr("\n\\- a-b —"));
  EXPECT_THAT(written("12. a. b"), HasSubstr("\n12\\. a. b —"));
  EXPECT_THAT(written("see https://evil www.evil a@b"),
              HasSubstr("\nsee https\\://evil www\\.evil a\\@b —"));
}

TEST(Markdown, StaysSmallEnoughForAStepSummary) {
  Report report;
  for (int i = 0; i < 3000; ++i) {
    Result result =
        SampleResult("case-" + std::to_string(i), Verdict::kFail, "M-" + std::to_string(i));
    result.findings[0].message = std::string(100'000, 'x');
    result.findings[0].text = std::string(300, 'y');
    report.results.push_back(std::move(result));
  }
  const std::string text = Written(report);
  EXPECT_LT(text.size(), 1024U * 1024U);
  EXPECT_THAT(text, HasSubstr("M-0 "));
  EXPECT_THAT(text, HasSubstr("M-2999 "));
}

TEST(Markdown, WhatWasMeasuredIsATable) {
  EXPECT_THAT(Written(MeasuredReport()),
              HasSubstr("| checkout | legacy | 2 | 1510 ms | 1500 ms of 1500 ms | a | b |\n"));
  EXPECT_THAT(Written(SampleReport()), Not(HasSubstr("## Measured")));
}

}  // namespace
}  // namespace assay
