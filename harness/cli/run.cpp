// assay run: runs the cases that apply, prints, writes reports.

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/case_options.h"
#include "cli/commands.h"
#include "cli/outcome_options.h"
#include "cli/report_files.h"
#include "cli/server_options.h"
#include "cli/shared_options.h"
#include "cli/terminal.h"
#include "cli/untestable.h"
#include "exchange/envelope.h"
#include "reports/exit_code.h"
#include "reports/json_report.h"
#include "reports/progress.h"
#include "reports/tap.h"
#include "reports/terminal.h"
#include "reports/wording.h"
#include "runner/baseline.h"
#include "runner/files.h"
#include "runner/runner.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr char kExamples[] = R"(

Examples:
  assay run -- ./server                       every case that applies, in words
  assay run --strict --report out -- ./server
                                              SHOULDs and the contract count too; pages in out/
  assay run --filter 'modern/*' --trace -- ./server
                                              some cases, and the wire of what did not pass
  assay run --quick -- ./server               each requirement once, while you edit
  assay run --http -- ./server --port {port}  over HTTP
  assay run --url https://host/mcp --bearer TOKEN
  assay run --baseline known.yaml --update-baseline -- ./server
                                              from now on only what is new counts

With --url, --jobs is how many cases speak to the server at once.
`assay explain ID` says more of each requirement and case. `assay --help` has the exit codes.)";

// How many cases speak at once to a server that is there already.
constexpr int kConversations = 16;

struct RunOptions {
  CaseOptions cases;
  ServerOptions server;
  std::vector<std::string> filters;
  std::string era = "auto";
  std::string revision;
  Jobs jobs;  // kConversations with a URL
  std::string shard;
  bool quick = false;
  OutcomeOptions outcome;
  std::string baseline;
  bool update_baseline = false;
  std::string format = "text";
  std::string trace;  // "" | failed | all
  std::optional<std::uint64_t> seed;
  bool isolate = false;
};

[[noreturn]] void FailUsage(const std::string& option, const std::string& message) {
  throw InputError({.file = option}, message);
}

// I/N of --shard.
void ReadShard(const std::string& text, PlanSettings& plan) {
  if (text.empty()) return;
  const std::size_t slash = text.find('/');
  const char* end = text.data() + text.size();
  const auto number = [](const char* from, const char* to, int& value) {
    const auto [stop, error] = std::from_chars(from, to, value);
    return error == std::errc() && stop == to;
  };
  if (slash == std::string::npos || !number(text.data(), text.data() + slash, plan.shard) ||
      !number(text.data() + slash + 1, end, plan.shards) || plan.shard < 1 ||
      plan.shard > plan.shards) {
    FailUsage("--shard", "expected I/N with I from 1 to N, got '" + text + "'");
  }
}

void CheckRevisions(const std::vector<std::string>& revisions) {
  std::vector<std::string> known = LegacyRevisions();
  known.insert(known.begin(), {"all", std::string(kNewestModern)});
  for (const std::string& revision : revisions) {
    if (std::find(known.begin(), known.end(), revision) != known.end()) continue;
    FailUsage("--revision", "there is no revision '" + revision + "'; there are: " + Joined(known));
  }
}

// The baseline in use, and where it lives.
struct BaselineFile {
  std::string path;  // "" = none
  Baseline entries;
};

BaselineFile FindBaseline(const RunOptions& options, const ChosenProfile& chosen) {
  BaselineFile file;
  file.path = options.baseline;
  if (file.path.empty() && chosen.profile && !chosen.profile->baseline.empty()) {
    file.path = (fs::path(chosen.folder) / chosen.profile->baseline).string();
  }
  if (file.path.empty()) {
    if (options.update_baseline)
      FailUsage("--update-baseline",
                "which file? Name it with --baseline FILE, or as `baseline` in assay.yaml");
    return file;
  }
  if (options.update_baseline && !fs::exists(file.path)) return file;
  file.entries = ParseBaseline(file.path, ReadFile(file.path));
  return file;
}

// What must be said again to repeat a case of this run.
std::vector<std::string> ToldOptions(const RunOptions& options) {
  std::vector<std::string> words;
  const auto tell = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  for (const std::string& path : options.cases.only) tell("--only-cases", path);
  for (const std::string& path : options.cases.added) tell("--cases", path);
  tell("--config", options.server.config);
  tell("--profile", options.server.profile);
  // A token or a header may be a secret: how it is said is told, not what.
  if (!options.server.bearer.empty()) tell("--bearer", "TOKEN");
  for (const std::string& header : options.server.headers) {
    tell("--header", header.substr(0, header.find(':')) + ": ...");
  }
  tell("--ca", options.server.ca_file);
  if (options.server.insecure) words.emplace_back("--insecure");
  if (options.server.allow_tool_calls) words.emplace_back("--allow-tool-calls");
  return words;
}

