// What goes wrong with the JSON-RPC envelope of messages (basic/index#messages).
#include <boost/json.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

int ErrorCodeOf(const FaultyMessage& answer) {
  const json::value* error = answer.message.if_contains("error");
  if (error == nullptr) return 0;
  return error->at("code").to_number<int>();
}

Script InvalidRequestUnanswered() {
  return {.answer = [](FaultyMessage& answer) {
    answer.drop = answer.method == "-" && ErrorCodeOf(answer) == -32600;
  }};
}

Script ErrorsLoseId() {
  return {.answer = [](FaultyMessage& answer) {
    if (ErrorCodeOf(answer) == 0) return;
    answer.message["id"] = nullptr;
    answer.changed = true;
  }};
}

Script IdsCutTo32Bits() {
  return {.answer = [](FaultyMessage& answer) {
    json::value* id = answer.message.if_contains("id");
    if (id == nullptr || !id->is_number()) return;
    const double number = id->is_double() ? std::trunc(id->get_double()) : 0;
    const std::int64_t whole = id->is_int64() ? id->get_int64() : static_cast<std::int64_t>(number);
    *id = static_cast<std::int32_t>(static_cast<std::uint32_t>(whole));
    answer.changed = true;
  }};
}

Script NumericIdsBecomeStrings() {
  return {.answer = [](FaultyMessage& answer) {
    json::value* id = answer.message.if_contains("id");
    if (id == nullptr || !id->is_number()) return;
    *id = json::serialize(*id);
    answer.changed = true;
  }};
}

Script NegativeIdsDropped() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request) return;
    const json::value& id = line.message->at("id");
    line.drop = id.is_number() && id.to_number<double>() < 0;
  }};
}

Script LargeIdsRefused() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request) return;
    const json::value& id = line.message->at("id");
    if (!id.is_number() || std::abs(id.to_number<double>()) <= 4294967295.0) return;
    line.drop = true;
    line.fault.Write(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid id"}})"
                     "\n");
  }};
}

Script EmptyStringIdDropped() {
  return {.line = [](FaultyLine& line) {
    line.drop = line.is_request && line.message->at("id") == json::value("");
  }};
}

Script RequestsWithoutIdAnswered() {
  return {.line = [](FaultyLine& line) {
    if (line.message == nullptr || line.is_request || line.method.empty()) return;
    if (line.method.starts_with("notifications/")) return;
    line.fault.Write(R"({"jsonrpc":"2.0","id":null,"result":{}})"
                     "\n");
  }};
}

Script NotificationWithIdIgnored() {
  return {.line = [](FaultyLine& line) {
    line.drop = line.is_request && line.method.starts_with("notifications/");
  }};
}

Script NotificationWithIdIsNull() {
  return {.answer = [](FaultyMessage& answer) {
    if (!answer.method.starts_with("notifications/")) return;
    answer.message.stable_erase("error");
    answer.message["result"] = nullptr;
    answer.changed = true;
  }};
}

Script ErrorMemberMeansResponse() {
  return {.line = [](FaultyLine& line) {
    line.drop = line.is_request && line.message->contains("error");
  }};
}

Script AnswerNotifications(bool (*which)(std::string_view method)) {
  return {.line = [which](FaultyLine& line) {
    if (line.message == nullptr || line.is_request || line.method.empty()) return;
    if (!which(line.method)) return;
    line.fault.Write(
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}})"
        "\n");
  }};
}

Script InitializedAnswered() {
  return AnswerNotifications(
      [](std::string_view method) { return method == "notifications/initialized"; });
}

Script UnknownNotificationAnswered() {
  return AnswerNotifications([](std::string_view method) {
    return method != "notifications/initialized" && method != "notifications/cancelled" &&
           method != "notifications/progress" && method != "notifications/roots/list_changed";
  });
}

Script MissingParamsFatal() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request) return;
    const json::value* params = line.message->if_contains("params");
    const auto lacks = [params](std::string_view name) {
      return params == nullptr || !params->is_object() || !params->get_object().contains(name);
    };
    const bool named = line.method == "tools/call" || line.method == "prompts/get";
    if ((named && lacks("name")) || (line.method == "resources/read" && lacks("uri"))) {
      line.fault.Exit(139);
    }
  }};
}

