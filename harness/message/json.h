// JSON as it stood on the wire. A judge must not look through a lossy parse: number texts,
// duplicate keys, key order and offsets are kept, so that `1.0`, `1e400` and `{"a":1,"a":2}` stay
// what they are. The same type holds what is sent and what is expected, since those too must keep
// their exact text.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct JsonMember;

// A JSON value. A plain value type: copies are deep, equality is structural (see Equal).
class Json {
 public:
  enum class Kind : std::uint8_t {
    kNull,
    kBoolean,
    kNumber,
    kString,
    kArray,
    kObject,
    kRaw,  // text that is written out as it is; only in messages to be sent
  };

  Json() = default;  // null
  static Json Boolean(bool value);
  static Json Number(std::string text);  // `text` must follow the JSON number grammar
  static Json Integer(std::int64_t value);
  static Json String(std::string value);
  static Json Array();
  static Json Array(std::vector<Json> items);
  static Json Object();
  static Json Object(std::vector<JsonMember> members);
  static Json Raw(std::string text);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_boolean() const { return kind_ == Kind::kBoolean; }
  bool is_number() const { return kind_ == Kind::kNumber; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }

  bool boolean() const { return flag_; }
  // The unescaped characters of a string, the exact text of a number or of a raw value. A lone
  // surrogate escape in a string reads as U+FFFD.
  const std::string& text() const { return text_; }
  const std::vector<Json>& items() const { return items_; }
  std::vector<Json>& items() { return items_; }
  // In wire order, duplicates kept.
  const std::vector<JsonMember>& members() const { return members_; }
  std::vector<JsonMember>& members() { return members_; }

  // The member called `key` (the last one, where there are several), or null.
  const Json* Find(std::string_view key) const;
  // Find, for the path of keys `first`, `rest`...
  template <typename... Rest>
  const Json* Find(std::string_view first, Rest... rest) const {
    const Json* child = Find(first);
    return child == nullptr ? nullptr : child->Find(rest...);
  }
  // The string called `key`, or nothing when it is absent or no string.
  std::optional<std::string> FindString(std::string_view key) const;
  // Replaces the member called `key`, or appends it. Only on an object.
  void Set(std::string_view key, Json value);
  void Remove(std::string_view key);

  // An integer by value (`1`, `1.0`, `1e2`), whatever its size.
  bool is_integer() const;
  // The value, when it is an integer that fits.
  std::optional<std::int64_t> AsInteger() const;
  double AsDouble() const;  // 0 unless a number; infinities where the text is out of range

  // Writes compact JSON; numbers and raw values go out exactly as their text stands.
  std::string Dump() const;
  void DumpTo(std::string& out) const;

  // "null", "a string", "an object", ...: for messages to people.
  std::string_view KindName() const;

 private:
  Kind kind_ = Kind::kNull;
  bool flag_ = false;
  std::string text_;
  std::vector<Json> items_;
  std::vector<JsonMember> members_;
};

struct JsonMember {
  std::string key;
  Json value;
};

// Same value: numbers mathematically, strings after unescaping, objects regardless of order; of
// members with the same key the last one counts, as in Find.
bool Equal(const Json& a, const Json& b);
// Compares two JSON number texts mathematically, exactly, at any size: <0, 0, >0.
int CompareNumbers(std::string_view a, std::string_view b);
// Whether the number `text` is an integer times `divisor`, exactly. Nothing where that would take
// unreasonable work: a divisor of more than 18 digits, or exponents thousands apart.
std::optional<bool> IsMultiple(std::string_view text, std::string_view divisor);
// Whether `text` follows the number grammar of RFC 8259.
bool IsJsonNumber(std::string_view text);

// Outcome of parsing one JSON text.
struct JsonParse {
  std::optional<Json> value;  // set exactly when `error` is empty
  std::string error;          // why not, in words
  std::size_t offset = 0;     // where the error is, in bytes
  // Worth a remark though the text is JSON:
  std::vector<std::string> duplicate_keys;
  bool lone_surrogate = false;
};

// Deeper nesting is not read.
inline constexpr std::size_t kDeepestJson = 512;

// Parses exactly one JSON text (RFC 8259), surrounding whitespace allowed. Nesting deeper than
// kDeepestJson is an error. Invalid UTF-8 is an error.
JsonParse ParseJson(std::string_view text);

// The offset of the first byte that is not valid UTF-8 (RFC 3629), or npos.
std::size_t FindInvalidUtf8(std::string_view text);

// The value at `pointer` (RFC 6901: "" or "/a/0/b~1c"), or null when there is none.
const Json* At(const Json& root, std::string_view pointer);
// `key` as a token of a pointer: "a/b" is "a~1b".
std::string PointerToken(std::string_view key);

}  // namespace assay
