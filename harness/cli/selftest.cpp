// assay selftest: the cases against the reference server, with every seeded fault and without.
// Each run is `assay run` in a process of its own, as many at once as there are cores.
//
// The way of a fault: ChooseFaults finds it among those that the server lists, PlanErrands makes it
// an errand, RunErrand writes a profile that starts the server with it and runs the cases, Tabulate
// puts what they found into the matrix (runner/kill_matrix.h).

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "case/glob.h"
#include "cli/case_options.h"
#include "cli/child_process.h"
#include "cli/commands.h"
#include "cli/shared_options.h"
#include "message/json.h"
#include "reports/json_report.h"
#include "runner/files.h"
#include "runner/kill_matrix.h"
#include "runner/temporary_folder.h"
#include "runner/tokens.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr char kExamples[] = R"(Examples:
  assay selftest                              all of them: this takes a while
  assay selftest --fault 'cancel-*'
  assay selftest --report out

Exit code: 0 when every fault is caught, and nothing is found without one, else 1.)";

struct SelftestOptions {
  std::vector<std::string> faults;
  std::string server;
  int jobs = 0;  // 0 = one for each core
  std::string report_directory;
};

bool Names(const Report& report, const std::string& requirement) {
  return std::any_of(report.results.begin(), report.results.end(), [&](const Result& result) {
    return std::any_of(
        result.findings.begin(), result.findings.end(),
        [&](const ReportedFinding& finding) { return finding.requirement == requirement; });
  });
}

// One run of the cases.
struct Errand {
  SeededFault fault;  // no name: a run without
  bool over_http = false;
  std::vector<std::string> more;  // options of `assay run`
};

// How closely a run looks.
struct Look {
  bool all_revisions = false;
  bool with_tokens = false;  // over HTTP: of a server that asks for one
};

// How the server is started over each transport, as a profile in JSON, which is YAML.
std::string ProfileFor(const Errand& errand, const std::string& server, const Look& look) {
  const auto list = [](const std::vector<std::string>& words) {
    Json array = Json::Array();
    for (const std::string& word : words) array.items().push_back(Json::String(word));
    return array;
  };
  std::vector<std::string> over_stdio = {server};
  std::vector<std::string> over_http = {server, "--transport", "http", "--port", "{port}"};
  if (!errand.fault.name.empty()) {
    over_http.insert(over_http.end(), {"--fault", errand.fault.name});
    if (!errand.over_http) over_stdio.insert(over_stdio.end(), {"--fault", errand.fault.name});
  }
  Json tokens = Json::Object();
  if (look.with_tokens) {
    over_http.insert(over_http.end(), AskForTokens().begin(), AskForTokens().end());
    for (const auto& [name, token] : TokensByName()) tokens.Set(name, Json::String(token));
  }
  const Json commands = Json::Object(
      {{"command", list(over_stdio)}, {"http", Json::Object({{"command", list(over_http)}})}});
  return Json::Object({{"server", commands}, {"tokens", tokens}}).Dump();
}

std::vector<std::string> CommandFor(const Errand& errand, const fs::path& profile,
                                    const Look& look) {
  // A fault may be silence, and every wait for it is in vain: many wait at once, and not for long.
  std::vector<std::string> words = {
      ThisProgram().string(), "run", "--format", "json", "--timeout", "1500", "--jobs", "12"};
  if (look.all_revisions) words.insert(words.end(), {"--revision", "all"});
  if (look.with_tokens) words.insert(words.end(), {"--bearer", OwnToken()});
  words.insert(words.end(), errand.more.begin(), errand.more.end());
  if (errand.over_http) words.emplace_back("--http");
  words.insert(words.end(), {"--config", profile.string()});
  return words;
}

std::vector<Errand> PlanErrands(const std::vector<SeededFault>& faults) {
  std::vector<Errand> errands;
  for (const bool over_http : {false, true}) {
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, {"--seed", "1"}, {"--seed", "2", "--isolate"}}) {
      errands.push_back({.fault = {}, .over_http = over_http, .more = more});
    }
  }
  for (const SeededFault& fault : faults) {
    errands.push_back({.fault = fault, .over_http = NeedsHttp(fault), .more = {"--isolate"}});
  }
  return errands;
}

// The reference server, and where what is made for its runs is kept meanwhile.
struct Bench {
  std::string server;
  const TemporaryFolder folder{"selftest"};
};

struct Output {
  std::string text;  // on stdout
  int exit_code = -1;
};

// The name is for the file that the output goes to.
Output OutputOf(const std::vector<std::string>& words, const Bench& bench,
                const std::string& name) {
  const fs::path file = bench.folder.path() / name;
  const int exit_code = ChildProcess(words, {.out = file}).Wait();
  return {ReadFile(file), exit_code};
}

