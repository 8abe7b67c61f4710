// Each HTTP request with all that came back on it, judged as a whole.

#include "oracle/http.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

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

// One request and what came back on it.
struct HttpExchange {
  const Entry* out = nullptr;  // null: began before this transcript
  const Session* session = nullptr;
  std::vector<const Sent*> sent;  // the messages of its body
  std::vector<const Received*> received;
  std::shared_ptr<const HttpHead> head;
  std::string body;  // what was no message
  const Entry* end = nullptr;
  std::size_t at = 0;  // of its head, or of what came last

  // The one message of a body that is not a batch.
  const Sent* message() const { return sent.size() == 1 ? sent.front() : nullptr; }
  bool is_get() const { return out != nullptr && out->request->method == "GET"; }
  bool ok() const { return head != nullptr && head->status >= 200 && head->status < 300; }
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
    if (entry->head != nullptr) exchange.head = entry->head;
    if (moment.sent != nullptr) {
      exchange.sent.push_back(moment.sent);
      continue;
    }
    exchange.at = moment.at;
    if (moment.received != nullptr) exchange.received.push_back(moment.received);
    if (entry->event == Entry::Event::kHttpBody) exchange.body += entry->bytes;
    if (entry->event == Entry::Event::kHttpEnd) exchange.end = entry;
  }
  // A GET or DELETE has no message, so its moment is only what came back.
  for (const Entry& entry : ledger.transcript().entries) {
    if (entry.request == nullptr) continue;
    const auto found = exchanges.find({entry.connection, entry.exchange});
    if (found != exchanges.end()) found->second.out = &entry;
  }
  std::vector<HttpExchange> list;
  for (auto& [key, exchange] : exchanges) list.push_back(std::move(exchange));
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
  if (!ledger.transcript().over_http) return;
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
  if (request == nullptr || request->kind != Sent::Kind::kRequest || !exchange.ok()) return;
  if (exchange.end == nullptr || request->answer != nullptr) return;
  if (request->cancelled_at != kNever || request->method == "subscriptions/listen") return;
  // What we broke off ourselves had no chance.
  if (!exchange.end->bytes.empty()) return;
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
    if (exchange.is_stream() && message->is_response()) {
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
      {"http-response-owed", {kAnswered}, EachExchange<JudgeOwed>},
      {"http-error-status",
       {kUnknownMethod, kMismatchStatus, kCapabilityStatus, kVersionStatus},
       EachExchange<JudgeErrorStatus>},
      {"http-accepted", {kAccepted, kResponseAccepted}, EachExchange<JudgeAccepted>},
      {"http-stream",
       {kNoRequests, kNothingAfter, kUnbuffered, kListenOnlyEvents},
       EachExchange<JudgeStream>},
      {"http-listen", {kListenStreams}, EachExchange<JudgeListen>},
      {"http-get", {kGetStreams, kGetNoResponse}, EachExchange<JudgeGet>},
      {"http-events", {kEventStream}, EachExchange<JudgeEvents>},
      {"http-session-id", {kNoSession, kSessionCharset}, EachExchange<JudgeSessionId>},
  };
}

}  // namespace assay::oracle
