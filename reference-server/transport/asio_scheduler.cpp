#include "transport/asio_scheduler.h"

#include <utility>

namespace assay::reference {

Scheduler::Timer AsioScheduler::After(std::chrono::milliseconds delay,
                                      std::function<void()> action) {
  const Timer timer = ++last_;
  Entry& entry =
      entries_.emplace(timer, Entry{boost::asio::steady_timer(loop_, delay), std::move(action)})
          .first->second;
  entry.timer.async_wait([this, timer](const boost::system::error_code& cancelled) {
    if (!cancelled) Fire(timer);
  });
  return timer;
}

void AsioScheduler::Cancel(Timer timer) { entries_.erase(timer); }

void AsioScheduler::Fire(Timer timer) {
  const auto found = entries_.find(timer);
  if (found == entries_.end()) return;  // cancelled after it had expired
  const std::function<void()> action = std::move(found->second.action);
  entries_.erase(found);
  action();
}

}  // namespace assay::reference
