// Each HTTP request with all that came back on it, judged as a whole.

#include "oracle/http.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "message/balancer_fields.h"

namespace assay::oracle {
namespace {

constexpr Duty kMediaType{"M-HTTP-REQUEST-CONTENT-TYPE", "L-HTTP-request-content-type",
                          "2025-03-26"};
constexpr Duty kSingleObject{"M-HTTP-JSON-SINGLE-OBJECT", "L-HTTP-json-single-object",
                             "2025-03-26"};
constexpr Duty kAccepted{"M-HTTP-NOTIFICATION-202", "L-HTTP-notification-202", "2025-03-26"};
constexpr Duty kResponseAccepted{"", "L-HTTP-response-202", "2025-03-26"};
constexpr Duty kAnswered{"M-BASE-MANDATORY-COMPONENTS", "L-BASE-one-response-per-request"};
constexpr Duty kNoRequests{"M-HTTP-SSE-NO-REQUESTS", ""};
constexpr Duty kNothingAfter{"M-HTTP-SSE-MESSAGES-BEFORE-FINAL", ""};
constexpr Duty kUnbuffered{"M-HTTP-SSE-X-ACCEL-BUFFERING", ""};
constexpr Duty kNoSession{"M-HTTP-NO-SESSION-ID", ""};
constexpr Duty kSessionCharset{"", "L-HTTP-session-id-charset", "2025-03-26"};
constexpr Duty kUnknownMethod{"M-HTTP-UNKNOWN-METHOD-404", ""};
constexpr Duty kMismatchStatus{"M-HDR-REJECT-STATUS-400", ""};
constexpr Duty kCapabilityStatus{"M-META-MISSING-CAPABILITY-HTTP-400", ""};
constexpr Duty kVersionStatus{"M-VER-UNSUPPORTED-HTTP-400", ""};
constexpr Duty kListenStreams{"M-HTTP-LISTEN-IS-SSE", ""};
constexpr Duty kListenOnlyEvents{"M-HTTP-LISTEN-NO-REQUEST-SCOPED", ""};
constexpr Duty kGetStreams{"", "L-HTTP-get-sse-or-405", "2025-03-26"};
constexpr Duty kGetNoResponse{"", "L-HTTP-get-no-response", "2025-03-26"};
constexpr Duty kEventStream{"", "L-HTTP-sse-format", "2025-03-26"};
constexpr Duty kEventually{"", "L-HTTP-sse-response-eventually", "2025-03-26"};
constexpr Duty kNoEarlyClose{"", "L-HTTP-sse-no-early-close", "2025-03-26", "2025-06-18"};
constexpr Duty kPollingNeedsId{"", "L-HTTP-sse-polling-needs-id", "2025-11-25"};
constexpr Duty kRetryBeforeClose{"", "L-HTTP-sse-retry-before-close", "2025-11-25"};
constexpr Duty kPrimed{"", "L-HTTP-sse-prime-event", "2025-11-25"};
constexpr Duty kEndsStream{"M-HTTP-SSE-FINAL-ENDS-STREAM", "L-HTTP-sse-close-after-response",
                           "2025-03-26"};
constexpr Duty kRelated{"M-HTTP-SSE-RELATED-ONLY", "L-HTTP-sse-messages-related", "2025-03-26"};
constexpr Duty kLogSameStream{"M-LOG-SAME-STREAM", ""};
constexpr Duty kGetUnrelated{"", "L-HTTP-get-unrelated", "2025-03-26"};
constexpr Duty kNoBroadcast{"", "L-HTTP-no-broadcast", "2025-03-26"};
constexpr Duty kEventIds{"", "L-HTTP-event-id-unique", "2025-03-26"};
constexpr Duty kReplaySameStream{"", "L-HTTP-replay-same-stream-only", "2025-03-26"};
constexpr Duty kTasksGetPlain{"", "L-TASK-get-no-sse", "2025-11-25"};

// One request and what came back on it.
struct HttpExchange {
  const Entry* out = nullptr;  // null: began before this transcript
  const Session* session = nullptr;
  std::vector<const Sent*> sent;  // the messages of its body
  std::vector<const Received*> received;
  std::shared_ptr<const HttpHead> head;
  std::string body;  // what was no message
  const Entry* end = nullptr;
  std::size_t began_at = 0;
  std::size_t ended_at = kNever;
  std::size_t at = 0;               // of its head, or of what came last
  std::size_t resumed_at = kNever;  // the stream broke off, and was taken up again
  std::vector<const Moment*> ids;   // of its events, until it broke off
  std::size_t no_data_at = kNever;  // of the first event without data
  bool told_retry = false;          // up to there

