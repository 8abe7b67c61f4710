// The MCP endpoint `/mcp`: decides for each HTTP request which era it is of and which connection
// serves it.
//
// A POST is modern if its MCP-Protocol-Version is present and no known legacy version, or if its
// body has the envelope; otherwise it is legacy. Modern POSTs stand alone, legacy ones belong to a
// session, except the `initialize` that opens it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/scheduler.h"
#include "era/settings.h"
#include "era/wire.h"
#include "transport/http/http_message.h"
#include "transport/http/http_session.h"
#include "transport/http/modern_exchange.h"
#include "transport/http/post_body.h"

namespace assay::reference {

/// Makes what serves one connection: a modern POST, or a legacy session. The sink outlives it.
using MakeConnection =
    std::function<std::unique_ptr<LineHandler>(const Settings& settings, MessageSink& sink)>;

class Endpoint : public HttpHandler {
 public:
  /// All must outlive the endpoint.
  Endpoint(const Settings& settings, const Catalog& catalog, Scheduler& scheduler,
           MakeConnection make_connection)
      : settings_(settings),
        catalog_(catalog),
        scheduler_(scheduler),
        make_connection_(std::move(make_connection)) {}
  ~Endpoint() override;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override;
  void HandleEnd() override;

  std::size_t session_count() const { return sessions_.size(); }
  std::size_t exchange_count() const { return exchanges_.size(); }

 private:
  struct OpenSession {
    std::unique_ptr<HttpSession> session;
    Scheduler::Timer expiry = Scheduler::kNoTimer;
    bool was_used = true;
    std::uint64_t last_use = 0;
  };

  using Reply = std::shared_ptr<HttpReply>;

  void Post(const HttpRequest& request, Reply reply);
  bool IsModern(const HttpRequest& request, const PostBody& body) const;
  void PostModern(const HttpRequest& request, const PostBody& body, const Reply& reply);
  /// Why a modern POST is not even begun; nothing if it is.
  std::optional<HttpResponse> ModernRefusal(const HttpRequest& http, const PostBody& body);
  std::optional<HttpResponse> NotificationRefusal(const HttpRequest& http) const;
  std::optional<HttpResponse> RequestRefusal(const HttpRequest& http, const Request& request) const;
  void PostLegacy(const HttpRequest& request, const PostBody& body, Reply reply);
  void StartSession(const HttpRequest& request, const PostBody& body, const Reply& reply);
  void Get(const HttpRequest& request, Reply reply);
  void Delete(const HttpRequest& request, const Reply& reply);

  /// Why a GET or DELETE, or a legacy POST, is refused for its version header; nothing if it is
  /// not.
  std::optional<HttpResponse> VersionRefusal(const HttpRequest& request, std::string_view id) const;
  OpenSession* FindSession(const HttpRequest& request);
  /// The session that the request names, or null after having answered it; `id` as in
  /// ErrorResponse.
  HttpSession* UseSession(const HttpRequest& request, std::string_view id, const Reply& reply);
  void EndSession(const std::string& id);
  void EndLeastUsedSession();
  void WatchIdleness(const std::string& id);
  std::unique_ptr<LineHandler> Connect(EraSupport eras, const HttpRequest& request,
                                       MessageSink& sink) const;
  /// 403 if one of the legacy requests calls a tool that the caller's token is not good for.
  std::optional<HttpResponse> LegacyScopeRefusal(const HttpRequest& http,
                                                 const PostBody& body) const;

  const Settings& settings_;
  const Catalog& catalog_;
  Scheduler& scheduler_;
  MakeConnection make_connection_;
  std::unordered_map<std::string, OpenSession> sessions_;
  std::uint64_t uses_ = 0;
  /// Modern requests that were not answered at once.
  std::unordered_map<ModernExchange*, std::unique_ptr<ModernExchange>> exchanges_;
};

}  // namespace assay::reference
