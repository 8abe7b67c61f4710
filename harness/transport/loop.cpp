// The loop on Asio's io_context; a bell is a set of timers that ringing cancels.

#include "transport/loop.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <exception>

namespace assay {

namespace asio = boost::asio;

Loop::Loop() : context_(std::make_unique<asio::io_context>(1)) {
  ::signal(SIGPIPE, SIG_IGN);  // a server that goes away is an error of a write, not our end
}
Loop::~Loop() = default;

void Loop::Spawn(Task<void> task) {
  asio::co_spawn(*context_, std::move(task), [](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
  });
}

Task<void> Loop::All(std::vector<Task<void>> tasks) {
  struct State {
    explicit State(Loop& loop) : bell(loop) {}
    Bell bell;
    std::size_t left = 0;
    std::exception_ptr error;
  };
  const auto state = std::make_shared<State>(*this);
  state->left = tasks.size();
  for (Task<void>& task : tasks) {
    asio::co_spawn(*context_, std::move(task), [state](const std::exception_ptr& error) {
      if (error && !state->error) state->error = error;
      --state->left;
      state->bell.Ring();
    });
  }
  while (state->left > 0) co_await state->bell.Wait(Clock::time_point::max());
  if (state->error) std::rethrow_exception(state->error);
}

void Loop::Run() { context_->run(); }

std::shared_ptr<void> Loop::OnInterrupt(const std::function<void()>& handler) {
  auto signals = std::make_shared<asio::signal_set>(*context_, SIGINT, SIGTERM);
  const auto wait = std::make_shared<std::function<void()>>();
  *wait = [weak = std::weak_ptr(signals), again = std::weak_ptr(wait), handler] {
    const auto set = weak.lock();
    if (!set) return;
    set->async_wait([again, handler](boost::system::error_code error, int) {
      if (error) return;
      handler();
      if (const auto next = again.lock()) (*next)();
    });
  };
  (*wait)();
  struct Guard {
    std::shared_ptr<asio::signal_set> signals;
    std::shared_ptr<std::function<void()>> wait;
  };
  return std::make_shared<Guard>(Guard{signals, wait});
}

struct Bell::Waiters {
  asio::io_context& context;
  std::vector<asio::steady_timer*> timers;
};

Bell::Bell(Loop& loop) : waiters_(new Waiters{loop.context(), {}}) {}
Bell::~Bell() { Ring(); }

void Bell::Ring() {
  for (asio::steady_timer* timer : waiters_->timers) timer->cancel();
}

Task<bool> Bell::Wait(Clock::time_point deadline) {
  const std::shared_ptr<Waiters> waiters = waiters_;  // a waiter may outlive the bell
  asio::steady_timer timer(waiters->context, deadline);
  waiters->timers.push_back(&timer);
  boost::system::error_code error;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  std::erase(waiters->timers, &timer);
  co_return error == asio::error::operation_aborted || Clock::now() < deadline;
}

Task<void> Pause(Loop& loop, std::chrono::milliseconds time) {
  asio::steady_timer timer(loop.context(), time);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace assay
