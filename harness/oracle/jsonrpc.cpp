// The form of every message: JSON-RPC 2.0 as MCP narrows it.

#include "oracle/jsonrpc.h"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/conduct.h"

namespace assay::oracle {
namespace {

constexpr Duty kVersion{"M-RPC-VERSION-MEMBER", "L-BASE-jsonrpc-version"};
constexpr Duty kXor{"M-RPC-RESULT-XOR-ERROR", "L-BASE-result-xor-error"};
constexpr Duty kHasResult{"M-RPC-RESULT-MEMBER", "L-BASE-result-xor-error"};
constexpr Duty kResultObject{"M-RPC-RESULT-IS-OBJECT", "L-BASE-result-is-object"};
constexpr Duty kErrorMembers{"M-RPC-ERROR-MEMBERS", "L-BASE-error-shape"};
constexpr Duty kErrorCode{"M-RPC-ERROR-CODE-INTEGER", "L-BASE-error-code-integer"};
constexpr Duty kConcise{"M-RPC-ERROR-MESSAGE-CONCISE", "L-BASE-error-message-concise"};
constexpr Duty kKinds{"M-RPC-MESSAGE-KINDS", "L-STDIO-stdout-clean"};
constexpr Duty kNotificationShape{"M-RPC-NOTIFICATION-SHAPE", "L-STDIO-stdout-clean"};
constexpr Duty kNotificationId{"M-RPC-NOTIFICATION-NO-ID", "L-BASE-notification-no-id"};
constexpr Duty kKeysOnce{"M-STDIO-STDOUT-ONLY-MCP", "L-STDIO-stdout-clean"};

std::string Name(const Received& message) {
  switch (message.kind) {
    case Received::Kind::kRequest:
      return "The request " + message.method();
    case Received::Kind::kNotification:
      return "The notification " + message.method();
    default:
      if (message.request != nullptr && !message.request->method.empty()) {
        return "The response to " + message.request->method;
      }
      return "A response";
  }
}

void JudgeVersion(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr) continue;
    const Received& message = *moment.received;
    if (message.kind == Received::Kind::kBroken || message.kind == Received::Kind::kStray) continue;
    const Json* version = message.body->Find("jsonrpc");
    if (version != nullptr && version->is_string() && version->text() == "2.0") continue;
    Detail detail{.expected = Json::String("2.0")};
    if (version != nullptr) detail.actual = *version;
    findings.Report(kVersion, message,
                    Name(message) + (version == nullptr ? " has no member jsonrpc"
                                                        : " has the wrong jsonrpc version"),
                    std::move(detail));
  }
}

void JudgeError(const Received& message, Findings& findings) {
  const Json& error = *message.error();
  if (!error.is_object()) {
    findings.Report(kErrorMembers, message, Name(message) + " has an error that is no object",
                    {.actual = error});
    return;
  }
  const Json* code = error.Find("code");
  if (code == nullptr) {
    findings.Report(kErrorMembers, message, Name(message) + " has an error without a code",
                    {.actual = error});
  } else if (!code->is_integer()) {
    findings.Report(kErrorCode, message, Name(message) + " has an error code that is no integer",
                    {.actual = *code});
  }
  const Json* text = error.Find("message");
  if (text == nullptr || !text->is_string()) {
    findings.Report(kErrorMembers, message,
                    Name(message) + (text == nullptr ? " has an error without a message"
                                                     : " has an error message that is no string"),
                    {.actual = error});
  }
}

void JudgeResponses(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr) continue;
    const Received& message = *moment.received;
    if (message.kind == Received::Kind::kStray && message.body->is_object() &&
        message.body->Find("id") != nullptr) {
      findings.Report(kHasResult, message,
                      "A message with an id has no method, no result and no error",
                      {.actual = *message.body});
      continue;
    }
    if (!message.is_response()) continue;
    if (message.body->Find("method") != nullptr) {
      findings.Report(kKinds, message, Name(message) + " also has a method",
                      {.at_most_warn = true});
    }
    if (message.result() != nullptr && message.error() != nullptr) {
      findings.Report(kXor, message, Name(message) + " has both a result and an error");
    }
    if (message.kind == Received::Kind::kError) {
      JudgeError(message, findings);
    } else if (!message.result()->is_object()) {
      findings.Report(kResultObject, message, Name(message) + " has a result that is no object",
                      {.actual = *message.result()});
    }
  }
}

// Whether a text in it, repeated in a message, would make that long or break it.
bool SaysOddTexts(const Json& value) {
  constexpr std::size_t kLong = 60;
  const auto is_odd = [](const std::string& text) {
    return text.size() > kLong || text.find('\n') != std::string::npos;
  };
  if (value.is_string() && is_odd(value.text())) return true;
  return std::any_of(value.items().begin(), value.items().end(), SaysOddTexts) ||
         std::any_of(value.members().begin(), value.members().end(), [&](const JsonMember& member) {
           return is_odd(member.key) || SaysOddTexts(member.value);
         });
}

// Only what nobody would call one concise sentence. What is repeated of a request is the client's.
void JudgeConcise(const Ledger& ledger, Findings& findings) {
  constexpr std::size_t kLong = 300;
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kError) continue;
    const Received& message = *moment.received;
    const auto text = message.error()->FindString("message");
    if (!text) continue;
    const Sent* request = message.request;
    if (request != nullptr && request->body != nullptr && SaysOddTexts(*request->body)) continue;
    const char* fault = nullptr;
    if (text->empty()) {
      fault = "An error message is empty";
    } else if (text->find('\n') != std::string::npos) {
      fault = "An error message has several lines";
    } else if (text->size() > kLong) {
      fault = "An error message is very long";
    }
    if (fault != nullptr) {
      findings.Report(kConcise, message, fault, {.actual = Json::String(text->substr(0, kLong))});
    }
  }
}

void JudgeNotifications(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr) continue;
    const Received& message = *moment.received;
    if (message.kind == Received::Kind::kRequest) {
      if (message.method().rfind("notifications/", 0) == 0) {
        findings.Report(kNotificationId, message,
                        Name(message).replace(4, 7, "notification") + " has an id");
      }
      continue;
    }
    if (message.kind != Received::Kind::kNotification) continue;
    if (!message.body->Find("method")->is_string()) {
      findings.Report(kNotificationShape, message, "A notification has a method that is no string",
                      {.actual = *message.body->Find("method")});
    } else if (message.params() != nullptr && !message.params()->is_object()) {
      findings.Report(kNotificationShape, message, Name(message) + " has params that are no object",
                      {.actual = *message.params()});
    }
  }
}

// RFC 8259 only says SHOULD, but two readers may see two messages.
void JudgeKeys(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr) continue;
    const Received& message = *moment.received;
    if (message.entry->message.duplicate_keys.empty()) continue;
    findings.Report(kKeysOnce, message, "A message has the same member twice in one object",
                    {.actual = Json::String(message.entry->message.duplicate_keys.front()),
                     .at_most_warn = true});
  }
}

}  // namespace

std::vector<Rule> JsonRpcRules() {
  return {
      {"jsonrpc-version", {kVersion}, JudgeVersion},
      {"response-members",
       {kHasResult, kXor, kResultObject, kErrorMembers, kErrorCode, kKinds},
       JudgeResponses},
      {"error-message-concise", {kConcise}, JudgeConcise},
      {"notification-form", {kNotificationShape, kNotificationId}, JudgeNotifications},
      {"keys-once", {kKeysOnce}, JudgeKeys},
  };
}

}  // namespace assay::oracle
