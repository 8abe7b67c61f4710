// The HTTP side of JSON-RPC answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/error.h"
#include "transport/http/http_message.h"

namespace assay::reference {

/// The error code of a response; nothing if it is a result, or no response at all.
std::optional<int> ErrorCodeOf(std::string_view answer);

/// 2026-07-28 basic/transports/streamable-http#protocol-version-header and #server-validation:
/// 404 for an unknown method, 400 for what is wrong with envelope or headers and for what could not
/// be read. Other errors are the business of the method: 200. `bad_envelope` says that an
/// invalid-params error is about the envelope.
int ModernStatus(std::optional<int> error, bool bad_envelope);

/// The legacy revisions leave the status open: 400 for what could not be read or comes at the wrong
/// time, 200 for everything that a method answered.
int LegacyStatus(std::optional<int> error);

HttpResponse JsonResponse(int status, std::string body);

/// A JSON-RPC error; an empty `id` leaves the member out.
HttpResponse ErrorResponse(int status, std::string_view id, const ProtocolError& error);
/// The same for what has no code of its own.
HttpResponse ErrorResponse(int status, std::string_view id, std::string message);

}  // namespace assay::reference
