// Matching a message against a pattern, and telling good patterns from bad ones.

#include "message/matcher.h"

#include <algorithm>
#include <array>
#include <regex>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

using Kind = Json::Kind;

bool IsDollarKey(std::string_view key) { return key.starts_with('$') && !key.starts_with("$$"); }

std::string_view Unquote(std::string_view text) {
  return text.starts_with("$$") ? text.substr(1) : text;
}

// A text for people: not longer than two lines of a terminal.
std::string Cut(std::string text) {
  constexpr std::size_t kLimit = 200;
  if (text.size() <= kLimit) return text;
  std::size_t end = kLimit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  text.resize(end);
  return text + "…";
}

std::string Describe(const Json* value) {
  return value == nullptr ? "nothing" : Cut(value->Dump());
}

Mismatch Expected(std::string_view what, const Json* value) {
  return {"", "expected " + std::string(what) + ", got " + Describe(value)};
}

std::optional<Mismatch> Require(bool holds, std::string_view what, const Json* value) {
  if (holds) return std::nullopt;
  return Expected(what, value);
}

// The mismatch of a child, seen from its parent.
std::optional<Mismatch> Within(std::string_view key, std::optional<Mismatch> mismatch) {
  if (!mismatch) return std::nullopt;
  mismatch->pointer.insert(0, "/" + PointerToken(key));
  return mismatch;
}

std::regex CompileRegex(const std::string& text) {
  auto flags = std::regex::ECMAScript;
#ifdef __GLIBCXX__
  // The default engine recurses over the text it searches: a server could overflow our stack, or
  // keep it busy for ever.
  flags |= std::regex_constants::__polynomial;
#endif
  return std::regex(text, flags);
}

