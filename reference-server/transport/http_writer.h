// The bytes of answers over HTTP/1.1 (RFC 9112), as HttpReader is for requests. No sockets.
#pragma once

#include <string>
#include <string_view>

#include "transport/http/http_message.h"

namespace assay::reference {

/// Appends `name: value` and the line end.
void AppendHeader(std::string& out, std::string_view name, std::string_view value);

/// Appends the status line, a Date, and the headers; `Connection: close` if the connection ends
/// with the answer. The empty line that ends the head is left to the caller, who may have more.
void AppendHead(std::string& out, int status, const HttpHeaders& headers, bool keeps_alive);

/// Appends one chunk of a chunked body (RFC 9112 section 7.1); nothing for no bytes, because an
/// empty chunk ends the body.
void AppendChunk(std::string& out, std::string_view bytes);

/// What ends a chunked body.
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace assay::reference
