// The error member of a response.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace assay::reference {

/// JSON-RPC 2.0 section 5.1 and basic/index#error-codes.
enum class ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kLegacyResourceNotFound = -32002,  // legacy era only; the modern one uses kInvalidParams
  kHeaderMismatch = -32020,          // Streamable HTTP only
  kMissingClientCapability = -32021,
  kUnsupportedProtocolVersion = -32022,
};

struct ProtocolError {
  ErrorCode code;
  std::string message;
  std::optional<boost::json::value> data = std::nullopt;
};

inline ProtocolError InvalidParams(std::string message) {
  return {ErrorCode::kInvalidParams, std::move(message)};
}

}  // namespace assay::reference
