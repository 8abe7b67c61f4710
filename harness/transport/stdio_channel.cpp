// Child processes: posix_spawn instead of Boost.Process' launcher, which in 1.81 leaks descriptors
// into the child (a server that closes its stdout would give no end of file) and forks; the pidfd
// is boost::process::v2's.

#include "transport/stdio_channel.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/optional.hpp>
#include <boost/type_traits.hpp>
// Boost.Process 1.81 needs the two above to be there first.
#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/process/v2/process.hpp>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>

#include "transport/containment.h"
#include "transport/event_outlet.h"
#include "transport/framer.h"
#include "transport/output_allowance.h"
#include "transport/resident.h"

namespace assay {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::milliseconds kTermGrace{1000};
// How long after the end of its output a process is given to be gone.
constexpr std::chrono::milliseconds kExitAfterOutput{100};

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  return {ends[0], ends[1]};
}

// A number no other server of this run has, for its mark.
std::string NextMark() {
  static unsigned count = 0;
  return std::to_string(::getpid()) + "." + std::to_string(++count);
}

// Starts `command` with the three descriptors. Returns the pid, or -errno.
pid_t Spawn(const Command& command, const std::string& mark, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(
      &attributes,
      static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);

  std::map<std::string, std::string> added = command.environment;
  added[kServerMark] = mark;
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (!added.contains(std::string(variable.substr(0, variable.find('='))))) {
      variables.emplace_back(variable);
    }
  }
  for (const auto& [name, value] : added) variables.push_back(name + "=" + value);

  const auto pointers = [](std::vector<std::string>& strings) {
    std::vector<char*> list;
    for (std::string& string : strings) list.push_back(string.data());
    list.push_back(nullptr);
    return list;
  };
  std::vector<std::string> arguments = command.argv;
  pid_t pid = -1;
  const int failure = ::posix_spawnp(&pid, arguments.front().c_str(), &actions, &attributes,
                                     pointers(arguments).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failure == 0 ? pid : -failure;
}

// Keeps the head and the tail of a stream and says what was left out.
class HeadAndTail {
 public:
  HeadAndTail(std::size_t head, std::size_t tail) : head_left_(head), tail_limit_(tail) {}

  // The part of `bytes` that belongs to the head; the rest is kept as the tail.
  std::string_view Add(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, head_left_);
    head_left_ -= head.size();
    tail_.append(bytes.substr(head.size()));
    if (tail_.size() > 2 * tail_limit_) {
      left_out_ += tail_.size() - tail_limit_;
      tail_.erase(0, tail_.size() - tail_limit_);
    }
    return head;
  }
  std::string TakeTail() {
    if (left_out_ == 0) return std::exchange(tail_, {});
    return "\n[" + std::to_string(left_out_) + " bytes left out]\n" + std::exchange(tail_, {});
  }

 private:
  std::size_t head_left_;
  std::size_t tail_limit_;
  std::size_t left_out_ = 0;
  std::string tail_;
};

// The part of the channel that its coroutines keep alive.
class Child : public std::enable_shared_from_this<Child> {
 public:
  Child(Loop& loop, const Command& command, const ChannelLimits& limits)
      : loop_(loop),
        limits_(limits),
        mark_(NextMark()),
        input_(loop.context()),
        output_(loop.context()),
        errors_(loop.context()),
        process_(loop.context()),
        changed_(loop),
        framer_(limits.line,
                {[this](std::string line, bool terminated) {
                   ChannelEvent event{.direction = Entry::Direction::kIn,
                                      .bytes = std::move(line),
                                      .terminated = terminated};
                   Deliver(std::move(event));
                 },
                 [this](const std::string& head) {
                   Deliver({.event = Entry::Event::kOverlongLine,
                            .bytes = "a line passed " + std::to_string(limits_.line) +
                                     " bytes and was cut; it began: " + head.substr(0, 200)});
                 }}),
        stderr_(limits.stderr_head, limits.stderr_tail),
        allowance_(limits.output) {
    Start(command);
  }

  void Listen(std::function<void(ChannelEvent)> listener) { outlet_.Listen(std::move(listener)); }

  void Write(std::string bytes) {
    if (!input_.is_open() || closing_input_) return;
    allowance_.Ask();
    queue_.push_back(std::move(bytes));
    wake_writer_.Ring();
  }

  void CloseInput() {
    closing_input_ = true;
    wake_writer_.Ring();
  }

  void Signal(int signal) const {
    if (!exited_) ::kill(-pid_, signal);
  }

  std::size_t ResidentBytes() const { return exited_ ? 0 : assay::ResidentBytes(pid_); }

  bool ended() const { return exited_ && !output_open_ && !errors_open_; }

