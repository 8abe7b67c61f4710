// The lossless JSON view: Boost.JSON's tokenizer below, our own tree above.

#include "message/json.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace assay {

Json Json::Boolean(bool value) {
  Json json;
  json.kind_ = Kind::kBoolean;
  json.flag_ = value;
  return json;
}

Json Json::Number(std::string text) {
  Json json;
  json.kind_ = Kind::kNumber;
  json.text_ = std::move(text);
  return json;
}

Json Json::Integer(std::int64_t value) { return Number(std::to_string(value)); }

Json Json::String(std::string value) {
  Json json;
  json.kind_ = Kind::kString;
  json.text_ = std::move(value);
  return json;
}

Json Json::Array() { return Array(std::vector<Json>()); }

Json Json::Array(std::vector<Json> items) {
  Json json;
  json.kind_ = Kind::kArray;
  json.items_ = std::move(items);
  return json;
}

Json Json::Object() { return Object(std::vector<JsonMember>()); }

Json Json::Object(std::vector<JsonMember> members) {
  Json json;
  json.kind_ = Kind::kObject;
  json.members_ = std::move(members);
  return json;
}

Json Json::Raw(std::string text) {
  Json json;
  json.kind_ = Kind::kRaw;
  json.text_ = std::move(text);
  return json;
}

const Json* Json::Find(std::string_view key) const {
  const auto found = std::find_if(members_.rbegin(), members_.rend(),
                                  [&](const JsonMember& member) { return member.key == key; });
  return found == members_.rend() ? nullptr : &found->value;
}

