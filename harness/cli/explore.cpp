// assay explore: orderings by exhaustion and at random, shrunk to YAML.

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "case/writer.h"
#include "cli/commands.h"
#include "cli/found_failure.h"
#include "cli/outcome_options.h"
#include "cli/report_files.h"
#include "cli/search_options.h"
#include "cli/server_options.h"
#include "cli/shared_options.h"
#include "cli/terminal.h"
#include "cli/untestable.h"
#include "property/explorer.h"
#include "reports/exit_code.h"
#include "reports/progress.h"
#include "reports/visible_text.h"
#include "runner/files.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr char kSequences[] = "sequences.txt";

constexpr char kExamples[] = R"(

Examples:
  assay explore -- ./server                          a minute of everything
  assay explore --model 'tasks-*' --length 4 --iterations 0 -- ./server
                                                     every order of up to four letters, nothing else
  assay explore --duration 600 --report out -- ./server
  assay explore --duration 600 --resume out -- ./server
  assay replay out/failures -- ./server              are they fixed?

The models that apply are printed with their letters. Half of --duration at most is for the short
orders. What fails is made small, repeated, and written below DIR/failures (assay-report/failures
without --report) as a case file; DIR/sequences.txt holds the orders that were tried. Behind --url
one sequence runs at a time, whatever --jobs says. Exit codes are those of assay run.)";

struct ExploreOptions {
  ServerOptions server;
  OutcomeOptions outcome;
  SearchOptions search;
  std::size_t length = 0;
  std::vector<std::string> models;
  Jobs jobs{.for_each_core = 4};  // most sequences wait for something that takes its time
  bool isolate = false;
  std::string resume;  // the report directory of an earlier exploration
};

// Goes on where the exploration stopped whose reports are in `directory`, with its seed.
void Resume(const fs::path& directory, ExploreSettings& settings) {
  const Report report = LoadReport((directory / "report.json").string());
  settings.run.seed = report.seed;
  for (const Result& result : report.results) {
    if (result.source == "explore" && !result.findings.empty()) {
      settings.earlier.failures.push_back(result);
    }
  }
  std::istringstream sequences(ReadFile(directory / kSequences));
  for (std::string line; std::getline(sequences, line);) settings.earlier.sequences.insert(line);
}

ExploreSettings MakeSettings(const ExploreOptions& options, const ChosenProfile& chosen,
                             const std::vector<std::string>& server) {
  ExploreSettings settings;
  ApplyServerOptions(options.server, chosen, server, settings.run);
  settings.run.jobs = options.jobs.Count();
  // Behind a URL all sequences meet one server, where they would get into each other's way.
  if (!settings.run.reach.url.empty()) settings.run.jobs = 1;
  settings.run.isolate = options.isolate;
  settings.run.seed = SeedOf(options.search);
  settings.run.required = RequiredLevels(options.outcome, chosen.profile);
  settings.iterations = options.search.iterations;
  settings.duration = DurationOf(options.search);
  settings.length = options.length;
  settings.models = options.models;
  if (!options.resume.empty()) Resume(options.resume, settings);
  return settings;
}

void PrintPlan(const std::vector<Model>& models, const std::vector<ModelCount>& counts,
               std::uint64_t seed) {
  std::cout << "seed " << seed << "\n";
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Model& model = models[i];
    std::cout << model.name << ": " << model.title << "\n  " << model.alphabet.size()
              << " letters:";
    for (const std::string& letter : model.alphabet) std::cout << " " << letter;
    std::cout << "\n  " << counts[i].possible << " sequences of up to " << counts[i].length
              << " letters\n";
  }
  std::cout.flush();
}

FoundFailure FailureOf(const Discovered& found, std::uint64_t seed) {
  std::string letters;
  for (const std::string& letter : found.letters) {
    letters += (letters.empty() ? "" : ", ") + letter;
  }
  return {.test_case = found.test_case,
          .result = found.result,
          .title = found.model + ": " + letters,
          .found_by = "Found by `assay explore --seed " + std::to_string(seed) + "`."};
}

void PrintEnd(const ExploreOutcome& outcome) {
  std::cout << "\n"
            << outcome.ran_short << " of " << outcome.all_short << " short sequences, "
            << outcome.ran_random << " longer ones: " << outcome.found.size() << " found\n";
  for (const ExploredModel& model : outcome.models) {
    if (model.without_set_up == 0) continue;
    std::cout << model.name << ": " << model.without_set_up << " of " << model.ran
              << " could not be set up: " << Visible(model.why) << "\n";
  }
  for (const Unconfirmed& one : outcome.unconfirmed) {
    std::cout << "seen once, and not again: " << one.model << ": " << one.letters << ": "
              << one.finding.requirement << ": " << Visible(one.finding.message) << "\n";
  }
  for (const Result& result : outcome.report.results) {
    if (result.verdict != Verdict::kError) continue;
    std::cout << "could not be judged: " << result.title << ": " << Visible(result.error) << "\n";
  }
}

