#include "reports/tap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string Written(const Report& report) {
  std::ostringstream out;
  WriteTap(report, out);
  return out.str();
}

TEST(Tap, HasAPointForEverything) {
  const std::string text = Written(SampleReport());
  EXPECT_THAT(text, StartsWith("TAP version 14\n1..11\n"));
  EXPECT_THAT(text, HasSubstr("\nnot ok 1 - modern/versioning/unsupported (2026-07-28 stdio)\n"));
  EXPECT_THAT(text, HasSubstr("\nok 3 - modern/wire/late (2026-07-28 stdio)\n  ---\n"));
  EXPECT_THAT(text, HasSubstr("\nnot ok 4 - modern/tools/unknown (2026-07-28 stdio) # TODO issue "
                              "\\# 1234\n"));
  EXPECT_THAT(text, HasSubstr("\nnot ok 6 - modern/tasks/cancel"));
  EXPECT_THAT(text, HasSubstr("\nok 7 - modern/prompts/list (2026-07-28 stdio) # SKIP the server "
                              "does not declare it: prompts\n"));
  EXPECT_THAT(text, HasSubstr("\nok 10 - modern/ping (2026-07-28 stdio)\n"));
  EXPECT_THAT(text, HasSubstr("\nnot ok 11 - baseline: modern/ping did not fail for M-OLD\n"));
  EXPECT_THAT(text, Not(HasSubstr("Bail out!")));
}

TEST(Tap, DiagnosticsQuoteWhatTheServerSaid) {
  const std::string text = Written(SampleReport());
  EXPECT_THAT(text, HasSubstr(R"(    - requirement: "M-VER-UNSUPPORTED"
      level: "must"
      basis: "keyword"
      counts_as: "fail"
      message: "The error's code is not -32022."
      step: "steps/0"
      expected: "{\"code\":-32022}"
)"));
  EXPECT_THAT(text, HasSubstr(R"(        - "← {\"id\":1,\"error\":\"]]>\\x1b[2J\\xff\"}")"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Tap, BailsOutWhenInterrupted) {
  Report report;
  report.partial = true;
  EXPECT_EQ(Written(report), "TAP version 14\n1..0\nBail out! interrupted\n");
}

}  // namespace
}  // namespace assay