std::optional<std::string> Json::FindString(std::string_view key) const {
  const Json* value = Find(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->text();
}

void Json::Set(std::string_view key, Json value) {
  const auto found = std::find_if(members_.rbegin(), members_.rend(),
                                  [&](const JsonMember& member) { return member.key == key; });
  if (found != members_.rend()) {
    found->value = std::move(value);
  } else {
    members_.push_back({std::string(key), std::move(value)});
  }
}

void Json::Remove(std::string_view key) {
  std::erase_if(members_, [&](const JsonMember& member) { return member.key == key; });
}

namespace {

// A number as sign, significant digits (no leading or trailing zeros) and the power of ten behind
// the last digit: 120 = {+, "12", 1}. Zero has no digits.
struct Decimal {
  bool negative = false;
  std::string digits;
  long long exponent = 0;
};

Decimal ToDecimal(std::string_view text) {
  Decimal decimal;
  std::size_t i = 0;
  if (i < text.size() && text[i] == '-') {
    decimal.negative = true;
    ++i;
  }
  bool fraction = false;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    decimal.digits.push_back(text[i]);
    if (fraction) --decimal.exponent;
  }
  if (i < text.size()) {
    std::string_view exponent = text.substr(i + 1);
    if (!exponent.empty() && exponent.front() == '+') exponent.remove_prefix(1);
    long long value = 0;
    const auto [end, error] =
        std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    // An exponent that does not fit is as good as infinite; half the range leaves room to add.
    constexpr long long kHuge = std::numeric_limits<long long>::max() / 2;
    if (error == std::errc::result_out_of_range) value = exponent.front() == '-' ? -kHuge : kHuge;
    decimal.exponent += std::clamp(value, -kHuge, kHuge);
  }
  const std::size_t first = decimal.digits.find_first_not_of('0');
  decimal.digits.erase(0, std::min(first, decimal.digits.size()));
  while (!decimal.digits.empty() && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  if (decimal.digits.empty()) return {};
  return decimal;
}

int CompareMagnitudes(const Decimal& a, const Decimal& b) {
  if (a.digits.empty() || b.digits.empty()) {
    return static_cast<int>(!a.digits.empty()) - static_cast<int>(!b.digits.empty());
  }
  const long long a_top = a.exponent + static_cast<long long>(a.digits.size());
  const long long b_top = b.exponent + static_cast<long long>(b.digits.size());
  if (a_top != b_top) return a_top < b_top ? -1 : 1;
  const int order = a.digits.compare(b.digits);  // no trailing zeros: text order is value order
  return order < 0 ? -1 : static_cast<int>(order > 0);
}

}  // namespace

int CompareNumbers(std::string_view a, std::string_view b) {
  const Decimal left = ToDecimal(a);
  const Decimal right = ToDecimal(b);
  if (left.negative != right.negative) return left.negative ? -1 : 1;
  const int magnitude = CompareMagnitudes(left, right);
  return left.negative ? -magnitude : magnitude;
}

std::optional<bool> IsMultiple(std::string_view text, std::string_view divisor) {
  constexpr std::size_t kMostDigits = 18;  // ten times a remainder then fits in 64 bits
  constexpr long long kFarthest = 10'000;
  const Decimal number = ToDecimal(text);
  const Decimal unit = ToDecimal(divisor);
  if (number.digits.empty()) return true;
  if (unit.digits.empty()) return false;
  // Neither ends in a zero, so one power of ten more in the divisor is one too many.
  if (number.exponent < unit.exponent) return false;
  if (unit.digits.size() > kMostDigits || number.exponent > unit.exponent + kFarthest) {
    return std::nullopt;
  }
  const std::uint64_t modulus = std::strtoull(unit.digits.c_str(), nullptr, 10);
  std::uint64_t remainder = 0;
  for (const char digit : number.digits) {
    remainder = (remainder * 10 + static_cast<std::uint64_t>(digit - '0')) % modulus;
  }
  for (long long i = unit.exponent; i < number.exponent; ++i) remainder = remainder * 10 % modulus;
  return remainder == 0;
}

bool IsJsonNumber(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const bool leading_zero = i < text.size() && text[i] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (leading_zero && whole > 1)) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

bool Json::is_integer() const {
  if (kind_ != Kind::kNumber) return false;
  const Decimal decimal = ToDecimal(text_);
  return decimal.digits.empty() || decimal.exponent >= 0;
}

std::optional<std::int64_t> Json::AsInteger() const {
  if (!is_integer()) return std::nullopt;
  Decimal decimal = ToDecimal(text_);
  if (decimal.digits.empty()) return 0;
  if (decimal.exponent > 19) return std::nullopt;
  decimal.digits.append(static_cast<std::size_t>(decimal.exponent), '0');
  if (decimal.negative) decimal.digits.insert(0, 1, '-');
  std::int64_t value = 0;
  const char* end = decimal.digits.data() + decimal.digits.size();
  const auto [stop, error] = std::from_chars(decimal.digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

double Json::AsDouble() const {
  return kind_ == Kind::kNumber ? std::strtod(text_.c_str(), nullptr) : 0;
}

namespace {

void DumpString(const std::string& text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
          out.push_back(kHex[static_cast<unsigned char>(c) & 15]);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

}  // namespace

void Json::DumpTo(std::string& out) const {
  switch (kind_) {
    case Kind::kNull:
      out += "null";
      break;
    case Kind::kBoolean:
      out += flag_ ? "true" : "false";
      break;
    case Kind::kNumber:
    case Kind::kRaw:
      out += text_;
      break;
    case Kind::kString:
      DumpString(text_, out);
      break;
    case Kind::kArray:
      out.push_back('[');
      for (const Json& item : items_) {
        if (&item != items_.data()) out.push_back(',');
        item.DumpTo(out);
      }
      out.push_back(']');
      break;
    case Kind::kObject:
      out.push_back('{');
      for (const JsonMember& member : members_) {
        if (&member != members_.data()) out.push_back(',');
        DumpString(member.key, out);
        out.push_back(':');
        member.value.DumpTo(out);
      }
      out.push_back('}');
      break;
  }
}

std::string Json::Dump() const {
  std::string out;
  DumpTo(out);
  return out;
}

std::string_view Json::KindName() const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kBoolean:
      return "a boolean";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
    case Kind::kRaw:
      return "raw text";
  }
  return "";
}

bool Equal(const Json& a, const Json& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Json::Kind::kNull:
      return true;
    case Json::Kind::kBoolean:
      return a.boolean() == b.boolean();
    case Json::Kind::kNumber:
      return CompareNumbers(a.text(), b.text()) == 0;
    case Json::Kind::kString:
    case Json::Kind::kRaw:
      return a.text() == b.text();
    case Json::Kind::kArray:
      return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
                        Equal);
    case Json::Kind::kObject:
      return std::all_of(a.members().begin(), a.members().end(),
                         [&](const JsonMember& member) {
                           if (a.Find(member.key) != &member.value) return true;  // another counts
                           const Json* other = b.Find(member.key);
                           return other != nullptr && Equal(member.value, *other);
                         }) &&
             std::all_of(b.members().begin(), b.members().end(),
                         [&](const JsonMember& member) { return a.Find(member.key) != nullptr; });
  }
  return false;
}

