#include "reports/evidence.h"

#include <gtest/gtest.h>

#include "reports/sample_report.h"

namespace assay {
namespace {

TEST(ExchangeOf, ShowsWhatTheStepSentAndGot) {
  const Report report = SampleReport();
  const Result& result = report.results[0];
  EXPECT_EQ(ExchangeOf(result.findings[0], result),
            (std::vector<std::string>{R"(→ {"id":1,"method":"tools/list"})",
                                      R"(← {"id":1,"error":"]]>\x1b[2J\xff"})"}));
}

TEST(ExchangeOf, ShowsStderrAndEventsWhereNothingCameBack) {
  Result result = SampleResult("a", Verdict::kFail, "M");
  result.findings[0].step = "steps/1";
  result.transcript = {
      {std::chrono::microseconds(1), "main", "out", "before", "steps/0"},
      {std::chrono::microseconds(2), "second", "out", "{}", "steps/1"},
      {std::chrono::microseconds(3), "main", "err", "panic\n\nat 1\n", "steps/1"},
      {std::chrono::microseconds(4), "main", "event", "exited with code 1", "steps/1"},
  };
  EXPECT_EQ(ExchangeOf(result.findings[0], result),
            (std::vector<std::string>{"[second] → {}", "! panic", "! ", "! at 1",
                                      "· exited with code 1"}));
}

TEST(ExchangeOf, ShowsTheEndWhereNoStepOwnsTheFinding) {
  Result result = SampleResult("a", Verdict::kFail, "M");
  result.transcript = {
      {std::chrono::microseconds(1), "main", "out", "first", ""},
      {std::chrono::microseconds(2), "main", "in", "answer", ""},
      {std::chrono::microseconds(3), "main", "out", "last", ""},
      {std::chrono::microseconds(4), "main", "event", "killed by signal 11", ""},
  };
  EXPECT_EQ(ExchangeOf(result.findings[0], result),
            (std::vector<std::string>{"→ last", "· killed by signal 11"}));
}

TEST(ExchangeOf, CutsLongLinesAndLongExchanges) {
  Result result = SampleResult("a", Verdict::kFail, "M");
  result.findings[0].step = "steps/0";
  for (int i = 0; i < 100; ++i) {
    result.transcript.push_back(
        {std::chrono::microseconds(i), "main", "in", std::string(1000, 'x'), "steps/0"});
  }
  const std::vector<std::string> lines = ExchangeOf(result.findings[0], result);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[3], "… 94 more");
  EXPECT_EQ(lines[0], "← " + std::string(300, 'x') + "… (700 more bytes)");
}

TEST(WireOf, HasEveryLineWithItsTime) {
  const Report report = SampleReport();
  EXPECT_EQ(WireOf(report.results[0], 1000),
            (std::vector<std::string>{
                R"(    0.01 ms · started)", R"(    0.12 ms → {"id":1,"method":"tools/list"})",
                R"(    0.15 ms ! log \x1b[31mred)", R"(    0.15 ms ! second line)",
                R"(    1.30 ms ← {"id":1,"error":"]]>\x1b[2J\xff"})",
                R"(    1.40 ms → {"id":2,"method":"later"})"}));
}

TEST(ReproduceCommand, QuotesAndRepeatsTheOptions) {
  const Report report = SampleReport();
  EXPECT_EQ(ReproduceCommand(report.results[0], report),
            "assay run --cases 'my cases' --revision 2026-07-28 --filter "
            "modern/versioning/unsupported --trace -- node 'server'\\''s dir/index.js'");
}

TEST(ReproduceCommand, NamesTheUrl) {
  Report report;
  report.target.url = "http://localhost:1/mcp?a=b";
  Result result = SampleResult("a", Verdict::kFail, "M");
  result.revision = "";
  EXPECT_EQ(ReproduceCommand(result, report),
            "assay run --filter a --trace --url 'http://localhost:1/mcp?a=b'");
}

TEST(ReproduceCommand, ReplaysWhatWasGenerated) {
  Report report;
  report.target.command = {"server"};
  report.target.transport = "http";
  Result result = SampleResult("found/1", Verdict::kFail, "M");
  result.source = "fuzz";
  result.place = "out/crash-1.yaml:1:1";
  EXPECT_EQ(ReproduceCommand(result, report), "assay replay out/crash-1.yaml --http -- server");
}

}  // namespace
}  // namespace assay
