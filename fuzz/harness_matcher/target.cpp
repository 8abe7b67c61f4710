// How the harness matches. The first line is a pattern, the second a value (none: absent). Two
// ways, one verdict: the matcher (harness/message/matcher), and the case format's words about
// matchers, followed one by one on the value (`Holds` below).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "fuzz/expect.h"
#include "fuzz/input.h"
#include "message/json.h"
#include "message/matcher.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

bool Holds(const Json& pattern, const Json* value);

// Equal by value, told once more: numbers through their order, objects as sets of members.
bool Same(const Json& a, const Json& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is_number()) return CompareNumbers(a.text(), b.text()) == 0;
  if (a.is_array()) {
    return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(), Same);
  }
  if (!a.is_object()) return a.Dump() == b.Dump();
  const auto has_all = [](const Json& inner, const Json& outer) {
    return std::all_of(inner.members().begin(), inner.members().end(), [&](const JsonMember& one) {
      const Json* other = outer.Find(one.key);
      return other != nullptr && Same(*inner.Find(one.key), *other);
    });
  };
  return has_all(a, b) && has_all(b, a);
}

// "$$x" is the text "$x", and "$x" is a matcher.
bool IsMatcher(std::string_view text) { return text.starts_with('$') && !text.starts_with("$$"); }
std::string Plain(const std::string& text) {
  return text.starts_with("$$") ? text.substr(1) : text;
}

bool HoldsWord(std::string_view word, const Json* value) {
  if (word == "$absent") return value == nullptr;
  if (value == nullptr) return false;
  if (word == "$any") return true;
  if (word == "$null") return value->is_null();
  if (word == "$string") return value->is_string();
  if (word == "$integer") return value->is_integer();
  if (word == "$number") return value->is_number();
  if (word == "$boolean") return value->is_boolean();
  if (word == "$array") return value->is_array();
  if (word == "$object") return value->is_object();
  static const std::regex kTimestamp(
      R"(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[+-]\d\d(:?\d\d)?)?)");
  // Days and hours that there are not are left to the other way.
  constexpr std::size_t kLongest = 64;  // the regular expressions of the library recurse
  return value->is_string() &&
         (value->text().size() > kLongest || std::regex_match(value->text(), kTimestamp)) &&
         !Match(Json::String("$timestamp"), value, {});
}

std::size_t LengthOf(const Json& value) {
  if (value.is_array()) return value.items().size();
  if (value.is_object()) return value.members().size();
  return static_cast<std::size_t>(
      std::count_if(value.text().begin(), value.text().end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x80 || byte >= 0xC0;
      }));
}

bool IsUnique(const Json& list) {
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (Same(list.items()[i], list.items()[k])) return false;
    }
  }
  return true;
}

bool HoldsKeyed(std::string_view key, const Json& argument, const Json* value) {
  const auto holds_for = [&](const Json& item) { return Holds(argument, &item); };
  if (key == "$not") return !Holds(argument, value);
  if (key == "$oneOf" || key == "$anyOf") {
    return std::any_of(argument.items().begin(), argument.items().end(),
                       [&](const Json& choice) { return Holds(choice, value); });
  }
  if (value == nullptr) return false;
  if (key == "$gte") {
    return value->is_number() && CompareNumbers(value->text(), argument.text()) >= 0;
  }
  if (key == "$lte") {
    return value->is_number() && CompareNumbers(value->text(), argument.text()) <= 0;
  }
  if (key == "$length") {
    const bool has_length = value->is_array() || value->is_object() || value->is_string();
    return has_length && holds_for(Json::Integer(static_cast<std::int64_t>(LengthOf(*value))));
  }
  if (key == "$contains" && value->is_string()) {
    return argument.is_string() && !IsMatcher(argument.text()) &&
           value->text().find(Plain(argument.text())) != std::string::npos;
  }
  if (!value->is_array()) return false;
  if (key == "$contains") {
    return std::any_of(value->items().begin(), value->items().end(), holds_for);
  }
  if (key == "$every") return std::all_of(value->items().begin(), value->items().end(), holds_for);
  return key == "$unique" && IsUnique(*value);
}

