// assay fuzz: odd messages, from the outside, to any server.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "campaign/campaign.h"
#include "cli/campaign_progress.h"
#include "cli/commands.h"
#include "cli/found_failure.h"
#include "cli/outcome_options.h"
#include "cli/report_files.h"
#include "cli/search_options.h"
#include "cli/server_options.h"
#include "cli/shared_options.h"
#include "cli/terminal.h"
#include "cli/untestable.h"
#include "reports/exit_code.h"
#include "reports/visible_text.h"
#include "reports/wording.h"
#include "runner/files.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr char kExamples[] = R"(

What it does: it speaks to the server as a client would, mostly well, and each time with something
odd about it: in _meta, ids, methods, params, in how a line or an HTTP request is written, in what is
named (cursors, tasks, states). What gets an answer of a new kind is changed further. After every
few messages the server must still answer. All that comes back is judged as `assay run` judges it:
what is valid must be served; what is not may be refused in any way, but the server must survive it.

Tools are called only if a profile names them, they say they are read-only, or --allow-tool-calls is
given.

Examples:
  assay fuzz -- ./server                            for a minute
  assay fuzz --duration 600 --report out -- ./server
  assay fuzz --resume out -- ./server               goes on where that one ended
  assay fuzz --jobs 1 --seed 7 --iterations 50000 -- ./server   the same messages each time
  assay replay out/failures -- ./server             are they fixed?

In the folder of --report: failures/ has a case for each thing that was found, made as small as it
gets; corpus/ what led to something new; states.dot the states that the server was seen in (draw it
with `dot -Tsvg`); report.json the rest.)";

struct FuzzOptions {
  ServerOptions server;
  OutcomeOptions outcome;
  SearchOptions search;
  Jobs jobs{.for_each_core = 1};  // a server keeps its core busy, and we keep one
  std::string resume;             // a folder of --report
};

// What a campaign leaves for the next one.
struct Inheritance {
  std::uint64_t seed = 0;
  std::uint64_t rounds = 0;
};

std::optional<Inheritance> ReadInheritance(const fs::path& folder) {
  std::ifstream file(folder / "campaign.json", std::ios::binary);
  const JsonParse parsed = ParseJson(std::string{std::istreambuf_iterator<char>(file), {}});
  if (!parsed.value) return std::nullopt;
  const auto number = [&](std::string_view key) {
    const Json* value = parsed.value->Find(key);
    return value == nullptr ? 0 : std::strtoull(value->text().c_str(), nullptr, 10);
  };
  return Inheritance{number("seed"), number("rounds")};
}

void WriteInheritance(const fs::path& folder, std::uint64_t seed, const Tally& tally) {
  WriteFile(folder / "campaign.json",
            Json::Object({{"seed", Json::Number(std::to_string(seed))},
                          {"rounds", Json::Number(std::to_string(tally.rounds))},
                          {"inputs", Json::Number(std::to_string(tally.inputs))},
                          {"messages", Json::Number(std::to_string(tally.messages))},
                          {"received", Json::Number(std::to_string(tally.received))}})
                    .Dump() +
                "\n");
}

CampaignSettings MakeSettings(const FuzzOptions& options, const ChosenProfile& chosen,
                              const std::vector<std::string>& server) {
  CampaignSettings settings;
  ApplyServerOptions(options.server, chosen, server, settings.run);
  settings.run.jobs = options.jobs.Count();
  // What one round did to a server must not show in another.
  settings.run.isolate = true;
  settings.run.seed = SeedOf(options.search);
  settings.run.required = RequiredLevels(options.outcome, chosen.profile);
  settings.iterations = options.search.iterations;
  settings.duration = DurationOf(options.search);
  return settings;
}

fs::path FolderOf(const FuzzOptions& options) {
  if (!options.outcome.report_directory.empty()) return options.outcome.report_directory;
  return options.resume.empty() ? kDefaultFolder : options.resume;
}

// Takes up the campaign of --resume: its corpus, what it found, and where it ended.
void Resume(const FuzzOptions& options, Library& library, CampaignSettings& settings,
            Corpus& corpus) {
  const fs::path folder = options.resume;
  if (!fs::is_directory(folder)) {
    throw InputError({.file = folder.string()}, "there is no such folder");
  }
  corpus.ReadFrom((folder / "corpus").string());
  if (const auto before = ReadInheritance(folder); before && !options.search.seed) {
    settings.run.seed = before->seed;
    settings.first_round = before->rounds;
  }
  const fs::path failures = folder / "failures";
  if (!fs::is_directory(failures) || fs::is_empty(failures)) return;
  AddCasesFrom(failures.string(), library);
  settings.known = std::exchange(library.cases, {});
}