  Task<bool> Ended(Clock::time_point deadline) {
    while (!ended() && Clock::now() < deadline) co_await changed_.Wait(deadline);
    co_return ended();
  }

  Task<void> Shutdown(std::chrono::milliseconds grace) {
    const auto self = shared_from_this();
    CloseInput();
    if (co_await Ended(Clock::now() + grace)) co_return;
    Terminate(SIGTERM, "still there after its input was closed: SIGTERM");
    if (co_await Ended(Clock::now() + kTermGrace)) co_return;
    Terminate(SIGKILL, "ignored SIGTERM: SIGKILL");
    co_await Ended(Clock::now() + kTermGrace);
  }

  // Kills at once, without waiting: the owner goes.
  void Abandon() {
    outlet_.Close();
    if (!exited_) {
      ::kill(-pid_, SIGKILL);
      KillOrphans(pid_, mark_);
    }
    error_code ignored;
    input_.close(ignored);
    output_.close(ignored);
    errors_.close(ignored);
    closing_input_ = true;
    wake_writer_.Ring();
  }

  void StartLoops() {
    if (pid_ <= 0) return;
    const auto self = shared_from_this();
    const auto run = [&](Task<void> task) {
      asio::co_spawn(loop_.context(), std::move(task), asio::detached);
    };
    run(ReadOutput(self));
    run(ReadErrors(self));
    run(WriteInput(self));
    run(AwaitExit(self));
  }

 private:
  void Start(const Command& command) {
    const Pipe in = MakePipe();
    const Pipe out = MakePipe();
    const Pipe err = MakePipe();
    pid_ = Spawn(command, mark_, in.read, out.write, err.write);
    ::close(in.read);
    ::close(out.write);
    ::close(err.write);
    input_.assign(in.write);
    output_.assign(out.read);
    errors_.assign(err.read);
    if (pid_ < 0) {
      exited_ = true;
      output_open_ = errors_open_ = false;
      error_code ignored;
      input_.close(ignored);
      Deliver({.event = Entry::Event::kNotStarted,
               .bytes = "cannot start " + command.argv.front() + ": " + std::strerror(-pid_)});
      return;
    }
    process_ = boost::process::v2::process(loop_.context().get_executor(), pid_);
    Deliver({.event = Entry::Event::kStarted, .bytes = "started"});
  }

  void Deliver(ChannelEvent event) { outlet_.Deliver(std::move(event)); }

  void Terminate(int signal, const std::string& words) {
    terminated_ = true;
    Deliver({.event = Entry::Event::kKilled, .bytes = words});
    Signal(signal);
  }

