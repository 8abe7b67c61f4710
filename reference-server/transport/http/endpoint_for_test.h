// An endpoint in memory, with a clock that tests move by hand.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "era/loopback_for_test.h"
#include "era/services.h"
#include "era/state_signer.h"
#include "faults/fault_chain.h"
#include "random/random.h"
#include "tasks/task_store.h"
#include "transport/http/endpoint.h"
#include "transport/http/http_message.h"

namespace assay::reference {

/// What a client got.
struct Received {
  int status = 0;
  HttpHeaders headers;
  std::string body;
  bool is_stream = false;
  bool ended = false;
  std::function<void()> gone;

  std::string Header(std::string_view name) const {
    const HttpRequest named{{}, {}, headers, {}};
    return std::string(named.Header(name).value_or(std::string_view()));
  }
  boost::json::value Json() const { return boost::json::parse(body); }
  /// The error code of the body, or 0.
  int Error() const {
    const boost::json::value message = Json();
    const boost::json::value* error = message.get_object().if_contains("error");
    return error == nullptr ? 0 : error->at("code").to_number<int>();
  }
  /// What arrived on a stream since the last look.
  std::string TakeBody() { return std::exchange(body, {}); }
};

class FakeReply : public HttpReply {
 public:
  explicit FakeReply(std::shared_ptr<Received> received) : received_(std::move(received)) {}

  void Respond(HttpResponse response) override {
    received_->status = response.status;
    received_->headers = std::move(response.headers);
    received_->body = std::move(response.body);
    received_->ended = true;
  }
  void Start(HttpResponse head) override {
    received_->status = head.status;
    received_->headers = std::move(head.headers);
    received_->is_stream = true;
  }
  void Write(std::string bytes) override { received_->body += bytes; }
  void End() override { received_->ended = true; }
  void OnGone(std::function<void()> gone) override { received_->gone = std::move(gone); }

 private:
  std::shared_ptr<Received> received_;
};

/// One exchange with any handler.
inline std::shared_ptr<Received> Exchange(HttpHandler& handler, HttpRequest request) {
  auto received = std::make_shared<Received>();
  handler.Handle(std::move(request), std::make_shared<FakeReply>(received));
  return received;
}

inline HttpRequest PostRequest(std::string body, HttpHeaders headers = {}) {
  headers.push_back({"Content-Type", "application/json"});
  headers.push_back({"Accept", "application/json, text/event-stream"});
  return {"POST", "/mcp", std::move(headers), std::move(body)};
}

/// With the headers that fit the method and, if it is not empty, the name.
inline HttpRequest ModernRequest(const std::string& method, const std::string& name,
                                 std::string body, HttpHeaders headers = {}) {
  headers.push_back({"MCP-Protocol-Version", "2026-07-28"});
  headers.push_back({"Mcp-Method", method});
  if (!name.empty()) headers.push_back({"Mcp-Name", name});
  return PostRequest(std::move(body), std::move(headers));
}

class EndpointInMemory {
 public:
  using MakeFaults = std::function<std::vector<std::unique_ptr<Fault>>()>;

  /// `make_faults` is called for each connection.
  explicit EndpointInMemory(
      Settings settings = {},
      MakeFaults make_faults = [] { return std::vector<std::unique_ptr<Fault>>(); })
      : settings_(std::move(settings)), make_faults_(std::move(make_faults)) {}

  std::shared_ptr<Received> Send(HttpRequest request) {
    return Exchange(endpoint_, std::move(request));
  }

  std::shared_ptr<Received> Send(HttpRequest request, HttpCaller caller) {
    request.caller = std::move(caller);
    return Send(std::move(request));
  }

  std::shared_ptr<Received> Post(std::string body, HttpHeaders headers = {},
                                 HttpCaller caller = {}) {
    return Send(PostRequest(std::move(body), std::move(headers)), std::move(caller));
  }

  std::shared_ptr<Received> PostModern(const std::string& method, const std::string& name,
                                       std::string body, HttpCaller caller = {}) {
    return Send(ModernRequest(method, name, std::move(body)), std::move(caller));
  }

  std::shared_ptr<Received> CallModern(const std::string& tool, std::string_view arguments = "{}",
                                       std::string_view meta = {}, HttpCaller caller = {}) {
    return PostModern(
        "tools/call", tool,
        Enveloped("1", "tools/call",
                  R"("name":")" + tool + R"(","arguments":)" + std::string(arguments), meta),
        std::move(caller));
  }

  /// The id of a new session.
  std::string OpenSession(std::string_view version = "2025-11-25", HttpCaller caller = {}) {
    return Post(Initialize(version), {}, std::move(caller))->Header("Mcp-Session-Id");
  }

  std::shared_ptr<Received> PostTo(const std::string& session, std::string body,
                                   HttpCaller caller = {}) {
    return Post(std::move(body), {{"Mcp-Session-Id", session}}, std::move(caller));
  }

  std::shared_ptr<Received> Get(const std::string& session, HttpHeaders headers = {}) {
    headers.push_back({"Mcp-Session-Id", session});
    headers.push_back({"Accept", "text/event-stream"});
    return Send({"GET", "/mcp", std::move(headers), {}});
  }

  std::shared_ptr<Received> Resume(const std::string& session, const std::string& event) {
    return Get(session, {{"Last-Event-ID", event}});
  }

  std::shared_ptr<Received> Delete(const std::string& session) {
    return Send({"DELETE", "/mcp", {{"Mcp-Session-Id", session}}, {}});
  }

  void Advance(std::chrono::milliseconds time) { scheduler_.Advance(time); }
  Endpoint& endpoint() { return endpoint_; }
  Catalog& catalog() { return catalog_; }
  ManualScheduler& scheduler() { return scheduler_; }

 private:
  Settings settings_;
  MakeFaults make_faults_;
  ManualScheduler scheduler_;
  Catalog catalog_;
  TaskStore tasks_{catalog_, scheduler_};
  StateSigner signer_{NewSecretKey(), settings_.state_lifetime};
  Services services_{catalog_, scheduler_, tasks_, signer_};
  Endpoint endpoint_{
      settings_, catalog_, scheduler_, [this](const Settings& settings, MessageSink& sink) {
        return std::make_unique<FaultChain>(make_faults_(), settings, services_, sink, [](int) {});
      }};
};

}  // namespace assay::reference
