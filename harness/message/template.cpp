// Filling in `${name}` and `$$`, in values to be sent and in patterns.

#include "message/template.h"

#include <algorithm>
#include <utility>

#include "message/matcher.h"

namespace assay {
namespace {

// A stretch of a text: literal characters, or the name of a variable.
struct Piece {
  bool variable = false;
  std::string text;
  bool optional = false;  // `${name?}`
};

// `${` that nothing closes is text.
std::vector<Piece> Split(std::string_view text) {
  std::vector<Piece> pieces;
  const auto literal = [&](std::string_view part) {
    if (pieces.empty() || pieces.back().variable) pieces.emplace_back();
    pieces.back().text += part;
  };
  while (!text.empty()) {
    const std::size_t dollar = std::min(text.find('$'), text.size());
    if (dollar > 0) literal(text.substr(0, dollar));
    text.remove_prefix(dollar);
    const std::size_t close = text.find('}');
    if (text.starts_with("$$")) {
      literal("$");
      text.remove_prefix(2);
    } else if (text.starts_with("${") && close != std::string_view::npos) {
      std::string_view name = text.substr(2, close - 2);
      const bool optional = name.ends_with('?');
      if (optional) name.remove_suffix(1);
      pieces.push_back({true, std::string(name), optional});
      text.remove_prefix(close + 1);
    } else if (!text.empty()) {
      literal("$");
      text.remove_prefix(1);
    }
  }
  return pieces;
}

Json ValueOf(const std::string& name, const Lookup& lookup) {
  std::optional<Json> value = lookup(name);
  if (!value) throw UnknownVariable(name);
  return *std::move(value);
}

std::string AsText(const Json& value) { return value.is_string() ? value.text() : value.Dump(); }

std::string FillText(std::string_view text, const Lookup& lookup) {
  if (text.find('$') == std::string_view::npos) return std::string(text);
  std::string filled;
  for (const Piece& piece : Split(text)) {
    filled += piece.variable ? AsText(ValueOf(piece.text, lookup)) : piece.text;
  }
  return filled;
}

// A variable's value inside a regular expression stands for itself.
std::string FillRegex(std::string_view text, const Lookup& lookup) {
  std::string filled;
  for (const Piece& piece : Split(text)) {
    if (!piece.variable) {
      filled += piece.text;
      continue;
    }
    for (const char c : AsText(ValueOf(piece.text, lookup))) {
      if (std::string_view("^$\\.*+?()[]{}|/").find(c) != std::string_view::npos) filled += '\\';
      filled += c;
    }
  }
  return filled;
}

// The text of `{$json: text}`, or null when `value` is something else.
const Json* ExactText(const Json& value) {
  if (value.members().size() != 1 || value.members().front().key != "$json") return nullptr;
  const Json& text = value.members().front().value;
  return text.is_string() || text.is_number() ? &text : nullptr;
}

// Whether this is `${name?}` and there is no such variable.
bool IsLeftOut(const Json& value, const Lookup& lookup) {
  if (!value.is_string() || value.text().find("?}") == std::string::npos) return false;
  const std::vector<Piece> pieces = Split(value.text());
  return pieces.size() == 1 && pieces.front().optional && !lookup(pieces.front().text);
}

// Whether a text is a matcher rather than a literal: `$word`, but neither `$$…` nor `${…}`.
bool IsMatcher(std::string_view text) {
  return text.starts_with('$') && !text.starts_with("$$") && !text.starts_with("${");
}

}  // namespace

Json FillValue(const Json& value, const Lookup& lookup) {
  switch (value.kind()) {
    case Json::Kind::kString: {
      if (value.text().find('$') == std::string::npos) return value;
      const std::vector<Piece> pieces = Split(value.text());
      if (pieces.size() == 1 && pieces.front().variable) {
        return ValueOf(pieces.front().text, lookup);
      }
      return Json::String(FillText(value.text(), lookup));
    }
    case Json::Kind::kRaw:
      return Json::Raw(FillText(value.text(), lookup));
    case Json::Kind::kArray: {
      Json filled = Json::Array();
      filled.items().reserve(value.items().size());
      for (const Json& item : value.items()) filled.items().push_back(FillValue(item, lookup));
      return filled;
    }
    case Json::Kind::kObject: {
      if (const Json* exact = ExactText(value)) return Json::Raw(FillText(exact->text(), lookup));
      Json filled = Json::Object();
      filled.members().reserve(value.members().size());
      for (const JsonMember& member : value.members()) {
        if (IsLeftOut(member.value, lookup)) continue;
        filled.members().push_back({FillText(member.key, lookup), FillValue(member.value, lookup)});
      }
      return filled;
    }
    default:
      return value;
  }
}

Json FillPattern(const Json& pattern, const Lookup& lookup) {
  switch (pattern.kind()) {
    case Json::Kind::kString:
      if (IsMatcher(pattern.text())) return pattern;
      return LiteralPattern(FillValue(pattern, lookup));
    case Json::Kind::kRaw:
      return LiteralPattern(FillValue(pattern, lookup));
    case Json::Kind::kArray: {
      Json filled = Json::Array();
      for (const Json& item : pattern.items()) filled.items().push_back(FillPattern(item, lookup));
      return filled;
    }
    case Json::Kind::kObject: {
      if (ExactText(pattern) != nullptr) return LiteralPattern(FillValue(pattern, lookup));
      Json filled = Json::Object();
      for (const JsonMember& member : pattern.members()) {
        if (member.key == "$regex" && member.value.is_string()) {
          filled.members().push_back(
              {member.key, Json::String(FillRegex(member.value.text(), lookup))});
        } else if (IsMatcher(member.key)) {
          filled.members().push_back({member.key, FillPattern(member.value, lookup)});
        } else {
          std::string key = FillText(member.key, lookup);
          if (key.starts_with('$')) key.insert(0, 1, '$');
          filled.members().push_back({std::move(key), FillPattern(member.value, lookup)});
        }
      }
      return filled;
    }
    default:
      return pattern;
  }
}

std::vector<std::string> VariablesOf(const Json& value) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& text) {
    for (Piece& piece : Split(text)) {
      if (piece.variable) names.push_back(std::move(piece.text));
    }
  };
  const auto add_all = [&](const Json& child) {
    for (std::string& name : VariablesOf(child)) names.push_back(std::move(name));
  };
  add(value.text());
  for (const Json& item : value.items()) add_all(item);
  for (const JsonMember& member : value.members()) {
    add(member.key);
    add_all(member.value);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace assay
