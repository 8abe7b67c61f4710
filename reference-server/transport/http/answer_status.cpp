#include "transport/http/answer_status.h"

#include <boost/json.hpp>
#include <utility>

#include "protocol/answer.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

bool Is(std::optional<int> error, ErrorCode code) { return error == static_cast<int>(code); }

bool IsUnreadable(std::optional<int> error) {
  return Is(error, ErrorCode::kParseError) || Is(error, ErrorCode::kInvalidRequest);
}

}  // namespace

std::optional<int> ErrorCodeOf(std::string_view answer) {
  // Most answers are results: reading all of each would cost more than the rest of the exchange.
  if (answer.find("\"error\"") == std::string_view::npos) return std::nullopt;
  boost::system::error_code failed;
  const json::value parsed = json::parse(answer, failed);
  if (failed || !parsed.is_object()) return std::nullopt;
  const json::value* error = parsed.get_object().if_contains("error");
  if (error == nullptr || !error->is_object()) return std::nullopt;
  const json::value* code = error->get_object().if_contains("code");
  if (code == nullptr || !code->is_int64()) return std::nullopt;
  return static_cast<int>(code->get_int64());
}

int ModernStatus(std::optional<int> error, bool bad_envelope) {
  if (Is(error, ErrorCode::kMethodNotFound)) return 404;
  if (IsUnreadable(error) || Is(error, ErrorCode::kHeaderMismatch) ||
      Is(error, ErrorCode::kMissingClientCapability) ||
      Is(error, ErrorCode::kUnsupportedProtocolVersion) ||
      (bad_envelope && Is(error, ErrorCode::kInvalidParams))) {
    return 400;
  }
  return 200;
}

int LegacyStatus(std::optional<int> error) { return IsUnreadable(error) ? 400 : 200; }

HttpResponse JsonResponse(int status, std::string body) {
  if (body.ends_with('\n')) body.pop_back();
  HttpResponse response{status, {}, std::move(body)};
  response.headers.push_back({"Content-Type", "application/json"});
  return response;
}

HttpResponse ErrorResponse(int status, std::string_view id, const ProtocolError& error) {
  return JsonResponse(status, ErrorMessage(id, error));
}

HttpResponse ErrorResponse(int status, std::string_view id, std::string message) {
  return ErrorResponse(status, id, ProtocolError{ErrorCode::kInvalidRequest, std::move(message)});
}

}  // namespace assay::reference
