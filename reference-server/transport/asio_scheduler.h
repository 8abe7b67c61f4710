// Timers of the event loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_map>

#include "catalog/scheduler.h"

namespace assay::reference {

class AsioScheduler : public Scheduler {
 public:
  explicit AsioScheduler(boost::asio::io_context& loop) : loop_(loop) {}

  std::chrono::system_clock::time_point Now() const override {
    return std::chrono::system_clock::now();
  }
  Timer After(std::chrono::milliseconds delay, std::function<void()> action) override;
  void Cancel(Timer timer) override;

 private:
  struct Entry {
    boost::asio::steady_timer timer;
    std::function<void()> action;
  };

  void Fire(Timer timer);

  boost::asio::io_context& loop_;
  Timer last_ = kNoTimer;
  std::unordered_map<Timer, Entry> entries_;
};

}  // namespace assay::reference
