// A server as a child process like that of the stdio transport, with an endpoint instead of its
// pipes.

#include <signal.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "transport/http_channel.h"
#include "transport/port_lease.h"
#include "transport/stdio_channel.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{5};
constexpr milliseconds kLongestPause{200};
// How long one attempt to get an answer may take.
constexpr milliseconds kAttemptTime{5000};
constexpr std::size_t kLastWords = 1000;

Command WithPort(Command command, const std::string& port) {
  constexpr std::string_view kPlace = "{port}";
  for (std::string& argument : command.argv) {
    for (std::size_t at = 0; (at = argument.find(kPlace, at)) != std::string::npos;) {
      argument.replace(at, kPlace.size(), port);
    }
  }
  command.environment["PORT"] = port;
  return command;
}

// Whatever it logs, however much: of the output only the end is kept.
ChannelLimits Unlimited(ChannelLimits limits) {
  limits.output = std::numeric_limits<std::size_t>::max();
  return limits;
}

// The part that its coroutines keep alive.
class Process : public std::enable_shared_from_this<Process> {
 public:
  Process(Loop& loop, const Command& command, const std::string& path, const ChannelLimits& limits)
      : loop_(loop),
        limits_(limits),
        // By name: a server may listen on the IPv4 or on the IPv6 loopback only.
        target_{
            .host = "localhost", .port = lease_.port(), .path = path, .fields = {}, .ca_file = ""},
        changed_(loop),
        child_(StartStdioServer(loop, WithPort(command, target_.port), Unlimited(limits))) {
    child_->Listen([this](ChannelEvent event) { Take(std::move(event)); });
  }

  const HttpTarget& target() const { return target_; }
  bool ended() const { return child_->ended(); }
  void Signal(int signal) { child_->Signal(signal); }
  std::size_t ResidentBytes() const { return child_->ResidentBytes(); }

  void Listen(std::function<void(const ChannelEvent&)> listener) {
    for (const ChannelEvent& event : events_) listener(event);
    listeners_.push_back(std::move(listener));
  }

  Task<std::string> Ready(Clock::time_point deadline) {
    const auto self = shared_from_this();
    // Nothing tells when a foreign program has come so far: this is the one place that asks again
    // and again.
    milliseconds pause = kFirstPause;
    std::string why;
    while (!ended() && Clock::now() < deadline) {
      why = co_await Attempt(std::min(deadline, Clock::now() + kAttemptTime));
      if (why.empty()) co_return "";
      const Clock::time_point then = std::min(deadline, Clock::now() + pause);
      while (!ended() && Clock::now() < then) co_await changed_.Wait(then);
      pause = std::min(2 * pause, kLongestPause);
    }
    why = ended() ? "the server ended before it answered over HTTP: " + end_
                  : "the server does not answer over HTTP: " + why;
    if (!last_words_.empty()) why += "; its last words: " + last_words_;
    co_return why;
  }

  Task<void> Shutdown(milliseconds grace) {
    const auto self = shared_from_this();
    // Nobody reads its input, so its end means little to it.
    stopping_ = true;
    child_->CloseInput();
    child_->Signal(SIGTERM);
    if (!co_await child_->Ended(Clock::now() + grace)) {
      co_await child_->Shutdown(milliseconds(0));
    }
  }

  // Kills at once: the owner goes.
  void Abandon() {
    listeners_.clear();
    child_->Signal(SIGKILL);
  }

 private:
  // Asks for anything. Returns "" when there is an answer, of whatever kind.
  Task<std::string> Attempt(Clock::time_point deadline) {
    struct State {
      explicit State(Loop& loop) : bell(loop) {}
      Bell bell;
      bool answered = false;
      bool over = false;
      std::string why;
    };
    const auto state = std::make_shared<State>(loop_);
    const std::unique_ptr<Channel> channel = ConnectHttp(loop_, target_, limits_);
    channel->Listen([state](const ChannelEvent& event) {
      state->answered = state->answered || event.event == Entry::Event::kHttpHead;
      if (event.event == Entry::Event::kHttpEnd) {
        state->over = true;
        state->why = event.bytes;
      }
      state->bell.Ring();
    });
    // No event stream is asked for: an empty one may keep its head back.
    channel->Request(
        {.method = "GET", .path = "", .fields = {{"Accept", "application/json"}}, .body = ""});
    while (!state->answered && !state->over && Clock::now() < deadline) {
      co_await state->bell.Wait(deadline);
    }
    co_await channel->Shutdown(milliseconds(0));
    if (state->answered) co_return "";
    co_return state->over ? state->why : "no answer in time";
  }

  void Take(ChannelEvent event) {
    using Event = Entry::Event;
    if (event.direction != Entry::Direction::kEvent) {
      last_words_ += event.bytes + (event.direction == Entry::Direction::kIn ? "\n" : "");
      if (last_words_.size() > kLastWords) {
        last_words_.erase(0, last_words_.size() - kLastWords);
      }
    }
    if (event.direction == Entry::Direction::kIn || event.event == Event::kOutputClosed ||
        event.event == Event::kOverlongLine || event.event == Event::kStarted) {
      return;  // its output is not where it speaks
    }
    if (event.event == Event::kExited && stopping_) {
      event.event = Event::kKilled;
      event.bytes += ", by us";
    }
    if (event.direction == Entry::Direction::kEvent) end_ = event.bytes;
    events_.push_back(event);
    const auto listeners = listeners_;  // one may add another, which hears of it by itself
    for (const auto& listener : listeners) listener(event);
    changed_.Ring();
  }

  Loop& loop_;
  const ChannelLimits limits_;
  const PortLease lease_;
  const HttpTarget target_;
  Bell changed_;
  std::unique_ptr<Channel> child_;
  std::vector<ChannelEvent> events_;
  std::vector<std::function<void(const ChannelEvent&)>> listeners_;
  std::string last_words_;
  std::string end_;  // how it ended, in words
  bool stopping_ = false;
};

class ServerProcess final : public HttpServerProcess {
 public:
  explicit ServerProcess(std::shared_ptr<Process> process) : process_(std::move(process)) {}
  ~ServerProcess() override { process_->Abandon(); }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const HttpTarget& target() const override { return process_->target(); }
  Task<std::string> Ready(Clock::time_point deadline) override { return process_->Ready(deadline); }
  bool ended() const override { return process_->ended(); }
  void Listen(std::function<void(const ChannelEvent&)> listener) override {
    process_->Listen(std::move(listener));
  }
  void Signal(int signal) override { process_->Signal(signal); }
  std::size_t ResidentBytes() const override { return process_->ResidentBytes(); }
  Task<void> Shutdown(milliseconds grace) override { return process_->Shutdown(grace); }

 private:
  std::shared_ptr<Process> process_;
};

}  // namespace

std::unique_ptr<HttpServerProcess> StartHttpServer(Loop& loop, const Command& command,
                                                   const std::string& path,
                                                   const ChannelLimits& limits) {
  return std::make_unique<ServerProcess>(std::make_shared<Process>(loop, command, path, limits));
}

}  // namespace assay
