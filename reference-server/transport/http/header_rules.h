// Whether the headers of a modern POST say the same as its body
// (2026-07-28 basic/transports/streamable-http#server-validation).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/error.h"
#include "protocol/message.h"
#include "protocol/revision.h"
#include "transport/http/http_message.h"

namespace assay::reference {

inline constexpr std::string_view kProtocolVersionHeader = "MCP-Protocol-Version";

/// Nothing if the version, method and name headers fit the request; otherwise -32020.
///
/// What the body itself lacks (an envelope, a name) is left to whoever serves it to refuse.
/// `Mcp-Name` is demanded where the core specification demands it; on tasks/get, tasks/update and
/// tasks/cancel, where only the client is told to send it, one that is there must fit.
std::optional<ProtocolError> HeaderProblem(const HttpRequest& http, const Request& request);

/// The same for the `Mcp-Param-*` headers of a tools/call, by the tool's inputSchema. A header for
/// an argument that is absent or null fits nothing.
std::optional<ProtocolError> ParameterHeaderProblem(const HttpRequest& http, const Request& request,
                                                    const boost::json::object& input_schema);

/// The value that a header stands for: itself, or what is encoded in `=?base64?…?=`. Nothing if it
/// has bytes that no header may have, or what is encoded is no base64 or no UTF-8.
std::optional<std::string> DecodeHeaderValue(std::string_view value);

/// Why a request whose protocol version header names no version that is served is refused: -32022,
/// or -32020 if the value cannot be repeated. To be called if there is such a header.
ProtocolError UnsupportedVersionHeader(const HttpRequest& http);

/// Whether there is a protocol version header that names no legacy revision of ours: the mark of
/// the modern era.
bool HasModernVersionHeader(const HttpRequest& http);

}  // namespace assay::reference
