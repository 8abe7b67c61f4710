#include "faults/http_fault_chain.h"

#include <utility>

namespace assay::reference {
namespace {

class SpoilingReply : public ForwardingReply {
 public:
  SpoilingReply(std::shared_ptr<const HttpScript> script, HttpRequest request,
                std::shared_ptr<HttpReply> outer)
      : ForwardingReply(std::move(outer)),
        script_(std::move(script)),
        request_(std::move(request)) {}

  void Respond(HttpResponse response) override {
    if (script_->response) script_->response(request_, response);
    outer().Respond(std::move(response));
  }
  void Start(HttpResponse head) override {
    if (script_->head) script_->head(request_, head);
    outer().Start(std::move(head));
  }
  void Write(std::string bytes) override {
    if (script_->event) script_->event(request_, bytes);
    outer().Write(std::move(bytes));
  }

 private:
  std::shared_ptr<const HttpScript> script_;
  HttpRequest request_;
};

}  // namespace

HttpFaultChain::HttpFaultChain(std::vector<HttpScript> faults, HttpHandler& server)
    : server_(server) {
  HttpHandler* inner = &server;
  for (HttpScript& script : faults) inner = &faults_.emplace_back(std::move(script), *inner);
}

void HttpFaultChain::Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) {
  HttpHandler& outermost = faults_.empty() ? server_ : faults_.back();
  outermost.Handle(std::move(request), std::move(reply));
}

void HttpFaultChain::Fault::Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) {
  if (script_->instead && script_->instead(request, *reply)) return;
  if (script_->reply) reply = script_->reply(request, std::move(reply));
  if (script_->response || script_->head || script_->event) {
    reply = std::make_shared<SpoilingReply>(script_, request, std::move(reply));
  }
  if (script_->request) script_->request(request);
  inner_.Handle(std::move(request), std::move(reply));
}

}  // namespace assay::reference
