// The program itself, serving HTTP in a process of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reference {

class ServerProcess {
 public:
  /// Returns when it listens. `arguments` come after those for HTTP.
  explicit ServerProcess(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {ASSAY_REFERENCE_SERVER, "--transport", "http", "--port", "0"});
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    const int failed = ::posix_spawn(&process_, ASSAY_REFERENCE_SERVER, &actions, nullptr,
                                     pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    stderr_ = ::fdopen(ends[0], "r");
    if (failed != 0) throw std::runtime_error("cannot start " ASSAY_REFERENCE_SERVER);
    ReadPort();
  }
  ~ServerProcess() {
    Kill();
    ::fclose(stderr_);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }

  /// At once and without a chance to tidy up.
  void Kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  void ReadPort() {
    constexpr std::string_view kListening = "listening on http://127.0.0.1:";
    char line[512];
    while (::fgets(line, sizeof line, stderr_) != nullptr) {
      if (!std::string_view(line).starts_with(kListening)) continue;
      port_ = static_cast<std::uint16_t>(std::stoi(line + kListening.size()));
      return;
    }
    Kill();
    ::fclose(stderr_);
    throw std::runtime_error("the server does not listen");
  }

  pid_t process_ = -1;
  std::FILE* stderr_ = nullptr;
  std::uint16_t port_ = 0;
};

}  // namespace assay::reference
