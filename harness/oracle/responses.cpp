// What answers what: every request once, with its own id, and nothing else at all.

#include "oracle/responses.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "oracle/carrier.h"
#include "oracle/conduct.h"

namespace assay::oracle {
namespace {

constexpr Duty kResultId{"M-RPC-RESULT-ID-ECHO", "L-BASE-response-id-echo"};
constexpr Duty kErrorId{"M-RPC-ERROR-ID-ECHO", "L-BASE-response-id-echo"};
constexpr Duty kIdType{"M-RPC-RESPONSE-ID-TYPE", "L-BASE-response-id-echo"};
constexpr Duty kOnce{"M-RPC-DUPLICATE-RESPONSE", "L-BASE-one-response-per-request"};
constexpr Duty kNotToNotification{"M-RPC-NO-REPLY-TO-NOTIFICATION",
                                  "L-BASE-notification-no-response"};
constexpr Duty kInitializedSilent{"M-RPC-NO-REPLY-TO-NOTIFICATION", "L-INIT-initialized-silent"};
constexpr Duty kUnknownSilent{"M-RPC-NO-REPLY-TO-NOTIFICATION",
                              "L-BASE-unknown-notification-no-response"};
constexpr Duty kWellKnownKinds{"M-STDIO-MESSAGE-KINDS", "L-BASE-response-id-echo"};
constexpr Duty kParseError{"M-ERR-PARSE", "L-BASE-parse-error"};
constexpr Duty kInvalidRequest{"M-ERR-INVALID-REQUEST", "L-BASE-invalid-request"};
constexpr Duty kBatches{"", "L-BATCH-receive", "2025-03-26", "2025-03-26"};
constexpr Duty kLateAnswer{"M-STDIO-CANCEL-NO-FURTHER-MESSAGES", "L-CANCEL-no-response"};

const Duty& IdDuty(const Received& response) {
  return response.kind == Received::Kind::kResult ? kResultId : kErrorId;
}

std::string Response(const Received& response) {
  const std::string what = response.kind == Received::Kind::kResult ? "result" : "error";
  if (response.request == nullptr || response.request->method.empty()) {
    return (what == "error" ? "An " : "A ") + what;
  }
  return "The " + what + " of " + response.request->method;
}

const Duty& SilenceDuty(const Sent* notification) {
  if (notification == nullptr) return kNotToNotification;
  const std::string& method = notification->method;
  if (method == "notifications/initialized") return kInitializedSilent;
  const bool known = method == "notifications/cancelled" || method == "notifications/progress" ||
                     method == "notifications/roots/list_changed";
  return known ? kNotToNotification : kUnknownSilent;
}

// Over HTTP who is not let in is refused before anybody reads what he says, with an error without
// an id if with any (2026-07-28 streamable-http § Security & Endpoint). So may be what comes in a
// request that can be refused for itself.
bool IsRefusedUnread(const Received& response) {
  const HttpHead* head = response.entry->head.get();
  if (head == nullptr || response.kind != Received::Kind::kError) return false;
  if (head->status == 401 || head->status == 403 || head->Find("WWW-Authenticate") != nullptr) {
    return true;
  }
  return head->status >= 400 && response.request != nullptr && !IsCarriedWell(*response.request);
}

// The legacy era says with which status a session or a version is refused, not with which body.
bool IsRefusedByHttp(const Received& response) {
  const HttpHead* head = response.entry->head.get();
  return response.era == Era::kLegacy && head != nullptr && head->status >= 400 &&
         response.kind == Received::Kind::kError;
}

void JudgeId(const Received& response, bool shared, Findings& findings) {
  const Detail ids{
      .expected = response.request == nullptr || response.request->id == nullptr
                      ? std::nullopt
                      : std::optional<Json>(*response.request->id),
      .actual = response.id() == nullptr ? std::nullopt : std::optional<Json>(*response.id())};
  const auto with = [&ids](bool at_most_warn) {
    Detail detail = ids;
    detail.at_most_warn = at_most_warn;
    return detail;
  };
  const Sent* request = response.request;
  switch (response.match) {
    case Received::Match::kRounded: {
      // 2^53 is where many readers of JSON stop to be exact; the specification sets no limit.
      findings.Report(IdDuty(response), response,
                      Response(response) + " has an id that lost precision", with(true));
      break;
    }
    case Received::Match::kOtherType:
      findings.Report(IdDuty(response), response,
                      Response(response) + (response.id()->is_string()
                                                ? " has the id as a string; it was a number"
                                                : " has the id as a number; it was a string"),
                      with(request->kind != Sent::Kind::kRequest));
      break;
    case Received::Match::kUnknownId:
      if (shared) break;
      if (!IsRequestId(*response.id())) {
        findings.Report(kIdType, response, Response(response) + " has an id of a wrong type", ids);
      } else {
        findings.Report(IdDuty(response), response,
                        Response(response) + " carries an id that no request had", ids);
      }
      break;
    case Received::Match::kIdLost:
      if (IsRefusedUnread(response)) break;
      // Whose parser cannot read a message cannot read its id either (JSON-RPC 2.0 § 5).
      if (request != nullptr && !request->ordinary) break;
      // Of a malformed request not everybody would read the id (JSON-RPC 2.0 § 5: null then).
      findings.Report(IdDuty(response), response,
                      Response(response) + " does not carry the id of its request",
                      with((request != nullptr && request->kind != Sent::Kind::kRequest) ||
                           IsRefusedByHttp(response)));
      break;
    case Received::Match::kNoId:
      if (response.kind == Received::Kind::kResult) {
        findings.Report(kIdType, response, "A result carries no id", with(true));
      }
      break;
    case Received::Match::kBatchRefused:
      findings.Report(kBatches, response, "A batch was refused as a whole",
                      {.actual = *response.error()});
      break;
    case Received::Match::kUnprompted:
      if (shared) break;
      findings.Report(IdDuty(response), response,
                      Response(response) + " without an id answers nothing that was sent", ids);
      break;
    case Received::Match::kToNotification:
      if (shared) break;
      findings.Report({SilenceDuty(request)}, response, "A notification was answered",
                      {.actual = *response.body});
      break;
    case Received::Match::kAnswersResponse:
      findings.Report(kWellKnownKinds, response, "A response was answered",
                      {.actual = *response.body, .at_most_warn = true});
      break;
    case Received::Match::kNone:
    case Received::Match::kAnswers:
    case Received::Match::kSecond:
    case Received::Match::kGuessedId:
      break;
  }
}

void JudgeIds(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received != nullptr && moment.received->is_response()) {
      JudgeId(*moment.received, ledger.shared(), findings);
    }
  }
}

