// Spawned, and waited for.

#include "cli/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kGrace(20);

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

int ExitCodeIn(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

[[noreturn]] void Fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

}  // namespace

std::filesystem::path ThisProgram() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

ChildProcess::ChildProcess(std::vector<std::string> words, const Outputs& outputs,
                           std::vector<std::string> environment) {
  constexpr int kAnew = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputs.out.c_str(), kAnew, 0644);
  if (outputs.err == outputs.out) {
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  } else {
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, outputs.err.c_str(), kAnew, 0644);
  }
  const int error = ::posix_spawn(&pid_, words.front().c_str(), &actions, nullptr,
                                  Pointers(words).data(), Pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) Fail(error, words.front());
}

int ChildProcess::WaitUntil(Clock::time_point limit, const std::function<bool()>& interrupted) {
  bool asked = false;
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) return ExitCodeIn(status);
    if (ended < 0 && errno != EINTR) Fail(errno, "waiting");
    const bool late = Clock::now() >= limit;
    if ((late || interrupted()) && !std::exchange(asked, true)) {
      ::kill(pid_, SIGTERM);
      limit = Clock::now() + kGrace;
    } else if (late) {
      ::kill(pid_, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

int ChildProcess::Wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) != pid_) {
    if (errno != EINTR) Fail(errno, "waiting");
  }
  return ExitCodeIn(status);
}

}  // namespace assay
