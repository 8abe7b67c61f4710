#include "transport/http/origin_guard.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "transport/http/answer_status.h"

namespace assay::reference {
namespace {

bool IsOurOrigin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return IsLoopback(origin.substr(scheme.size()));
  }
  return false;
}

}  // namespace

bool IsLoopback(std::string_view authority) {
  for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
    if (!EqualsIgnoringCase(authority.substr(0, name.size()), name)) continue;
    const std::string_view port = authority.substr(name.size());
    if (port.empty()) return true;
    return port.front() == ':' &&
           std::all_of(port.begin() + 1, port.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  return false;
}

void OriginGuard::Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) {
  const std::optional<std::string_view> host = request.Header("Host");
  if (!host || request.Contradicts("Host")) {
    return reply->Respond(ErrorResponse(400, {}, "A request needs one Host header"));
  }
  if (!IsLoopback(*host)) return reply->Respond(ErrorResponse(403, {}, "Foreign Host"));
  const std::optional<std::string_view> origin = request.Header("Origin");
  if (origin && (request.Contradicts("Origin") || !IsOurOrigin(*origin))) {
    return reply->Respond(ErrorResponse(403, {}, "Foreign Origin"));
  }
  inner_.Handle(std::move(request), std::move(reply));
}

}  // namespace assay::reference