RunSettings MakeSettings(const RunOptions& options, const ChosenProfile& chosen,
                         const std::vector<std::string>& server) {
  RunSettings settings;
  ApplyServerOptions(options.server, chosen, server, settings);
  settings.plan.filters = options.filters;
  settings.plan.era = options.era;
  settings.plan.revisions = SplitAtCommas(options.revision);
  CheckRevisions(settings.plan.revisions);
  ReadShard(options.shard, settings.plan);
  settings.plan.quick = options.quick;
  settings.jobs = options.jobs.Count();
  // One that we did not start is one process, however many speak to it.
  if (options.jobs.said == 0 && !settings.reach.url.empty()) settings.jobs = kConversations;
  settings.isolate = options.isolate;
  settings.seed = options.seed;
  settings.keep_all_transcripts = options.trace == "all";
  settings.required = RequiredLevels(options.outcome, chosen.profile);
  settings.told_options = ToldOptions(options);
  return settings;
}

void Print(const Report& report, const RunOptions& options, const Terminal& terminal) {
  if (options.format == "json") {
    WriteJsonReport(report, std::cout);
  } else if (options.format == "tap") {
    WriteTap(report, std::cout);
  } else {
    using Trace = TerminalOptions::Trace;
    PrintTerminal(report,
                  {.colour = terminal.colour,
                   .width = terminal.width,
                   .trace = options.trace.empty()    ? Trace::kNone
                            : options.trace == "all" ? Trace::kAll
                                                     : Trace::kFailed,
                   .report_directory = options.outcome.report_directory},
                  std::cout);
  }
}

int Run(const RunOptions& options, const std::vector<std::string>& server) {
  const ChosenProfile chosen = ChooseProfile(options.server);
  const RunSettings settings = MakeSettings(options, chosen, server);
  const BaselineFile baseline = FindBaseline(options, chosen);
  const LoadedLibrary loaded = LoadLibrary(options.cases);
  if (!loaded.sound) return kExitUsage;

  // Data goes to stdout, the rest to stderr when there is data.
  const bool text = options.format == "text";
  const Terminal terminal = LookAtTerminal(text ? STDOUT_FILENO : STDERR_FILENO);
  std::ostream& talk = text ? std::cout : std::cerr;
  TerminalProgress progress(
      talk, {.live = terminal.is_terminal, .colour = terminal.colour, .width = terminal.width});
  RunListener listener;
  listener.planned = [&](int total) { progress.SetTotal(total); };
  listener.started = [&](const std::string& id) { progress.Started(id); };
  listener.finished = [&](const Result& result) { progress.Finished(result); };
  if (terminal.is_terminal) listener.tick = [&] { progress.Tick(); };
  RunOutcome outcome = RunCases(loaded.contents, settings, listener);
  progress.Clear();

  Report& report = outcome.report;
  if (!outcome.testable && !report.partial) {
    report.exit_code = kExitUntestable;
    if (!options.outcome.report_directory.empty())
      WriteReports(report, options.outcome.report_directory);
    if (!text || !report.results.empty()) Print(report, options, terminal);
    TellUntestable(outcome.why_not, settings.reach.over_http);
    return report.exit_code;
  }
  ApplyBaseline(baseline.entries, outcome.left_out, report);
  if (options.update_baseline && !report.partial) {
    WriteFile(baseline.path, UpdatedBaseline(baseline.entries, report));
    report.stale.clear();
    ApplyBaseline(ParseBaseline(baseline.path, ReadFile(baseline.path)), outcome.left_out, report);
  }
  report.exit_code = report.partial ? kExitInterrupted : ExitCode(report);
  if (!options.outcome.report_directory.empty())
    WriteReports(report, options.outcome.report_directory);
  Print(report, options, terminal);
  return report.exit_code;
}

}  // namespace

void AddRun(CommandLine line) {
  CLI::App* command =
      line.app.add_subcommand("run", "Run the cases that apply, print, write reports");
  const auto options = std::make_shared<RunOptions>();
  AddCaseOptions(*command, options->cases);
  AddServerOptions(*command, options->server);
  const auto option = [&](const char* name, auto& value, const char* help, const char* type) {
    return command->add_option(name, value, help)->type_name(type);
  };
  AddFilterOption(*command, options->filters);
  AddChoice(*command, "--era", options->era, "ERA", {"auto", "legacy", "modern", "both"},
            "Which era to judge");
  option("--revision", options->revision,
         "Revisions to judge, or all (default: the newest of each era that the server speaks)",
         "R,...");
  AddJobsOption(*command, options->jobs);
  option("--shard", options->shard, "Run only the I-th of N parts", "I/N");
  command->add_flag("--quick", options->quick,
                    "Judge each requirement once: a fraction of the cases, for while you edit");
  AddOutcomeOptions(*command, options->outcome);
  option("--baseline", options->baseline, "Known findings, each with its reason", "FILE");
  command->add_flag("--update-baseline", options->update_baseline,
                    "Write what was found into the baseline");
  AddChoice(*command, "--format", options->format, "FORMAT", {"text", "json", "tap"},
            "What to print");
  command
      ->add_flag("--trace{failed}", options->trace,
                 "Print the whole wire of what did not pass; --trace=all of every case")
      ->check(CLI::IsMember({"failed", "all"}));
  option("--seed", options->seed, "Shuffle the order of the cases", "N");
  command->add_flag("--isolate", options->isolate, "A fresh process for each case");
  command->footer(command->get_footer() + kExamples);
  command->callback(
      [options, line] { line.chosen = [options, line] { return Run(*options, line.server); }; });
}

}  // namespace assay
