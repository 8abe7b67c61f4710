// One connection with the faults that spoil it: what a transport talks to.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "era/connection.h"
#include "era/services.h"
#include "era/settings.h"
#include "era/wire.h"
#include "faults/fault.h"

namespace assay::reference {

class FaultChain : public LineHandler {
 public:
  /// The first fault is nearest to the server, the last one nearest to the client; `settings` are
  /// configured by them already. `exit` ends the process. What `services` refers to, and `client`,
  /// must outlive the chain.
  FaultChain(std::vector<std::unique_ptr<Fault>> faults, const Settings& settings,
             const Services& services, MessageSink& client, std::function<void(int code)> exit);

  void HandleStart() override { outermost_->HandleStart(); }
  void HandleLine(std::string_view line) override { outermost_->HandleLine(line); }
  void HandleOverlongLine() override { outermost_->HandleOverlongLine(); }
  void HandleEnd() override { outermost_->HandleEnd(); }
  bool Idle() const override { return outermost_->Idle(); }

  const Connection& connection() const { return connection_; }

 private:
  std::vector<std::unique_ptr<Fault>> faults_;
  Connection connection_;
  FaultSurroundings surroundings_;
  LineHandler* outermost_;
};

}  // namespace assay::reference