  // The one message of a body that is not a batch.
  const Sent* message() const { return sent.size() == 1 ? sent.front() : nullptr; }
  bool is_get() const { return out != nullptr && out->request->method == "GET"; }
  bool ok() const { return head != nullptr && head->status >= 200 && head->status < 300; }
  // The connection was ours to break.
  bool broken_by_us() const { return end == nullptr || end->bytes.starts_with("broken off by us"); }
  const std::string* Field(std::string_view name) const {
    return out == nullptr || out->request == nullptr ? nullptr : out->request->Find(name);
  }
  // It goes on with a stream that broke off, and may repeat what that held.
  bool resumes() const { return Field("Last-Event-ID") != nullptr; }
  // The legacy session that it belongs to, or opened.
  std::string session_id() const {
    const std::string* id = Field("Mcp-Session-Id");
    if (id == nullptr && head != nullptr) id = head->Find("Mcp-Session-Id");
    return id == nullptr ? "" : *id;
  }
  bool is_stream() const { return head != nullptr && head->MediaType() == "text/event-stream"; }
  Era era() const { return message() != nullptr ? message()->era : session->era; }
  std::string revision() const {
    return message() != nullptr ? message()->revision : session->revision;
  }
};

std::vector<HttpExchange> ExchangesOf(const Ledger& ledger) {
  std::map<std::pair<std::string, int>, HttpExchange> exchanges;
  for (const Moment& moment : ledger.moments()) {
    const Entry* entry = moment.sent != nullptr       ? moment.sent->entry
                         : moment.received != nullptr ? moment.received->entry
                                                      : moment.event;
    if (entry->exchange == 0) continue;
    HttpExchange& exchange = exchanges[{entry->connection, entry->exchange}];
    exchange.session = moment.session;
    if (entry->event == Entry::Event::kHttpHead && exchange.head != nullptr) {
      exchange.resumed_at = std::min(exchange.resumed_at, moment.at);
    }
    if (entry->head != nullptr) exchange.head = entry->head;
    if (moment.sent != nullptr) {
      exchange.sent.push_back(moment.sent);
      continue;
    }
    exchange.at = moment.at;
    if (entry->event == Entry::Event::kHttpNoData) {
      exchange.no_data_at = std::min(exchange.no_data_at, moment.at);
    }
    if (exchange.resumed_at == kNever) {
      if (entry->event == Entry::Event::kHttpRetry) exchange.told_retry = true;
      if (entry->event == Entry::Event::kHttpEventId) exchange.ids.push_back(&moment);
    }
    if (moment.received != nullptr) exchange.received.push_back(moment.received);
    if (entry->event == Entry::Event::kHttpBody) exchange.body += entry->bytes;
    if (entry->event == Entry::Event::kHttpEnd) {
      exchange.end = entry;
      exchange.ended_at = moment.at;
    }
  }
  // A GET or DELETE has no message, so its moment is only what came back.
  const auto& entries = ledger.transcript().entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].request == nullptr) continue;
    const auto found = exchanges.find({entries[i].connection, entries[i].exchange});
    if (found == exchanges.end()) continue;
    found->second.out = &entries[i];
    found->second.began_at = i;
  }
  std::vector<HttpExchange> list;
  for (auto& [key, exchange] : exchanges) {
    // What our balancer says instead of an instance, no server has said.
    if (exchange.head != nullptr && exchange.head->Find(kBalancerField) != nullptr) {
      exchange.head = nullptr;
      exchange.body.clear();
    }
    list.push_back(std::move(exchange));
  }
  return list;
}

void Report(Findings& findings, const Duty& duty, const HttpExchange& exchange,
            const std::string& message, Detail detail = {}) {
  findings.Report(duty, exchange.era(), exchange.revision(), exchange.at,
                  exchange.out == nullptr ? "" : exchange.out->step, message, std::move(detail));
}

std::string NameOf(const Sent& request) {
  return request.method.empty() ? "A request" : request.method;
}

Json StatusOf(const HttpExchange& exchange) { return Json::Integer(exchange.head->status); }

template <void (*judge)(const HttpExchange&, Findings&)>
void EachExchange(const Ledger& ledger, Findings& findings) {
  if (ledger.transcript().over_http.empty()) return;
  for (const HttpExchange& exchange : ExchangesOf(ledger)) {
    if (exchange.out != nullptr) judge(exchange, findings);
  }
}