std::size_t FindInvalidUtf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    std::size_t length = 0;
    std::uint32_t code = 0;
    std::uint32_t least = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
      length = 2, code = lead & 0x1FU, least = 0x80;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      length = 3, code = lead & 0x0FU, least = 0x800;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      length = 4, code = lead & 0x07U, least = 0x10000;
    } else {
      return i;
    }
    if (i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if ((byte & 0xC0U) != 0x80) return i;
      code = (code << 6U) | (byte & 0x3FU);
    }
    if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return i;
    i += length;
  }
  return std::string_view::npos;
}

namespace {

// Builds the tree from the tokenizer's events.
class TreeBuilder {
 public:
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();

  using error_code = boost::system::error_code;
  using string_view = boost::json::string_view;

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return Open(Json::Object()); }
  bool on_object_end(std::size_t, error_code&) {
    NoteDuplicates(stack_.back());
    return Close();
  }
  bool on_array_begin(error_code&) { return Open(Json::Array()); }
  bool on_array_end(std::size_t, error_code&) { return Close(); }
  bool on_key_part(string_view part, std::size_t, error_code&) { return Append(part); }
  bool on_key(string_view part, std::size_t, error_code&) {
    Append(part);
    keys_.push_back(std::exchange(text_, {}));
    return true;
  }
  bool on_string_part(string_view part, std::size_t, error_code&) { return Append(part); }
  bool on_string(string_view part, std::size_t, error_code&) {
    Append(part);
    return Add(Json::String(std::exchange(text_, {})));
  }
  bool on_number_part(string_view part, error_code&) { return Append(part); }
  bool on_int64(std::int64_t, string_view part, error_code&) { return AddNumber(part); }
  bool on_uint64(std::uint64_t, string_view part, error_code&) { return AddNumber(part); }
  bool on_double(double, string_view part, error_code&) { return AddNumber(part); }
  bool on_bool(bool value, error_code&) { return Add(Json::Boolean(value)); }
  bool on_null(error_code&) { return Add(Json()); }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

  // Numbers are taken from `original`, which may differ from what is tokenized, at equal offsets.
  void SetTexts(std::string_view tokenized, std::string_view original) {
    tokenized_ = tokenized;
    original_ = original;
  }
  Json TakeRoot() { return std::move(root_); }
  std::vector<std::string> TakeDuplicates() { return std::move(duplicates_); }

 private:
  bool Append(string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool AddNumber(string_view part) {
    Append(part);
    const std::size_t size = std::exchange(text_, {}).size();
    const auto end = static_cast<std::size_t>(part.data() + part.size() - tokenized_.data());
    return Add(Json::Number(std::string(original_.substr(end - size, size))));
  }
  bool Open(Json container) {
    stack_.push_back(std::move(container));
    return true;
  }
  bool Close() {
    Json done = std::move(stack_.back());
    stack_.pop_back();
    return Add(std::move(done));
  }
  bool Add(Json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
    } else if (stack_.back().is_array()) {
      stack_.back().items().push_back(std::move(value));
    } else {
      stack_.back().members().push_back({std::move(keys_.back()), std::move(value)});
      keys_.pop_back();
    }
    return true;
  }
  void NoteDuplicates(const Json& object) {
    std::vector<std::string_view> keys;
    keys.reserve(object.members().size());
    for (const JsonMember& member : object.members()) keys.push_back(member.key);
    std::sort(keys.begin(), keys.end());
    for (auto it = keys.begin(); (it = std::adjacent_find(it, keys.end())) != keys.end();) {
      duplicates_.emplace_back(*it);
      it = std::find_if(it, keys.end(), [&](std::string_view key) { return key != *it; });
    }
  }

