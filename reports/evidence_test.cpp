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

TEST(ExchangeOf, ShowsTheLineThatGotNoAnswerWithoutTheFence) {
  Result result = SampleResult("a", Verdict::kFail, "M");
  result.findings[0].step = "steps/0";
  result.transcript = {
      {{}, "main", "out", R"({"id":6,"method":"ping"})", "", true},
      {{}, "main", "out", R"({"id":"x","method":"ping"})", "steps/0"},
      {{}, "main", "in", R"({"result":{},"id":6})", "steps/0"},
      {{}, "main", "out", R"({"id":7,"method":"ping"})", "steps/0", true},
      {{}, "main", "in", R"({"result":{},"id":7})", "steps/0"},
      {{}, "main", "event", "a later request was answered, this one was not", "steps/0"},
  };
  EXPECT_EQ(ExchangeOf(result.findings[0], result),
            (std::vector<std::string>{R"(→ {"id":"x","method":"ping"})",
                                      "· a later request was answered, this one was not"}));
  // A request of the server may have the same id.
  result.transcript[4].bytes = R"({"id":7,"method":"ping"})";
  EXPECT_EQ(ExchangeOf(result.findings[0], result)[1], R"(← {"id":7,"method":"ping"})");
}

TEST(ExchangeOf, ShowsNothingWhereTheActualValueIsAllThereIs) {
  Result result = SampleResult("a", Verdict::kFail, "M");
  result.findings[0].actual = Json::Integer(1);
  result.transcript = {{{}, "main", "out", "elsewhere", "steps/0"}};
  EXPECT_TRUE(ExchangeOf(result.findings[0], result).empty());
}

TEST(InstancesOf, AreTheFindingsOfTheSameWeightThatNobodyKnows) {
  Report report;
  for (const char* id : {"a", "b", "c"}) {
    report.results.push_back(SampleResult(id, Verdict::kFail, "M"));
    report.results.back().findings[0].message = "m";
  }
  report.results[1].findings[0].counts_as = Verdict::kWarn;
  report.results[2].findings[0].baselined = true;
  report.causes = {{"M", "m", Verdict::kFail, {"a", "c"}}};
  const std::vector<Instance> instances = InstancesOf(report.causes[0], report);
  ASSERT_EQ(instances.size(), 1U);
  EXPECT_EQ(instances[0].result, &report.results[0]);
  EXPECT_TRUE(OwnFindings(report.results[0], report).empty());
  EXPECT_EQ(OwnFindings(report.results[1], report).size(), 1U);
  EXPECT_TRUE(OwnFindings(report.results[2], report).empty());
}

TEST(LeadingFinding, IsTheWorstOfThoseThatCount) {
  Report report;
  report.required = {"should"};
  Result result = SampleResult("a", Verdict::kDiffers, "C");
  EXPECT_EQ(LeadingFinding(result, report)->requirement, "C");
  for (const Verdict verdict : {Verdict::kFail, Verdict::kWarn}) {
    result.findings.push_back(
        SampleResult("a", verdict, std::string(ToString(verdict))).findings[0]);
  }
  EXPECT_EQ(LeadingFinding(result, report)->requirement, "warn");
  report.required = {"must", "should"};
  EXPECT_EQ(LeadingFinding(result, report)->requirement, "fail");
  result.findings.clear();
  EXPECT_EQ(LeadingFinding(result, report), nullptr);
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
