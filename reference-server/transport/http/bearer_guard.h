// Authorization by fixed tokens: this server is a protected resource whose tokens were handed out
// by other means (2026-07-28 basic/authorization, RFC 6750, RFC 9728).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/http/http_message.h"

namespace assay::reference {

struct BearerToken {
  std::string token;
  bool may_only_read = false;

  /// `TOKEN`, or `TOKEN:read` for one that calls no tool but those annotated as read-only.
  static BearerToken Parse(std::string_view text);
};

class BearerGuard : public HttpHandler {
 public:
  BearerGuard(std::vector<BearerToken> tokens, HttpHandler& inner)
      : tokens_(std::move(tokens)), inner_(inner) {}

  /// Serves the metadata of the resource to everyone, and everything else to those who have a
  /// token: 401 without a valid one, 400 if the attempt was malformed.
  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override;
  void HandleEnd() override { inner_.HandleEnd(); }

 private:
  const BearerToken* Find(std::string_view token) const;

  std::vector<BearerToken> tokens_;
  HttpHandler& inner_;
};

/// 403 for a caller who may only read.
HttpResponse InsufficientScope(const HttpRequest& request, std::string_view id);

}  // namespace assay::reference
