// How the reference server reads one message: what it is, its id, its envelope and its progress
// token. The input is the message's text.

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "fuzz/expect.h"
#include "fuzz/input.h"
#include "protocol/envelope.h"
#include "protocol/json_text.h"
#include "protocol/message.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

namespace json = boost::json;
using reference::ErrorCode;
using reference::ProtocolError;

constexpr std::string_view kVersion = "2026-07-28";

// The same value, however it is spelled; a double may have lost what tells it from another.
bool IsValueOf(std::string_view text, const json::value& value) {
  boost::system::error_code failed;
  const json::value read = json::parse(text, failed);
  return !failed && (read == value || (read.is_double() && value.is_double()));
}

// An id, or a progress token, in short.
bool MayBeId(const json::value& value) { return value.is_string() || value.is_number(); }
bool MustBeId(const json::value& value) {
  return value.is_string() || value.is_int64() || value.is_uint64();
}

void JudgeId(const std::optional<reference::RequestId>& id, const json::value* given,
             std::string_view text) {
  if (given == nullptr) return Expect(!id, "where there is no id none is read", text);
  Expect(id ? MayBeId(*given) : !MustBeId(*given), "an id is a string or an integer", text);
  if (!id) return;
  Expect(IsValueOf(id->text(), *given), "an id goes back as it came", text);
  const auto again = reference::RequestId::Parse(id->text());
  Expect(again && again->key() == id->key(), "an id is the same each time", text);
}

// What an envelope must be, in short (2026-07-28 basic/index#meta): whether it is good, and if not
// whether that is for its version alone.
enum class Verdict : unsigned char { kGood, kBadShape, kOtherVersion };

bool IsObjectOrAbsent(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member == nullptr || member->is_object();
}

bool HasStrings(const json::value& value, std::initializer_list<std::string_view> names) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  for (const std::string_view name : names) {
    const json::value* member = object->if_contains(name);
    if (member == nullptr || !member->is_string()) return false;
  }
  return true;
}

Verdict VerdictOn(const json::object* params) {
  const json::value* given = params == nullptr ? nullptr : params->if_contains("_meta");
  const json::object* meta = given == nullptr ? nullptr : given->if_object();
  if (meta == nullptr || !HasStrings(*given, {"io.modelcontextprotocol/protocolVersion"})) {
    return Verdict::kBadShape;
  }
  const json::value* capabilities = meta->if_contains("io.modelcontextprotocol/clientCapabilities");
  if (capabilities == nullptr || !capabilities->is_object()) return Verdict::kBadShape;
  for (const std::string_view known :
       {"elicitation", "sampling", "roots", "extensions", "experimental"}) {
    if (!IsObjectOrAbsent(capabilities->get_object(), known)) return Verdict::kBadShape;
  }
  const json::value* info = meta->if_contains("io.modelcontextprotocol/clientInfo");
  if (info != nullptr && !HasStrings(*info, {"name", "version"})) return Verdict::kBadShape;
  if (const json::value* level = meta->if_contains("io.modelcontextprotocol/logLevel")) {
    constexpr std::string_view kLevels =
        " debug info notice warning error critical alert emergency ";
    if (!level->is_string()) return Verdict::kBadShape;
    const std::string word = " " + std::string(level->get_string()) + " ";
    if (word.find(' ', 1) != word.size() - 1 || kLevels.find(word) == std::string_view::npos) {
      return Verdict::kBadShape;
    }
  }
  return meta->at("io.modelcontextprotocol/protocolVersion").get_string() == kVersion
             ? Verdict::kGood
             : Verdict::kOtherVersion;
}

void JudgeEnvelope(const json::object* params, std::string_view text) {
  const auto envelope = reference::ReadEnvelope(params);
  const auto* error = std::get_if<ProtocolError>(&envelope);
  switch (VerdictOn(params)) {
    case Verdict::kGood:
      Expect(error == nullptr, "a good envelope is taken", text);
      break;
    case Verdict::kBadShape:
      Expect(error != nullptr && error->code == ErrorCode::kInvalidParams,
             "a malformed envelope is refused as invalid params", text);
      break;
    case Verdict::kOtherVersion:
      Expect(error != nullptr && error->code == ErrorCode::kUnsupportedProtocolVersion,
             "a version that is not served is refused as such", text);
      break;
  }
  Expect(error != nullptr || reference::HasEnvelopeKey(params),
         "whoever has an envelope has its key", text);
}

void JudgeRequest(const reference::Request& request, const json::object& object,
                  std::string_view text) {
  JudgeId(request.id, object.if_contains("id"), text);
  Expect(object.at("method").as_string() == request.method, "the method is what it says", text);
  JudgeEnvelope(request.params, text);
  const auto token = reference::ReadProgressToken(request);
  const json::value* meta =
      request.params == nullptr ? nullptr : request.params->if_contains("_meta");
  const json::value* given = meta == nullptr || !meta->is_object()
                                 ? nullptr
                                 : meta->get_object().if_contains("progressToken");
  if (std::holds_alternative<ProtocolError>(token)) {
    Expect(given != nullptr && !MustBeId(*given), "a good progress token is taken", text);
  } else {
    JudgeId(std::get<0>(token), given, text);
  }
}

void Judge(const json::value& value, std::string_view text) {
  const reference::Message message = reference::Classify(value, text);
  const json::object* object = value.if_object();
  if (const auto* invalid = std::get_if<reference::InvalidMessage>(&message)) {
    if (object != nullptr && invalid->id) JudgeId(invalid->id, object->if_contains("id"), text);
    return;
  }
  Expect(object != nullptr, "a message is an object", text);
  if (const auto* request = std::get_if<reference::Request>(&message)) {
    JudgeRequest(*request, *object, text);
  } else if (const auto* response = std::get_if<reference::Response>(&message)) {
    Expect(!object->contains("method"), "a response has no method", text);
    if (response->id) JudgeId(response->id, object->if_contains("id"), text);
  } else {
    Expect(!object->contains("id"), "a notification has no id", text);
  }
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::fuzz;
  const std::string_view text = Text(data, size);
  boost::system::error_code failed;
  const json::value value = json::parse(text, failed);
  if (!failed) return Judge(value, text), 0;
  // They read text that is no JSON, too, where that is nested too deeply to be parsed.
  assay::reference::MemberText(text, "id");
  assay::reference::ElementTexts(text);
  return 0;
}
