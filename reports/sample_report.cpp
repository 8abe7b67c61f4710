#include "reports/sample_report.h"

#include <utility>

#include "reports/exit_code.h"

namespace assay {

Result SampleResult(const std::string& id, Verdict verdict, const std::string& requirement) {
  Result result;
  result.case_id = id;
  result.title = "The title of " + id;
  result.era = "modern";
  result.revision = "2026-07-28";
  result.transport = "stdio";
  result.place = "cases/" + id + ".yaml:4:5";
  result.verdict = verdict;
  result.requires_ids = {requirement};
  result.duration = std::chrono::microseconds(1250);
  ReportedFinding finding;
  finding.requirement = requirement;
  finding.level = verdict == Verdict::kFail ? "must" : "should";
  finding.basis = "keyword";
  finding.counts_as = verdict;
  finding.message = "The answer to " + id + " is wrong.";
  result.findings.push_back(std::move(finding));
  return result;
}

Report SampleReport() {
  Report report;
  report.version = "0.1.0";
  report.seed = 18446744073709551615U;
  report.started = "2026-08-01T12:00:00Z";
  report.duration = std::chrono::milliseconds(1300);
  report.required = {"must"};
  report.options = {"--cases", "my cases"};
  report.target.command = {"node", "server's dir/index.js"};
  report.target.server_name = "evil\x1b[2J|<b>server</b>";
  report.target.server_version = "2.0";
  report.target.eras = {"modern"};
  report.target.refusals = {{"legacy", "-32601 <initialize>"}};
  report.target.revisions = {"2026-07-28"};
  report.target.era_policy = "modern-only";

  Result failed =
      SampleResult("modern/versioning/unsupported", Verdict::kFail, "M-VER-UNSUPPORTED");
  failed.findings[0].message = "The error's code is not -32022.";
  failed.findings[0].step = "steps/0";
  failed.findings[0].expected = Json::Object({{"code", Json::Number("-32022")}});
  failed.findings[0].actual =
      Json::Object({{"code", Json::Number("1.0e2")}, {"message", Json::String("\x1b]0;x\x07]]>")}});
  failed.findings[0].text = "An unsupported version\n  is refused.";
  failed.findings[0].link = "https://modelcontextprotocol.io/specification/x#y";
  failed.case_file = "suite: modern/versioning\ncases:\n  - id: unsupported\n";
  failed.transcript = {
      {std::chrono::microseconds(10), "main", "event", "started", ""},
      {std::chrono::microseconds(120), "main", "out", R"({"id":1,"method":"tools/list"})",
       "steps/0"},
      {std::chrono::microseconds(150), "main", "err", "log \x1b[31mred\nsecond line\n", "steps/0"},
      {std::chrono::microseconds(1300), "main", "in", "{\"id\":1,\"error\":\"]]>\x1b[2J\xff\"}",
       "steps/0"},
      {std::chrono::microseconds(1400), "main", "out", R"({"id":2,"method":"later"})", "steps/1"},
  };
  Result twin = failed;
  twin.case_id = "modern/versioning/unsupported@other";
  Result warned = SampleResult("modern/wire/late", Verdict::kWarn, "M-WARN");
  warned.unjudged = {{"M-LOAD", "it has too many parts"}};
  Result known = SampleResult("modern/tools/unknown", Verdict::kFail, "M-KNOWN");
  known.findings[0].baselined = true;
  known.findings[0].baseline_reason = "issue # 1234";
  known.baseline = "expected";
  Result differs = SampleResult("contract/lock", Verdict::kDiffers, "C-LOCK");
  differs.findings[0].level = "contract";
  differs.findings[0].basis = "";
  Result error = SampleResult("modern/tasks/cancel", Verdict::kError, "M-TASK");
  error.findings.clear();
  error.error = "the server did not start\x1b[5m";
  Result skipped = SampleResult("modern/prompts/list", Verdict::kSkip, "M-PROMPT");
  skipped.findings.clear();
  skipped.skip_reason = "not-declared";
  skipped.skip_detail = "prompts";
  Result unprepared = SampleResult("modern/tasks/get", Verdict::kSkip, "M-TASK");
  unprepared.findings.clear();
  unprepared.skip_reason = "precondition";
  unprepared.skip_detail = "steps/0: result/tools: expected nothing, got []";
  Result folded = SampleResult("modern/wire/banner", Verdict::kFail, "M-STDOUT");
  folded.findings[0].message = "The server prints a banner: <listening>";
  folded.transcript = {
      {std::chrono::microseconds(1), "main", "in", "Server\xc2\x9b listening", ""}};
  Result passed = SampleResult("modern/ping", Verdict::kPass, "M-PING");
  passed.findings.clear();

  report.results = {failed, twin,    warned,     known,  differs,
                    error,  skipped, unprepared, folded, passed};
  for (const Result& result : report.results) ++report.counts[result.verdict];
  report.causes = {{"M-STDOUT", folded.findings[0].message, Verdict::kFail, {folded.case_id}}};
  report.requirements = {
      {"M-VER-UNSUPPORTED",
       "must",
       "keyword",
       "failed",
       "",
       {failed.case_id},
       "An unsupported version is refused.",
       "https://modelcontextprotocol.io/specification/x#y"},
      {"M-LOAD", "must", "keyword", "not-judged", "no case covers it", {}},
  };
  report.stale = {{"modern/ping", "M-OLD", "assay-baseline.yaml:7:3"}};
  report.exit_code = ExitCode(report);
  return report;
}

Report MeasuredReport() {
  Report report;
  Result result;
  result.case_id = "fleet/checkout/held";
  result.era = "legacy";
  result.measured.push_back({.name = "checkout",
                             .requests = 2,
                             .held = std::chrono::microseconds(1510250),
                             .thought = std::chrono::milliseconds(1500),
                             .held_while_thinking = std::chrono::milliseconds(1500),
                             .began_on = "a",
                             .finished_on = "b",
                             .bytes = 900});
  report.results.push_back(std::move(result));
  return report;
}

}  // namespace assay
