// Looks at /proc.

#include "testing/processes.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "transport/containment.h"

namespace assay {

int CountServersAlive() {
  const std::string mark = std::string(kServerMark) + "=" + std::to_string(::getpid()) + ".";
  int alive = 0;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "environ", std::ios::binary);
    const std::string environment{std::istreambuf_iterator<char>(file), {}};
    if (environment.starts_with(mark) || environment.find('\0' + mark) != std::string::npos) {
      ++alive;
    }
  }
  return alive;
}

std::size_t PeakMemory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace assay
