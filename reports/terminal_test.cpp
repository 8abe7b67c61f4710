#include "reports/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Printed(const Report& report, const TerminalOptions& options = {}) {
  std::ostringstream out;
  PrintTerminal(report, options, out);
  return out.str();
}

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Terminal, OpensWithTheServer) {
  EXPECT_THAT(Printed(SampleReport()), HasSubstr("evil\\x1b[2J|<b>server</b> 2.0 over stdio\n"
                                                 "2026-07-28 · era policy modern-only\n"));
}

TEST(Terminal, AFailureShowsRequirementExchangeAndHowToSeeItAgain) {
  EXPECT_THAT(Printed(SampleReport()), HasSubstr(R"(
FAIL     modern/versioning/unsupported (2026-07-28 stdio)
         The title of modern/versioning/unsupported

         The error's code is not -32022.
         M-VER-UNSUPPORTED · must · keyword
           “An unsupported version is refused.”
           https://modelcontextprotocol.io/specification/x#y

         → {"id":1,"method":"tools/list"}
         ← {"id":1,"error":"]]>\x1b[2J\xff"}
         expected  {"code":-32022}
         actual    {"code":1.0e2,"message":"\u001b]0;x\u0007]]>"}

         $ assay run --cases 'my cases' --revision 2026-07-28 \
             --filter modern/versioning/unsupported --trace -- node 'server'\''s dir/index.js'
         also in 1 case: modern/versioning/unsupported@other (2026-07-28 stdio)
)"));
}

TEST(Terminal, OrdersCausesFindingsWhatWasNotJudgedAndCounts) {
  const std::string text = Printed(SampleReport());
  const std::vector<std::string> parts{
      "\nFAIL     The server prints a banner: <listening>",
      "\nFAIL     modern/versioning/unsupported (",
      "\nWARN     The answer to modern/wire/late is wrong.\n",
      "\nDIFFERS  The answer to contract/lock is wrong.\n",
      "\nKNOWN    1 case breaks as the baseline says",
      "\nSTALE    modern/ping",
      "\nERROR    modern/tasks/cancel",
      "\nSKIP     2 cases were not judged",
      "\nUNJUDGED 1 of 2 requirements were not judged\n            1  no case covers it\n",
      "\n4 failed, 1 warned, 1 differed, 1 could not be judged, 2 skipped, 1 passed in 1.3 s\n",
      "\nexit 1: 3 findings at a required level (must), 1 stale baseline entry\n",
  };
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t found = text.find(part);
    ASSERT_NE(found, std::string::npos) << part << "\nin\n" << text;
    EXPECT_GE(found, at) << part;
    at = found;
  }
}

// Three cases that fail for one reason, each with its own exchange.
Report ReportWithCause() {
  Report report;
  report.required = {"must"};
  for (const char* id : {"a", "b", "c"}) {
    Result result = SampleResult(id, Verdict::kFail, "M-SHARED");
    result.findings[0].message = "It shouts.";
    result.findings[0].step = "steps/1";
    result.transcript = {{{}, "main", "out", "first", "steps/0"},
                         {{}, "main", "out", "second", "steps/1"}};
    report.results.push_back(result);
  }
  report.causes = {{"M-SHARED", "It shouts.", Verdict::kFail, {"a", "b", "c"}}};
  return report;
}

