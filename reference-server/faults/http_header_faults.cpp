// What goes wrong with the headers of requests: those that mirror the body, the version, the origin
// (2026-07-28 basic/transports/streamable-http#server-validation, #security-warning).
#include <string>
#include <string_view>

#include "faults/fault_list.h"
#include "faults/http_edit.h"
#include "protocol/error.h"
#include "protocol/revision.h"
#include "transport/http/answer_status.h"
#include "transport/http/header_rules.h"

namespace assay::reference {
namespace {

constexpr int kMismatch = static_cast<int>(ErrorCode::kHeaderMismatch);
constexpr std::string_view kEncodedPrefix = "=?base64?";

bool IsBadlyEncoded(const HttpRequest& request) {
  for (const HttpHeader& header : request.headers) {
    if (header.value.starts_with(kEncodedPrefix) && !DecodeHeaderValue(header.value)) return true;
  }
  return false;
}

HttpScript TaskNameUnchecked() {
  return {.request = [](HttpRequest& request) {
    if (MethodOf(request).starts_with("tasks/")) EraseHeader(request.headers, "Mcp-Name");
  }};
}

/// What is no longer enclosed by both markers stands for itself.
HttpScript EncodedNameNotDecoded() {
  return {.request = [](HttpRequest& request) {
    for (HttpHeader& header : request.headers) {
      if (!EqualsIgnoringCase(header.name, "Mcp-Name")) continue;
      if (header.value.starts_with(kEncodedPrefix)) header.value += '=';
    }
  }};
}

HttpScript OverlappingMarkersFatal() {
  return {.instead = [](const HttpRequest& request, HttpReply&) {
    return request.Header("Mcp-Name") == "=?base64?=";
  }};
}

HttpScript BadBase64IsInternalError() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    if (ErrorOf(response) != kMismatch || !IsBadlyEncoded(request)) return;
    response = ErrorResponse(500, IdOf(request),
                             ProtocolError{ErrorCode::kInternalError, "Internal error"});
  }};
}

HttpScript MismatchIsInvalidRequest() {
  return {.response = [](const HttpRequest&, HttpResponse& response) {
    if (ErrorOf(response) != kMismatch) return;
    EditBody(response, [](boost::json::object& body) {
      body.at("error").as_object()["code"] = static_cast<int>(ErrorCode::kInvalidRequest);
    });
  }};
}

HttpScript AnyVersionAccepted() {
  return {.request = [](HttpRequest& request) {
    const auto version = request.Header(kProtocolVersionHeader);
    if (!version || ParseRevision(*version) || !NamesSession(request)) return;
    EraseHeader(request.headers, kProtocolVersionHeader);
  }};
}

/// Whether a version was refused, by a server of both eras or by one that knows only the legacy
/// one.
bool RefusesVersion(const HttpResponse& response) {
  return ErrorOf(response) == static_cast<int>(ErrorCode::kUnsupportedProtocolVersion) ||
         response.body.find("; send initialize") != std::string::npos;
}

HttpScript VersionRefusedInPlainText() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    const auto version = request.Header(kProtocolVersionHeader);
    if (!HasModernVersionHeader(request) || !RefusesVersion(response)) return;
    response = {400,
                {{"Content-Type", "text/plain"}},
                "Bad Request: Unsupported protocol version " + std::string(*version)};
  }};
}

HttpScript OriginUnchecked() {
  return {.request = [](HttpRequest& request) { EraseHeader(request.headers, "Origin"); }};
}

HttpScript OriginSearchedForLocalhost() {
  return {.request = [](HttpRequest& request) {
    const auto origin = request.Header("Origin");
    if (origin && origin->find("localhost") != std::string_view::npos) {
      EraseHeader(request.headers, "Origin");
    }
  }};
}

HttpScript BadOriginIsBadRequest() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    if (response.status == 403 && request.Header("Origin")) response.status = 400;
  }};
}

}  // namespace

std::vector<NamedFault> HttpHeaderFaults() {
  return {
      {"http-task-name-unchecked", "T-HTTP-NAME-HEADER", "BUG-190",
       "does not compare Mcp-Name on tasks/get, tasks/update and tasks/cancel", TaskNameUnchecked},
      {"http-encoded-name-not-decoded", "M-HDR-NAME-BASE64-DECODED", "BUG-205",
       "compares an encoded Mcp-Name as it stands", EncodedNameNotDecoded},
      {"http-overlapping-markers-fatal", "M-HDR-REJECT-STATUS-400", "BUG-206",
       "drops the connection at the Mcp-Name =?base64?=", OverlappingMarkersFatal},
      {"http-bad-base64-internal-error", "M-HDR-REJECT-BODY", "BUG-207",
       "answers a header that cannot be decoded with 500 and -32603", BadBase64IsInternalError},
      {"http-mismatch-invalid-request", "M-HDR-REJECT-BODY", "BUG-211",
       "answers headers that do not fit the body with -32600", MismatchIsInvalidRequest},
      {"http-any-version-accepted", "L-HTTP-version-header-invalid-400", "BUG-215",
       "serves a session under any MCP-Protocol-Version", AnyVersionAccepted},
      {"http-version-refused-in-plain-text", "M-VER-UNSUPPORTED-HTTP-400", "BUG-088",
       "refuses a version that it does not serve in plain text", VersionRefusedInPlainText},
      {"http-origin-unchecked", "M-HTTP-ORIGIN-VALIDATED", "BUG-250",
       "serves requests of any Origin", OriginUnchecked},
      {"http-origin-substring", "M-HTTP-ORIGIN-403", "BUG-251",
       "serves every Origin that has localhost somewhere in it", OriginSearchedForLocalhost},
      {"http-bad-origin-400", "L-HTTP-origin-403", "BUG-252",
       "answers a foreign Origin with 400 instead of 403", BadOriginIsBadRequest},
  };
}

}  // namespace assay::reference