Script NotificationParamsRequired() {
  return {.line = [deaf = false](FaultyLine& line) mutable {
    if (line.message != nullptr && !line.is_request && !line.message->contains("params")) {
      deaf = true;
    }
    line.drop = deaf;
  }};
}

Script EmptyMethodDropped() {
  return {.line = [](FaultyLine& line) { line.drop = line.is_request && line.method.empty(); }};
}

Script DeepNestingDropped() {
  return {.line = [](FaultyLine& line) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (const char c : line.text) {
      if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
      if ((c == '}' || c == ']') && depth > 0) --depth;
    }
    line.drop = line.message == nullptr ? deepest > 20 : deepest > 200;
  }};
}

Script NotificationsLackJsonrpc() {
  return {.notification = [](FaultyMessage& notification) {
    notification.message.stable_erase("jsonrpc");
    notification.changed = true;
  }};
}

Script NullResults() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.result() == nullptr) return;
    const std::string_view method = answer.method;
    if (method != "ping" && method != "logging/setLevel" && method != "resources/subscribe" &&
        method != "resources/unsubscribe") {
      return;
    }
    answer.message["result"] = nullptr;
  }};
}

}  // namespace

std::vector<NamedFault> JsonRpcFaults() {
  return {
      {"invalid-request-unanswered", "L-BASE-invalid-request", "BUG-026",
       "does not answer a request that is not valid", InvalidRequestUnanswered},
      {"errors-lose-id", "M-RPC-ERROR-ID-ECHO", "BUG-027", "answers every error with id null",
       ErrorsLoseId},
      {"ids-cut-to-32-bits", "L-BASE-response-id-echo", "BUG-035",
       "answers with the id cut down to a 32-bit integer", IdsCutTo32Bits},
      {"numeric-ids-become-strings", "M-RPC-RESULT-ID-ECHO", "BUG-035",
       "answers the id 7 with the id \"7\"", NumericIdsBecomeStrings},
      {"negative-ids-dropped", "M-RPC-STRING-AND-INTEGER-IDS", "BUG-036",
       "does not answer requests with negative ids", NegativeIdsDropped},
      {"large-ids-refused", "L-BASE-accept-both-id-types", "BUG-036", "refuses ids beyond 32 bits",
       LargeIdsRefused},
      {"empty-string-id-dropped", "L-BASE-response-id-echo", "BUG-043",
       "takes the id \"\" for no id and does not answer", EmptyStringIdDropped},
      {"requests-without-id-answered", "M-RPC-NO-REPLY-TO-NOTIFICATION", "BUG-038",
       "answers a request method without id with id null", RequestsWithoutIdAnswered},
      {"notification-with-id-ignored", "L-BASE-one-response-per-request", "BUG-039",
       "does not answer a notification method that carries an id", NotificationWithIdIgnored},
      {"notification-with-id-is-null", "L-BASE-result-is-object", "BUG-040",
       "answers a notification method that carries an id with result null",
       NotificationWithIdIsNull},
      {"error-member-means-response", "M-ERR-INVALID-REQUEST", "BUG-047",
       "takes a request that also has an error for a response", ErrorMemberMeansResponse},
      {"initialized-answered", "L-INIT-initialized-silent", "BUG-041",
       "answers notifications/initialized with an error", InitializedAnswered},
      {"unknown-notification-answered", "L-BASE-unknown-notification-no-response", "BUG-041",
       "answers notifications it does not know with an error", UnknownNotificationAnswered},
      {"missing-params-fatal", "L-BASE-invalid-params", "BUG-044",
       "dies of tools/call, prompts/get or resources/read without what they need",
       MissingParamsFatal},
      {"notification-params-required", "L-INIT-operate-after-initialized", "BUG-045",
       "is deaf from the first notification without params", NotificationParamsRequired},
      {"empty-method-dropped", "L-BASE-one-response-per-request", "BUG-043",
       "does not answer a request whose method is empty", EmptyMethodDropped},
      {"deep-nesting-dropped", "L-BASE-one-response-per-request", "BUG-050",
       "does not answer requests nested more than 200 deep", DeepNestingDropped},
      {"notifications-lack-jsonrpc", "L-BASE-jsonrpc-version", "BUG-177",
       "sends notifications without the jsonrpc member", NotificationsLackJsonrpc},
      {"null-results", "L-BASE-result-is-object", "BUG-157",
       "answers ping, setLevel, subscribe and unsubscribe with result null", NullResults},
  };
}

}  // namespace assay::reference
