// assay matrix: many servers, one page. Each is judged by `assay run` in a process of its own, so
// that nothing a server does can touch the others.

#include "reports/matrix.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/child_process.h"
#include "cli/commands.h"
#include "cli/report_files.h"
#include "cli/shared_options.h"
#include "reports/exit_code.h"
#include "runner/files.h"
#include "runner/server_list.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kExamples[] = R"(Examples:
  assay matrix servers.yaml --report out
  assay matrix servers.yaml --report out --jobs 4 --limit 300

SERVERS.yaml:
  servers:
    - name: mine
      command: [node, build/index.js]
      env: { LOG_LEVEL: error }
      profile: ./assay.yaml      # or the name of a built-in one
    - name: remote
      url: https://host/mcp

Exit code: 1 when a server has findings, else 3 when one could not be judged, else 0.)";

struct MatrixOptions {
  std::string servers;
  std::string report_directory;
  int jobs = 2;
  int limit_s = 900;
  bool allow_tool_calls = false;
};

std::atomic<bool> interrupted = false;

std::vector<std::string> CommandFor(const ListedServer& server, const MatrixOptions& options,
                                    const fs::path& folder) {
  std::vector<std::string> words = {ThisProgram().string(), "run", "--report", folder.string()};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  if (!server.profile_file.empty()) {
    add({"--config", server.profile_file});
  } else if (fs::exists("assay.yaml")) {
    add({"--config", "/dev/null"});  // it is about one server, and not about each of these
  }
  if (!server.profile.empty()) add({"--profile", server.profile});
  if (options.allow_tool_calls) add({"--allow-tool-calls"});
  if (server.http) add({"--http"});
  if (!server.url.empty()) add({"--url", server.url});
  if (!server.command.empty()) {
    add({"--"});
    words.insert(words.end(), server.command.begin(), server.command.end());
  }
  return words;
}

// Our environment, and over it the server's.
std::vector<std::string> EnvironmentOf(const ListedServer& server) {
  std::vector<std::string> entries;
  for (std::string& entry : OwnEnvironment()) {
    if (!server.environment.contains(entry.substr(0, entry.find('=')))) entries.push_back(entry);
  }
  for (const auto& [name, value] : server.environment) entries.push_back(name + "=" + value);
  return entries;
}

// The last line that a run printed.
std::string LastLine(const fs::path& log) {
  std::ifstream file(log, std::ios::binary);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

MatrixRow Judge(const ListedServer& server, const MatrixOptions& options) {
  MatrixRow row;
  row.name = server.name;
  const fs::path folder = fs::path(options.report_directory) / server.name;
  const fs::path log = folder / "log.txt";
  const fs::path report = folder / "report.json";
  try {
    fs::create_directories(folder);
    fs::remove(report);  // of an earlier matrix
    ChildProcess process(CommandFor(server, options, folder), {.out = log, .err = log},
                         EnvironmentOf(server));
    const int code = process.WaitUntil(Clock::now() + std::chrono::seconds(options.limit_s),
                                       [] { return interrupted.load(); });
    if (fs::exists(report)) {
      row.report = LoadReport(report.string());
    } else {
      const std::string words = LastLine(log);
      row.failure = words.empty() ? "ended with code " + std::to_string(code) : words;
    }
  } catch (const std::exception& problem) {
    row.failure = problem.what();
  }
  return row;
}

std::string Summary(const MatrixRow& row) {
  return row.name + ": " + (row.report ? ExitMeaning(*row.report) : row.failure);
}

// 1 when a server has findings, else 3 when one could not be tested.
int ExitCodeOf(const std::vector<MatrixRow>& rows) {
  if (interrupted) return kExitInterrupted;
  const auto any = [&](auto&& wanted) { return std::any_of(rows.begin(), rows.end(), wanted); };
  if (any([](const MatrixRow& row) { return row.report && row.report->exit_code == 1; })) return 1;
  const bool all =
      !any([](const MatrixRow& row) { return !row.report || row.report->exit_code != 0; });
  return all ? 0 : kExitUntestable;
}

int Matrix(const MatrixOptions& options) {
  const std::vector<ListedServer> servers =
      ReadServerList(options.servers, ReadFile(options.servers));
  fs::create_directories(options.report_directory);
  for (const int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int) { interrupted = true; });
  }

  std::vector<MatrixRow> rows(servers.size());
  std::atomic<std::size_t> next = 0;
  std::mutex talking;
  const auto work = [&] {
    for (std::size_t i = next++; i < servers.size(); i = next++) {
      if (interrupted) {
        rows[i] = {servers[i].name, std::nullopt, "interrupted"};
        continue;
      }
      rows[i] = Judge(servers[i], options);
      const std::lock_guard lock(talking);
      std::cout << Summary(rows[i]) << std::endl;
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < options.jobs; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();

  const fs::path folder = options.report_directory;
  WriteFile(folder / "matrix.html", [&](std::ostream& out) { WriteMatrixHtml(rows, out); });
  WriteFile(folder / "matrix.md", [&](std::ostream& out) { WriteMatrixMarkdown(rows, out); });
  std::cout << "matrix in " << (folder / "matrix.html").string() << "\n";
  return ExitCodeOf(rows);
}

}  // namespace

void AddMatrix(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("matrix", "Many servers, one page");
  const auto options = std::make_shared<MatrixOptions>();
  command->add_option("SERVERS.yaml", options->servers, "The servers: name, command, env, profile")
      ->required();
  command
      ->add_option(
          "--report", options->report_directory,
          "Write matrix.html, matrix.md and a folder with the reports of each server there")
      ->type_name("DIR")
      ->required();
  command->add_option("--jobs", options->jobs, "How many servers at once")
      ->type_name("N")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--limit", options->limit_s, "How long one server may take")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  AddToolCallsFlag(*command, options->allow_tool_calls);
  command->footer(kExamples);
  command->callback([options, line] { line.chosen = [options] { return Matrix(*options); }; });
}

}  // namespace assay
