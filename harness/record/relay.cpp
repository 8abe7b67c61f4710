// poll(2), because stdin and stdout belong to the client as well: they are not made non-blocking,
// and nothing is read that cannot be passed on yet.

#include "record/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <system_error>
#include <utility>

namespace assay {
namespace {

[[noreturn]] void Fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void Close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe NewPipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) Fail(errno, "pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

pid_t Spawn(const std::vector<std::string>& command, int in, int out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = -1;
  const int failure =
      ::posix_spawnp(&pid, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) Fail(failure, command.front());
  return pid;
}

// One direction. What was read is written before more is read.
class Flow {
 public:
  Flow(Descriptor from, Descriptor to, const std::function<void(std::string_view)>& tell)
      : from_(std::move(from)), to_(std::move(to)), tell_(tell) {}

  // What it waits for next; a negative descriptor when for nothing.
  pollfd Wish() const {
    if (!pending_.empty()) return {to_.number(), POLLOUT, 0};
    return {from_.number(), POLLIN, 0};
  }
  // After poll has returned for that wish.
  void Go(const pollfd& wish) {
    if (wish.revents == 0) return;
    if (pending_.empty()) {
      Read();
    } else {
      Write();
    }
  }
  bool is_open() const { return from_.is_open(); }

  // All that can be had without waiting for more.
  void Drain() {
    while (from_.is_open()) {
      pollfd wish = Wish();
      const bool writes = wish.events == POLLOUT;
      if (::poll(&wish, 1, writes ? -1 : 0) <= 0) return;
      Go(wish);
    }
  }

 private:
  void Read() {
    std::array<char, std::size_t{64} << 10> buffer{};
    const ssize_t size = ::read(from_.number(), buffer.data(), buffer.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (size <= 0) {
      End();
      return;
    }
    pending_.assign(buffer.data(), static_cast<std::size_t>(size));
    tell_(pending_);
  }
  // So little that a pipe that can be written to takes it without blocking.
  void Write() {
    const std::size_t piece = std::min<std::size_t>(pending_.size(), PIPE_BUF);
    const ssize_t size = ::write(to_.number(), pending_.data(), piece);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (size < 0) {
      pending_.clear();  // nobody reads it
      End();
      return;
    }
    pending_.erase(0, static_cast<std::size_t>(size));
  }
  void End() {
    from_.Close();
    to_.Close();
  }

  Descriptor from_;
  Descriptor to_;
  const std::function<void(std::string_view)>& tell_;
  std::string pending_;
};

// Signals that are meant for the server come as reads.
Descriptor CatchSignals() {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return Descriptor(::signalfd(-1, &signals, SFD_CLOEXEC));
}

void HandOn(const Descriptor& signals, pid_t server) {
  signalfd_siginfo caught{};
  if (::read(signals.number(), &caught, sizeof(caught)) == sizeof(caught)) {
    ::kill(server, static_cast<int>(caught.ssi_signo));
  }
}

}  // namespace

int RelayStdio(const std::vector<std::string>& command, const RelayListener& listener) {
  const Descriptor signals = CatchSignals();
  Pipe to_server = NewPipe();
  Pipe to_client = NewPipe();
  const pid_t server = Spawn(command, to_server.read.number(), to_client.write.number());
  to_server.read.Close();
  to_client.write.Close();
  const Descriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, server, 0)));

  Flow in(Descriptor(STDIN_FILENO), std::move(to_server.write), listener.from_client);
  Flow out(std::move(to_client.read), Descriptor(STDOUT_FILENO), listener.from_server);
  for (bool told = false;;) {
    std::array<pollfd, 4> waits = {in.Wish(), out.Wish(), pollfd{signals.number(), POLLIN, 0},
                                   pollfd{ended.number(), POLLIN, 0}};
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;  // interrupted
    in.Go(waits[0]);
    out.Go(waits[1]);
    if (waits[2].revents != 0) HandOn(signals, server);
    if (!in.is_open() && !std::exchange(told, true)) listener.client_gone();
    if (waits[3].revents != 0) break;
  }
  out.Drain();
  int status = 0;
  ::waitpid(server, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace assay
