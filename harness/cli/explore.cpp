// assay explore: orderings by exhaustion and at random, shrunk to YAML.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

#include "case/writer.h"
#include "cli/commands.h"
#include "cli/outcome_options.h"
#include "cli/report_files.h"
#include "cli/server_options.h"
#include "cli/terminal.h"
#include "cli/untestable.h"
#include "property/explorer.h"
#include "reports/evidence.h"
#include "reports/exit_code.h"
#include "reports/json_report.h"
#include "reports/progress.h"
#include "reports/visible_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr char kDefaultFolder[] = "assay-report";
constexpr char kSequences[] = "sequences.txt";
constexpr std::chrono::seconds kDefaultDuration(60);

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
without --report) as a case file; DIR/sequences.txt holds the orders that were tried. Exit codes are
those of assay run.)";

struct ExploreOptions {
  ServerOptions server;
  OutcomeOptions outcome;
  double duration_s = 0;  // 0 = not said
  std::optional<std::size_t> iterations;
  std::size_t length = 0;
  std::vector<std::string> models;
  int jobs = 0;  // 0 = four for each core
  std::optional<std::uint64_t> seed;
  bool isolate = false;
  std::string resume;  // the report directory of an earlier exploration
};

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({.file = path.string()}, "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Goes on where the exploration stopped whose reports are in `directory`, with its seed.
void Resume(const fs::path& directory, ExploreSettings& settings) {
  const ReportRead read = ReadReport(ReadFile(directory / "report.json"));
  if (!read.report) throw InputError({.file = (directory / "report.json").string()}, read.error);
  settings.run.seed = read.report->seed;
  for (const Result& result : read.report->results) {
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
  // Most sequences wait for something that takes its time.
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  settings.run.jobs = options.jobs > 0 ? options.jobs : 4 * cores;
  // Behind a URL all sequences meet one server, where they would get into each other's way.
  if (!settings.run.reach.url.empty()) settings.run.jobs = 1;
  settings.run.isolate = options.isolate;
  settings.run.seed = options.seed ? *options.seed : std::random_device{}();
  settings.run.required = RequiredLevels(options.outcome, chosen.profile);
  settings.iterations = options.iterations;
  settings.length = options.length;
  settings.models = options.models;
  if (options.duration_s > 0) {
    settings.duration =
        std::chrono::milliseconds(static_cast<std::int64_t>(options.duration_s * 1000));
  } else if (!options.iterations) {
    settings.duration = kDefaultDuration;
  }
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

// What a file's name can hold of a case's id.
fs::path FileName(const Discovered& found) {
  std::string name = found.test_case.id.substr(std::string("explore/").size());
  std::replace(name.begin(), name.end(), '/', '-');
  constexpr std::size_t kLongest = 120;
  name.resize(std::min(name.size(), kLongest));
  return name + ".yaml";
}

void WriteFailure(const Discovered& found, const fs::path& path, std::uint64_t seed) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << "# Found by `assay explore --seed " << seed << "`.\n";
  for (const ReportedFinding& finding : found.result.findings) {
    file << "# " << finding.requirement << ": " << Visible(finding.message) << "\n";
  }
  file << WriteCaseFile({found.test_case});
  file.close();
  if (!file) throw InputError({.file = path.string()}, "cannot be written");
}

void PrintFound(const Discovered& found, const fs::path& path) {
  std::string letters;
  for (const std::string& letter : found.letters) {
    letters += (letters.empty() ? "" : ", ") + letter;
  }
  std::cout << "\n"
            << ToString(found.result.verdict) << "  " << found.model << ": " << letters << "\n";
  for (const ReportedFinding& finding : found.result.findings) {
    std::cout << "  " << finding.requirement << ": " << Visible(finding.message) << "\n";
    for (const std::string& line : ExchangeOf(finding, found.result))
      std::cout << "    " << line << "\n";
  }
  std::cout << "  " << path.string() << "\n";
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
  std::ofstream file(path, std::ios::binary | (append ? std::ios::app : std::ios::trunc));
  for (const std::string& sequence : outcome.sequences) file << sequence << "\n";
  file.close();
  if (!file) throw InputError({.file = path.string()}, "cannot be written");
}

int RunExplore(const ExploreOptions& options, const std::vector<std::string>& server) {
  const ChosenProfile chosen = ChooseProfile(options.server);
  ExploreSettings settings = MakeSettings(options, chosen, server);
  const bool resumes = !options.resume.empty();
  const std::string& directory = resumes ? options.resume : options.outcome.report_directory;
  const fs::path failures = fs::path(directory.empty() ? kDefaultFolder : directory) / "failures";
  settings.run.told_options = {"--only-cases", failures.string()};

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
    const fs::path path = failures / FileName(outcome.found[i]);
    WriteFailure(outcome.found[i], path, *settings.run.seed);
    report.results[i].place = path.string();
    report.results[i].case_file = WriteCaseFile({outcome.found[i].test_case});
    PrintFound(outcome.found[i], path);
  }
  if (outcome.testable) PrintEnd(outcome);
  if (!directory.empty()) {
    WriteReports(report, directory);
    WriteSequences(outcome, fs::path(directory) / kSequences, resumes);
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
  command
      ->add_option("--duration", options->duration_s,
                   "How long sequences are begun (default: 60, unless --iterations is given)")
      ->type_name("S")
      ->check(CLI::PositiveNumber);
  command->add_option("--iterations", options->iterations, "How many random sequences are tried")
      ->type_name("N");
  command
      ->add_option("--length", options->length,
                   "Letters of the longest of the short sequences (default: by the alphabet)")
      ->type_name("N")
      ->check(CLI::Range(1, 10));
  command->add_option("--model", options->models, "Only the models of that name; repeatable")
      ->type_name("GLOB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option(
          "--jobs", options->jobs,
          "Server processes at work at once (default: four for each core); behind --url one "
          "sequence runs at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--seed", options->seed, "Of the random sequences (default: another each time)")
      ->type_name("N");
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
