// The pool of servers started ahead.

#include "runner/pool.h"

#include <signal.h>

#include <utility>

#include "transport/stdio_channel.h"

namespace assay {

Pool::Pool(Loop& loop, Command command, ChannelLimits limits, std::size_t ahead)
    : loop_(loop), command_(std::move(command)), limits_(limits), ahead_(ahead) {}

std::shared_ptr<Connection> Pool::Start() {
  return std::make_shared<Connection>(loop_, StartStdioServer(loop_, command_, limits_));
}

Task<std::shared_ptr<Connection>> Pool::Take() { co_return TakeOne(); }

std::shared_ptr<Connection> Pool::Beside(const Connection& /*connection*/) { return TakeOne(); }

std::shared_ptr<Connection> Pool::TakeOne() {
  std::shared_ptr<Connection> taken;
  while (!waiting_.empty() && !taken) {
    // One that ended while it waited is as good as never started: a fresh one shows why it ends.
    if (!waiting_.front()->ended()) taken = waiting_.front();
    waiting_.pop_front();
  }
  if (!taken) taken = Start();
  while (waiting_.size() < ahead_) waiting_.push_back(Start());
  std::erase_if(taken_, [](const std::weak_ptr<Connection>& old) { return old.expired(); });
  taken_.push_back(taken);
  return taken;
}

Task<void> Pool::Close() {
  ahead_ = 0;
  std::vector<Task<void>> endings;
  const auto waiting = std::exchange(waiting_, {});
  for (const auto& connection : waiting) {
    endings.push_back(connection->channel().Shutdown(std::chrono::milliseconds(1000)));
  }
  co_await loop_.All(std::move(endings));
}

void Pool::Abort() {
  ahead_ = 0;
  for (const auto& weak : taken_) {
    if (const auto connection = weak.lock()) connection->channel().Signal(SIGKILL);
  }
  for (const auto& connection : waiting_) connection->channel().Signal(SIGKILL);
}

}  // namespace assay
