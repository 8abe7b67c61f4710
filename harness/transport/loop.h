// The one event loop everything runs on, with Asio kept behind it. Single-threaded: no locks,
// nothing here may be called from another thread.

#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace assay {

// A coroutine on the loop. It must outlive nothing it refers to: pass what it needs by value, or
// keep the owner alive until it ends.
template <typename T>
using Task = boost::asio::awaitable<T>;

using Clock = std::chrono::steady_clock;

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Starts `task`, which runs at once up to its first wait. An exception that leaves it is thrown
  // again by Run.
  void Spawn(Task<void> task);
  // Runs all `tasks` side by side; returns when the last one has ended.
  Task<void> All(std::vector<Task<void>> tasks);
  // Runs until nothing is left to do.
  void Run();
  // Calls `handler` on each SIGINT and SIGTERM, until the returned guard goes.
  std::shared_ptr<void> OnInterrupt(const std::function<void()>& handler);

  boost::asio::io_context& context() { return *context_; }

 private:
  std::unique_ptr<boost::asio::io_context> context_;
};

// Wakes those who wait for something to change. Whoever wakes looks again at what it waits for.
class Bell {
 public:
  explicit Bell(Loop& loop);
  ~Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  void Ring();
  // Returns at the next Ring, or at `deadline`: false if the deadline has passed.
  Task<bool> Wait(Clock::time_point deadline);

 private:
  struct Waiters;
  std::shared_ptr<Waiters> waiters_;
};

// Lets `time` pass; only for waits that a case asks for (`quiet`, `poll`).
Task<void> Pause(Loop& loop, std::chrono::milliseconds time);

}  // namespace assay
