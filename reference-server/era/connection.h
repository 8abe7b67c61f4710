// One connection over a byte stream that carries both eras: reads lines, decides the era, and hands
// each message to the side that serves it. No I/O: lines come in, messages go to a sink.
//
// The era is decided once, by the first request. An envelope on anything but `initialize` opens the
// modern era, anything else the legacy one. Notifications, responses and broken lines decide
// nothing.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string_view>

#include "era/calls.h"
#include "era/client_requests.h"
#include "era/legacy_session.h"
#include "era/modern_service.h"
#include "era/outbox.h"
#include "era/services.h"
#include "era/settings.h"
#include "era/wire.h"
#include "protocol/message.h"

namespace assay::reference {

enum class Era : unsigned char { kLegacy, kModern };

class Connection : public LineHandler {
 public:
  /// What `services` refers to, and the sink, must outlive the connection.
  Connection(Settings settings, const Services& services, MessageSink& sink);

  /// Blank lines are ignored, and so are a byte order mark at the very beginning and a carriage
  /// return at the end of a line.
  void HandleLine(std::string_view line) override;
  void HandleOverlongLine() override;
  void HandleEnd() override;
  bool Idle() const override { return calls_.empty(); }

  std::optional<Era> era() const { return era_; }

 private:
  void HandleValue(const boost::json::value& value, std::string_view text);
  void HandleBatch(const boost::json::array& batch, std::string_view text);
  void HandleMessage(const Message& message, std::shared_ptr<Batch> batch);
  void HandleRequest(const Request& request, const ReplyTo& to);
  void HandleNotification(const Notification& notification);
  void AnswerUnreadable(ProtocolError error);

  /// Which side serves the request; decides the era if that is still open.
  Era SideFor(const Request& request);
  /// What stands for an id that could not be read: JSON-RPC 2.0 wants null, which the modern schema
  /// does not allow, so the modern era leaves the member out.
  std::string_view UnreadableId() const;

  const Settings settings_;
  Outbox outbox_;
  ClientRequests client_requests_;
  Calls calls_;
  /// Always there but on a modern-only connection, which each POST of that era is.
  std::optional<LegacySession> legacy_;
  ModernService modern_;
  std::optional<Era> era_;
  bool seen_a_line_ = false;
  boost::json::parser parser_;
};

}  // namespace assay::reference