// Takes `count` digits off the front of `text`; -1 when they are not there.
int TakeDigits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool TakeOneOf(std::string_view& text, std::string_view choices) {
  if (text.empty() || choices.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

int DaysIn(int year, int month) {
  static constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays.at(static_cast<std::size_t>(month - 1));
}

// ISO 8601 calendar date and time of day, as RFC 3339 profiles it; the seconds and the offset,
// which only the profile demands, may be absent.
bool IsTimestamp(std::string_view text) {
  const int year = TakeDigits(text, 4);
  if (year < 0 || !TakeOneOf(text, "-")) return false;
  const int month = TakeDigits(text, 2);
  if (month < 1 || month > 12 || !TakeOneOf(text, "-")) return false;
  const int day = TakeDigits(text, 2);
  if (day < 1 || day > DaysIn(year, month) || !TakeOneOf(text, "Tt ")) return false;
  const int hour = TakeDigits(text, 2);
  if (hour < 0 || hour > 23 || !TakeOneOf(text, ":")) return false;
  const int minute = TakeDigits(text, 2);
  if (minute < 0 || minute > 59) return false;
  if (TakeOneOf(text, ":")) {
    const int second = TakeDigits(text, 2);
    if (second < 0 || second > 60) return false;  // 60: a leap second
    if (TakeOneOf(text, ".,")) {
      if (TakeDigits(text, 1) < 0) return false;
      while (TakeDigits(text, 1) >= 0) {
      }
    }
  }
  if (text.empty()) return true;
  if (TakeOneOf(text, "Zz")) return text.empty();
  if (!TakeOneOf(text, "+-")) return false;
  const int offset_hour = TakeDigits(text, 2);
  if (offset_hour < 0 || offset_hour > 23) return false;
  if (text.empty()) return true;
  TakeOneOf(text, ":");
  const int offset_minute = TakeDigits(text, 2);
  return offset_minute >= 0 && offset_minute <= 59 && text.empty();
}

struct Word {
  std::string_view name;
  std::string_view expected;
  bool (*holds)(const Json& value);
};

// `$absent` is not among them: it alone is about a value that is not there.
constexpr std::array<Word, 9> kWords = {{
    {"$any", "a value", [](const Json&) { return true; }},
    {"$null", "null", [](const Json& value) { return value.is_null(); }},
    {"$string", "a string", [](const Json& value) { return value.is_string(); }},
    {"$integer", "an integer", [](const Json& value) { return value.is_integer(); }},
    {"$number", "a number", [](const Json& value) { return value.is_number(); }},
    {"$boolean", "a boolean", [](const Json& value) { return value.is_boolean(); }},
    {"$array", "an array", [](const Json& value) { return value.is_array(); }},
    {"$object", "an object", [](const Json& value) { return value.is_object(); }},
    {"$timestamp", "an ISO 8601 timestamp",
     [](const Json& value) { return value.is_string() && IsTimestamp(value.text()); }},
}};

std::optional<Mismatch> MatchWord(std::string_view word, const Json* value) {
  if (word == "$absent") return Require(value == nullptr, "nothing", value);
  for (const Word& known : kWords) {
    if (known.name == word) {
      return Require(value != nullptr && known.holds(*value), known.expected, value);
    }
  }
  return Mismatch{"", "there is no matcher " + std::string(word)};
}

std::optional<Mismatch> MatchRegex(const Json& argument, const Json* value, const MatchContext&) {
  bool found = false;
  if (value != nullptr && value->is_string()) {
    try {
      found = std::regex_search(value->text(), CompileRegex(argument.text()));
    } catch (const std::regex_error& error) {
      return Mismatch{"", "bad regular expression " + argument.Dump() + ": " + error.what()};
    }
  }
  return Require(found, "a string that matches " + Cut(argument.Dump()), value);
}

std::optional<Mismatch> MatchAnyOf(const Json& argument, const Json* value,
                                   const MatchContext& context) {
  for (const Json& choice : argument.items()) {
    if (!Match(choice, value, context)) return std::nullopt;
  }
  return Expected("one of " + Cut(argument.Dump()), value);
}

std::optional<Mismatch> MatchNot(const Json& argument, const Json* value,
                                 const MatchContext& context) {
  return Require(Match(argument, value, context).has_value(),
                 "anything but " + Cut(argument.Dump()), value);
}

std::optional<Mismatch> MatchContains(const Json& argument, const Json* value,
                                      const MatchContext& context) {
  bool found = false;
  std::string_view holder = "an array or a string";
  if (value != nullptr && value->is_array()) {
    holder = "an array";
    found = std::any_of(value->items().begin(), value->items().end(),
                        [&](const Json& item) { return !Match(argument, &item, context); });
  } else if (value != nullptr && value->is_string()) {
    holder = "a string";
    found = argument.is_string() && !IsDollarKey(argument.text()) &&
            value->text().find(Unquote(argument.text())) != std::string::npos;
  }
  return Require(found, std::string(holder) + " that contains " + Cut(argument.Dump()), value);
}

std::optional<Mismatch> MatchEvery(const Json& argument, const Json* value,
                                   const MatchContext& context) {
  if (value == nullptr || !value->is_array()) return Expected("an array", value);
  for (std::size_t i = 0; i < value->items().size(); ++i) {
    auto mismatch = Within(std::to_string(i), Match(argument, &value->items()[i], context));
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

std::optional<Mismatch> MatchLength(const Json& argument, const Json* value,
                                    const MatchContext& context) {
  std::size_t length = 0;
  if (value != nullptr && value->is_array()) {
    length = value->items().size();
  } else if (value != nullptr && value->is_object()) {
    length = value->members().size();
  } else if (value != nullptr && value->is_string()) {
    // In characters: every byte but the continuations of UTF-8 begins one.
    length = static_cast<std::size_t>(
        std::count_if(value->text().begin(), value->text().end(),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
  } else {
    return Expected("an array, a string or an object", value);
  }
  const Json number = Json::Integer(static_cast<std::int64_t>(length));
  auto mismatch = Match(argument, &number, context);
  if (mismatch)
    mismatch->reason = "length of " + std::string(value->KindName()) + ": " + mismatch->reason;
  return mismatch;
}

std::optional<Mismatch> MatchBound(const Json& argument, const Json* value, bool lower) {
  if (!argument.is_number())
    return Mismatch{"", Describe(&argument) + " is no number to compare with"};
  bool holds = value != nullptr && value->is_number();
  if (holds) {
    const int order = CompareNumbers(value->text(), argument.text());
    holds = lower ? order >= 0 : order <= 0;
  }
  return Require(holds, (lower ? "a number >= " : "a number <= ") + argument.text(), value);
}

std::optional<Mismatch> MatchGte(const Json& argument, const Json* value, const MatchContext&) {
  return MatchBound(argument, value, true);
}

std::optional<Mismatch> MatchLte(const Json& argument, const Json* value, const MatchContext&) {
  return MatchBound(argument, value, false);
}

// The same for values that are equal, so that large lists need no comparison of each with each.
std::size_t Hash(const Json& value) {
  std::size_t hash = static_cast<std::size_t>(value.kind());
  if (value.is_number()) return hash + std::hash<double>()(value.AsDouble());
  if (value.is_boolean()) return hash + (value.boolean() ? 1 : 0);
  hash += std::hash<std::string>()(value.text());
  for (const Json& item : value.items()) hash = hash * 31 + Hash(item);
  for (const JsonMember& member : value.members()) {
    if (value.Find(member.key) != &member.value) continue;  // another of that key counts
    hash += std::hash<std::string>()(member.key) ^ Hash(member.value);
  }
  return hash;
}

std::optional<Mismatch> MatchUnique(const Json&, const Json* value, const MatchContext&) {
  if (value == nullptr || !value->is_array()) return Expected("an array", value);
  std::unordered_multimap<std::size_t, const Json*> seen;
  for (const Json& item : value->items()) {
    const auto [first, last] = seen.equal_range(Hash(item));
    if (std::any_of(first, last, [&](const auto& other) { return Equal(*other.second, item); })) {
      return Mismatch{"/" + std::to_string(&item - value->items().data()),
                      Describe(&item) + " occurs more than once"};
    }
    seen.emplace(Hash(item), &item);
  }
  return std::nullopt;
}

std::optional<Mismatch> MatchSameAs(const Json& argument, const Json* value,
                                    const MatchContext& context) {
  const Json* saved = context.saved ? context.saved(argument.text()) : nullptr;
  if (saved == nullptr) return Mismatch{"", "nothing was saved as " + argument.text()};
  return Require(value != nullptr && Equal(*saved, *value),
                 "the value saved as " + argument.text() + ", " + Describe(saved), value);
}

std::optional<Mismatch> MatchShape(const Json& argument, const Json* value,
                                   const MatchContext& context) {
  if (!context.shape) return Mismatch{"", "there are no shapes to compare with"};
  if (value == nullptr) return Expected("the shape " + argument.text(), value);
  return context.shape(argument.text(), *value);
}

std::optional<std::string> CheckRegex(const Json& argument) {
  if (!argument.is_string()) return "expects a regular expression";
  if (argument.text().find("${") != std::string::npos) return std::nullopt;
  try {
    CompileRegex(argument.text());
  } catch (const std::regex_error& error) {
    return std::string("is not a regular expression: ") + error.what();
  }
  return std::nullopt;
}

std::optional<std::string> CheckChoices(const Json& argument) {
  const bool variable = argument.is_string() && argument.text().starts_with("${");
  if (!variable && (!argument.is_array() || argument.items().empty())) {
    return "expects a list of at least one pattern";
  }
  return std::nullopt;
}

std::optional<std::string> CheckNumber(const Json& argument) {
  const bool variable = argument.is_string() && argument.text().starts_with("${");
  if (!variable && !argument.is_number()) return "expects a number";
  return std::nullopt;
}

std::optional<std::string> CheckTrue(const Json& argument) {
  if (!argument.is_boolean() || !argument.boolean()) return "expects true";
  return std::nullopt;
}

std::optional<std::string> CheckName(const Json& argument) {
  if (!argument.is_string() || argument.text().empty()) return "expects a name";
  return std::nullopt;
}

struct KeyedMatcher {
  std::string_view key;
  std::string_view argument;  // what is written there, and what then matches, for people
  std::string_view matches;
  std::optional<Mismatch> (*match)(const Json& argument, const Json* value, const MatchContext&);
  // What is wrong with the argument apart from the patterns inside it.
  std::optional<std::string> (*check)(const Json& argument);
  bool argument_is_pattern;
};

constexpr std::array<KeyedMatcher, 12> kKeyed = {{
    {"$regex", "\"^a+$\"", "a string in which the ECMAScript regular expression finds something",
     MatchRegex, CheckRegex, false},
    {"$oneOf", "[1, $null]", "what one of the patterns matches", MatchAnyOf, CheckChoices, true},
    {"$anyOf", "[1, $null]", "the same", MatchAnyOf, CheckChoices, true},
    {"$not", "$null", "what the pattern does not match; also what is not there", MatchNot, nullptr,
     true},
    {"$contains", "{ name: echo }",
     "an array with an element that the pattern matches, or a string with this text in it",
     MatchContains, nullptr, true},
    {"$every", "$string", "an array whose elements the pattern matches", MatchEvery, nullptr, true},
    {"$length", "{ $gte: 1 }",
     "an array, an object or a string (in characters) whose length the pattern matches",
     MatchLength, nullptr, true},
    {"$gte", "0", "a number that is not less", MatchGte, CheckNumber, false},
    {"$lte", "100", "a number that is not greater", MatchLte, CheckNumber, false},
    {"$unique", "true", "an array without two equal elements", MatchUnique, CheckTrue, false},
    {"$sameAs", "name", "what equals the variable that `save` set", MatchSameAs, CheckName, false},
    {"$shape", "Name", "what has this shape of the revision in use (cases/shapes)", MatchShape,
     CheckName, false},
}};

const KeyedMatcher* FindKeyed(std::string_view key) {
  const auto* found = std::find_if(kKeyed.begin(), kKeyed.end(),
                                   [&](const KeyedMatcher& known) { return known.key == key; });
  return found == kKeyed.end() ? nullptr : found;
}

std::optional<Mismatch> MatchArray(const Json& pattern, const Json* value,
                                   const MatchContext& context) {
  if (value == nullptr || !value->is_array()) return Expected("an array", value);
  const std::size_t size = pattern.items().size();
  if (value->items().size() != size) {
    return Expected("an array of " + std::to_string(size), value);
  }
  for (std::size_t i = 0; i < size; ++i) {
    auto mismatch =
        Within(std::to_string(i), Match(pattern.items()[i], &value->items()[i], context));
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

std::optional<Mismatch> MatchObject(const Json& pattern, const Json* value,
                                    const MatchContext& context) {
  bool mapping = pattern.members().empty();
  for (const JsonMember& member : pattern.members()) mapping |= !IsDollarKey(member.key);
  if (mapping && (value == nullptr || !value->is_object())) return Expected("an object", value);
  for (const JsonMember& member : pattern.members()) {
    std::optional<Mismatch> mismatch;
    if (!IsDollarKey(member.key)) {
      const std::string_view key = Unquote(member.key);
      mismatch = Within(key, Match(member.value, value->Find(key), context));
    } else if (const KeyedMatcher* matcher = FindKeyed(member.key)) {
      mismatch = matcher->match(member.value, value, context);
    } else {
      mismatch = Mismatch{"", "there is no matcher " + member.key};
    }
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Mismatch> Match(const Json& pattern, const Json* value, const MatchContext& context) {
  switch (pattern.kind()) {
    case Kind::kArray:
      return MatchArray(pattern, value, context);
    case Kind::kObject:
      return MatchObject(pattern, value, context);
    case Kind::kRaw:
      return Match(LiteralPattern(pattern), value, context);
    case Kind::kString: {
      if (IsDollarKey(pattern.text())) return MatchWord(pattern.text(), value);
      const Json literal = Json::String(std::string(Unquote(pattern.text())));
      return Require(value != nullptr && Equal(literal, *value), Describe(&literal), value);
    }
    default:
      return Require(value != nullptr && Equal(pattern, *value), Describe(&pattern), value);
  }
}

Json LiteralPattern(const Json& value) {
  switch (value.kind()) {
    case Kind::kString:
      return value.text().starts_with('$') ? Json::String("$" + value.text()) : value;
    case Kind::kArray: {
      Json pattern = Json::Array();
      for (const Json& item : value.items()) pattern.items().push_back(LiteralPattern(item));
      return pattern;
    }
    case Kind::kObject: {
      Json pattern = Json::Object();
      for (const JsonMember& member : value.members()) {
        pattern.members().push_back(
            {(member.key.starts_with('$') ? "$" : "") + member.key, LiteralPattern(member.value)});
      }
      return pattern;
    }
    case Kind::kRaw: {
      JsonParse parse = ParseJson(value.text());
      // Text that is not JSON is nothing a message can hold: no value is equal to it.
      return parse.value ? LiteralPattern(*parse.value)
                         : Json::Object({{"$not", Json::String("$any")}});
    }
    default:
      return value;
  }
}

std::vector<MatcherText> MatcherTexts() {
  std::vector<MatcherText> texts = {{"$absent", "nothing: the member is not there"}};
  for (const Word& word : kWords) texts.push_back({std::string(word.name), word.expected});
  for (const KeyedMatcher& keyed : kKeyed) {
    texts.push_back(
        {"{ " + std::string(keyed.key) + ": " + std::string(keyed.argument) + " }", keyed.matches});
  }
  return texts;
}

std::optional<std::string> CheckPattern(const Json& pattern) {
  if (pattern.is_string()) {
    const std::string& text = pattern.text();
    const bool known =
        text == "$absent" || std::any_of(kWords.begin(), kWords.end(),
                                         [&](const Word& word) { return word.name == text; });
    if (!IsDollarKey(text) || text.starts_with("${") || known) return std::nullopt;
    if (FindKeyed(text) != nullptr) return text + " takes an argument: {" + text + ": …}";
    return "there is no matcher " + text + " (a literal $ is written $$)";
  }
  if (pattern.kind() == Kind::kRaw) {
    if (pattern.text().find("${") != std::string::npos) return std::nullopt;
    const JsonParse parse = ParseJson(pattern.text());
    return parse.value ? std::nullopt : std::optional("$json is not JSON: " + parse.error);
  }
  for (const Json& item : pattern.items()) {
    if (auto problem = CheckPattern(item)) return problem;
  }
  for (const JsonMember& member : pattern.members()) {
    const KeyedMatcher* matcher = FindKeyed(member.key);
    if (matcher == nullptr && IsDollarKey(member.key) && !member.key.starts_with("${")) {
      return "there is no matcher " + member.key + " (a literal $ is written $$)";
    }
    if (matcher != nullptr && matcher->check != nullptr) {
      if (auto problem = matcher->check(member.value)) return member.key + " " + *problem;
    }
    if (matcher == nullptr || matcher->argument_is_pattern) {
      if (auto problem = CheckPattern(member.value)) return problem;
    }
  }
  return std::nullopt;
}

}  // namespace assay
