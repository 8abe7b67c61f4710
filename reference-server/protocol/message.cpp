#include "protocol/message.h"

#include "protocol/json_text.h"

namespace assay::reference {
namespace {

InvalidMessage Invalid(std::optional<RequestId> id, std::string message) {
  return {std::move(id), {ErrorCode::kInvalidRequest, std::move(message)}};
}

Response ReadResponse(const boost::json::object& object, std::optional<RequestId> id) {
  Response response{std::move(id), nullptr, {}};
  if (const boost::json::value* error = object.if_contains("error")) {
    const boost::json::object* members = error->if_object();
    const boost::json::value* message =
        members == nullptr ? nullptr : members->if_contains("message");
    if (message != nullptr && message->is_string()) response.error_message = message->get_string();
    return response;
  }
  response.result = object.at("result").if_object();
  return response;
}

}  // namespace

Message Classify(const boost::json::value& value, std::string_view text) {
  const boost::json::object* object = value.if_object();
  if (object == nullptr) return Invalid(std::nullopt, "Invalid request: a message is an object");

  const boost::json::value* method = object->if_contains("method");
  const bool has_id = object->contains("id");
  const bool has_outcome = object->contains("result") || object->contains("error");
  std::optional<RequestId> id;
  if (has_id) id = RequestId::Parse(MemberText(text, "id").value_or(std::string_view()));
  if (method == nullptr && has_outcome) return ReadResponse(*object, std::move(id));

  // Without an id it can only be meant as a notification, and those are never answered, however
  // broken (basic/index#notifications).
  const boost::json::object* params = nullptr;
  const boost::json::value* given = object->if_contains("params");
  if (given != nullptr) params = given->if_object();
  if (!has_id && method != nullptr && method->is_string()) {
    return Notification{method->get_string(), params, text};
  }
  if (method == nullptr || !method->is_string()) {
    return Invalid(std::move(id), "Invalid request: method must be a string");
  }
  if (!id) return Invalid(std::nullopt, "Invalid request: id must be a string or an integer");
  const boost::json::value* version = object->if_contains("jsonrpc");
  if (version == nullptr || !version->is_string() || version->get_string() != "2.0") {
    return Invalid(std::move(id), "Invalid request: jsonrpc must be \"2.0\"");
  }
  if (has_outcome) {
    return Invalid(std::move(id), "Invalid request: a request has neither result nor error");
  }
  if (given != nullptr && !given->is_structured()) {
    return Invalid(std::move(id), "Invalid request: params must be an object");
  }
  return Request{*std::move(id), method->get_string(), params, text};
}

}  // namespace assay::reference
