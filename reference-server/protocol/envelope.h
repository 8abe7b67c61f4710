// The `_meta` envelope that every request of the modern era carries (2026-07-28 basic/index#meta).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string_view>
#include <variant>

#include "protocol/error.h"
#include "protocol/log_level.h"
#include "protocol/message.h"
#include "protocol/revision.h"

namespace assay::reference {

inline constexpr std::string_view kProtocolVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kClientCapabilitiesKey =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClientInfoKey = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSubscriptionIdKey = "io.modelcontextprotocol/subscriptionId";

struct Envelope {
  Revision revision;
  const boost::json::object* client_capabilities;  // never null
  /// Without it a request gets no notifications/message.
  std::optional<LogLevel> log_level;
};

/// Whether the request names a protocol version in its `_meta`, well or badly: the mark by which a
/// connection is opened in the modern era.
bool HasEnvelopeKey(const boost::json::object* params);

/// The envelope, or why the request must be refused. The shape is judged before the version,
/// because the specification orders neither and a half envelope is the commoner mistake.
std::variant<Envelope, ProtocolError> ReadEnvelope(const boost::json::object* params);

/// -32022 with what is supported (modern versions only: a client that retried with a legacy one
/// would be refused for ever) and what was requested.
ProtocolError UnsupportedVersion(std::string_view requested);

/// The progress token of a request of either era, if it gave one; an error if it is neither a
/// string nor an integer.
std::variant<std::optional<ProgressToken>, ProtocolError> ReadProgressToken(const Request& request);

}  // namespace assay::reference
