// assay selftest: the cases against the reference server, with every seeded fault and without.
// Each run is `assay run` in a process of its own, as many at once as there are cores.

#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
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
#include "cli/commands.h"
#include "message/json.h"
#include "reports/json_report.h"
#include "runner/kill_matrix.h"
#include "runner/tokens.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct SelftestOptions {
  std::vector<std::string> faults;
  std::string server;
  int jobs = 0;  // 0 = one for each core
  std::string report_directory;
};

// For profiles, while a self test runs.
struct ScratchFolder {
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "assay-selftest-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), pattern);
    }
    path = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  fs::path path;
};

struct Output {
  std::string text;
  int exit_code = -1;
};

// Words are ours and hold no quotes.
Output Read(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += "'" + word + "' ";
  command += "2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"),
                                                   [](FILE*) { return 0; });
  if (!pipe) throw std::runtime_error("cannot run " + command);
  Output output;
  std::array<char, 65536> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    output.text.append(buffer.data(), size);
  }
  const int status = ::pclose(pipe.get());
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

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
  std::vector<std::string> words = {fs::read_symlink("/proc/self/exe").string(),
                                    "run",
                                    "--format",
                                    "json",
                                    "--timeout",
                                    "1500",
                                    "--jobs",
                                    "12"};
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

int Selftest(const SelftestOptions& options) {
  const std::string server =
      options.server.empty()
          ? (fs::read_symlink("/proc/self/exe").parent_path() / "assay-reference-server").string()
          : options.server;
  const Output list = Read({server, "--list-faults"});
  if (list.exit_code != 0) {
    throw InputError({.file = "--server"},
                     server + " lists no faults: is it the reference server?");
  }
  std::vector<SeededFault> faults = ReadFaults(list.text);
  // Those show in an order of messages, or with values, that no case sends: they are for `assay
  // explore` and `assay fuzz` to find.
  std::erase_if(faults, [](const SeededFault& fault) {
    return fault.name.starts_with("order-") || fault.name.starts_with("value-");
  });
  if (!options.faults.empty()) {
    std::erase_if(faults, [&](const SeededFault& fault) {
      return std::none_of(options.faults.begin(), options.faults.end(),
                          [&](const std::string& glob) { return MatchesGlob(glob, fault.name); });
    });
    if (faults.empty()) throw InputError({.file = "--fault"}, "no fault is called that");
  }
  std::set<std::string> cases;
  for (const Case& test_case : LoadLibrary({}).contents.cases) {
    cases.insert(test_case.id.substr(0, test_case.id.find('@')));
  }

  const ScratchFolder folder;
  KillMatrix matrix(std::move(cases));
  const std::vector<Errand> errands = PlanErrands(faults);
  std::vector<ReportRead> reports(errands.size());
  std::atomic<std::size_t> next = 0;
  std::mutex talking;
  const auto work = [&] {
    for (std::size_t i = next++; i < errands.size(); i = next++) {
      const fs::path profile = folder.path / (std::to_string(i) + ".yaml");
      const auto run = [&](const Look& look) {
        std::ofstream(profile) << ProfileFor(errands[i], server, look);
        return ReadReport(Read(CommandFor(errands[i], profile, look)).text);
      };
      // Most faults show at the newest revisions, and to everybody.
      const SeededFault& fault = errands[i].fault;
      const auto shows = [&] {
        return reports[i].report && Names(*reports[i].report, fault.requirement);
      };
      if (!fault.name.empty()) reports[i] = run({});
      if (!shows()) reports[i] = run({.all_revisions = true});
      if (!shows() && !fault.name.empty() && errands[i].over_http) {
        reports[i] = run({.all_revisions = true, .with_tokens = true});
      }
      const std::lock_guard lock(talking);
      std::cerr << "[" << i + 1 << "/" << errands.size() << "] "
                << (errands[i].fault.name.empty() ? "no fault" : errands[i].fault.name) << "\n";
    }
  };
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> workers;
  for (int i = 0; i < (options.jobs > 0 ? options.jobs : cores); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();

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
  matrix.Print(std::cout);
  if (!options.report_directory.empty()) {
    fs::create_directories(options.report_directory);
    std::ofstream(fs::path(options.report_directory) / "kill-matrix.json")
        << matrix.ToJson().Dump() << "\n";
    std::ofstream markdown(fs::path(options.report_directory) / "kill-matrix.md");
    matrix.PrintMarkdown(markdown);
  }
  return matrix.Sound() ? 0 : 1;
}

}  // namespace

void AddSelftest(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "selftest", "Run the cases against every seeded fault: who catches what");
  const auto options = std::make_shared<SelftestOptions>();
  command->add_option("--fault", options->faults, "Only these faults; repeatable")
      ->type_name("GLOB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
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
  command->callback([options, line] { line.chosen = [options] { return Selftest(*options); }; });
}

}  // namespace assay
