// What HTTP faults ask of requests and do to answers.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "transport/http/http_message.h"

namespace assay::reference {

/// The JSON-RPC method in the body; empty if there is none.
std::string_view MethodOf(const HttpRequest& request);
/// The JSON text of the id in the body; empty if there is none.
std::string_view IdOf(const HttpRequest& request);
bool IsNotification(const HttpRequest& request);
/// Whether the request claims to belong to a session.
bool NamesSession(const HttpRequest& request);

void EraseHeader(HttpHeaders& headers, std::string_view name);

/// Changes the JSON object in the body; any other body stays as it is.
void EditBody(HttpResponse& response, const std::function<void(boost::json::object&)>& edit);
/// The JSON-RPC error code in the body; nothing if there is none.
std::optional<int> ErrorOf(const HttpResponse& response);

/// The data of an event as the server writes it, on one line; empty for comments and for events
/// without a message.
std::string_view DataOf(std::string_view event);
/// Whether the event is the response to a request.
bool IsResponseEvent(std::string_view event);

}  // namespace assay::reference
