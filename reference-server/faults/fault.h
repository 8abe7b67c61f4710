// A fault stands between the transport and the server and spoils what passes, in either direction.
//
// The server itself knows nothing of faults. Faults are chained: lines go inward through each of
// them to the connection, messages go outward through each of them to the transport.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "catalog/scheduler.h"
#include "era/settings.h"
#include "era/wire.h"
#include "transport/stdio_settings.h"

namespace assay::reference {

/// What a fault can do besides passing messages on.
struct FaultSurroundings {
  Scheduler& scheduler;
  /// Ends the process at once, after what was written before. Tests put something milder here.
  std::function<void(int code)> exit;
  /// What the server is called among those that share a store.
  std::string instance;
};

class Fault : public LineHandler, public MessageSink {
 public:
  /// All must outlive the fault.
  void Attach(LineHandler& inner, MessageSink& outer, FaultSurroundings& surroundings) {
    inner_ = &inner;
    outer_ = &outer;
    surroundings_ = &surroundings;
  }

  /// Some faults are nothing but a setting.
  virtual void Configure(Settings& /*settings*/, StdioSettings& /*stdio*/) {}

  void HandleStart() override { inner_->HandleStart(); }
  void HandleLine(std::string_view line) override { inner_->HandleLine(line); }
  void HandleOverlongLine() override { inner_->HandleOverlongLine(); }
  void HandleEnd() override { inner_->HandleEnd(); }
  bool Idle() const override { return inner_->Idle(); }
  void Send(OutgoingMessage message) override { outer_->Send(std::move(message)); }

  /// Past this fault, towards the server.
  void PassOn(std::string_view line) { inner_->HandleLine(line); }
  /// Past this fault, towards the client.
  void SendOn(OutgoingMessage message) { outer_->Send(std::move(message)); }
  /// Any bytes, as if the server had written them.
  void Write(std::string bytes) {
    outer_->Send({OutgoingMessage::Kind::kNotification, {}, {}, std::move(bytes)});
  }
  void Exit(int code) { surroundings_->exit(code); }
  Scheduler& scheduler() { return surroundings_->scheduler; }
  const std::string& instance() const { return surroundings_->instance; }

 private:
  LineHandler* inner_ = nullptr;
  MessageSink* outer_ = nullptr;
  FaultSurroundings* surroundings_ = nullptr;
};

}  // namespace assay::reference
