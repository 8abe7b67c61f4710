#include "reports/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

         $ assay run --cases 'my cases' --revision 2026-07-28 --filter modern/versioning/unsupported --trace -- node 'server'\''s dir/index.js'
         also in 1 case: modern/versioning/unsupported@other (2026-07-28 stdio)
)"));
}

TEST(Terminal, OrdersCausesFindingsWhatWasNotJudgedAndCounts) {
  const std::string text = Printed(SampleReport());
  const std::vector<std::string> parts{
      "\nCAUSE    The server prints a banner: <Server listening>",
      "\nFAIL     modern/versioning/unsupported (",
      "\nWARN     modern/wire/late",
      "\nDIFFERS  contract/lock",
      "\nKNOWN    1 case breaks as the baseline says",
      "\nSTALE    modern/ping",
      "\nERROR    modern/tasks/cancel",
      "\nSKIP     2 cases were not judged",
      "\nUNJUDGED 1 requirement was not judged",
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

TEST(Terminal, FoldsCasesUnderTheirCause) {
  const std::string text = Printed(SampleReport());
  EXPECT_EQ(Count(text, "modern/wire/banner (2026"), 1U);
  EXPECT_THAT(text, HasSubstr("← Server\\u{9b} listening\n"));
  EXPECT_THAT(text, Not(HasSubstr("\nFAIL     modern/wire/banner")));
}

TEST(Terminal, WhatDoesNotCountIsBrief) {
  Report report = SampleReport();
  EXPECT_THAT(Printed(report), HasSubstr(R"(
WARN     modern/wire/late (2026-07-28 stdio)
         The answer to modern/wire/late is wrong.
         M-WARN · should · keyword

)"));
  report.required = {"must", "should"};
  EXPECT_THAT(Printed(report), HasSubstr("--filter modern/wire/late --trace"));
}

TEST(Terminal, SkipsAreGroupedByReason) {
  Report report = SampleReport();
  report.results.push_back(report.results[6]);
  EXPECT_THAT(Printed(report), HasSubstr(R"(
SKIP     3 cases were not judged
            2  the server does not declare it: prompts (2)
            1  its set-up did not hold
               modern/tasks/get (2026-07-28 stdio): tools/list was refused
)"));
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

}  // namespace
}  // namespace assay