void JudgeSeconds(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->match != Received::Match::kSecond) continue;
    const Received& response = *moment.received;
    findings.Report(kOnce, response, response.request->method + " was answered twice",
                    {.actual = *response.body,
                     .at_most_warn = response.request->reused_id ||
                                     response.request->kind != Sent::Kind::kRequest});
  }
}

// What answers input that was no request: the specification asks for no answer, and leaves little
// room for its code.
void JudgeAnswersToGarbage(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr) continue;
    const Received& response = *moment.received;
    const Sent* request = response.request;
    if (!response.is_response() || request == nullptr || request->answer != &response) continue;
    if (request->kind == Sent::Kind::kUnreadable && response.kind == Received::Kind::kError) {
      const Json* code = response.error()->Find("code");
      const auto value = code == nullptr ? std::nullopt : code->AsInteger();
      if (value && *value != -32700 && *value != -32600) {
        findings.Report(kParseError, response,
                        "The error for a line that is not JSON has another code",
                        {.expected = Json::Integer(-32700), .actual = *code, .at_most_warn = true});
      }
    }
    // JSON-RPC has params that are an array, too: who looks at none need not mind.
    const bool by_position = request->params() != nullptr && request->params()->is_array();
    if (request->kind == Sent::Kind::kMalformed && response.kind == Received::Kind::kResult &&
        !response.in_array && !request->session->sent_batch && !by_position &&
        !request->reused_id) {
      findings.Report(kInvalidRequest, response,
                      "A message that is no valid request was answered with a result",
                      {.actual = *request->body, .at_most_warn = true});
    }
  }
}

// A message for a cancelled request is late when something that was sent after the cancellation has
// already been answered: the server had read it. Even then both pages leave room (modern-notes A7).
void JudgeCancelled(const Ledger& ledger, Findings& findings) {
  std::unordered_map<const Session*, std::size_t> newest_answered;
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->request == nullptr) continue;
    const Received& response = *moment.received;
    const Sent& request = *response.request;
    if (!response.is_response() || request.answer != &response) continue;
    std::size_t& newest = newest_answered[response.session];
    if (request.kind == Sent::Kind::kRequest && !request.reused_id && !request.cancel_in_doubt &&
        request.cancelled_at != kNever && newest > ledger.TakenInAt(request.cancelled_at) &&
        ledger.TakenInBefore(request, request.cancelled_at) && request.method != "initialize") {
      findings.Report(kLateAnswer, response,
                      request.method + " was answered after its cancellation",
                      {.at_most_warn = true});
    }
    // Of an id that was used twice either may have been answered.
    if (request.at > newest && !request.reused_id) newest = request.at;
  }
}

}  // namespace

std::vector<Rule> ResponseRules() {
  return {
      {"response-ids",
       {kResultId, kErrorId, kIdType, kNotToNotification, kInitializedSilent, kUnknownSilent,
        kWellKnownKinds, kBatches},
       JudgeIds},
      {"one-response", {kOnce}, JudgeSeconds},
      {"answers-to-garbage", {kParseError, kInvalidRequest}, JudgeAnswersToGarbage},
      {"answers-to-cancelled", {kLateAnswer}, JudgeCancelled},
  };
}

}  // namespace assay::oracle
