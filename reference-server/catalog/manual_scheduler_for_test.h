// A clock that is moved by hand.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "catalog/scheduler.h"

namespace assay::reference {

class ManualScheduler : public Scheduler {
 public:
  std::chrono::system_clock::time_point Now() const override {
    return std::chrono::system_clock::time_point(std::chrono::years(56)) + now_;
  }

  Timer After(std::chrono::milliseconds delay, std::function<void()> action) override {
    const Timer timer = ++last_;
    due_.emplace(std::make_pair(now_ + delay, timer), std::move(action));
    return timer;
  }

  void Cancel(Timer timer) override {
    std::erase_if(due_, [timer](const auto& entry) { return entry.first.second == timer; });
  }

  void Advance(std::chrono::milliseconds time) {
    const auto end = now_ + time;
    while (!due_.empty() && due_.begin()->first.first <= end) {
      now_ = due_.begin()->first.first;
      const std::function<void()> action = std::move(due_.begin()->second);
      due_.erase(due_.begin());
      action();
    }
    now_ = end;
  }

  std::size_t waiting() const { return due_.size(); }

 private:
  std::chrono::milliseconds now_{0};
  Timer last_ = kNoTimer;
  std::map<std::pair<std::chrono::milliseconds, Timer>, std::function<void()>> due_;
};

}  // namespace assay::reference
