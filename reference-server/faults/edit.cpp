#include "faults/edit.h"

#include "protocol/json_text.h"

namespace assay::reference {

namespace json = boost::json;

bool EditMessage(OutgoingMessage& message, const std::function<bool(json::value&)>& edit) {
  boost::system::error_code failed;
  json::value value = json::parse(message.bytes, failed);
  if (failed || !edit(value)) return false;
  message.bytes = SerializeLike(value, message.bytes) + "\n";
  return true;
}

std::string SerializeLike(const json::value& edited, std::string_view original) {
  constexpr std::string_view kPlaceholder = "\"?id?\"";
  const auto id_text = MemberText(original, "id");
  boost::system::error_code failed;
  if (!id_text || !edited.is_object()) return json::serialize(edited);
  const json::value* id = edited.get_object().if_contains("id");
  if (id == nullptr || *id != json::parse(*id_text, failed)) return json::serialize(edited);
  json::value marked = edited;
  marked.get_object()["id"] = "?id?";
  std::string text = json::serialize(marked);
  // Members before the id are never strings that look like this: there is jsonrpc at most.
  return text.replace(text.find(kPlaceholder), kPlaceholder.size(), *id_text);
}

std::optional<json::object> ParseObject(std::string_view line) {
  boost::system::error_code failed;
  json::value value = json::parse(line, failed);
  if (failed || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

}  // namespace assay::reference
