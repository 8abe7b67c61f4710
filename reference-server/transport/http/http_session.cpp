#include "transport/http/http_session.h"

#include <optional>
#include <utility>
#include <vector>

#include "protocol/json_text.h"
#include "protocol/request_id.h"
#include "protocol/revision.h"
#include "transport/http/answer_status.h"

namespace assay::reference {
namespace {

constexpr std::size_t kMostEndedStreams = 16;
/// Calls go on when their client hangs up, so that connections do not bound them.
constexpr std::size_t kMostOpenRequests = 256;

}  // namespace

HttpSession::HttpSession(Scheduler& scheduler, std::string id, std::string principal)
    : scheduler_(scheduler),
      id_(std::move(id)),
      principal_(std::move(principal)),
      general_(std::make_shared<EventStream>(scheduler, 0)) {}

void HttpSession::Connect(std::unique_ptr<LineHandler> connection) {
  connection_ = std::move(connection);
  connection_->HandleStart();
}

void HttpSession::Post(const PostBody& body, std::shared_ptr<HttpReply> reply) {
  const std::vector<const Request*> requests = body.requests();
  if (!requests.empty() && exchanges_.size() + requests.size() > kMostOpenRequests) {
    return reply->Respond(ErrorResponse(429, body.id(), "Too many requests are open"));
  }
  const auto exchange = std::make_shared<Exchange>();
  exchange->reply = std::move(reply);
  for (const Request* request : requests) {
    // A second request with an open id is refused; the answer to come belongs to the first.
    exchange->open.insert(request->id.text());
    exchanges_.try_emplace(request->id.text(), exchange);
    if (request->method == "initialize") exchange->is_initialize = true;
  }
  current_ = exchange;
  connection_->HandleLine(body.text());
  current_ = nullptr;
  ForgetCancelled(body);
  if (exchange->answered) return;
  if (!exchange->open.empty()) {
    StreamOf(*exchange);
  } else if (exchange->stream == nullptr) {
    exchange->reply->Respond({202});
  }
}

void HttpSession::Send(OutgoingMessage message) {
  using Kind = OutgoingMessage::Kind;
  const std::shared_ptr<Exchange> exchange = ExchangeFor(message);
  if (message.kind == Kind::kCloseStream) {
    // Before 2025-11-25 a stream stays open until its answer.
    if (exchange != nullptr && primes_) StreamOf(*exchange).BreakOff();
  } else if (message.kind == Kind::kAnswer) {
    // Without a POST to answer there is no stream that an answer may go out on.
    if (exchange != nullptr) Answer(*exchange, std::move(message.bytes));
  } else if (exchange != nullptr) {
    StreamOf(*exchange).Send(message.bytes);
  } else {
    general_->Send(message.bytes);
  }
}

std::shared_ptr<HttpSession::Exchange> HttpSession::ExchangeFor(
    const OutgoingMessage& message) const {
  const bool is_answer = message.kind == OutgoingMessage::Kind::kAnswer;
  const std::string& id = is_answer && !message.id.empty() ? message.id : message.related;
  const bool has_current = current_ != nullptr && !current_->answered;
  if (has_current && current_->open.contains(id)) return current_;
  if (const auto found = exchanges_.find(id); found != exchanges_.end()) return found->second;
  // What could not be read has no id of its own, but it came just now.
  return is_answer && has_current ? current_ : nullptr;
}

void HttpSession::Answer(Exchange& exchange, std::string bytes) {
  if (exchange.is_initialize && !is_open_) NoteInitialized(bytes);
  if (exchange.stream == nullptr) {
    const int status = LegacyStatus(ErrorCodeOf(bytes));
    HttpResponse response = JsonResponse(status, std::move(bytes));
    for (HttpHeader& header : IdHeader(exchange)) response.headers.push_back(std::move(header));
    exchange.reply->Respond(std::move(response));
  } else {
    exchange.stream->Send(bytes);
  }
  Close(exchange);
}

EventStream& HttpSession::StreamOf(Exchange& exchange) {
  if (exchange.stream == nullptr) {
    exchange.stream = std::make_shared<EventStream>(scheduler_, ++last_stream_);
    streams_.emplace(last_stream_, exchange.stream);
    exchange.stream->Open(std::move(exchange.reply), primes_, IdHeader(exchange));
  }
  return *exchange.stream;
}

void HttpSession::Close(Exchange& exchange) {
  exchange.answered = true;
  for (const std::string& id : exchange.open) {
    const auto found = exchanges_.find(id);
    if (found != exchanges_.end() && found->second.get() == &exchange) exchanges_.erase(found);
  }
  if (exchange.stream == nullptr) return;
  exchange.stream->End();
  ended_streams_.push_back(exchange.stream->number());
  if (ended_streams_.size() <= kMostEndedStreams) return;
  streams_.erase(ended_streams_.front());
  ended_streams_.pop_front();
}

void HttpSession::ForgetCancelled(const PostBody& body) {
  for (const Notification* notification : body.notifications()) {
    if (notification->method != "notifications/cancelled") continue;
    const auto params = MemberText(notification->text, "params");
    const auto id = params ? MemberText(*params, "requestId") : std::nullopt;
    const auto found = id ? exchanges_.find(std::string(*id)) : exchanges_.end();
    if (found == exchanges_.end()) continue;
    const std::shared_ptr<Exchange> exchange = found->second;
    exchanges_.erase(found);
    exchange->open.erase(std::string(*id));
    if (exchange->open.empty() && !exchange->answered) Close(*exchange);
  }
}

void HttpSession::NoteInitialized(std::string_view answer) {
  const auto result = MemberText(answer, "result");
  if (!result) return;
  is_open_ = true;
  const auto version = MemberText(*result, "protocolVersion").value_or(std::string_view());
  if (version.size() < 2) return;
  const auto revision = ParseRevision(version.substr(1, version.size() - 2));
  primes_ = revision >= Revision::k2025_11_25;
}

HttpHeaders HttpSession::IdHeader(const Exchange& exchange) const {
  if (!exchange.is_initialize || !is_open_) return {};
  return {{"Mcp-Session-Id", id_}};
}

void HttpSession::Get(std::shared_ptr<HttpReply> reply) {
  if (general_->is_carried()) {
    return reply->Respond(ErrorResponse(409, {}, "The session has a stream open already"));
  }
  general_->Open(std::move(reply), primes_);
}

void HttpSession::Resume(std::string_view last_event_id, std::shared_ptr<HttpReply> reply) {
  const std::optional<EventId> seen = EventId::Parse(last_event_id);
  if (seen && seen->stream == 0) return general_->Resume(std::move(reply), seen->number);
  const auto found = seen ? streams_.find(seen->stream) : streams_.end();
  if (found == streams_.end()) {
    return reply->Respond(ErrorResponse(400, {}, "Last-Event-ID names no stream that is kept"));
  }
  found->second->Resume(std::move(reply), seen->number);
}

void HttpSession::End() {
  general_->End();
  for (const auto& [number, stream] : streams_) stream->End();
}

void HttpSession::HandleEnd() {
  connection_->HandleEnd();
  general_->End();
}

bool HttpSession::is_busy() const {
  if (general_->is_carried() || !connection_->Idle()) return true;
  for (const auto& [number, stream] : streams_) {
    if (stream->is_carried()) return true;
  }
  return false;
}

}  // namespace assay::reference