// --- the answer to a request

void JudgeMediaType(const HttpExchange& exchange, Findings& findings) {
  const Sent* request = exchange.message();
  if (request == nullptr || request->kind != Sent::Kind::kRequest || !exchange.ok()) return;
  const std::string type = exchange.head->MediaType();
  if (type == "application/json" || type == "text/event-stream") {
    if (type == "text/event-stream" || exchange.received.empty()) return;
    const Received& body = *exchange.received.front();
    const bool batch = exchange.era() == Era::kLegacy && exchange.revision() == "2025-03-26";
    if (body.in_array && !batch) {
      Report(findings, kSingleObject, exchange,
             "The answer to " + NameOf(*request) + " is an array, not one JSON object");
    } else if (!body.in_array && !body.is_response()) {
      Report(findings, kSingleObject, exchange,
             "The answer to " + NameOf(*request) + " is JSON, but not its response",
             {.actual = *body.body});
    }
    return;
  }
  Report(findings, kMediaType, exchange,
         "The answer to " + NameOf(*request) + " is " + (type.empty() ? "of no type" : type) +
             ", neither JSON nor an event stream",
         {.actual = Json::String(type)});
}

// A request whose answer has ended without a response.
void JudgeOwed(const HttpExchange& exchange, Findings& findings) {
  const Sent* request = exchange.message();
  if (request == nullptr || request->kind != Sent::Kind::kRequest) return;
  if (request->answer != nullptr || exchange.broken_by_us()) return;
  if (request->reused_id) return;  // another exchange may have what looks like its answer
  if (request->cancelled_at != kNever || request->method == "subscriptions/listen") return;
  const int status = exchange.head == nullptr ? 0 : exchange.head->status;
  // A client error is an answer, if a bare one. Any other failure may have reasons of its own.
  if (status >= 300 && status < 500) return;
  if (!exchange.ok()) {
    Report(findings, kAnswered, exchange,
           NameOf(*request) + (status == 0 ? " was not answered: " + exchange.end->bytes
                                           : " got a server error and no response"),
           {.actual = Json::String("HTTP " + std::to_string(status)), .at_most_warn = true});
    return;
  }
  if (exchange.is_stream()) {
    for (const Duty& duty : {kEventually, kNoEarlyClose}) {
      Report(findings, duty, exchange,
             "The stream of " + NameOf(*request) + " ended without its response",
             {.actual = Json::String(exchange.end->bytes), .at_most_warn = !request->proper});
    }
    if (exchange.ids.empty()) {
      Report(findings, kPollingNeedsId, exchange,
             "The stream of " + NameOf(*request) +
                 " ended before its response, and no event of it had an id");
    }
  }
  Report(findings, kAnswered, exchange,
         "The answer to " + NameOf(*request) + " ended without a response",
         {.actual = Json::String("HTTP " + std::to_string(exchange.head->status)),
          .at_most_warn = !request->proper});
}

void JudgeErrorStatus(const HttpExchange& exchange, Findings& findings) {
  const Sent* request = exchange.message();
  if (request == nullptr || request->kind != Sent::Kind::kRequest || exchange.head == nullptr ||
      exchange.is_stream()) {
    return;  // a stream has its status before anything is known
  }
  for (const Received* answer : exchange.received) {
    if (answer->kind != Received::Kind::kError || answer->error() == nullptr) continue;
    const Json* code = answer->error()->Find("code");
    const auto value = code == nullptr ? std::nullopt : code->AsInteger();
    const auto demand = [&](const Duty& duty, int status, const char* what) {
      if (exchange.head->status == status) return;
      Report(findings, duty, exchange,
             std::string(what) + " comes with HTTP " + std::to_string(exchange.head->status),
             {.expected = Json::Integer(status), .actual = StatusOf(exchange)});
    };
    if (value == -32601) demand(kUnknownMethod, 404, "An unknown method");
    if (value == -32020) demand(kMismatchStatus, 400, "A header mismatch");
    if (value == -32021) demand(kCapabilityStatus, 400, "A missing capability");
    if (value == -32022) demand(kVersionStatus, 400, "An unsupported version");
  }
}

// --- what is only told

