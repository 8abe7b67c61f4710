// Authorization by fixed tokens: this server is a protected resource whose tokens were handed out
// by other means (2026-07-28 basic/authorization, RFC 6750, RFC 9728).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/http/http_message.h"

namespace assay::reference {

struct BearerToken {
  std::string token;
  /// Whom it was handed out to.
  std::string user;
  std::vector<std::string> scopes;
  /// The URI of the resource that it was handed out for; empty if that is this server.
  std::string audience = {};

  /// `TOKEN[;user=NAME][;scope=NAME,...][;audience=URI]`; a user that is not named is the token's
  /// own, and scopes that are not named are kEveryScope. Nothing if the text has another form.
  static std::optional<BearerToken> Parse(std::string_view text);
};

/// What tools ask for that are annotated as read-only, those that are not, and, besides that, those
/// that are annotated as destructive.
inline constexpr std::string_view kReadScope = "mcp:read";
inline constexpr std::string_view kWriteScope = "mcp:write";
inline constexpr std::string_view kDestroyScope = "mcp:destroy";
/// Implies each of them.
inline constexpr std::string_view kEveryScope = "mcp:all";

class BearerGuard : public HttpHandler {
 public:
  BearerGuard(std::vector<BearerToken> tokens, HttpHandler& inner)
      : tokens_(std::move(tokens)), inner_(inner) {}

  /// Serves the metadata of the resource to everyone, and everything else to those who have a
  /// token: 401 without a valid one for this resource, 400 if the attempt was malformed.
  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override;
  void HandleEnd() override { inner_.HandleEnd(); }

 private:
  const BearerToken* Find(std::string_view token) const;

  std::vector<BearerToken> tokens_;
  HttpHandler& inner_;
};

/// 403 with a challenge that names `needed`, if the caller lacks any of these scopes (2026-07-28
/// basic/authorization#runtime-insufficient-scope-errors); nothing if all are there, or the server
/// asks for no authorization.
std::optional<HttpResponse> ScopeRefusal(const HttpRequest& request, std::string_view id,
                                         const std::vector<std::string_view>& needed);

}  // namespace assay::reference
