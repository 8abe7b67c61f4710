// How the harness sees a message. Two ways, one verdict: its own view (harness/message), and the
// grammar of RFC 8259 read plainly (plain_json.h).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/expect.h"
#include "fuzz/harness_message/plain_json.h"
#include "fuzz/input.h"
#include "message/json.h"
#include "message/message.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

constexpr std::size_t kMostNesting = 512;

// As PlainJson::canonical.
void Canonical(const Json& value, std::string& out) {
  switch (value.kind()) {
    case Json::Kind::kNull:
      out += "null";
      return;
    case Json::Kind::kBoolean:
      out += value.boolean() ? "true" : "false";
      return;
    case Json::Kind::kNumber:
    case Json::Kind::kRaw:
      out += value.text();
      return;
    case Json::Kind::kString:
      out += '"' + value.text() + '"';
      return;
    case Json::Kind::kArray:
      out += '[';
      for (const Json& item : value.items()) {
        if (&item != value.items().data()) out += ',';
        Canonical(item, out);
      }
      out += ']';
      return;
    case Json::Kind::kObject:
      out += '{';
      for (const JsonMember& member : value.members()) {
        if (&member != value.members().data()) out += ',';
        out += '"' + member.key + "\":";
        Canonical(member.value, out);
      }
      out += '}';
      return;
  }
}

void JudgeNumber(const Json& number, std::string_view text) {
  Expect(IsJsonNumber(number.text()), "a number has the text of one", number.text());
  Expect(CompareNumbers(number.text(), number.text()) == 0, "a number equals itself",
         number.text());
  const int order = CompareNumbers(number.text(), "7");
  Expect(order == -CompareNumbers("7", number.text()), "numbers have an order", number.text());
  const std::optional<std::int64_t> integer = number.AsInteger();
  if (!integer) return;
  Expect(number.is_integer(), "only an integer reads as one", number.text());
  Expect(CompareNumbers(std::to_string(*integer), number.text()) == 0,
         "an integer has the value that it spells", text);
}

// What must hold of each value in the tree.
void JudgeTree(const Json& value, std::string_view text) {
  if (value.is_number()) JudgeNumber(value, text);
  if (value.is_string()) Expect(IsUtf8(value.text()), "a string is UTF-8", text);
  for (const Json& item : value.items()) JudgeTree(item, text);
  for (const JsonMember& member : value.members()) {
    const Json* found = At(value, "/" + PointerToken(member.key));
    Expect(found != nullptr && found == value.Find(member.key), "a pointer leads to a member",
           member.key);
    JudgeTree(member.value, text);
  }
}

void JudgeKind(const Message& message, std::string_view text) {
  const Json& body = message.body;
  const bool has_method = body.Find("method") != nullptr;
  const bool has_id = body.Find("id") != nullptr;
  switch (message.kind) {
    case Message::Kind::kRequest:
      Expect(has_method && has_id, "a request has a method and an id", text);
      break;
    case Message::Kind::kNotification:
      Expect(has_method && !has_id, "a notification has a method and no id", text);
      break;
    case Message::Kind::kResult:
      Expect(!has_method && message.result() != nullptr, "a result has one", text);
      break;
    case Message::Kind::kError:
      Expect(!has_method && message.error() != nullptr, "an error has one", text);
      break;
    case Message::Kind::kBatch:
      Expect(body.is_array(), "a batch is an array", text);
      break;
    case Message::Kind::kOther:
      Expect(!body.is_array() && !has_method && message.result() == nullptr &&
                 message.error() == nullptr,
             "what could be a message is taken for one", text);
      break;
    case Message::Kind::kNotJson:
      Expect(false, "what is JSON is taken for it", text);
  }
}

void Judge(std::string_view text) {
  const Message message = ParseMessage(text);
  const PlainJson plain = ReadPlainly(text);
  Expect((FindInvalidUtf8(text) == std::string_view::npos) == IsUtf8(text),
         "both ways find what is not UTF-8", text);
  if (message.kind == Message::Kind::kNotJson) {
    Expect(!plain.valid || plain.depth > kMostNesting, "what RFC 8259 allows is read", text);
    Expect(!message.parse_error.empty() && message.parse_error_offset <= text.size(),
           "an error has a place", text);
    return;
  }
  Expect(plain.valid && plain.depth <= kMostNesting, "what is read RFC 8259 allows", text);
  Expect(message.lone_surrogate == plain.lone_surrogate, "both ways see lone surrogates", text);
  std::string canonical;
  Canonical(message.body, canonical);
  Expect(canonical == plain.canonical, "both ways read the same", text);
  JudgeKind(message, text);
  JudgeTree(message.body, text);
  const JsonParse again = ParseJson(message.body.Dump());
  Expect(again.value && Equal(*again.value, message.body), "what is written reads the same", text);
  Expect(again.duplicate_keys == message.duplicate_keys, "duplicate keys stay", text);
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::Judge(assay::fuzz::Text(data, size));
  return 0;
}
