// What our messages look like over HTTP: the fields that go with them (2026-07-28
// basic/transports/streamable-http § Request Headers; 2025-11-25 basic/transports § Session
// Management and § Protocol Version Header).

#pragma once

#include <string>

#include "case/case.h"
#include "message/http_message.h"
#include "message/json.h"
#include "message/message.h"

namespace assay {

// What a legacy client must remember of its session.
struct HttpSession {
  std::string id;        // of Mcp-Session-Id; "" before initialize, or when there is none
  std::string revision;  // negotiated; "" before
};

// The POST that carries `body`, which is `message` as text. A modern message is mirrored as it
// stands; one without an envelope, on a connection that spoke `era` modern, as if it had a good
// one. `tools` are the server's, as listed, or null: some of their arguments are mirrored too.
HttpRequest PostOf(const std::string& body, const Message& message, Era era,
                   const HttpSession& session, const Json* tools);

// A GET or DELETE of the session.
HttpRequest SessionRequest(const std::string& method, const HttpSession& session);

// A case's changes: headers to set (null leaves one out, also one that every request to
// this server carries), method, path, what is written behind it, and whether that is all.
void ChangeHttp(HttpRequest& request, const Json& changes);
// Adds those headers, as above, that the request does not say itself.
void AddHeaders(HttpRequest& request, const Json& headers);
// A request that a case describes as a whole.
HttpRequest DescribedHttp(const Json& description);

// `value` as a mirrored field holds it: as it is, or in Base64 between =?base64? and ?= when it
// would not survive.
std::string FieldText(const std::string& value);

}  // namespace assay
