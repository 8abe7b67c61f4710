// Programs that run beside this one, with their output in files: mostly `assay` itself once more,
// where what a server does touches nobody else.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

// The file of this program.
std::filesystem::path ThisProgram();

// Our environment.
std::vector<std::string> OwnEnvironment();

class ChildProcess {
 public:
  // Where the output goes: files that are written anew; one of them may be both.
  struct Outputs {
    std::filesystem::path out;
    std::filesystem::path err = "/dev/null";
  };

  // Starts the program that is the first of `words`, with the others; its input is empty. Throws
  // std::system_error.
  ChildProcess(std::vector<std::string> words, const Outputs& outputs,
               std::vector<std::string> environment = OwnEnvironment());

  // Returns the exit code, -1 when a signal ended it. At the limit, and once `interrupted` says so,
  // it is asked to end (SIGTERM), which lets a run write its report; if it has not ended after
  // another 20 seconds, it is killed. Throws std::system_error.
  int WaitUntil(std::chrono::steady_clock::time_point limit,
                const std::function<bool()>& interrupted);
  // The same without a limit.
  int Wait();

 private:
  pid_t pid_ = -1;
};

}  // namespace assay
