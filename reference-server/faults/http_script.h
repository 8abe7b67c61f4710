// A fault of the exchange over HTTP written as a few small functions: what it does to requests, to
// whole answers, and to answers that come as a stream.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "transport/http/http_message.h"

namespace assay::reference {

/// Functions that a fault has no use for stay empty. Those that spoil an answer see the request as
/// the client sent it.
struct HttpScript {
  /// Changes what the server gets to see.
  std::function<void(HttpRequest&)> request = {};
  /// Whether the server gets to see nothing of it. What is not answered here ends the connection.
  std::function<bool(const HttpRequest&, HttpReply&)> instead = {};
  std::function<void(const HttpRequest&, HttpResponse&)> response = {};
  /// The beginning of a stream.
  std::function<void(const HttpRequest&, HttpResponse& head)> head = {};
  /// One event of a stream, or a comment.
  std::function<void(const HttpRequest&, std::string& event)> event = {};
  /// For all else: a reply to stand between the server and the one given, or just that one.
  std::function<std::shared_ptr<HttpReply>(const HttpRequest&, std::shared_ptr<HttpReply>)> reply =
      {};
};

/// Passes everything on.
class ForwardingReply : public HttpReply {
 public:
  explicit ForwardingReply(std::shared_ptr<HttpReply> outer) : outer_(std::move(outer)) {}

  void Respond(HttpResponse response) override { outer_->Respond(std::move(response)); }
  void Start(HttpResponse head) override { outer_->Start(std::move(head)); }
  void Write(std::string bytes) override { outer_->Write(std::move(bytes)); }
  void End() override { outer_->End(); }
  void OnGone(std::function<void()> gone) override { outer_->OnGone(std::move(gone)); }

 protected:
  HttpReply& outer() { return *outer_; }

 private:
  std::shared_ptr<HttpReply> outer_;
};

}  // namespace assay::reference