// The report of one run. Most faults show at the newest revisions, and to everybody; where one does
// not, the run looks more closely.
ReportRead RunErrand(const Errand& errand, const Bench& bench, const std::string& name) {
  const fs::path profile = bench.folder.path() / (name + ".yaml");
  const auto run = [&](const Look& look) {
    WriteFile(profile, ProfileFor(errand, bench.server, look));
    return ReadReport(OutputOf(CommandFor(errand, profile, look), bench, name + ".json").text);
  };
  const SeededFault& fault = errand.fault;
  if (fault.name.empty()) return run({.all_revisions = true});
  const auto shows = [&](const ReportRead& read) {
    return read.report && Names(*read.report, fault.requirement);
  };
  ReportRead read = run({});
  if (!shows(read)) read = run({.all_revisions = true});
  if (!shows(read) && errand.over_http) {
    read = run({.all_revisions = true, .with_tokens = true});
  }
  return read;
}

// As many at once as `workers`; each is told on stderr when it is done.
std::vector<ReportRead> RunAll(const std::vector<Errand>& errands, const Bench& bench,
                               int workers) {
  std::vector<ReportRead> reports(errands.size());
  std::atomic<std::size_t> next = 0;
  std::mutex talking;
  const auto work = [&] {
    for (std::size_t i = next++; i < errands.size(); i = next++) {
      reports[i] = RunErrand(errands[i], bench, std::to_string(i));
      const std::string& fault = errands[i].fault.name;
      const std::lock_guard lock(talking);
      std::cerr << "[" << i + 1 << "/" << errands.size() << "] "
                << (fault.empty() ? "no fault" : fault) << "\n";
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < workers; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return reports;
}

// The faults of the reference server that the options choose, of those that the cases are to catch.
std::vector<SeededFault> ChooseFaults(const SelftestOptions& options, const Bench& bench) {
  std::vector<SeededFault> faults;
  try {
    const Output list = OutputOf({bench.server, "--list-faults"}, bench, "faults");
    if (list.exit_code == 0) faults = ReadFaults(list.text);
  } catch (const std::system_error& problem) {
    throw InputError({.file = "--server"}, std::string("cannot be started: ") + problem.what());
  }
  if (faults.empty()) {
    throw InputError({.file = "--server"},
                     bench.server + " lists no faults: is it the reference server?");
  }
  // The others show in an order of messages, or with values, that no case sends: they are for
  // `assay explore` and `assay fuzz` to find.
  std::erase_if(faults, [&](const SeededFault& fault) {
    const auto& globs = options.faults;
    return fault.name.starts_with("order-") || fault.name.starts_with("value-") ||
           (!globs.empty() && std::none_of(globs.begin(), globs.end(), [&](const auto& glob) {
             return MatchesGlob(glob, fault.name);
           }));
  });
  if (faults.empty()) {
    throw InputError({.file = "--fault"},
                     "the cases are to catch no fault of that name; `" + bench.server +
                         " --list-faults` names them all, order-* and value-* are for `assay "
                         "explore` and `assay fuzz`");
  }
  return faults;
}

KillMatrix Tabulate(const std::vector<Errand>& errands, const std::vector<ReportRead>& reports) {
  std::set<std::string> cases;
  for (const Case& test_case : LoadLibrary({}).contents.cases) {
    cases.insert(test_case.id.substr(0, test_case.id.find('@')));
  }
  KillMatrix matrix(std::move(cases));
  for (std::size_t i = 0; i < errands.size(); ++i) {
    const auto& [report, error] = reports[i];
    if (errands[i].fault.name.empty()) {
      if (!report) throw std::runtime_error("a run without a fault left no report: " + error);
      matrix.AddClean(*report);
    } else if (report) {
      matrix.AddFaulty(errands[i].fault, *report);
    } else {
      matrix.AddFailed(errands[i].fault, error);
    }
  }
  return matrix;
}

int Selftest(const SelftestOptions& options) {
  const Bench bench{.server =
                        options.server.empty()
                            ? (ThisProgram().parent_path() / "assay-reference-server").string()
                            : options.server};
  const std::vector<Errand> errands = PlanErrands(ChooseFaults(options, bench));
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const std::vector<ReportRead> reports =
      RunAll(errands, bench, options.jobs > 0 ? options.jobs : cores);
  const KillMatrix matrix = Tabulate(errands, reports);
  matrix.Print(std::cout);
  if (!options.report_directory.empty()) {
    const fs::path directory = options.report_directory;
    WriteFile(directory / "kill-matrix.json", matrix.ToJson().Dump() + "\n");
    WriteFile(directory / "kill-matrix.md", [&](std::ostream& out) { matrix.PrintMarkdown(out); });
  }
  return matrix.Sound() ? kExitMet : kExitFindings;
}

}  // namespace

void AddSelftest(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "selftest", "Run the cases against every seeded fault: who catches what");
  const auto options = std::make_shared<SelftestOptions>();
  AddRepeatable(*command, "--fault", options->faults, "GLOB", "Only the faults of that name");
  command
      ->add_option("--server", options->server,
                   "The reference server (default: the one beside this program)")
      ->type_name("PATH");
  command->add_option("--jobs", options->jobs, "How many runs at once (default: one for each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  command
      ->add_option("--report", options->report_directory,
                   "Write kill-matrix.json and kill-matrix.md there")
      ->type_name("DIR");
  command->footer(kExamples);
  command->callback([options, line] { line.chosen = [options] { return Selftest(*options); }; });
}

}  // namespace assay
