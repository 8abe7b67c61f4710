// The clock, as far as the server needs one: a seam, so that tests can move time by hand.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace assay::reference {

class Scheduler {
 public:
  using Timer = std::uint64_t;
  static constexpr Timer kNoTimer = 0;

  virtual ~Scheduler() = default;
  /// The time of day.
  virtual std::chrono::system_clock::time_point Now() const = 0;
  /// Runs `action` once, later, on the server's one thread.
  virtual Timer After(std::chrono::milliseconds delay, std::function<void()> action) = 0;
  /// Forgets a timer that has not fired; no harm if it has.
  virtual void Cancel(Timer timer) = 0;
};

}  // namespace assay::reference
