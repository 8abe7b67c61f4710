// Servers started ahead, so that a case that needs one of its own need not wait for it.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "exchange/connection.h"
#include "transport/channel.h"

namespace assay {

class Pool {
 public:
  // Keeps up to `ahead` servers waiting once the first was taken.
  Pool(Loop& loop, Command command, ChannelLimits limits, std::size_t ahead);

  // A server nobody has spoken to yet.
  std::shared_ptr<Connection> Take();
  // From now on nothing is started ahead; what waits is ended.
  Task<void> Close();
  // Kills every server that is alive, in use or not: the run was interrupted.
  void Abort();

 private:
  std::shared_ptr<Connection> Start();

  Loop& loop_;
  Command command_;
  ChannelLimits limits_;
  std::size_t ahead_;
  std::deque<std::shared_ptr<Connection>> waiting_;
  std::vector<std::weak_ptr<Connection>> taken_;
};

}  // namespace assay
