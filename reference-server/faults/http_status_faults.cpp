// What goes wrong with statuses, bodies and sessions
// (2025-11-25 basic/transports#streamable-http, 2026-07-28 basic/transports/streamable-http).
#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "faults/fault_list.h"
#include "faults/http_edit.h"
#include "protocol/error.h"
#include "transport/http/answer_status.h"
#include "transport/http/header_rules.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

bool Is(std::optional<int> error, ErrorCode code) { return error == static_cast<int>(code); }

// --- bodies

HttpScript InventedId() {
  return {.response = [](const HttpRequest&, HttpResponse& response) {
    if (!ErrorOf(response)) return;
    EditBody(response, [](json::object& body) {
      const json::value* id = body.if_contains("id");
      if (id == nullptr || id->is_null()) body["id"] = "server-error";
    });
  }};
}

HttpScript ErrorStatusLosesId() {
  return {.response = [](const HttpRequest&, HttpResponse& response) {
    if (response.status < 400) return;
    EditBody(response, [](json::object& body) { body.stable_erase("id"); });
  }};
}

HttpScript StringIdBreaksErrors() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    if (ErrorOf(response) && IdOf(request).starts_with('"')) response = {500};
  }};
}

HttpScript NonObjectIsEmptySuccess() {
  return {.instead = [](const HttpRequest& request, HttpReply& reply) {
    boost::system::error_code failed;
    const json::value body = json::parse(request.body, failed);
    const bool is_message = body.is_object() || (body.is_array() && !body.get_array().empty());
    if (request.method != "POST" || failed || is_message) return false;
    reply.Respond(JsonResponse(200, "{}"));
    return true;
  }};
}

HttpScript DeepNestingFatal() {
  return {.instead = [](const HttpRequest& request, HttpReply&) {
    constexpr std::size_t kStack = 500;
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (const char c : request.body) {
      if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
      if ((c == '}' || c == ']') && depth > 0) --depth;
    }
    return deepest > kStack;
  }};
}

HttpScript BatchOfOneUnwrapped() {
  return {.response = [](const HttpRequest&, HttpResponse& response) {
    boost::system::error_code failed;
    const json::value body = json::parse(response.body, failed);
    if (failed || !body.is_array() || body.get_array().size() != 1) return;
    response.body = json::serialize(body.get_array().front());
  }};
}

HttpScript NotUtf8IsInternalError() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    constexpr std::string_view kNeverInUtf8 = "\xC0\xC1\xFE\xFF";
    if (request.body.find_first_of(kNeverInUtf8) == std::string::npos) return;
    response = ErrorResponse(500, {}, ProtocolError{ErrorCode::kInternalError, "Internal error"});
  }};
}

// --- statuses

HttpScript CancelRefused() {
  return {.instead = [](const HttpRequest& request, HttpReply& reply) {
    if (MethodOf(request) != "notifications/cancelled") return false;
    reply.Respond(ErrorResponse(400, {}, "Invalid request"));
    return true;
  }};
}

HttpScript NotificationAnswered() {
  return {.response = [](const HttpRequest&, HttpResponse& response) {
    if (response.status == 202) response = JsonResponse(200, "{}");
  }};
}

HttpScript MissingCapabilityIs200() {
  return {.response = [](const HttpRequest&, HttpResponse& response) {
    if (Is(ErrorOf(response), ErrorCode::kMissingClientCapability)) response.status = 200;
  }};
}

HttpScript ErrorsAre200() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    if (HasModernVersionHeader(request) && ErrorOf(response)) response.status = 200;
  }};
}

HttpScript GetIsBadRequest() {
  return {.instead = [](const HttpRequest& request, HttpReply& reply) {
    if (request.method != "GET") return false;
    reply.Respond(ErrorResponse(400, {}, "Invalid or missing session id"));
    return true;
  }};
}

// --- sessions

/// The answer to a request of a session that there is not.
bool IsSessionMissing(const HttpRequest& request, const HttpResponse& response) {
  return response.status == 404 && NamesSession(request) &&
         Is(ErrorOf(response), ErrorCode::kInvalidRequest);
}

HttpScript UnknownSessionIsBadRequest() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    if (IsSessionMissing(request, response)) response.status = 400;
  }};
}

HttpScript NotificationsNeedNoSession() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    if (IsSessionMissing(request, response) && IsNotification(request)) response = {202};
  }};
}

HttpScript MalformedSessionFatal() {
  return {.instead = [](const HttpRequest& request, HttpReply&) {
    constexpr std::string_view kUuid = "0123456789abcdefABCDEF-";
    const auto id = request.Header(kSessionHeader);
    return id && id->find_first_not_of(kUuid) != std::string_view::npos;
  }};
}

HttpScript SessionHeaderEverywhere() {
  const auto add = [](const HttpRequest& request, HttpResponse& response) {
    if (HttpRequest{{}, {}, response.headers, {}}.Header(kSessionHeader)) return;
    const auto own = request.Header(kSessionHeader);
    response.headers.push_back(
        {std::string(kSessionHeader), std::string(own.value_or("stateless"))});
  };
  return {.response = add, .head = add};
}

