// The load of ci/bench over stdio: starts an MCP server, keeps a number of tools/call requests in
// flight, checks every answer, and prints one line of results.
//
//   stdio_load WINDOW WARMUP_SECONDS SECONDS COMMAND [ARG…]
//
// It is a program of its own in C++ because a server that answers some 100,000 requests a second
// would otherwise wait for what measures it. It says how much of a core it took itself
// (`load_cpu`): well below 1, it was not the bottleneck. It shares no code with server or harness.

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

[[noreturn]] void GiveUp(const std::string& why) {
  std::cerr << "stdio_load: " << why << '\n';
  std::exit(1);
}

/// A server with pipes for its stdin and stdout.
class Server {
 public:
  explicit Server(char** command) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (pipe(in.data()) != 0 || pipe(out.data()) != 0) GiveUp("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (posix_spawnp(&process_, command[0], &actions, nullptr, command, environ) != 0) {
      GiveUp(std::string("cannot start ") + command[0]);
    }
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }

  void Write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = write(to_, text.data(), text.size());
      if (count <= 0) GiveUp("the server reads no more");
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  std::size_t Read(char* buffer, std::size_t size) const {
    const ssize_t count = read(from_, buffer, size);
    if (count <= 0) GiveUp("the server answers no more");
    return static_cast<std::size_t>(count);
  }

  /// Of all its threads.
  double CpuSeconds() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0;
    double kernel = 0;
    fields >> user >> kernel;
    return (user + kernel) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  long PeakKilobytes() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("VmHWM:")) return std::atol(line.c_str() + 6);
    }
    GiveUp("the server is gone");
  }

  void Stop() const {
    close(to_);
    close(from_);
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_ = -1;
  int to_ = -1;
  int from_ = -1;
};

/// Calls in flight, and how long those that were answered took.
class Load {
 public:
  Load(const Server& server, std::size_t window) : server_(server) { Send(window); }

  /// Reads what there is and sends as many new calls as were answered.
  void Turn() {
    const std::size_t old = pending_.size();
    pending_.resize(old + kChunk);
    pending_.resize(old + server_.Read(pending_.data() + old, kChunk));
    const auto now = Clock::now();
    std::size_t answers = 0;
    std::string_view rest = pending_;
    for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      latencies_.push_back(now - sent_.at(AnsweredId(rest.substr(0, end))));
      rest.remove_prefix(end + 1);
      ++answers;
    }
    pending_.erase(0, pending_.size() - rest.size());
    Send(answers);
  }

  void Forget() { latencies_.clear(); }
  std::vector<Clock::duration>& latencies() { return latencies_; }

 private:
  static constexpr std::size_t kChunk = 65536;

  void Send(std::size_t calls) {
    if (calls == 0) return;
    std::string text;
    for (std::size_t i = 0; i < calls; ++i) {
      text += R"({"jsonrpc":"2.0","id":)" + std::to_string(sent_.size() + i);
      text += R"(,"method":"tools/call","params":{"name":"echo",)"
              R"("arguments":{"message":"the quick brown fox"},"_meta":{)"
              R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
              R"("io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},)"
              R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
              "\n";
    }
    sent_.insert(sent_.end(), calls, Clock::now());
    server_.Write(text);
  }

  static std::size_t AnsweredId(std::string_view line) {
    static constexpr std::string_view kId = R"("id":)";
    const auto at = line.find(kId);
    std::size_t id = 0;
    if (at == line.npos || line.find(R"("text":"the quick brown fox")") == line.npos ||
        std::from_chars(line.data() + at + kId.size(), line.data() + line.size(), id).ec !=
            std::errc()) {
      GiveUp("not what was asked for: " + std::string(line));
    }
    return id;
  }

  const Server& server_;
  std::vector<Clock::time_point> sent_;  // by id
  std::vector<Clock::duration> latencies_;
  std::string pending_;  // the beginning of an answer
};

double OwnCpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](timeval time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double Microseconds(std::vector<Clock::duration>& durations, double quantile) {
  const auto at = durations.begin() +
                  static_cast<std::ptrdiff_t>(quantile * static_cast<double>(durations.size() - 1));
  std::ranges::nth_element(durations, at);
  return std::chrono::duration<double, std::micro>(*at).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) GiveUp("WINDOW WARMUP_SECONDS SECONDS COMMAND [ARG…]");
  std::signal(SIGPIPE, SIG_IGN);
  const Server server(argv + 4);
  Load load(server, std::stoul(argv[1]));

  const auto turn_for = [&load](Seconds time) {
    const auto began = Clock::now();
    while (Clock::now() - began < time) load.Turn();
    return Seconds(Clock::now() - began).count();
  };
  turn_for(Seconds(std::stod(argv[2])));
  load.Forget();
  const double server_cpu_before = server.CpuSeconds();
  const double own_cpu_before = OwnCpuSeconds();
  const double seconds = turn_for(Seconds(std::stod(argv[3])));
  const double own_cpu = OwnCpuSeconds() - own_cpu_before;
  const double server_cpu = server.CpuSeconds() - server_cpu_before;
  auto& latencies = load.latencies();
  if (latencies.empty()) GiveUp("nothing was answered in time");

  const auto count = static_cast<double>(latencies.size());
  std::cout << std::fixed;
  std::cout.precision(1);
  std::cout << "requests=" << latencies.size() << " per_second=" << count / seconds
            << " p50_us=" << Microseconds(latencies, 0.5)
            << " p99_us=" << Microseconds(latencies, 0.99) << " cpu_us=" << server_cpu / count * 1e6
            << " peak_kb=" << server.PeakKilobytes();
  std::cout.precision(2);
  std::cout << " load_cpu=" << own_cpu / seconds << '\n';
  server.Stop();
}