FoundFailure FailureOf(const CampaignFinding& found, std::uint64_t seed) {
  return {
      .test_case = found.test_case,
      .result = found.result,
      .title = found.test_case.title + " (" + Several(found.probes, "message", "messages") + ")",
      .found_by = "Found by `assay fuzz --seed " + std::to_string(seed) + "` in round " +
                  std::to_string(found.round) + ".",
      .last_words = found.last_words};
}

void PrintEnd(const CampaignOutcome& outcome) {
  std::cout << "\n" << ToString(outcome.tally, outcome.fuzzed) << "\n";
  for (const CampaignFinding& found : outcome.found) {
    if (found.seen > 1) {
      std::cout << found.test_case.id << ": seen " << found.seen << " times\n";
    }
  }
  for (const std::string& id : outcome.fixed) {
    std::cout << id << ": found before, does not show any more\n";
  }
  for (const std::string& words : outcome.unconfirmed) {
    std::cout << "seen once, and not again: " << Visible(words) << "\n";
  }
  for (const Result& result : outcome.report.results) {
    if (result.verdict != Verdict::kError) continue;
    std::cout << "could not be judged: " << result.title << ": " << Visible(result.error) << "\n";
  }
}

int RunFuzz(const FuzzOptions& options, const std::vector<std::string>& server) {
  const ChosenProfile chosen = ChooseProfile(options.server);
  CampaignSettings settings = MakeSettings(options, chosen, server);
  const fs::path folder = FolderOf(options);
  const bool keep = !options.outcome.report_directory.empty() || !options.resume.empty();
  settings.run.told_options = {"--only-cases", (folder / "failures").string()};

  Library library = LoadBuiltinRules();
  Corpus corpus;
  if (!options.resume.empty()) Resume(options, library, settings, corpus);
  const std::uint64_t seed = *settings.run.seed;
  const Terminal terminal = LookAtTerminal(STDOUT_FILENO);
  CampaignProgress progress(std::cout, terminal.is_terminal, terminal.width);
  std::cout << "seed " << seed << std::endl;
  CampaignListener listener;
  // At once: whatever happens to us later, this is there.
  listener.found = [&](const CampaignFinding& found) {
    const FoundFailure failure = FailureOf(found, seed);
    const fs::path path = FailureFile(folder, found.test_case);
    if (found.test_case.place.file.empty()) WriteFailure(failure, path);
    progress.Clear();
    PrintFailure(failure, path);
  };
  auto saved = Clock::now();
  listener.tick = [&](const Tally& tally) {
    progress.Tick(tally, Clock::now());
    constexpr std::chrono::seconds kBetweenSaves(20);
    if (!keep || Clock::now() - saved < kBetweenSaves) return;
    saved = Clock::now();
    corpus.WriteTo((folder / "corpus").string());
    WriteInheritance(folder, seed, tally);
  };
  CampaignOutcome outcome = Fuzz(library, settings, corpus, listener);
  progress.Clear();

  Report& report = outcome.report;
  if (!outcome.testable && !report.partial) {
    report.exit_code = kExitUntestable;
    TellUntestable(outcome.why_not, settings.run.reach.over_http);
    return report.exit_code;
  }
  report.exit_code = report.partial ? kExitInterrupted : ExitCode(report);
  for (std::size_t i = 0; i < outcome.found.size(); ++i) {
    report.results[i].place = FailureFile(folder, outcome.found[i].test_case).string();
  }
  PrintEnd(outcome);
  if (keep) {
    WriteReports(report, folder.string());
    corpus.WriteTo((folder / "corpus").string());
    WriteInheritance(folder, seed, outcome.tally);
    WriteFile(folder / "states.dot", outcome.states.ToDot());
  }
  return report.exit_code;
}

}  // namespace

void AddFuzz(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "fuzz", "Send odd messages: does the server survive, and stay right?");
  const auto options = std::make_shared<FuzzOptions>();
  AddServerOptions(*command, options->server);
  AddOutcomeOptions(*command, options->outcome);
  AddSearchOptions(
      *command, options->search,
      {.duration = "How long",
       .iterations = "How many inputs, each a message or a few that belong together",
       .seed =
           "With --jobs 1, a server that answers the same gets the same messages, byte for byte"});
  AddJobsOption(*command, options->jobs);
  command
      ->add_option(
          "--resume", options->resume,
          "Go on from the --report of another campaign: its corpus, its findings, its seed")
      ->type_name("DIR");
  command->footer(command->get_footer() + kExamples);
  command->callback([options, line] {
    line.chosen = [options, line] { return RunFuzz(*options, line.server); };
  });
}

}  // namespace assay
