// assay matrix: many servers, one page. Each is judged by `assay run` in a process of its own, so
// that nothing a server does can touch the others.

#include "reports/matrix.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/report_files.h"
#include "reports/exit_code.h"
#include "runner/server_list.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct MatrixOptions {
  std::string servers;
  std::string report_directory;
  int jobs = 2;
  int limit_s = 900;
  bool allow_tool_calls = false;
};

std::atomic<bool> interrupted = false;

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({.file = path}, "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> CommandFor(const ListedServer& server, const MatrixOptions& options,
                                    const fs::path& folder) {
  std::vector<std::string> words = {fs::read_symlink("/proc/self/exe").string(), "run", "--report",
                                    folder.string()};
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

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Our environment, and over it the server's.
std::vector<std::string> EnvironmentOf(const ListedServer& server) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!server.environment.contains(text.substr(0, text.find('=')))) entries.push_back(text);
  }
  for (const auto& [name, value] : server.environment) entries.push_back(name + "=" + value);
  return entries;
}

// A process whose output goes to a file. Both throw std::system_error.
class Child {
 public:
  Child(std::vector<std::string> words, std::vector<std::string> environment, const fs::path& log) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    const int error = ::posix_spawn(&pid_, words.front().c_str(), &actions, nullptr,
                                    Pointers(words).data(), Pointers(environment).data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::system_error(error, std::generic_category(), words.front());
  }

  // The exit code, -1 when a signal ended it. A run that is asked to end (SIGTERM) writes its
  // report before it does.
  int WaitUntil(Clock::time_point limit) {
    bool asked = false;
    for (;;) {
      int status = 0;
      const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
      if (ended == pid_) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      if (ended < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
      const bool late = Clock::now() >= limit;
      if ((late || interrupted) && !std::exchange(asked, true)) {
        ::kill(pid_, SIGTERM);
        limit = Clock::now() + std::chrono::seconds(20);
      } else if (late) {
        ::kill(pid_, SIGKILL);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

 private:
  pid_t pid_ = -1;
};

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
    Child child(CommandFor(server, options, folder), EnvironmentOf(server), log);
    const int code = child.WaitUntil(Clock::now() + std::chrono::seconds(options.limit_s));
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

template <typename Writer>
void Write(const fs::path& path, const std::vector<MatrixRow>& rows, Writer writer) {
  std::ofstream file(path, std::ios::binary);
  writer(rows, file);
  file.close();
  if (!file) throw InputError({.file = path.string()}, "cannot be written");
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
      ReadServerList(options.servers, ReadText(options.servers));
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
  Write(folder / "matrix.html", rows, WriteMatrixHtml);
  Write(folder / "matrix.md", rows, WriteMatrixMarkdown);
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
  command->add_flag("--allow-tool-calls", options->allow_tool_calls,
                    "Call tools that neither a profile names nor are annotated read-only");
  command->footer(
      "SERVERS.yaml:\n"
      "  servers:\n"
      "    - name: mine\n"
      "      command: [node, build/index.js]\n"
      "      env: { LOG_LEVEL: error }\n"
      "      profile: ./assay.yaml      # or the name of a built-in one\n"
      "    - name: remote\n"
      "      url: https://host/mcp");
  command->callback([options, line] { line.chosen = [options] { return Matrix(*options); }; });
}

}  // namespace assay