void JudgeAccepted(const HttpExchange& exchange, Findings& findings) {
  const Sent* told = exchange.message();
  if (told == nullptr || !exchange.ok()) return;
  const bool is_response = told->kind == Sent::Kind::kResponse;
  if (told->kind != Sent::Kind::kNotification && !is_response) return;
  const Duty& duty = is_response ? kResponseAccepted : kAccepted;
  const std::string what = is_response ? "A response" : "A notification";
  if (exchange.head->status != 202) {
    Report(findings, duty, exchange,
           what + " was accepted with HTTP " + std::to_string(exchange.head->status),
           {.expected = Json::Integer(202), .actual = StatusOf(exchange)});
  } else if (!exchange.body.empty() || !exchange.received.empty()) {
    Report(findings, duty, exchange, what + " was accepted with a body");
  }
}

// --- streams

void JudgeStream(const HttpExchange& exchange, Findings& findings) {
  const Sent* request = exchange.message();
  if (request == nullptr || request->kind != Sent::Kind::kRequest || !exchange.is_stream()) return;
  const bool listens = request->method == "subscriptions/listen";
  bool answered = false;
  for (const Received* message : exchange.received) {
    if (message->kind == Received::Kind::kRequest) {
      Report(findings, kNoRequests, exchange,
             "The server asked " + message->method() + " on an event stream",
             {.actual = *message->body});
    }
    if (answered) {
      Report(findings, kNothingAfter, exchange,
             "The stream of " + NameOf(*request) + " goes on after the response");
    }
    answered = answered || message->is_response();
    if (listens && message->kind == Received::Kind::kNotification &&
        (message->method() == "notifications/progress" ||
         message->method() == "notifications/message")) {
      Report(findings, kListenOnlyEvents, exchange,
             message->method() + " came on the stream of a subscription");
    }
  }
  if (exchange.resumed_at != kNever && !exchange.told_retry && request->cancelled_at == kNever) {
    Report(findings, kRetryBeforeClose, exchange,
           "The stream of " + NameOf(*request) + " broke off without a retry field before");
  }
  if (!exchange.received.empty() &&
      (exchange.ids.empty() || exchange.no_data_at > exchange.received.front()->at)) {
    Report(findings, kPrimed, exchange,
           "The stream of " + NameOf(*request) + " does not begin with an id and empty data");
  }
  if (request->method == "tasks/get") {
    Report(findings, kTasksGetPlain, exchange, "tasks/get is answered with an event stream");
  }
  const std::string* buffering = exchange.head->Find("X-Accel-Buffering");
  if (buffering == nullptr || *buffering != "no") {
    Report(findings, kUnbuffered, exchange, "An event stream does not say X-Accel-Buffering: no");
  }
}

void JudgeListen(const HttpExchange& exchange, Findings& findings) {
  const Sent* request = exchange.message();
  if (request == nullptr || request->method != "subscriptions/listen" || !exchange.ok()) return;
  if (request->kind != Sent::Kind::kRequest || exchange.is_stream()) return;
  const bool refused =
      !exchange.received.empty() && exchange.received.front()->kind == Received::Kind::kError;
  if (refused) return;
  Report(findings, kListenStreams, exchange,
         "subscriptions/listen was accepted and is no event stream",
         {.actual = Json::String(exchange.head->MediaType())});
}

void JudgeGet(const HttpExchange& exchange, Findings& findings) {
  if (!exchange.is_get() || exchange.head == nullptr) return;
  for (const Received* message : exchange.received) {
    if (exchange.is_stream() && message->is_response() && !exchange.resumes()) {
      Report(findings, kGetNoResponse, exchange,
             "A response came on a stream that was opened by GET", {.actual = *message->body});
    }
  }
  // Only of what we asked of our own accord do we know that nothing else was wrong with it.
  if (!exchange.out->by_harness || exchange.head->status == 405) return;
  if (!exchange.ok()) {
    Report(findings, kGetStreams, exchange,
           "GET gives HTTP " + std::to_string(exchange.head->status) + ", neither a stream nor 405",
           {.actual = StatusOf(exchange)});
  } else if (!exchange.is_stream()) {
    Report(findings, kGetStreams, exchange, "GET gives something else than an event stream",
           {.actual = Json::String(exchange.head->MediaType())});
  }
}

void JudgeEvents(const HttpExchange& exchange, Findings& findings) {
  if (!exchange.is_stream()) return;
  if (!exchange.body.empty()) {
    Report(findings, kEventStream, exchange, "An event holds something else than JSON",
           {.actual = Json::String(exchange.body.substr(0, 500))});
  }
  // 2025-11-25 begins streams that way.
  if (exchange.no_data_at != kNever && exchange.revision() < "2025-11-25") {
    Report(findings, kEventStream, exchange, "An event has no data", {.at_most_warn = true});
  }
}

