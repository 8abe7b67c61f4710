// Linux: /proc/PID/statm has the pages, /proc/PID/task/TID/children who was started by a thread.

#include "transport/resident.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace assay {

std::size_t ResidentBytes(pid_t leader) {
  const std::filesystem::path folder = "/proc/" + std::to_string(leader);
  std::size_t all = 0;
  std::size_t resident = 0;
  std::ifstream(folder / "statm") >> all >> resident;
  resident *= static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::error_code gone;  // a process may end while it is looked at
  for (const auto& thread : std::filesystem::directory_iterator(folder / "task", gone)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) resident += ResidentBytes(child);
  }
  return resident;
}

}  // namespace assay