void WriteSequences(const ExploreOutcome& outcome, const fs::path& path, bool append) {
  std::string text = append ? ReadFile(path) : "";
  for (const std::string& sequence : outcome.sequences) text += sequence + "\n";
  WriteFile(path, text);
}

int RunExplore(const ExploreOptions& options, const std::vector<std::string>& server) {
  const ChosenProfile chosen = ChooseProfile(options.server);
  ExploreSettings settings = MakeSettings(options, chosen, server);
  const bool resumes = !options.resume.empty();
  const std::string& directory = resumes ? options.resume : options.outcome.report_directory;
  const fs::path folder = directory.empty() ? kDefaultFolder : directory;
  settings.run.told_options = {"--only-cases", (folder / "failures").string()};

  const Library library = LoadBuiltinRules();
  const Terminal terminal = LookAtTerminal(STDOUT_FILENO);
  TerminalProgress progress(std::cout, {.live = terminal.is_terminal,
                                        .colour = terminal.colour,
                                        .width = terminal.width,
                                        .things = "sequences"});
  ExploreListener listener;
  listener.planned = [&](const std::vector<Model>& models, const std::vector<ModelCount>& counts) {
    progress.Clear();
    PrintPlan(models, counts, *settings.run.seed);
    // Where time decides, nobody knows how many there will be.
    std::size_t all = 0;
    if (!settings.duration && !resumes) {
      all = *settings.iterations;
      for (const ModelCount& count : counts) all += count.possible;
    }
    progress.SetTotal(static_cast<int>(all));
  };
  listener.started = [&](const std::string& what) { progress.Started(what); };
  listener.finished = [&](const Result& result) { progress.Finished(result); };
  if (terminal.is_terminal) listener.tick = [&] { progress.Tick(); };
  ExploreOutcome outcome = Explore(library, settings, listener);
  progress.Clear();

  Report& report = outcome.report;
  if (!outcome.testable && !report.partial) {
    report.exit_code = kExitUntestable;
    TellUntestable(outcome.why_not, settings.run.reach.over_http);
  } else {
    report.exit_code = report.partial ? kExitInterrupted : ExitCode(report);
  }
  for (std::size_t i = 0; i < outcome.found.size(); ++i) {
    const FoundFailure failure = FailureOf(outcome.found[i], *settings.run.seed);
    const fs::path path = FailureFile(folder, failure.test_case);
    WriteFailure(failure, path);
    report.results[i].place = path.string();
    report.results[i].case_file = WriteCaseFile({failure.test_case});
    PrintFailure(failure, path);
  }
  if (outcome.testable) PrintEnd(outcome);
  if (!directory.empty()) {
    WriteReports(report, directory);
    WriteSequences(outcome, folder / kSequences, resumes);
  }
  return report.exit_code;
}

}  // namespace

void AddExplore(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "explore", "Try orders of messages: every short one, then longer ones at random");
  const auto options = std::make_shared<ExploreOptions>();
  AddServerOptions(*command, options->server);
  AddOutcomeOptions(*command, options->outcome);
  command->footer(command->get_footer() + kExamples);
  AddSearchOptions(*command, options->search,
                   {.duration = "How long sequences are begun",
                    .iterations = "How many random sequences are tried",
                    .seed = "Of the random sequences"});
  command
      ->add_option("--length", options->length,
                   "Letters of the longest of the short sequences (default: by the alphabet)")
      ->type_name("N")
      ->check(CLI::Range(1, 10));
  AddRepeatable(*command, "--model", options->models, "GLOB", "Only the models of that name");
  AddJobsOption(*command, options->jobs);
  command
      ->add_option("--resume", options->resume,
                   "Go on where the exploration stopped whose --report DIR this is, with its seed; "
                   "reports go there")
      ->type_name("DIR")
      ->excludes("--seed")
      ->excludes("--report");
  command->add_flag("--isolate", options->isolate,
                    "A fresh process for each sequence, over HTTP too");
  command->callback([options, line] {
    line.chosen = [options, line] { return RunExplore(*options, line.server); };
  });
}

}  // namespace assay