// --- streams beside each other

const Json* ProgressTokenOf(const Received& message) {
  if (message.kind != Received::Kind::kNotification) return nullptr;
  if (message.method() != "notifications/progress" || message.params() == nullptr) return nullptr;
  return message.params()->Find("progressToken");
}

// The request in flight that gave this token.
const Sent* TokenOwner(const std::vector<HttpExchange>& exchanges, const HttpExchange& where,
                       const Received& message) {
  const Json* token = ProgressTokenOf(message);
  if (token == nullptr) return nullptr;
  const Sent* owner = nullptr;
  for (const HttpExchange& exchange : exchanges) {
    if (exchange.session != where.session) continue;
    for (const Sent* sent : exchange.sent) {
      const Json* given = sent->envelope.progress_token;
      if (given == nullptr || !SameId(*given, *token)) continue;
      // Given twice, it tells nothing.
      if (owner != nullptr) return nullptr;
      owner = sent;
    }
  }
  return owner != nullptr && owner->in_flight_at(message.at) ? owner : nullptr;
}

// Its progress goes on after it was answered, and may overtake that answer.
bool BecomesTask(const Sent& request) {
  return request.params() != nullptr && request.params()->Find("task") != nullptr;
}

bool Holds(const HttpExchange& exchange, const Sent* request) {
  return std::find(exchange.sent.begin(), exchange.sent.end(), request) != exchange.sent.end();
}

// Log messages that nobody asked for are no matter of streams.
bool AnyAskedForLogs(const std::vector<HttpExchange>& exchanges) {
  return std::any_of(exchanges.begin(), exchanges.end(), [](const HttpExchange& exchange) {
    return exchange.message() != nullptr && exchange.message()->envelope.log_level != nullptr;
  });
}

// What a stream holds belongs to what it was opened for.
void JudgeOneStream(const std::vector<HttpExchange>& exchanges, const HttpExchange& exchange,
                    Findings& findings) {
  const Sent* request = exchange.message();
  for (const Received* message : exchange.received) {
    const Sent* owner = TokenOwner(exchanges, exchange, *message);
    const bool others = owner != nullptr && !Holds(exchange, owner) && !BecomesTask(*owner);
    if (exchange.is_get()) {
      if (others) {
        Report(findings, kGetUnrelated, exchange,
               "Progress of " + NameOf(*owner) + " came on a stream that was opened by GET",
               {.actual = *message->body});
      }
      continue;
    }
    if (request == nullptr || request->kind != Sent::Kind::kRequest) continue;
    if (others && request->method != "subscriptions/listen") {
      Report(findings, kRelated, exchange,
             "Progress of another request came on the stream of " + NameOf(*request),
             {.actual = *message->body});
    }
    const bool answers_another =
        message->is_response() && message->request != nullptr && message->request != request;
    if (message->at > exchange.resumed_at && (others || answers_another)) {
      Report(findings, kReplaySameStream, exchange,
             "A message of another stream came when that of " + NameOf(*request) + " was taken up",
             {.actual = *message->body});
    }
    if (message->kind == Received::Kind::kNotification &&
        message->method() == "notifications/message" && request->envelope.log_level == nullptr &&
        request->method != "subscriptions/listen" && AnyAskedForLogs(exchanges)) {
      Report(
          findings, kLogSameStream, exchange,
          "A log message came on the stream of " + NameOf(*request) + ", which did not ask for any",
          {.actual = *message->body});
    }
  }
}

// Whether something that was asked after `index` was answered in full: then what the server had to
// do by then is done.
bool AnsweredSince(const std::vector<HttpExchange>& exchanges, const HttpExchange& where,
                   std::size_t index) {
  return std::any_of(exchanges.begin(), exchanges.end(), [&](const HttpExchange& later) {
    return later.session == where.session && later.began_at > index && later.end != nullptr &&
           later.end->bytes.empty() && later.ok() && later.ended_at < where.ended_at;
  });
}

