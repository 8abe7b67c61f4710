// Keeps web pages out: a page from elsewhere names its origin, and one that had its own name
// resolved to this machine (DNS rebinding) still sends that name as the host
// (2026-07-28 and 2025-11-25 basic/transports, security warning).
#pragma once

#include <memory>
#include <string_view>

#include "transport/http/http_message.h"

namespace assay::reference {

class OriginGuard : public HttpHandler {
 public:
  explicit OriginGuard(HttpHandler& inner) : inner_(inner) {}

  /// 403 unless Host and, if there is one, Origin name this machine; 400 without exactly one Host.
  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override;
  void HandleEnd() override { inner_.HandleEnd(); }

 private:
  HttpHandler& inner_;
};

/// Whether `authority`, a host with or without a port, is a name of the loopback interface.
bool IsLoopback(std::string_view authority);

}  // namespace assay::reference
