// assay replay: saved failures once more, FIXED / FAILED / ERROR each.

#include "runner/replay.h"

#include <iostream>
#include <memory>

#include "cli/case_options.h"
#include "cli/commands.h"
#include "cli/outcome_options.h"
#include "cli/report_files.h"
#include "cli/server_options.h"
#include "cli/shared_options.h"
#include "cli/untestable.h"
#include "reports/visible_text.h"
#include "runner/runner.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(

Examples:
  assay replay out/failures -- ./server
  assay replay out/failures/one.yaml --url https://host/mcp

FIXED   the case ran through, and what it is about does not show
FAILED  it shows again, or something else that counts
ERROR   the case could not be run here: nothing is known

Exit code: 1 when one failed, else 3 when one could not be run, else 0.)";

struct ReplayOptions {
  std::vector<std::string> files;
  ServerOptions server;
  OutcomeOptions outcome;
  Jobs jobs;
};

// The exit code says the worst of them: FAILED before ERROR.
int Print(const Report& report) {
  int failed = 0;
  int errors = 0;
  for (const Result& result : report.results) {
    const Replayed replayed = JudgeReplay(result, report);
    failed += replayed.state == Replayed::State::kFailed ? 1 : 0;
    errors += replayed.state == Replayed::State::kError ? 1 : 0;
    std::string state(ToString(replayed.state));
    state.resize(8, ' ');
    std::cout << state << result.case_id;
    if (!replayed.why.empty()) std::cout << "\n        " << Visible(replayed.why);
    std::cout << "\n";
  }
  const int all = static_cast<int>(report.results.size());
  std::cout << all - failed - errors << " fixed, " << failed << " failed, " << errors
            << " could not be replayed\n";
  if (failed > 0) return 1;
  return errors > 0 ? kExitUntestable : 0;
}

int Replay(const ReplayOptions& options, const std::vector<std::string>& server) {
  const ChosenProfile chosen = ChooseProfile(options.server);
  RunSettings settings;
  ApplyServerOptions(options.server, chosen, server, settings);
  settings.jobs = options.jobs.Count();
  // Each saw a server of its own when it failed.
  settings.isolate = true;
  settings.required = RequiredLevels(options.outcome, chosen.profile);
  for (const std::string& file : options.files) {
    settings.told_options.insert(settings.told_options.end(), {"--only-cases", file});
  }
  const LoadedLibrary loaded = LoadLibrary({.added = {}, .only = options.files});
  if (!loaded.sound) return kExitUsage;
  if (loaded.contents.cases.empty()) {
    throw InputError({.file = options.files.front()}, "there are no cases in it");
  }

  RunOutcome outcome = RunCases(loaded.contents, settings, {});
  Report& report = outcome.report;
  if (report.partial) {
    report.exit_code = kExitInterrupted;
  } else if (!outcome.testable) {
    TellUntestable(outcome.why_not, settings.reach.over_http);
    report.exit_code = kExitUntestable;
  } else {
    report.exit_code = Print(report);
  }
  const std::string& directory = options.outcome.report_directory;
  if (!directory.empty()) WriteReports(report, directory);
  return report.exit_code;
}

}  // namespace

void AddReplay(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "replay", "Run saved failures once more: FIXED, FAILED or ERROR each");
  const auto options = std::make_shared<ReplayOptions>();
  command->add_option("FILE", options->files, "Case files, or folders of them")->required();
  AddServerOptions(*command, options->server);
  AddOutcomeOptions(*command, options->outcome);
  command->footer(command->get_footer() + kExamples);
  AddJobsOption(*command, options->jobs);
  command->callback(
      [options, line] { line.chosen = [options, line] { return Replay(*options, line.server); }; });
}

}  // namespace assay
