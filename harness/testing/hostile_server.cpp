// assay-hostile-server MODE: a server that misbehaves as real ones do, for tests of containment.
// Where a mode is about a later moment it first speaks enough of MCP (legacy) to be discovered.
// It shares no code with the harness, and leaves reading and writing to the bare system calls.

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace {

bool WriteTo(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool Say(const std::string& line) { return WriteTo(STDOUT_FILENO, line + "\n"); }

std::optional<std::string> ReadLine() {
  static std::string pending;
  for (;;) {
    if (const std::size_t newline = pending.find('\n'); newline != std::string::npos) {
      std::string line = pending.substr(0, newline);
      pending.erase(0, newline + 1);
      return line;
    }
    char buffer[4096];
    const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof(buffer));
    if (size <= 0) return std::nullopt;
    pending.append(buffer, static_cast<std::size_t>(size));
  }
}

// The text of the top-level member, good enough for what the harness sends: ids are numbers there,
// and no params name a method or an id.
std::string TextOf(const std::string& line, const std::string& key) {
  const std::size_t at = line.find("\"" + key + "\":");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 3;
  return line.substr(begin, line.find_first_of(",}", begin) - begin);
}

std::string Result(const std::string& id, const std::string& result) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}";
}

// A well-behaved answer; "" to what needs none.
std::string AnswerTo(const std::string& line) {
  const std::string id = TextOf(line, "id");
  const std::string method = TextOf(line, "method");
  if (id.empty()) return "";
  if (method == "\"initialize\"") {
    return Result(id, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                      R"("serverInfo":{"name":"hostile","version":"1"}})");
  }
  if (method == "\"ping\"") return Result(id, "{}");
  if (method == "\"tools/list\"") return Result(id, R"({"tools":[]})");
  return R"({"jsonrpc":"2.0","id":)" + id +
         R"(,"error":{"code":-32601,"message":"Method not found"}})";
}

// Serves until the input ends, doing `instead` for tools/list.
void ServeBut(const std::function<void(const std::string& line)>& instead) {
  while (const auto line = ReadLine()) {
    if (TextOf(*line, "method") == "\"tools/list\"") {
      instead(*line);
    } else if (const std::string answer = AnswerTo(*line); !answer.empty()) {
      Say(answer);
    }
  }
}

void Serve() {
  ServeBut([](const std::string& line) { Say(AnswerTo(line)); });
}

[[noreturn]] void WaitForEver() {
  for (;;) ::pause();
}

// Leaves a child behind that holds all our pipes and ignores what could end it.
void LeaveChild(bool in_session_of_its_own) {
  if (::fork() != 0) return;
  if (in_session_of_its_own) ::setsid();
  ::signal(SIGTERM, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  WaitForEver();
}

void FloodOutput(const std::string& line) {
  std::string many;
  while (many.size() < 65536) many += line + "\n";
  while (WriteTo(STDOUT_FILENO, many)) {
  }
}

const std::map<std::string_view, void (*)()>& Modes() {
  static const std::map<std::string_view, void (*)()> kModes = {
      {"binary-junk",
       [] {
         std::string junk;
         for (int i = 0; i < 4096; ++i) junk += static_cast<char>(i * 37 % 256);
         Say(junk);
         Serve();
       }},
      {"endless-line",
       [] {
         const std::string piece(std::size_t{1} << 20, 'x');
         for (int i = 0; i < 200 && WriteTo(STDOUT_FILENO, piece); ++i) {
         }
         Serve();
       }},
      {"flood-lines", [] { FloodOutput("y"); }},
      {"flood-messages",
       [] {
         ServeBut([](const std::string&) {
           FloodOutput(
               R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":[1,2,3]}})");
         });
       }},
      {"flood-stderr",
       [] {
         if (::fork() == 0) {
           const std::string noise(4096, 'e');
           while (WriteTo(STDERR_FILENO, noise + "\n")) {
           }
           std::exit(0);
         }
         Serve();
       }},
      {"never-reads", [] { WaitForEver(); }},
      {"ignores-sigterm",
       [] {
         ::signal(SIGTERM, SIG_IGN);
         Serve();
         WaitForEver();
       }},
      {"leaves-child",
       [] {
         LeaveChild(false);
         Serve();
       }},
      {"leaves-daemon",
       [] {
         LeaveChild(true);
         Serve();
       }},
      {"exits-at-once",
       [] {
         WriteTo(STDERR_FILENO, "cannot read the configuration\n");
         std::exit(3);
       }},
      {"crashes-in-answer",
       [] {
         ServeBut([](const std::string& line) {
           const std::string answer = AnswerTo(line);
           WriteTo(STDOUT_FILENO, answer.substr(0, answer.size() / 2));
           WriteTo(STDERR_FILENO, "about to crash\n");
           ::signal(SIGABRT, SIG_DFL);
           std::abort();
         });
       }},
      {"answers-twice",
       [] {
         ServeBut([](const std::string& line) {
           Say(AnswerTo(line));
           Say(AnswerTo(line));
         });
       }},
      {"answers-late",  // by 1.2 s: the tests' timeout is a fraction of that
       [] {
         ServeBut([](const std::string& line) {
           ::usleep(1'200'000);
           Say(AnswerTo(line));
         });
       }},
      {"closes-stdout",
       [] {
         ServeBut([](const std::string&) {
           const int nowhere = ::open("/dev/null", O_WRONLY);
           ::dup2(nowhere, STDOUT_FILENO);
           ::close(nowhere);
         });
       }},
      {"prints-banner",
       [] {
         Say("Hostile server 1.0 is listening on stdio");
         Serve();
       }},
      {"hangs-after-initialize",
       [] {
         while (const auto line = ReadLine()) {
           if (TextOf(*line, "method") != "\"initialize\"") continue;
           Say(AnswerTo(*line));
           WaitForEver();
         }
       }},
      {"hangs-on-list", [] { ServeBut([](const std::string&) { WaitForEver(); }); }},
  };
  return kModes;
}

}  // namespace

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto mode = argc == 2 ? Modes().find(argv[1]) : Modes().end();
  if (mode == Modes().end()) {
    std::cerr << "usage: assay-hostile-server MODE, where MODE is one of\n";
    for (const auto& [name, act] : Modes()) std::cerr << "  " << name << "\n";
    return 2;
  }
  mode->second();
}
