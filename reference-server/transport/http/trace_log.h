// `--trace`: what passed over HTTP, one line an exchange, for people to grep in.
// Coverage: a few lines, of which one hands on the end of the server.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "transport/http/http_message.h"

namespace assay::reference {

class TraceLog : public HttpHandler {
 public:
  /// `instance` names this server among several. Both references must outlive the log.
  TraceLog(std::string instance, std::ostream& out, HttpHandler& inner)
      : instance_(std::move(instance)), out_(out), inner_(inner) {}

  /// Prints the exchange when it ends: instance, HTTP method, path without query, MCP headers,
  /// JSON-RPC method, params (cut at 200 bytes), status, and the resultType or error code of the
  /// last message that went back. What authorizes somebody is left out or cut.
  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override;
  void HandleEnd() override { inner_.HandleEnd(); }

 private:
  std::string instance_;
  std::ostream& out_;
  HttpHandler& inner_;
};

}  // namespace assay::reference
