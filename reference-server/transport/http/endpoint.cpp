#include "transport/http/endpoint.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <variant>
#include <vector>

#include "protocol/envelope.h"
#include "protocol/revision.h"
#include "random/random.h"
#include "transport/http/answer_status.h"
#include "transport/http/bearer_guard.h"
#include "transport/http/header_rules.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kPath = "/mcp";
constexpr std::string_view kSessionHeader = "Mcp-Session-Id";
constexpr std::size_t kMostSessions = 1000;
constexpr std::chrono::minutes kSessionIdleness(30);

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Calls `visit` with each part.
template <class Visitor>
void Split(std::string_view text, char separator, Visitor visit) {
  while (true) {
    const std::size_t end = text.find(separator);
    visit(Trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

/// RFC 9110 section 12.4.2: a weight of zero means "not acceptable".
bool IsExcluded(std::string_view parameters) {
  bool excluded = false;
  Split(parameters, ';', [&](std::string_view parameter) {
    if (parameter.size() < 3 || !EqualsIgnoringCase(parameter.substr(0, 2), "q=")) return;
    excluded = parameter.find_first_not_of("0.", 2) == std::string_view::npos;
  });
  return excluded;
}

/// Whether one of the media types is acceptable; without an Accept header all are. The
/// specification has clients accept both JSON and event streams and says nothing of those that do
/// not: they are served as long as they could take any answer.
bool Accepts(const HttpRequest& request, std::initializer_list<std::string_view> types) {
  bool has_header = false;
  bool accepts = false;
  for (const HttpHeader& header : request.headers) {
    if (!EqualsIgnoringCase(header.name, "Accept")) continue;
    has_header = true;
    Split(header.value, ',', [&](std::string_view range) {
      const std::size_t end = std::min(range.find(';'), range.size());
      if (IsExcluded(range.substr(end))) return;
      range = Trimmed(range.substr(0, end));
      for (const std::string_view type : types) {
        const std::string any_subtype = std::string(type.substr(0, type.find('/'))) + "/*";
        accepts = accepts || range == "*/*" || EqualsIgnoringCase(range, any_subtype) ||
                  EqualsIgnoringCase(range, type);
      }
    });
  }
  return accepts || !has_header;
}

/// A body of no declared type is taken for what it is meant to be (RFC 9110 section 8.3).
bool IsJson(const HttpRequest& request) {
  const std::optional<std::string_view> type = request.Header("Content-Type");
  return !type || EqualsIgnoringCase(Trimmed(type->substr(0, type->find(';'))), "application/json");
}

HttpResponse MethodNotAllowed(std::string_view allowed) {
  HttpResponse response = ErrorResponse(405, {}, "Method not allowed");
  response.headers.push_back({"Allow", std::string(allowed)});
  return response;
}

const Tool* CalledTool(const Catalog& catalog, const Request& request) {
  if (request.method != "tools/call" || request.params == nullptr) return nullptr;
  const json::value* name = request.params->if_contains("name");
  return name != nullptr && name->is_string() ? catalog.FindTool(name->get_string()) : nullptr;
}

bool IsAnnotated(const Tool& tool, std::string_view hint) {
  const json::value* annotations = tool.definition.if_contains("annotations");
  if (annotations == nullptr) return false;
  const json::value* value = annotations->as_object().if_contains(hint);
  return value != nullptr && value->as_bool();
}

std::vector<std::string_view> ScopesFor(const Tool& tool) {
  if (IsAnnotated(tool, "readOnlyHint")) return {kReadScope};
  if (IsAnnotated(tool, "destructiveHint")) return {kWriteScope, kDestroyScope};
  return {kWriteScope};
}

}  // namespace

Endpoint::~Endpoint() {
  for (const auto& [id, open] : sessions_) scheduler_.Cancel(open.expiry);
}

void Endpoint::Handle(HttpRequest request, Reply reply) {
  if (request.path() != kPath) return reply->Respond(ErrorResponse(404, {}, "Not found"));
  const bool has_sessions = settings_.eras != EraSupport::kModernOnly;
  if (request.method == "POST") return Post(request, std::move(reply));
  if (request.method == "GET" && has_sessions) return Get(request, std::move(reply));
  if (request.method == "DELETE" && has_sessions) return Delete(request, reply);
  reply->Respond(MethodNotAllowed(has_sessions ? "GET, POST, DELETE" : "POST"));
}

void Endpoint::HandleEnd() {
  for (const auto& [key, exchange] : exchanges_) exchange->HandleEnd();
  for (const auto& [id, open] : sessions_) open.session->HandleEnd();
}

void Endpoint::Post(const HttpRequest& request, Reply reply) {
  if (!IsJson(request)) {
    return reply->Respond(ErrorResponse(415, {}, "Content-Type must be application/json"));
  }
  if (!Accepts(request, {"application/json", "text/event-stream"})) {
    return reply->Respond(
        ErrorResponse(406, {}, "Accept must allow application/json and text/event-stream"));
  }
  const PostBody body(request.body);
  if (IsModern(request, body)) return PostModern(request, body, reply);
  PostLegacy(request, body, std::move(reply));
}

bool Endpoint::IsModern(const HttpRequest& request, const PostBody& body) const {
  if (settings_.eras != EraSupport::kDual) return settings_.eras == EraSupport::kModernOnly;
  return HasModernVersionHeader(request) || body.is_enveloped();
}

// --- modern

void Endpoint::PostModern(const HttpRequest& request, const PostBody& body, const Reply& reply) {
  if (auto refusal = ModernRefusal(request, body)) return reply->Respond(*std::move(refusal));
  const bool bad_envelope = body.request() != nullptr && std::holds_alternative<ProtocolError>(
                                                             ReadEnvelope(body.request()->params));
  auto exchange = std::make_unique<ModernExchange>(scheduler_, reply, bad_envelope);
  exchange->Run(Connect(EraSupport::kModernOnly, request, *exchange), body.text(),
                body.notification() != nullptr);
  if (exchange->answered()) return;
  ModernExchange* const key = exchange.get();
  exchange->OnAnswered([this, key] {
    scheduler_.After(std::chrono::milliseconds(0), [this, key] { exchanges_.erase(key); });
  });
  // basic/transports/streamable-http#cancellation: this cancels the request.
  reply->OnGone([this, key] { exchanges_.erase(key); });
  exchanges_.emplace(key, std::move(exchange));
}

std::optional<HttpResponse> Endpoint::ModernRefusal(const HttpRequest& http, const PostBody& body) {
  if (!body.is_json()) return JsonResponse(400, body.BrokenAnswer({}));
  if (body.is_enveloped() && settings_.lock_legacy && FindSession(http) != nullptr) {
    return ErrorResponse(400, body.id(),
                         "This session was opened by initialize and serves no request with an "
                         "envelope");
  }
  if (body.notification() != nullptr) return NotificationRefusal(http);
  if (const Request* request = body.request()) return RequestRefusal(http, *request);
  if (body.is_array() || std::holds_alternative<InvalidMessage>(body.message())) {
    return std::nullopt;  // to be refused by the connection
  }
  return ErrorResponse(400, {}, "A response answers nothing here");
}

std::optional<HttpResponse> Endpoint::NotificationRefusal(const HttpRequest& http) const {
  // Which headers a notification needs is not defined, but a version that is named must be served.
  const std::optional<std::string_view> version = http.Header(kProtocolVersionHeader);
  if (!version) return std::nullopt;
  const std::optional<Revision> revision = ParseRevision(*version);
  if (revision && reference::IsModern(*revision) && !http.Contradicts(kProtocolVersionHeader)) {
    return std::nullopt;
  }
  return ErrorResponse(400, {}, UnsupportedVersionHeader(http));
}

std::optional<HttpResponse> Endpoint::RequestRefusal(const HttpRequest& http,
                                                     const Request& request) const {
  const std::string& id = request.id.text();
  const bool has_modern_header = HasModernVersionHeader(http);
  if (!has_modern_header) {
    // A legacy client: what it needs to hear is which versions there are.
    if (request.method == "initialize") return std::nullopt;
    const std::optional<std::string_view> version = http.Header(kProtocolVersionHeader);
    if (version && !HasEnvelopeKey(request.params)) {
      return ErrorResponse(400, id, UnsupportedVersionHeader(http));
    }
  }
  if (const auto problem = HeaderProblem(http, request)) return ErrorResponse(400, id, *problem);
  if (request.method == "initialize") {
    return ErrorResponse(404, id, ProtocolError{ErrorCode::kMethodNotFound, "Method not found"});
  }
  const Tool* tool = CalledTool(catalog_, request);
  if (tool == nullptr) return std::nullopt;
  if (const auto problem =
          ParameterHeaderProblem(http, request, tool->definition.at("inputSchema").as_object())) {
    return ErrorResponse(400, id, *problem);
  }
  return ScopeRefusal(http, id, ScopesFor(*tool));
}

// --- legacy

void Endpoint::PostLegacy(const HttpRequest& request, const PostBody& body, Reply reply) {
  if (auto refusal = VersionRefusal(request, body.id())) {
    return reply->Respond(*std::move(refusal));
  }
  const bool opens = !request.Header(kSessionHeader) && body.request() != nullptr &&
                     body.request()->method == "initialize";
  HttpSession* const session = opens ? nullptr : UseSession(request, body.id(), reply);
  if (!opens && session == nullptr) return;
  if (!body.is_json()) return reply->Respond(JsonResponse(400, body.BrokenAnswer("null")));
  if (opens) return StartSession(request, body, reply);
  if (auto refusal = LegacyScopeRefusal(request, body)) return reply->Respond(*std::move(refusal));
  session->Post(body, std::move(reply));
}

void Endpoint::StartSession(const HttpRequest& request, const PostBody& body, const Reply& reply) {
  if (sessions_.size() >= kMostSessions) EndLeastUsedSession();
  const std::string id = NewRandomId();
  OpenSession& open = sessions_[id];
  open.last_use = ++uses_;
  open.session = std::make_unique<HttpSession>(scheduler_, id, request.caller.principal);
  HttpSession& session = *open.session;
  session.Connect(Connect(settings_.eras, request, session));
  session.Post(body, reply);
  if (!session.is_open() && !session.is_busy()) return EndSession(id);
  WatchIdleness(id);
}

void Endpoint::Get(const HttpRequest& request, Reply reply) {
  if (auto refusal = VersionRefusal(request, {})) return reply->Respond(*std::move(refusal));
  if (!Accepts(request, {"text/event-stream"})) {
    return reply->Respond(ErrorResponse(406, {}, "Accept must allow text/event-stream"));
  }
  HttpSession* const session = UseSession(request, {}, reply);
  if (session == nullptr) return;
  if (const auto last = request.Header("Last-Event-ID")) {
    return session->Resume(*last, std::move(reply));
  }
  session->Get(std::move(reply));
}

void Endpoint::Delete(const HttpRequest& request, const Reply& reply) {
  if (auto refusal = VersionRefusal(request, {})) return reply->Respond(*std::move(refusal));
  const HttpSession* const session = UseSession(request, {}, reply);
  if (session == nullptr) return;
  EndSession(std::string(session->id()));
  reply->Respond({204});
}

std::optional<HttpResponse> Endpoint::VersionRefusal(const HttpRequest& request,
                                                     std::string_view id) const {
  if (!HasModernVersionHeader(request)) return std::nullopt;
  if (settings_.eras == EraSupport::kLegacyOnly) {
    return ErrorResponse(400, id,
                         "Bad request: this server speaks the revisions up to " +
                             std::string(Name(kNewestLegacy)) + "; send initialize");
  }
  const std::string_view version = *request.Header(kProtocolVersionHeader);
  if (ParseRevision(version)) return MethodNotAllowed("POST");
  return ErrorResponse(400, id, UnsupportedVersionHeader(request));
}

Endpoint::OpenSession* Endpoint::FindSession(const HttpRequest& request) {
  const std::optional<std::string_view> id = request.Header(kSessionHeader);
  if (!id) return nullptr;
  const auto found = sessions_.find(std::string(*id));
  if (found == sessions_.end()) return nullptr;
  // A stranger must not even learn that there is such a session.
  if (found->second.session->principal() != request.caller.principal) return nullptr;
  return &found->second;
}

HttpSession* Endpoint::UseSession(const HttpRequest& request, std::string_view id,
                                  const Reply& reply) {
  if (!request.Header(kSessionHeader) || request.Contradicts(kSessionHeader)) {
    reply->Respond(ErrorResponse(400, id,
                                 "Bad request: one Mcp-Session-Id header is needed; send "
                                 "initialize to get a session"));
    return nullptr;
  }
  OpenSession* const open = FindSession(request);
  if (open == nullptr) {
    reply->Respond(ErrorResponse(404, id, "Session not found"));
    return nullptr;
  }
  open->was_used = true;
  open->last_use = ++uses_;
  return open->session.get();
}

void Endpoint::EndSession(const std::string& id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  scheduler_.Cancel(found->second.expiry);
  found->second.session->End();
  sessions_.erase(found);
}

void Endpoint::EndLeastUsedSession() {
  const auto oldest = std::min_element(
      sessions_.begin(), sessions_.end(),
      [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
  EndSession(std::string(oldest->first));
}

void Endpoint::WatchIdleness(const std::string& id) {
  sessions_.at(id).expiry = scheduler_.After(kSessionIdleness, [this, id] {
    OpenSession& open = sessions_.at(id);
    const bool was_used = std::exchange(open.was_used, false);
    if (!was_used && !open.session->is_busy()) return EndSession(id);
    WatchIdleness(id);
  });
}

std::unique_ptr<LineHandler> Endpoint::Connect(EraSupport eras, const HttpRequest& request,
                                               MessageSink& sink) const {
  Settings settings = settings_;
  settings.eras = eras;
  settings.principal = request.caller.principal;
  return make_connection_(settings, sink);
}

std::optional<HttpResponse> Endpoint::LegacyScopeRefusal(const HttpRequest& http,
                                                         const PostBody& body) const {
  for (const Request* request : body.requests()) {
    const Tool* tool = CalledTool(catalog_, *request);
    if (tool == nullptr) continue;
    if (auto refusal = ScopeRefusal(http, body.id(), ScopesFor(*tool))) return refusal;
  }
  return std::nullopt;
}

}  // namespace assay::reference
