// HTTP as the harness sees it: what it sends, and what came back. No sockets.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct HttpField {
  std::string name;
  std::string value;
};

struct HttpRequest {
  std::string method = "POST";
  std::string path;  // path and query; "" = those of the server's URL
  std::vector<HttpField> fields;
  std::string body;
  // Names of fields that it goes without, even where the server's URL comes with them (a token).
  std::vector<std::string> without = {};
  // A legacy stream that breaks off before its answer, after an event with an id, is taken up again
  // by GET with Last-Event-ID (2025-11-25 basic/transports § Resumability and Redelivery).
  bool resumes = false;
  // Written on the same connection at once, without waiting for the answer: a further request
  // (RFC 9112 § 9.3.2 Pipelining), or something worse. What becomes of it is not looked at.
  std::string behind = {};
  // The client says that it will write no more (RFC 9112 § 9.6), and waits for the answer.
  bool half_closes = false;

  // Whether the connection is used for something else, too: then it is no fault to break it.
  bool misuses_connection() const { return half_closes || !behind.empty(); }
  // The first field of that name, in any letter case.
  const std::string* Find(std::string_view name) const;
};

// The head of the answer to one request.
struct HttpHead {
  int status = 0;
  std::vector<HttpField> fields;

  const std::string* Find(std::string_view name) const;
  // The media type in lower case without parameters, "" when there is none.
  std::string MediaType() const;
};

// Whether two field names are the same: ASCII letters in any case.
bool SameFieldName(std::string_view a, std::string_view b);

}  // namespace assay