TEST(Terminal, ACauseShowsTheFindingThatItIsAndNoOther) {
  Report report = ReportWithCause();
  ReportedFinding other = report.results[0].findings[0];
  other.requirement = "M-OTHER";
  other.message = "Something else.";
  other.step = "steps/0";
  report.results[0].findings.insert(report.results[0].findings.begin(), other);
  const std::string text = Printed(report);
  EXPECT_THAT(text, HasSubstr(R"(
FAIL     ×3 It shouts.
         M-SHARED · must · keyword

         for example in a (2026-07-28 stdio)
         → second

         $ assay run --revision 2026-07-28 --filter a --trace
         also in 2 cases: b (2026-07-28 stdio), c (2026-07-28 stdio)

FAIL     a (2026-07-28 stdio)
         The title of a

         Something else.
         M-OTHER · must · keyword

         → first
)"));
  EXPECT_EQ(Count(text, "It shouts."), 1U);
  EXPECT_THAT(text, Not(HasSubstr("\nFAIL     b")));
}

TEST(Terminal, WhatCountsComesBeforeACauseThatDoesNot) {
  Report report = ReportWithCause();
  for (Result& result : report.results) {
    result.verdict = result.findings[0].counts_as = report.causes[0].counts_as = Verdict::kWarn;
  }
  report.results.push_back(SampleResult("failed", Verdict::kFail, "M"));
  const std::string text = Printed(report);
  EXPECT_LT(text.find("\nFAIL     failed"), text.find("\nWARN     ×3 It shouts.\n"));
  EXPECT_THAT(text, HasSubstr("\nWARN     ×3 It shouts.\n"
                              "         M-SHARED · must · keyword, counted as a warning here: the "
                              "specification leaves room\n"
                              "         a (2026-07-28 stdio) and 2 more\n"));
}

TEST(Terminal, ACauseThatIsKnownIsNoHeadline) {
  Report report = ReportWithCause();
  for (Result& result : report.results) {
    result.baseline = "expected";
    result.findings[0].baselined = true;
    result.findings[0].baseline_reason = "issue 7";
  }
  const std::string text = Printed(report);
  EXPECT_THAT(text, Not(HasSubstr("It shouts.")));
  EXPECT_THAT(text, HasSubstr("\nKNOWN    3 cases break as the baseline says\n"
                              "            3  issue 7\n"));
}

TEST(Terminal, GroupsOnlyResultsThatFailForTheSame) {
  Report report;
  report.required = {"must"};
  for (const char* id : {"a", "b", "c"}) {
    report.results.push_back(SampleResult(id, Verdict::kFail, "M-SHARED"));
    report.results.back().findings[0].message = "It shouts.";
  }
  report.results[2].findings.push_back(
      SampleResult("c", Verdict::kFail, "M-MORE").findings.front());
  const std::string text = Printed(report);
  EXPECT_THAT(text, HasSubstr("also in 1 case: b (2026-07-28 stdio)\n"));
  EXPECT_THAT(text, HasSubstr("\nFAIL     c (2026-07-28 stdio)\n"));
  EXPECT_THAT(text, HasSubstr("M-MORE · must"));
}

TEST(Terminal, WhatDoesNotCountIsBrief) {
  Report report = SampleReport();
  EXPECT_THAT(Printed(report), HasSubstr(R"(
WARN     The answer to modern/wire/late is wrong.
         M-WARN · should · keyword
         modern/wire/late (2026-07-28 stdio)

)"));
  report.required = {"must", "should"};
  EXPECT_THAT(Printed(report), HasSubstr("--filter modern/wire/late"));
}

TEST(Terminal, ManyFindingsAreNotAllShown) {
  Report report;
  report.required = {"must"};
  for (int i = 0; i < 30; ++i) {
    report.results.push_back(SampleResult("case-" + std::to_string(i), Verdict::kFail, "M"));
  }
  const std::string text = Printed(report);
  EXPECT_EQ(Count(text, "         $ assay run"), 8U);
  EXPECT_EQ(Count(text, "\nFAIL "), 16U);
  EXPECT_THAT(text, HasSubstr("         and 14 more such findings; --report DIR writes them all"));
  TerminalOptions options;
  options.report_directory = "out";
  EXPECT_THAT(Printed(report, options), HasSubstr("more such findings; out/summary.md has them"));
  options.trace = TerminalOptions::Trace::kFailed;
  EXPECT_EQ(Count(Printed(report, options), "\nFAIL "), 30U);
}

TEST(Terminal, SkipsAreGroupedByReason) {
  Report report = SampleReport();
  report.results.push_back(report.results[6]);
  report.results.push_back(report.results[7]);
  report.results.back().skip_detail = "steps/3: result/tools: expected nothing, got []";
  EXPECT_THAT(Printed(report), HasSubstr(R"(
SKIP     4 cases were not judged
            2  the server does not declare it: prompts
            2  not applicable here: result/tools: expected nothing, got []
)"));
}

TEST(Terminal, FoldsRareReasons) {
  Report report;
  for (int i = 0; i < 20; ++i) {
    report.requirements.push_back(
        {"R", "must", "", "not-judged", "reason " + std::to_string(i < 5 ? 0 : i), {}});
  }
  EXPECT_THAT(Printed(report), HasSubstr(R"(
UNJUDGED 20 of 20 requirements were not judged
            5  reason 0
            1  reason 10
            1  reason 11
            1  reason 12
           12  for other reasons
)"));
}

TEST(Terminal, NoLineIsWiderThanTheTerminal) {
  Report report = SampleReport();
  report.results[0].transcript[1].bytes = std::string(400, '{');
  report.results[0].findings[0].expected = Json::String(std::string(200, 'x'));
  report.results[7].skip_detail = std::string(200, 'y');
  report.requirements[1].why = std::string(200, 'z');
  for (const int width : {70, 100}) {
    TerminalOptions options;
    options.width = width;
    std::istringstream lines(Printed(report, options));
    for (std::string line; std::getline(lines, line);) {
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      });
      EXPECT_LE(columns, width) << line;
    }
  }
}

TEST(Terminal, TracesTheWireOfWhatDidNotPass) {
  Report report = SampleReport();
  EXPECT_THAT(Printed(report), Not(HasSubstr(" ms → ")));
  report.results.back().transcript = {
      {std::chrono::microseconds(5), "main", "out", "of a pass", "steps/0"}};
  TerminalOptions options;
  options.trace = TerminalOptions::Trace::kFailed;
  const std::string failed = Printed(report, options);
  EXPECT_EQ(Count(failed, "0.12 ms → {\"id\":1"), 2U);  // the failure and its twin
  EXPECT_THAT(failed, HasSubstr("    0.15 ms ! log \\x1b[31mred\n"));
  EXPECT_THAT(failed, Not(HasSubstr("of a pass")));
  options.trace = TerminalOptions::Trace::kAll;
  EXPECT_THAT(Printed(report, options), HasSubstr("\nPASS     modern/ping (2026-07-28 stdio)\n"
                                                  "             0.01 ms → of a pass\n"));
}

TEST(Terminal, OnlyOurOwnColoursAreEscapeSequences) {
  const Report report = SampleReport();
  EXPECT_THAT(Printed(report), Not(HasSubstr("\x1b")));
  TerminalOptions options;
  options.colour = true;
  const std::string text = Printed(report, options);
  EXPECT_THAT(text, HasSubstr("\x1b[1;31mFAIL\x1b[0m"));
  for (std::size_t at = text.find('\x1b'); at != std::string::npos;
       at = text.find('\x1b', at + 1)) {
    const std::size_t end = text.find_first_not_of("[0123456789;", at + 1);
    EXPECT_EQ(text[end], 'm');
  }
  EXPECT_THAT(text, Not(HasSubstr("\x1b[2J")));
}

TEST(Terminal, WrapsProseAtTheWidth) {
  Report report;
  report.required = {"must"};
  report.results = {SampleResult("a", Verdict::kFail, "M")};
  report.results[0].findings[0].message = "ключ " + std::string(20, 'x') + " one two three four";
  TerminalOptions options;
  options.width = 40;
  EXPECT_THAT(Printed(report, options), HasSubstr("         ключ xxxxxxxxxxxxxxxxxxxx one\n"
                                                  "         two three four\n"));
}

TEST(Terminal, SaysWhereTheReportLies) {
  TerminalOptions options;
  options.report_directory = "out";
  EXPECT_THAT(Printed(Report{}, options), HasSubstr("\n0 passed in 0 ms\nreport in out\nexit 0"));
}

TEST(Terminal, WhatWasMeasuredIsATable) {
  EXPECT_THAT(Printed(MeasuredReport()), HasSubstr(R"(
MEASURED how long connections were held, and who served them
                   era     requests  held     while thinking      began on  finished on
         checkout  legacy  2         1510 ms  1500 ms of 1500 ms  a         b
)"));
  EXPECT_THAT(Printed(SampleReport()), Not(HasSubstr("MEASURED")));
}

}  // namespace
}  // namespace assay