void JudgeEnd(const std::vector<HttpExchange>& exchanges, const HttpExchange& exchange,
              Findings& findings) {
  const Sent* request = exchange.message();
  if (request == nullptr || !exchange.is_stream() || !exchange.broken_by_us()) return;
  if (request->answer == nullptr || request->cancelled_at != kNever) return;
  // Connections owe each other no order: the end may be on its way still.
  constexpr std::chrono::milliseconds kOnItsWay{300};
  const bool settled =
      exchange.end != nullptr && exchange.end->at - request->answer->entry->at >= kOnItsWay;
  if (settled && AnsweredSince(exchanges, exchange, request->answered_at)) {
    Report(findings, kEndsStream, exchange,
           "The stream of " + NameOf(*request) + " stays open after the response");
  }
}

// The same progress cannot come twice: it increases.
void JudgeBroadcast(const std::vector<HttpExchange>& exchanges, Findings& findings) {
  std::map<std::pair<const Session*, std::string>, const HttpExchange*> seen;
  for (const HttpExchange& exchange : exchanges) {
    if (exchange.resumes()) continue;
    for (const Received* message : exchange.received) {
      const bool known = TokenOwner(exchanges, exchange, *message) != nullptr;
      if (!known || message->at > exchange.resumed_at) continue;
      const auto [first, is_new] =
          seen.emplace(std::pair(exchange.session, message->body->Dump()), &exchange);
      if (is_new || first->second == &exchange) continue;
      Report(findings, kNoBroadcast, exchange, "The same progress came on two streams",
             {.actual = *message->body});
    }
  }
}

void JudgeEventIds(const std::vector<HttpExchange>& exchanges, Findings& findings) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const HttpExchange& exchange : exchanges) {
    if (exchange.resumes()) continue;
    for (const Moment* moment : exchange.ids) {
      const std::string& id = moment->event->bytes;
      const std::string& where = moment->event->connection;
      if (seen.emplace(where, exchange.session_id(), id).second) continue;
      Report(findings, kEventIds, exchange, "Two events have the same id",
             {.actual = Json::String(id)});
    }
  }
}

void JudgeTogether(const Ledger& ledger, Findings& findings) {
  if (ledger.transcript().over_http.empty()) return;
  const std::vector<HttpExchange> exchanges = ExchangesOf(ledger);
  for (const HttpExchange& exchange : exchanges) {
    if (exchange.out == nullptr) continue;
    if (exchange.is_stream()) JudgeOneStream(exchanges, exchange, findings);
    JudgeEnd(exchanges, exchange, findings);
  }
  JudgeBroadcast(exchanges, findings);
  JudgeEventIds(exchanges, findings);
}

// --- sessions

void JudgeSessionId(const HttpExchange& exchange, Findings& findings) {
  if (exchange.head == nullptr || exchange.message() == nullptr) return;
  const std::string* id = exchange.head->Find("Mcp-Session-Id");
  if (id == nullptr) return;
  Report(findings, kNoSession, exchange, "A modern answer names a session",
         {.actual = Json::String(*id)});
  const bool visible =
      std::all_of(id->begin(), id->end(), [](char c) { return c >= 0x21 && c <= 0x7e; });
  if (!visible || id->empty()) {
    Report(findings, kSessionCharset, exchange, "A session id has other than visible characters",
           {.actual = Json::String(*id)});
  }
}

}  // namespace

std::vector<Rule> HttpRules() {
  return {
      {"http-media-type", {kMediaType, kSingleObject}, EachExchange<JudgeMediaType>},
      {"http-response-owed",
       {kAnswered, kEventually, kNoEarlyClose, kPollingNeedsId},
       EachExchange<JudgeOwed>},
      {"http-error-status",
       {kUnknownMethod, kMismatchStatus, kCapabilityStatus, kVersionStatus},
       EachExchange<JudgeErrorStatus>},
      {"http-accepted", {kAccepted, kResponseAccepted}, EachExchange<JudgeAccepted>},
      {"http-stream",
       {kNoRequests, kNothingAfter, kUnbuffered, kListenOnlyEvents, kRetryBeforeClose, kPrimed,
        kTasksGetPlain},
       EachExchange<JudgeStream>},
      {"http-listen", {kListenStreams}, EachExchange<JudgeListen>},
      {"http-get", {kGetStreams, kGetNoResponse}, EachExchange<JudgeGet>},
      {"http-events", {kEventStream}, EachExchange<JudgeEvents>},
      {"http-streams-together",
       {kRelated, kLogSameStream, kGetUnrelated, kReplaySameStream, kEndsStream, kNoBroadcast,
        kEventIds},
       JudgeTogether},
      {"http-session-id", {kNoSession, kSessionCharset}, EachExchange<JudgeSessionId>},
  };
}

}  // namespace assay::oracle
