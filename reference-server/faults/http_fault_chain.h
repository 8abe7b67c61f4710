// What an HTTP server talks to when faults spoil its exchanges. All requests of a process pass the
// same faults, which may remember things.
#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "faults/http_script.h"
#include "transport/http/http_message.h"

namespace assay::reference {

class HttpFaultChain : public HttpHandler {
 public:
  /// The first fault is nearest to the server. `server` must outlive the chain.
  HttpFaultChain(std::vector<HttpScript> faults, HttpHandler& server);

  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override;
  void HandleEnd() override { server_.HandleEnd(); }

 private:
  class Fault : public HttpHandler {
   public:
    Fault(HttpScript script, HttpHandler& inner)
        : script_(std::make_shared<const HttpScript>(std::move(script))), inner_(inner) {}
    void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override;
    void HandleEnd() override { inner_.HandleEnd(); }

   private:
    std::shared_ptr<const HttpScript> script_;  // replies may outlive the chain
    HttpHandler& inner_;
  };

  HttpHandler& server_;
  std::deque<Fault> faults_;
};

}  // namespace assay::reference