  std::string_view tokenized_;
  std::string_view original_;
  Json root_;
  std::vector<Json> stack_;
  std::vector<std::string> keys_;
  std::string text_;
  std::vector<std::string> duplicates_;
};

// The code unit of the `\uXXXX` at `at`, or -1.
int EscapedUnit(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  const char* end = text.data() + at + 6;
  const auto [stop, error] = std::from_chars(text.data() + at + 2, end, unit, 16);
  return error == std::errc() && stop == end ? unit : -1;
}

// RFC 8259 §8.2 allows an escaped surrogate without its other half; the tokenizer does not. Writes
// U+FFFD in their place and says whether there were any.
bool ReplaceLoneSurrogates(std::string& text) {
  bool found = false;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '\\') continue;
    const int unit = EscapedUnit(text, i);
    const bool high = unit >= 0xD800 && unit <= 0xDBFF;
    const bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (high) {
      const int next = EscapedUnit(text, i + 6);
      if (next >= 0xDC00 && next <= 0xDFFF) {
        i += 11;
        continue;
      }
    }
    if (high || low) {
      text.replace(i, 6, "\\ufffd");
      found = true;
    }
    i += unit >= 0 ? 5 : 1;
  }
  return found;
}

// RFC 8259 §6 sets no limit to exponents; the tokenizer does. Writes zeros in place of the digits
// of large ones and says whether there were any.
bool ReplaceLargeExponents(std::string& text) {
  constexpr std::size_t kMostDigits = 8;
  bool found = false;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (in_string && text[i] == '\\') ++i;
    if (in_string || i >= text.size() || (text[i] != 'e' && text[i] != 'E')) continue;
    const std::size_t start = text.find_first_not_of("+-", i + 1);
    const std::size_t end = std::min(text.find_first_not_of("0123456789", start), text.size());
    if (start == std::string::npos || end - start <= kMostDigits) continue;
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(start),
              text.begin() + static_cast<std::ptrdiff_t>(end), '0');
    found = true;
  }
  return found;
}

}  // namespace

JsonParse ParseJson(std::string_view text) {
  JsonParse outcome;
  if (const std::size_t bad = FindInvalidUtf8(text); bad != std::string_view::npos) {
    outcome.error = "not valid UTF-8";
    outcome.offset = bad;
    return outcome;
  }
  boost::json::parse_options options;
  options.max_depth = kDeepestJson;
  const std::string_view original = text;
  std::string repaired;
  for (;;) {
    boost::json::basic_parser<TreeBuilder> parser(options);
    parser.handler().SetTexts(text, original);
    boost::system::error_code error;
    const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
    if (error && repaired.empty()) {
      repaired = text;
      outcome.lone_surrogate = ReplaceLoneSurrogates(repaired);
      if (ReplaceLargeExponents(repaired) || outcome.lone_surrogate) {
        text = repaired;
        continue;
      }
    }
    if (!error && used < text.size()) error = boost::json::error::extra_data;
    if (error) {
      outcome.error = error.message();
      outcome.offset = used;
      return outcome;
    }
    outcome.value = parser.handler().TakeRoot();
    outcome.duplicate_keys = parser.handler().TakeDuplicates();
    return outcome;
  }
}

const Json* At(const Json& root, std::string_view pointer) {
  const Json* here = &root;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string token(pointer.substr(0, end));
    pointer.remove_prefix(end);
    for (std::size_t at = 0; (at = token.find('~', at)) != std::string::npos; ++at) {
      if (token.compare(at, 2, "~1") == 0) token.replace(at, 2, "/");
      if (token.compare(at, 2, "~0") == 0) token.replace(at, 2, "~");
    }
    if (here->is_object()) {
      here = here->Find(token);
    } else if (here->is_array()) {
      if (token.size() > 1 && token.front() == '0') return nullptr;
      std::size_t index = 0;
      const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), index);
      if (error != std::errc() || stop != token.data() + token.size()) return nullptr;
      here = index < here->items().size() ? &here->items()[index] : nullptr;
    } else {
      return nullptr;
    }
    if (here == nullptr) return nullptr;
  }
  return here;
}

std::string PointerToken(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

}  // namespace assay
