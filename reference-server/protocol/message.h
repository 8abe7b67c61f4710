// What one JSON value from the client is, by JSON-RPC 2.0 and basic/index#messages.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string_view>
#include <variant>

#include "protocol/error.h"
#include "protocol/request_id.h"

namespace assay::reference {

/// Views into the line and into the parsed value; valid as long as both live.
struct Request {
  RequestId id;
  std::string_view method;
  /// Null if absent, or if it is an array, which no method of MCP takes.
  const boost::json::object* params;
  std::string_view text;
};

struct Notification {
  std::string_view method;
  const boost::json::object* params;
  std::string_view text;
};

/// A response of the client, to a request of ours or to none.
struct Response {
  std::optional<RequestId> id;
  /// Null if it is an error, or malformed.
  const boost::json::object* result;
  /// What the error says, if it is one.
  std::string_view error_message;
};

/// A value that is no message, and how to answer it. No id if none could be read.
struct InvalidMessage {
  std::optional<RequestId> id;
  ProtocolError error;
};

using Message = std::variant<Request, Notification, Response, InvalidMessage>;

/// `text` is the text that `value` was parsed from.
Message Classify(const boost::json::value& value, std::string_view text);

}  // namespace assay::reference