HttpScript DiscoverOpensSession() {
  return {.response = [sessions = 0](const HttpRequest& request, HttpResponse& response) mutable {
    if (MethodOf(request) != "server/discover" || response.status != 200) return;
    response.headers.push_back(
        {std::string(kSessionHeader), "discovered-" + std::to_string(++sessions)});
  }};
}

HttpScript DeleteEndsNothing() {
  return {.instead = [](const HttpRequest& request, HttpReply& reply) {
    if (request.method != "DELETE" || !NamesSession(request)) return false;
    reply.Respond({204});
    return true;
  }};
}

HttpScript TasksForEveryone() {
  return {.instead = [](const HttpRequest& request, HttpReply& reply) {
    if (!MethodOf(request).starts_with("tasks/") || request.Header("Authorization")) return false;
    reply.Respond(JsonResponse(200, R"({"jsonrpc":"2.0","id":)" + std::string(IdOf(request)) +
                                        R"(,"result":{"resultType":"complete"}})"));
    return true;
  }};
}

HttpScript PublicListPerCaller() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    const auto authorization = request.Header("Authorization");
    if (MethodOf(request) != "tools/list" || !authorization || ErrorOf(response)) return;
    EditBody(response, [&authorization](json::object& body) {
      json::value* result = body.if_contains("result");
      if (result == nullptr) return;
      const auto caller = std::hash<std::string_view>{}(*authorization);
      result->at("tools").at(0).as_object()["description"] = "For " + std::to_string(caller);
    });
  }};
}

}  // namespace

std::vector<NamedFault> HttpStatusFaults() {
  return {
      {"http-invented-id", "L-BASE-response-id-echo", "BUG-029",
       "gives errors that answer no readable id the id \"server-error\"", InventedId},
      {"http-error-status-loses-id", "M-RPC-ERROR-ID-ECHO", "BUG-030",
       "leaves the id out of errors with a status of 400 or more", ErrorStatusLosesId},
      {"http-string-id-breaks-errors", "L-BASE-one-response-per-request", "BUG-034",
       "answers with 500 and no body where an error has a string for its id", StringIdBreaksErrors},
      {"http-non-object-accepted", "L-BASE-invalid-request", "BUG-048",
       "answers a body that is no object with 200 and {}", NonObjectIsEmptySuccess},
      {"http-deep-nesting-fatal", "L-BASE-one-response-per-request", "BUG-051",
       "drops the connection at a body nested more than 500 deep", DeepNestingFatal},
      {"http-batch-of-one-unwrapped", "L-BATCH-answers-complete", "BUG-055",
       "answers a batch of one request with a bare object", BatchOfOneUnwrapped},
      {"http-not-utf8-internal-error", "L-BASE-parse-error", "BUG-231",
       "answers a body that is not UTF-8 with 500 and -32603", NotUtf8IsInternalError},
      {"http-cancel-refused", "L-HTTP-notification-202", "BUG-115",
       "refuses notifications/cancelled with 400", CancelRefused},
      {"http-notification-answered", "M-HTTP-NOTIFICATION-202", "BUG-228",
       "answers notifications and responses with 200 and {}", NotificationAnswered},
      {"http-missing-capability-200", "M-META-MISSING-CAPABILITY-HTTP-400", "BUG-198",
       "sends -32021 with the status 200", MissingCapabilityIs200},
      {"http-errors-200", "M-HTTP-UNKNOWN-METHOD-404", "BUG-232",
       "sends every error of the modern era with the status 200", ErrorsAre200},
      {"http-get-400", "L-HTTP-get-sse-or-405", "BUG-226", "answers every GET with 400",
       GetIsBadRequest},
      {"http-unknown-session-400", "L-HTTP-session-terminated-404", "BUG-219",
       "answers requests of an unknown session with 400", UnknownSessionIsBadRequest},
      {"http-notifications-need-no-session", "L-HTTP-session-terminated-404", "BUG-221",
       "accepts notifications of an unknown session", NotificationsNeedNoSession},
      {"http-malformed-session-fatal", "L-BASE-one-response-per-request", "BUG-230",
       "drops the connection at a session id that is no UUID", MalformedSessionFatal},
      {"http-session-header-everywhere", "M-HTTP-NO-SESSION-ID", "BUG-224",
       "adds Mcp-Session-Id to every answer", SessionHeaderEverywhere},
      {"http-discover-opens-session", "M-HTTP-NO-SESSION-ID", "BUG-233",
       "answers every server/discover with a new Mcp-Session-Id", DiscoverOpensSession},
      {"http-tasks-for-everyone", "T-SEC-AUTHORIZATION", "-",
       "answers requests about tasks without asking for a token", TasksForEveryone},
      {"http-public-list-per-caller", "M-CACHE-PUBLIC-NO-USER-DATA", "-",
       "describes a tool differently to each token, in a list that anyone may be shown",
       PublicListPerCaller},
      {"http-delete-ends-nothing", "L-HTTP-session-terminated-404", "BUG-234",
       "keeps a session that was deleted", DeleteEndsNothing},
  };
}

}  // namespace assay::reference
