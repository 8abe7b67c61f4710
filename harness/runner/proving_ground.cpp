// One run.

#include "runner/proving_ground.h"

#include <algorithm>

namespace assay {

Task<Trial> ProvingGround::Run(PlannedRun run, std::chrono::milliseconds timeout, bool hand_over) {
  const std::shared_ptr<Connection> connection = co_await servers_.Take();
  const TrialSettings trial_settings{
      .timeout = timeout,
      .start_within = settings_.start_within,
      .over_http = settings_.reach.over_http,
      .hand_over = hand_over,
      .tokens = settings_.tokens,
      .connect = [this, &connection](const std::string&) { return Beside(connection); }};
  Trial trial = co_await RunTrial(loop_, run, library_, facts_, trial_settings, connection, true);
  trial.result.source = source_;
  const auto& required = settings_.required;
  const bool contract = std::find(required.begin(), required.end(), "contract") != required.end();
  const auto& asked = run.test_case->requires_ids;
  std::erase_if(trial.result.findings, [&](const ReportedFinding& finding) {
    return finding.counts_as == Verdict::kDiffers && !contract &&
           std::find(asked.begin(), asked.end(), finding.requirement) == asked.end();
  });
  co_return trial;
}

}  // namespace assay