  static Task<void> ReadOutput(std::shared_ptr<Child> self) {
    std::vector<char> buffer(std::size_t{64} << 10);
    for (;;) {
      error_code error;
      const std::size_t size = co_await self->output_.async_read_some(
          asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
      if (error) break;
      const std::string_view bytes(buffer.data(), size);
      self->allowance_.Take(size, static_cast<std::size_t>(std::ranges::count(bytes, '\n')));
      self->framer_.Feed(bytes);
      if (self->allowance_.exceeded()) {
        self->terminated_ = true;
        self->Deliver({.event = Entry::Event::kFlood,
                       .bytes = "far more output than was asked for: SIGKILL"});
        self->Signal(SIGKILL);
        break;
      }
    }
    // What we cut off ourselves is no line of the server's.
    if (!self->terminated_) self->framer_.End();
    // Mostly it is the process that ends, and a moment later we know.
    const Clock::time_point soon = Clock::now() + kExitAfterOutput;
    while (!self->exited_ && Clock::now() < soon) co_await self->changed_.Wait(soon);
    self->output_open_ = false;
    if (!self->exited_ && !self->terminated_) {
      self->Deliver(
          {.event = Entry::Event::kOutputClosed, .bytes = "the server closed its stdout"});
    }
    error_code ignored;
    self->output_.close(ignored);
    self->FinishIfEnded();
  }

  static Task<void> ReadErrors(std::shared_ptr<Child> self) {
    std::vector<char> buffer(std::size_t{16} << 10);
    for (;;) {
      error_code error;
      const std::size_t size = co_await self->errors_.async_read_some(
          asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
      if (error) break;
      const std::string_view head = self->stderr_.Add({buffer.data(), size});
      if (!head.empty()) {
        self->Deliver({.direction = Entry::Direction::kError, .bytes = std::string(head)});
      }
    }
    std::string tail = self->stderr_.TakeTail();
    if (!tail.empty()) {
      self->Deliver({.direction = Entry::Direction::kError, .bytes = std::move(tail)});
    }
    self->errors_open_ = false;
    error_code ignored;
    self->errors_.close(ignored);
    self->FinishIfEnded();
  }

  static Task<void> WriteInput(std::shared_ptr<Child> self) {
    for (;;) {
      if (!self->queue_.empty()) {
        const std::string bytes = std::move(self->queue_.front());
        self->queue_.pop_front();
        error_code error;
        co_await asio::async_write(self->input_, asio::buffer(bytes),
                                   asio::redirect_error(asio::use_awaitable, error));
        if (error) break;
      } else if (self->closing_input_) {
        break;
      } else {
        co_await self->wake_writer_.Wait(Clock::time_point::max());
      }
    }
    self->queue_.clear();
    self->closing_input_ = true;
    error_code ignored;
    self->input_.close(ignored);
  }

  static Task<void> AwaitExit(std::shared_ptr<Child> self) {
    // Boost.Process would wait for the process as soon as its pidfd wakes us. Where many
    // descriptors come and go Asio may wake us for nothing, and then that wait would stop the whole
    // loop.
    asio::posix::stream_descriptor ended(
        self->loop_.context(), static_cast<int>(::syscall(SYS_pidfd_open, self->pid_, 0)));
    for (error_code error; self->process_.running(error);) {
      co_await ended.async_wait(asio::posix::stream_descriptor::wait_read,
                                asio::redirect_error(asio::use_awaitable, error));
    }
    self->exited_ = true;
    // What the server left running keeps its pipes open: it goes first.
    self->orphans_ = KillOrphans(self->pid_, self->mark_);
    self->closing_input_ = true;
    error_code ignored;
    self->input_.close(ignored);
    self->wake_writer_.Ring();
    self->FinishIfEnded();
  }

  // Tells how the process ended once all it wrote is delivered: its last words come first.
  void FinishIfEnded() {
    if (ended()) {
      const auto status = process_.native_exit_code();
      ChannelEvent event;
      event.event = Entry::Event::kExited;
      if (WIFSIGNALED(status)) {
        event.signal = WTERMSIG(status);
        event.bytes = std::string("ended by signal ") + std::to_string(event.signal) + " (" +
                      ::strsignal(event.signal) + ")";
      } else {
        event.exit_code = WEXITSTATUS(status);
        event.bytes = "exited with code " + std::to_string(event.exit_code);
      }
      if (terminated_) {
        event.event = Entry::Event::kKilled;
        event.bytes += ", by us";
      }
      Deliver(std::move(event));
      if (orphans_ > 0) {
        Deliver({.event = Entry::Event::kOrphans,
                 .bytes = std::to_string(orphans_) + " of its processes outlived it: killed"});
      }
    }
    changed_.Ring();
  }

  Loop& loop_;
  const ChannelLimits limits_;
  const std::string mark_;
  pid_t pid_ = -1;
  asio::posix::stream_descriptor input_;
  asio::posix::stream_descriptor output_;
  asio::posix::stream_descriptor errors_;
  boost::process::v2::process process_;
  Bell changed_;
  Bell wake_writer_{loop_};
  Framer framer_;
  HeadAndTail stderr_;
  std::deque<std::string> queue_;
  EventOutlet outlet_;
  OutputAllowance allowance_;
  bool closing_input_ = false;
  bool exited_ = false;
  bool output_open_ = true;
  bool errors_open_ = true;
  bool terminated_ = false;  // by us
  int orphans_ = 0;
};

class StdioChannel final : public Channel {
 public:
  explicit StdioChannel(std::shared_ptr<Child> child) : child_(std::move(child)) {}
  ~StdioChannel() override { child_->Abandon(); }
  StdioChannel(const StdioChannel&) = delete;
  StdioChannel& operator=(const StdioChannel&) = delete;

  void Listen(std::function<void(ChannelEvent)> listener) override {
    child_->Listen(std::move(listener));
  }
  void Write(std::string bytes) override { child_->Write(std::move(bytes)); }
  void CloseInput() override { child_->CloseInput(); }
  void Signal(int signal) override { child_->Signal(signal); }
  std::size_t ResidentBytes() const override { return child_->ResidentBytes(); }
  bool ended() const override { return child_->ended(); }
  Task<bool> Ended(Clock::time_point deadline) override { return child_->Ended(deadline); }
  Task<void> Shutdown(std::chrono::milliseconds grace) override { return child_->Shutdown(grace); }

 private:
  std::shared_ptr<Child> child_;
};

}  // namespace

std::unique_ptr<Channel> StartStdioServer(Loop& loop, const Command& command,
                                          const ChannelLimits& limits) {
  auto child = std::make_shared<Child>(loop, command, limits);
  child->StartLoops();
  return std::make_unique<StdioChannel>(std::move(child));
}

}  // namespace assay
