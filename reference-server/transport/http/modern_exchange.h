// One POST of the modern era: a connection that serves one message and ends with it
// (2026-07-28 basic/transports/streamable-http#sending-messages).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "catalog/scheduler.h"
#include "era/wire.h"
#include "transport/http/http_message.h"
#include "transport/http/sse.h"

namespace assay::reference {

/// The answer is one JSON object if it is there at once, with nothing before it; otherwise an event
/// stream. Destroying the exchange cancels what is still being worked on.
class ModernExchange : public MessageSink {
 public:
  /// `bad_envelope` as in ModernStatus. The scheduler must outlive the exchange.
  ModernExchange(Scheduler& scheduler, std::shared_ptr<HttpReply> reply, bool bad_envelope)
      : scheduler_(scheduler), reply_(std::move(reply)), bad_envelope_(bad_envelope) {}
  ~ModernExchange() override { connection_.reset(); }  // it may still have something to say
  ModernExchange(const ModernExchange&) = delete;
  ModernExchange& operator=(const ModernExchange&) = delete;

  /// Serves one message. A notification that says nothing back is answered with 202.
  void Run(std::unique_ptr<LineHandler> connection, std::string_view message, bool is_notification);

  bool answered() const { return answered_; }
  /// What to do when the answer comes after Run has returned. The exchange must outlive the call.
  void OnAnswered(std::function<void()> action) { on_answered_ = std::move(action); }

  void HandleEnd() { connection_->HandleEnd(); }
  void Send(OutgoingMessage message) override;

 private:
  SseStream& Stream();

  Scheduler& scheduler_;
  std::shared_ptr<HttpReply> reply_;
  bool bad_envelope_;
  std::unique_ptr<LineHandler> connection_;
  std::optional<SseStream> stream_;
  std::function<void()> on_answered_;
  bool answered_ = false;
};

}  // namespace assay::reference
