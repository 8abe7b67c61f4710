#include "reports/json_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

std::string Written(const Report& report) {
  std::ostringstream out;
  WriteJsonReport(report, out);
  return out.str();
}

Json Parsed(const Report& report) {
  const JsonParse parse = ParseJson(Written(report));
  EXPECT_EQ(parse.error, "");
  EXPECT_TRUE(parse.duplicate_keys.empty());
  return parse.value.value_or(Json());
}

std::string Dumped(const Json& json, std::string_view pointer) {
  const Json* value = At(json, pointer);
  return value == nullptr ? "absent" : value->Dump();
}

TEST(JsonReport, HasTheMembersOfSchema1) {
  const Json json = Parsed(SampleReport());
  EXPECT_EQ(Dumped(json, "/schema"), "1");
  EXPECT_EQ(Dumped(json, "/tool"), R"({"name":"assay","version":"0.1.0"})");
  EXPECT_EQ(Dumped(json, "/seed"), "18446744073709551615");
  EXPECT_EQ(Dumped(json, "/started"), R"("2026-08-01T12:00:00Z")");
  EXPECT_EQ(Dumped(json, "/duration_ms"), "1300");
  EXPECT_EQ(Dumped(json, "/partial"), "false");
  EXPECT_EQ(Dumped(json, "/exit_code"), "1");
  EXPECT_EQ(Dumped(json, "/target/command"), R"(["node","server's dir/index.js"])");
  EXPECT_EQ(Dumped(json, "/target/url"), "absent");
  EXPECT_EQ(Dumped(json, "/target/capabilities"), "{}");
  EXPECT_EQ(Dumped(json, "/counts"),
            R"({"pass":1,"fail":4,"warn":1,"differs":1,"skip":2,"error":1})");
  EXPECT_EQ(Dumped(json, "/causes/0/cases"), R"(["modern/wire/banner"])");
  EXPECT_EQ(Dumped(json, "/causes/0/requirement"), R"("M-STDOUT")");
  EXPECT_EQ(Dumped(json, "/causes/0/counts_as"), R"("fail")");
  EXPECT_EQ(Dumped(json, "/stale/0/requirement"), R"("M-OLD")");
  EXPECT_EQ(Dumped(json, "/requirements/1/state"), R"("not-judged")");
  EXPECT_EQ(Dumped(json, "/results/0/case"), R"("modern/versioning/unsupported")");
  EXPECT_EQ(Dumped(json, "/results/0/verdict"), R"("fail")");
  EXPECT_EQ(Dumped(json, "/results/0/duration_ms"), "1.250");
  EXPECT_EQ(Dumped(json, "/results/0/findings/0/counts_as"), R"("fail")");
  EXPECT_EQ(Dumped(json, "/results/0/unjudged"), "absent");
  EXPECT_EQ(Dumped(json, "/results/2/unjudged"),
            R"([{"requirement":"M-LOAD","why":"it has too many parts"}])");
  EXPECT_EQ(Dumped(json, "/results/3/baseline"), R"("expected")");
  EXPECT_EQ(Dumped(json, "/results/5/error"), R"("the server did not start\u001b[5m")");
  EXPECT_EQ(Dumped(json, "/results/6/skip_reason"), R"("not-declared")");
}

TEST(JsonReport, KeepsTheTextOfNumbers) {
  const Json json = Parsed(SampleReport());
  EXPECT_EQ(Dumped(json, "/results/0/findings/0/actual/code"), "1.0e2");
  EXPECT_EQ(Dumped(json, "/results/0/findings/0/expected"), R"({"code":-32022})");
}

TEST(JsonReport, EncodesTranscriptLinesThatAreNotUtf8) {
  const Json json = Parsed(SampleReport());
  EXPECT_EQ(Dumped(json, "/results/0/transcript/2/text"), R"("log \u001b[31mred\nsecond line\n")");
  EXPECT_EQ(Dumped(json, "/results/0/transcript/3/text"), "absent");
  EXPECT_EQ(Dumped(json, "/results/0/transcript/3/base64"),
            R"("eyJpZCI6MSwiZXJyb3IiOiJdXT4bWzJK/yJ9")");
  EXPECT_EQ(Dumped(json, "/results/0/transcript/3/dir"), R"("in")");
}

TEST(JsonReport, WritesWhatIsNoJsonAsText) {
  Report report = SampleReport();
  ReportedFinding& finding = report.results[0].findings[0];
  finding.expected = Json::Raw("{broken \xff");
  Json deep;
  for (int i = 0; i < 400; ++i) deep = Json::Array({deep});
  finding.actual = deep;
  report.target.server_name = "\xff";
  const Json json = Parsed(report);
  EXPECT_EQ(Dumped(json, "/results/0/findings/0/expected"), "\"{broken \xef\xbf\xbd\"");
  EXPECT_EQ(Dumped(json, "/results/0/findings/0/actual"), Json::String(deep.Dump()).Dump());
  EXPECT_EQ(Dumped(json, "/target/server/name"), "\"\xef\xbf\xbd\"");
}

TEST(JsonReport, AnEmptyRunIsAReport) {
  const Json json = Parsed(Report{});
  EXPECT_EQ(Dumped(json, "/results"), "[]");
  EXPECT_EQ(Dumped(json, "/counts/pass"), "0");
}

TEST(ReadReport, ReadsWhatWasWritten) {
  Report report = SampleReport();
  report.results[4].repeat_differs = true;
  report.results[0].transcript[4].by_harness = true;
  for (std::size_t length = 1; length < 6; ++length) {  // every padding of base64
    report.results[0].transcript.push_back(
        {std::chrono::microseconds(7), "main", "in", std::string(length, '\xfe'), ""});
  }
  const std::string text = Written(report);
  const ReportRead read = ReadReport(text);
  ASSERT_TRUE(read.report) << read.error;
  EXPECT_EQ(Written(*read.report), text);
  EXPECT_EQ(read.report->results[0].transcript[3].bytes, report.results[0].transcript[3].bytes);
  EXPECT_EQ(read.report->results[0].transcript[9].bytes, std::string(5, '\xfe'));
  EXPECT_EQ(read.report->results[0].duration, std::chrono::microseconds(1250));
  EXPECT_EQ(read.report->seed, report.seed);
}

TEST(ReadReport, RefusesWhatIsNoReport) {
  EXPECT_EQ(ReadReport("[]").error, "not a report of schema 1");
  EXPECT_EQ(ReadReport(R"({"schema": 2})").error, "not a report of schema 1");
  EXPECT_FALSE(ReadReport("{").report);
  EXPECT_NE(ReadReport("{").error, "");
}

TEST(ReadReport, SurvivesMembersOfOtherTypes) {
  const ReportRead read = ReadReport(
      R"({"schema":1,"tool":[],"seed":"x","target":7,"counts":[],"results":[{"case":1,"verdict":"?",
          "findings":{},"transcript":[{"t_us":"a","base64":"*"}]}],"required":{"a":1}})");
  ASSERT_TRUE(read.report);
  ASSERT_EQ(read.report->results.size(), 1U);
  EXPECT_EQ(read.report->results[0].case_id, "");
}

TEST(JsonReport, WhatWasMeasuredIsReadBack) {
  const Report report = MeasuredReport();
  EXPECT_EQ(Dumped(Parsed(report), "/results/0/measured"),
            R"([{"name":"checkout","requests":2,"held_ms":1510.250,"thought_ms":1500,)"
            R"("held_while_thinking_ms":1500,"began_on":"a","finished_on":"b","bytes":900}])");
  const std::string text = Written(report);
  const ReportRead again = ReadReport(text);
  ASSERT_TRUE(again.report);
  EXPECT_EQ(Written(*again.report), text);
  EXPECT_EQ(Dumped(Parsed(SampleReport()), "/results/0/measured"), "absent");
}

}  // namespace
}  // namespace assay
