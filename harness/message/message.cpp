// Telling messages apart by the members they carry.

#include "message/message.h"

#include <utility>

namespace assay {
namespace {

Message::Kind KindOf(const Json& body) {
  if (body.is_array()) return Message::Kind::kBatch;
  if (!body.is_object()) return Message::Kind::kOther;
  const bool has_id = body.Find("id") != nullptr;
  if (body.Find("method") != nullptr) {
    return has_id ? Message::Kind::kRequest : Message::Kind::kNotification;
  }
  if (body.Find("error") != nullptr) return Message::Kind::kError;
  if (body.Find("result") != nullptr) return Message::Kind::kResult;
  return Message::Kind::kOther;
}

}  // namespace

Message ParseMessage(std::string_view text) {
  Message message;
  JsonParse parse = ParseJson(text);
  message.duplicate_keys = std::move(parse.duplicate_keys);
  message.lone_surrogate = parse.lone_surrogate;
  if (!parse.value) {
    message.parse_error = std::move(parse.error);
    message.parse_error_offset = parse.offset;
    return message;
  }
  message.body = std::move(*parse.value);
  message.kind = KindOf(message.body);
  return message;
}

bool SameId(const Json& a, const Json& b) { return Equal(a, b); }

}  // namespace assay
