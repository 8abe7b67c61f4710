// Servers started ahead, so that a case that needs one of its own need not wait for it.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "runner/servers.h"
#include "transport/channel.h"

namespace assay {

class Pool : public Servers {
 public:
  // Keeps up to `ahead` servers waiting once the first was taken.
  Pool(Loop& loop, Command command, ChannelLimits limits, std::size_t ahead);

  Task<std::shared_ptr<Connection>> Take() override;
  std::shared_ptr<Connection> Beside(const Connection& connection) override;
  Task<void> Close() override;
  void Abort() override;

 private:
  std::shared_ptr<Connection> Start();
  std::shared_ptr<Connection> TakeOne();

  Loop& loop_;
  Command command_;
  ChannelLimits limits_;
  std::size_t ahead_;
  std::deque<std::shared_ptr<Connection>> waiting_;
  std::vector<std::weak_ptr<Connection>> taken_;
};

}  // namespace assay
