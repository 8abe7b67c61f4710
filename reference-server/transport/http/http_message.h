// HTTP as far as the MCP endpoint sees it: one request, and the way to answer it. No sockets.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::reference {

struct HttpHeader {
  std::string name;
  std::string value;  // without the white space around it
};

using HttpHeaders = std::vector<HttpHeader>;

/// Whom the authorization of a request stands for.
struct HttpCaller {
  /// Empty if the server asks for no authorization.
  std::string principal;
  /// What the token is good for; without authorization nothing asks for it.
  std::vector<std::string> scopes = {};
};

struct HttpRequest {
  std::string method;
  /// As in the request line: path and query.
  std::string target;
  HttpHeaders headers;
  std::string body;
  /// Not on the wire: found out by whoever checks the authorization.
  HttpCaller caller = {};

  std::string_view path() const;
  /// What follows the question mark; empty if there is none.
  std::string_view query() const;
  /// The value of the first header of that name, whatever its letter case.
  std::optional<std::string_view> Header(std::string_view name) const;
  /// Whether the header is repeated with values that differ.
  bool Contradicts(std::string_view name) const;
};

/// ASCII letters compare without regard to case.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

struct HttpResponse {
  int status;
  HttpHeaders headers = {};
  std::string body = {};
};

/// The answer to one request: either Respond, or Start, any number of Write, and End. After the
/// client went away all of them do nothing.
class HttpReply {
 public:
  virtual ~HttpReply() = default;

  /// The whole answer. Its length goes into a header by itself.
  virtual void Respond(HttpResponse response) = 0;

  /// An answer whose body comes bit by bit; that of `head` is ignored.
  virtual void Start(HttpResponse head) = 0;
  virtual void Write(std::string bytes) = 0;
  virtual void End() = 0;

  /// Called at most once, and never from within the functions above, if the client goes away before
  /// the answer is complete.
  virtual void OnGone(std::function<void()> gone) = 0;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  /// May answer at once or later. A reply that is dropped unanswered ends the connection.
  virtual void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) = 0;
  /// The server is about to stop: what waits for events only is to be ended.
  virtual void HandleEnd() = 0;
};

}  // namespace assay::reference