bool Holds(const Json& pattern, const Json* value) {
  if (pattern.is_string() && IsMatcher(pattern.text())) return HoldsWord(pattern.text(), value);
  if (pattern.is_object()) {
    const bool only_matchers =
        !pattern.members().empty() &&
        std::all_of(pattern.members().begin(), pattern.members().end(),
                    [](const JsonMember& member) { return IsMatcher(member.key); });
    if (!only_matchers && (value == nullptr || !value->is_object())) return false;
    return std::all_of(
        pattern.members().begin(), pattern.members().end(), [&](const JsonMember& member) {
          return IsMatcher(member.key) ? HoldsKeyed(member.key, member.value, value)
                                       : Holds(member.value, value->Find(Plain(member.key)));
        });
  }
  if (value == nullptr) return false;
  if (pattern.is_array()) {
    return value->is_array() &&
           std::equal(pattern.items().begin(), pattern.items().end(), value->items().begin(),
                      value->items().end(),
                      [](const Json& wanted, const Json& item) { return Holds(wanted, &item); });
  }
  if (pattern.is_string()) return value->is_string() && value->text() == Plain(pattern.text());
  return Same(pattern, *value);
}

// What only one of the two ways knows.
bool IsKnownToBoth(const Json& pattern) {
  for (const Json& item : pattern.items()) {
    if (!IsKnownToBoth(item)) return false;
  }
  return std::all_of(
      pattern.members().begin(), pattern.members().end(), [](const JsonMember& member) {
        return member.key != "$regex" && member.key != "$sameAs" && member.key != "$shape" &&
               !member.key.starts_with("${") && IsKnownToBoth(member.value);
      });
}

bool HasVariables(const Json& pattern) { return pattern.Dump().find("${") != std::string::npos; }

void JudgeMismatch(const Mismatch& mismatch, const Json* value, std::string_view text) {
  Expect(!mismatch.reason.empty(), "a mismatch has a reason", text);
  Expect(mismatch.pointer.empty() || mismatch.pointer.starts_with('/'), "a mismatch has its place",
         text);
  // A member that is missing is the one thing that a pointer may lead to and not find.
  if (value == nullptr) return;
  const std::size_t last = mismatch.pointer.rfind('/');
  if (last == std::string::npos) return;
  Expect(At(*value, mismatch.pointer.substr(0, last)) != nullptr, "a mismatch is within the value",
         text);
}

void JudgeLiterally(const JsonParse& parse, std::string_view text) {
  // Of members with the same name only the last one counts.
  if (!parse.value || !parse.duplicate_keys.empty()) return;
  const Json& value = *parse.value;
  const Json literal = LiteralPattern(value);
  Expect(!Match(literal, &value, {}), "a value matches itself, taken literally", text);
  Expect(!CheckPattern(literal), "a literal pattern is a good one", text);
}

void Judge(std::string_view text) {
  std::string_view rest = text;
  const JsonParse pattern = ParseJson(TakeLine(rest));
  const JsonParse value = ParseJson(TakeLine(rest));
  JudgeLiterally(value, text);
  JudgeLiterally(pattern, text);
  if (!pattern.value) return;
  const Json* subject = value.value ? &*value.value : nullptr;
  const std::optional<Mismatch> mismatch = Match(*pattern.value, subject, {});
  if (mismatch) JudgeMismatch(*mismatch, subject, text);
  // What is no good pattern a case file cannot have.
  if (CheckPattern(*pattern.value) || HasVariables(*pattern.value)) return;
  const Json opposite = Json::Object({{"$not", *pattern.value}});
  Expect(Match(opposite, subject, {}).has_value() != mismatch.has_value(),
         "what does not match matches the opposite", text);
  if (!IsKnownToBoth(*pattern.value)) return;
  Expect(Holds(*pattern.value, subject) != mismatch.has_value(), "both ways match the same", text);
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::Judge(assay::fuzz::Text(data, size));
  return 0;
}
