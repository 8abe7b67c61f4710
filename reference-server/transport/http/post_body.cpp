#include "transport/http/post_body.h"

#include <variant>

#include "protocol/answer.h"
#include "protocol/envelope.h"
#include "protocol/json_text.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

// As deep as a connection reads: what it would not read must not get past the checks here.
constexpr std::size_t kMostNesting = 1000;

template <class Kind>
std::vector<const Kind*> AllOf(const std::vector<Message>& messages) {
  std::vector<const Kind*> found;
  for (const Message& message : messages) {
    if (const Kind* one = std::get_if<Kind>(&message)) found.push_back(one);
  }
  return found;
}

}  // namespace

PostBody::PostBody(std::string_view text) : text_(text), value_(&memory_) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  json::parse_options options;
  options.max_depth = kMostNesting;
  boost::system::error_code failed;
  value_ = json::parse(text_, failed, &memory_, options);
  is_json_ = !failed;
  is_too_deep_ = failed == json::error::too_deep;
  if (!is_json_) return;
  if (!value_.is_array()) {
    messages_.push_back(Classify(value_, text_));
    return;
  }
  const std::vector<std::string_view> texts = ElementTexts(text_);
  const json::array& batch = value_.get_array();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    messages_.push_back(Classify(batch[i], texts.at(i)));
  }
}

std::string PostBody::BrokenAnswer(std::string_view no_id) const {
  if (!is_too_deep_) return ErrorMessage(no_id, {ErrorCode::kParseError, "Parse error"});
  const auto id = RequestId::Parse(MemberText(text_, "id").value_or(std::string_view()));
  return ErrorMessage(id ? std::string_view(id->text()) : no_id,
                      {ErrorCode::kInvalidRequest, "Invalid request: nested too deeply"});
}

const Request* PostBody::request() const {
  return is_json_ && !is_array() ? std::get_if<Request>(&message()) : nullptr;
}

const Notification* PostBody::notification() const {
  return is_json_ && !is_array() ? std::get_if<Notification>(&message()) : nullptr;
}

std::vector<const Request*> PostBody::requests() const { return AllOf<Request>(messages_); }

std::vector<const Notification*> PostBody::notifications() const {
  return AllOf<Notification>(messages_);
}

bool PostBody::is_enveloped() const {
  if (!is_json_ || !value_.is_object()) return false;
  const json::value* params = value_.get_object().if_contains("params");
  return params != nullptr && HasEnvelopeKey(params->if_object());
}

std::string PostBody::id() const {
  if (!is_json_ || is_array()) return {};
  if (const Request* one = std::get_if<Request>(&message())) return one->id.text();
  const InvalidMessage* invalid = std::get_if<InvalidMessage>(&message());
  return invalid != nullptr && invalid->id ? invalid->id->text() : std::string();
}

}  // namespace assay::reference
