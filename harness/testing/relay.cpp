// assay-relay [--port PORT] [--tally FILE] VARIATION -- COMMAND...: stands between a client and a
// server and changes what the server says, within what the specification permits (variation.h,
// http_variation.h). On stdio; or, with --port, over HTTP, on that port: then COMMAND is the
// reference server.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "testing/http_relay.h"
#include "testing/stdio_relay.h"

namespace {

using assay::kMoment;
using Pipe = std::array<int, 2>;

pid_t server = -1;

Pipe NewPipe() {
  Pipe ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  return ends;
}

// Starts `command`; each pair of `wired` is a descriptor of ours and what it is for the server.
// Closes ours.
void Start(std::vector<std::string> command, const std::vector<std::pair<int, int>>& wired,
           const std::vector<int>& not_its_own) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  server = ::fork();
  if (server == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const auto& [ours, its] : wired) ::dup2(ours, its);
    for (const auto& [ours, its] : wired) ::close(ours);
    for (const int end : not_its_own) ::close(end);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(127);
  }
  for (const auto& [ours, its] : wired) ::close(ours);
  // Whoever ends the relay means the server.
  ::signal(SIGTERM, [](int signal) { ::kill(server, signal); });
}

// Passes on what the server says on stderr. Returns the port that it says it listens on.
int ReadPort(int from_server) {
  FILE* const words = ::fdopen(from_server, "r");
  std::array<char, 1000> line{};
  int port = 0;
  while (port == 0 && std::fgets(line.data(), line.size(), words) != nullptr) {
    std::cerr << line.data() << std::flush;
    const std::string text = line.data();
    if (text.starts_with("listening on ")) port = std::atoi(text.c_str() + text.rfind(':') + 1);
  }
  std::thread([words] {
    for (int c = 0; (c = std::fgetc(words)) != EOF;) std::cerr << static_cast<char>(c);
  }).detach();
  return port;
}

void RunOverHttp(assay::Variation& variation, std::vector<std::string> command, int port) {
  command.insert(command.end(), {"--transport", "http", "--port", "0"});
  const Pipe words = NewPipe();
  Start(command, {{words[1], STDERR_FILENO}}, {words[0]});
  const int server_port = ReadPort(words[0]);
  if (server_port != 0) assay::StartHttpRelay(variation, port, server_port);
}

void RunOnStdio(assay::Variation& variation, const std::vector<std::string>& command) {
  const Pipe in = NewPipe();
  const Pipe out = NewPipe();
  Start(command, {{in[0], STDIN_FILENO}, {out[1], STDOUT_FILENO}}, {in[1], out[0]});
  assay::RelayStdio(variation, in[1], out[0]);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app;
  std::string name;
  std::string tally;
  std::vector<std::string> command;
  int port = 0;
  app.add_option("VARIATION", name)->required();
  app.add_option("COMMAND", command)->required();
  app.add_option("--port", port);
  app.add_option("--tally", tally);
  CLI11_PARSE(app, argc, argv);

  ::signal(SIGPIPE, SIG_IGN);
  assay::Variation variation(name, tally);
  if (variation.Makes("slow-start")) std::this_thread::sleep_for(20 * kMoment);
  try {
    if (port != 0) {
      RunOverHttp(variation, command, port);
    } else {
      RunOnStdio(variation, command);
    }
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << std::endl;
    ::kill(server, SIGKILL);
  }
  int status = 0;
  ::waitpid(server, &status, 0);
  assay::AwaitHttpRelay();
  if (WIFSIGNALED(status)) ::raise(WTERMSIG(status));
  std::_Exit(WEXITSTATUS(status));
}
