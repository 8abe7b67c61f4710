// From an exchange to a result.

#include "runner/trial.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "exchange/exchange.h"
#include "oracle/oracle.h"
#include "runner/kept_transcript.h"
#include "runner/verdict.h"

namespace assay {
namespace {

void Conclude(const PlannedRun& run, const Library& library, const TrialSettings& settings,
              ExchangeOutcome outcome, Trial& trial) {
  Result& result = trial.result;
  std::vector<Finding> findings = std::move(outcome.findings);
  std::vector<Unjudged> unjudged;
  for (Finding& finding : JudgeTranscript(outcome.transcript, library.shapes, &unjudged)) {
    findings.push_back(std::move(finding));
  }
  for (Unjudged& left_open : unjudged) {
    result.unjudged.push_back({std::move(left_open.requirement), std::move(left_open.why)});
  }
  std::move(outcome.unmet.begin(), outcome.unmet.end(), std::back_inserter(findings));
  result.findings =
      WeighFindings(findings, *run.test_case, run.revision, settings.over_http, library.catalogue);
  result.verdict = WorstVerdict(result.findings);
  if (!outcome.error.empty()) {
    result.verdict = Verdict::kError;
    result.error = outcome.error;
  } else if (!outcome.precondition.empty() && result.findings.empty()) {
    result.verdict = Verdict::kSkip;
    result.skip_reason = "precondition";
    result.skip_detail = outcome.precondition;
  }
  if (result.verdict != Verdict::kSkip) {
    for (Measurement& one : outcome.measurements) {
      result.measured.push_back({.name = std::move(one.name),
                                 .requests = one.requests,
                                 .held = one.held,
                                 .thought = one.thought,
                                 .held_while_thinking = one.held_while_thinking,
                                 .began_on = std::move(one.began_on),
                                 .finished_on = std::move(one.finished_on),
                                 .bytes = one.bytes});
    }
  }
  trial.proved = std::move(outcome.proved);
  if (result.verdict != Verdict::kPass || settings.keep_transcript) {
    result.transcript = KeepTranscript(outcome.transcript, settings.tokens);
  }
  if (settings.hand_over) trial.transcript = std::move(outcome.transcript);
}

}  // namespace

Result DescribeRun(const PlannedRun& run, bool over_http) {
  const Case& test_case = *run.test_case;
  Result result;
  result.case_id = test_case.id;
  result.title = test_case.title;
  result.era = ToString(run.era);
  result.revision = run.revision;
  result.transport = over_http ? "http" : "stdio";
  result.place = ToString(test_case.place);
  result.requires_ids = test_case.requires_ids;
  return result;
}

Task<Trial> RunTrial(Loop& loop, const PlannedRun& run, const Library& library,
                     const ServerFacts& facts, TrialSettings settings,
                     std::shared_ptr<Connection> connection, bool alone) {
  ExchangeSettings exchange;
  exchange.timeout = settings.timeout;
  exchange.start_within = settings.start_within;
  exchange.revision = run.revision;
  exchange.facts = &facts;
  exchange.shapes = &library.shapes;
  exchange.connect = settings.connect;
  exchange.fleet = settings.fleet;
  const auto began = Clock::now();
  ExchangeOutcome outcome =
      co_await RunExchange(loop, *run.test_case, exchange, std::move(connection), alone);
  Trial trial;
  trial.disturbed = outcome.disturbed;
  trial.timed_out = outcome.timed_out;
  trial.hung = std::any_of(outcome.transcript.entries.begin(), outcome.transcript.entries.end(),
                           [](const Entry& entry) { return entry.event == Entry::Event::kHang; });
  trial.lane = outcome.lane;
  trial.result = DescribeRun(run, settings.over_http);
  trial.result.duration =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began);
  if (!outcome.disturbed) Conclude(run, library, settings, std::move(outcome), trial);
  co_return trial;
}

}  // namespace assay
