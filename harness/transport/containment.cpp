// Linux: /proc tells who carries our mark; PR_SET_CHILD_SUBREAPER makes orphans ours.

#include "transport/containment.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

namespace assay {

namespace {

bool CarriesMark(pid_t pid, const std::string& mark) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  const std::string environment{std::istreambuf_iterator<char>(file), {}};
  const std::string entry = std::string(kServerMark) + "=" + mark;
  for (std::size_t at = 0; at < environment.size();) {
    const std::size_t end = std::min(environment.find('\0', at), environment.size());
    if (environment.compare(at, end - at, entry) == 0) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

void AdoptOrphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

std::vector<pid_t> FindOrphans(const std::string& mark) {
  std::vector<pid_t> found;
  // One file names all of our children; what a dead server left behind is among them.
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (pid_t pid = 0; children >> pid;) {
    if (CarriesMark(pid, mark)) found.push_back(pid);
  }
  return found;
}

int KillOrphans(pid_t leader, const std::string& mark) {
  // What is in the group now is killed at once; what moved to another group is found by its mark.
  // Killing a process makes its children ours, so look again until there is none.
  int killed = 0;
  for (int round = 0; round < 100; ++round) {
    const std::vector<pid_t> left = FindOrphans(mark);
    if (left.empty()) break;
    ::kill(-leader, SIGKILL);
    for (const pid_t pid : left) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
      ++killed;
    }
  }
  ::kill(-leader, SIGKILL);
  return killed;
}

}  // namespace assay
