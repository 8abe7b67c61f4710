#include "oracle/shape_type.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace assay {
namespace {

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/';
}
bool IsNumberCharacter(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+';
}

// Recursive descent over one plain scalar.
class ExpressionParser {
 public:
  ExpressionParser(Place place, std::string_view text, const InternName& intern)
      : place_(std::move(place)), text_(text), intern_(intern) {}

  ShapeType Parse() {
    ShapeType type = Union();
    if (at_ < text_.size()) Fail("expected the end of the type or `|`");
    return type;
  }

 private:
  ShapeType Union() {
    ShapeType first = Term();
    if (!Take('|')) return first;
    ShapeType type = Of(ShapeType::Kind::kUnion);
    type.parts.push_back(std::move(first));
    do {
      type.parts.push_back(Term());
    } while (Take('|'));
    return type;
  }

  ShapeType Term() {
    SkipSpace();
    if (Take('[')) {
      ShapeType type = Of(ShapeType::Kind::kArray);
      type.parts.push_back(Union());
      Expect(']');
      return type;
    }
    if (at_ < text_.size() && IsNumberCharacter(text_[at_])) {
      ShapeType type = Of(ShapeType::Kind::kConstant);
      type.constant = Json::Number(Number());
      return type;
    }
    return Named(Word());
  }

  ShapeType Named(const std::string& word) {
    using Kind = ShapeType::Kind;
    if (word == "any") return Of(Kind::kAny);
    if (word == "null") return Of(Kind::kNull);
    if (word == "boolean") return Of(Kind::kBoolean);
    if (word == "object") return Of(Kind::kObject);
    if (word == "array") return Of(Kind::kArray);
    if (word == "integer") return Range(Of(Kind::kInteger));
    if (word == "number") return Range(Of(Kind::kNumber));
    if (word == "string") return Formatted(Of(Kind::kString));
    if (word == "enum") return Enum(Of(Kind::kEnum));
    if (!IsShapeName(word)) Fail("`" + word + "` is neither a type nor the name of a shape");
    ShapeType type = Of(Kind::kReference);
    type.name = intern_(word);
    return type;
  }

  ShapeType Range(ShapeType type) {
    if (!Take('(')) return type;
    SkipSpace();
    if (!At("..")) type.least = Number();
    SkipSpace();
    if (!At("..")) Fail("expected `..`");
    at_ += 2;
    SkipSpace();
    if (at_ < text_.size() && text_[at_] != ')') type.most = Number();
    Expect(')');
    return type;
  }

  ShapeType Formatted(ShapeType type) {
    if (!Take('(')) return type;
    const std::string word = Word();
    if (word == "uri") {
      type.format = ShapeType::Format::kUri;
    } else if (word == "uri-template") {
      type.format = ShapeType::Format::kUriTemplate;
    } else if (word == "base64") {
      type.format = ShapeType::Format::kBase64;
    } else {
      Fail("`" + word + "` is not a format: expected uri, uri-template or base64");
    }
    Expect(')');
    return type;
  }

  ShapeType Enum(ShapeType type) {
    Expect('(');
    do {
      type.words.push_back(Word());
    } while (Take('|'));
    Expect(')');
    return type;
  }

  std::string Word() {
    SkipSpace();
    const std::size_t start = at_;
    while (at_ < text_.size() && IsWordCharacter(text_[at_])) ++at_;
    if (at_ == start) Fail("expected a type");
    return std::string(text_.substr(start, at_ - start));
  }

  std::string Number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !At("..") &&
           (IsNumberCharacter(text_[at_]) || text_[at_] == '.')) {
      ++at_;
    }
    std::string number(text_.substr(start, at_ - start));
    if (!IsJsonNumber(number)) Fail("`" + number + "` is not a number");
    return number;
  }

  bool At(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail(std::string("expected `") + c + "`");
  }
  ShapeType Of(ShapeType::Kind kind) const {
    ShapeType type;
    type.kind = kind;
    type.place = place_;
    return type;
  }
  [[noreturn]] void Fail(const std::string& message) const {
    throw InputError(place_, "`" + std::string(text_) + "`: " + message);
  }

  Place place_;
  std::string_view text_;
  const InternName& intern_;
  std::size_t at_ = 0;
};

class TypeParser {
 public:
  TypeParser(const std::string& path, const InternName& intern) : path_(path), intern_(intern) {}

  ShapeType Parse(const YamlNode& node) const {
    switch (node.kind) {
      case YamlNode::Kind::kScalar:
        return Scalar(node);
      case YamlNode::Kind::kSequence:
        return Sequence(node);
      case YamlNode::Kind::kMapping:
        return node.Find("$on") != nullptr ? Switch(node) : Object(node);
    }
    return {};
  }

 private:
  ShapeType Scalar(const YamlNode& node) const {
    if (!node.quoted) return ExpressionParser(PlaceOf(node), node.text, intern_).Parse();
    ShapeType type = Of(ShapeType::Kind::kConstant, node);
    type.constant = Json::String(node.text);
    return type;
  }

  ShapeType Sequence(const YamlNode& node) const {
    if (node.items.size() != 1) Fail(node, "expected one type: that of the array's items");
    ShapeType type = Of(ShapeType::Kind::kArray, node);
    type.parts.push_back(Parse(node.items.front()));
    return type;
  }

  ShapeType Object(const YamlNode& node) const {
    ShapeType type = Of(ShapeType::Kind::kObject, node);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const YamlNode& key = node.keys[i];
      const YamlNode& value = node.items[i];
      if (key.text == "$each") {
        type.each.push_back(Parse(value));
      } else if (key.text == "$is") {
        type.is = References(value);
      } else {
        type.members.push_back(Member(key, value));
      }
    }
    return type;
  }

  std::vector<ShapeType> References(const YamlNode& node) const {
    if (!node.is_sequence()) Fail(node, "expected a list of names");
    std::vector<ShapeType> references;
    for (const YamlNode& item : node.items) {
      references.push_back(Parse(item));
      if (references.back().kind != ShapeType::Kind::kReference) Fail(item, "expected a name");
    }
    return references;
  }

  ShapeMember Member(const YamlNode& key, const YamlNode& value) const {
    ShapeMember member;
    member.name = key.text;
    if (member.name.rfind("$$", 0) == 0) {
      member.name.erase(0, 1);
    } else if (member.name.rfind('$', 0) == 0) {
      Fail(key, "unknown key `" + member.name + "`: expected $is, $each or $on");
    }
    if (!member.name.empty() && member.name.back() == '?') {
      member.required = false;
      member.name.pop_back();
    }
    member.type = Parse(value);
    return member;
  }

  ShapeType Switch(const YamlNode& node) const {
    ShapeType type = Of(ShapeType::Kind::kSwitch, node);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const YamlNode& key = node.keys[i];
      const YamlNode& value = node.items[i];
      if (key.text == "$on") {
        if (!value.is_scalar()) Fail(value, "expected the name of a member");
        type.discriminator = value.text;
      } else if (key.text == "$cases") {
        if (!value.is_mapping()) Fail(value, "expected a mapping of values to types");
        for (std::size_t k = 0; k < value.items.size(); ++k) {
          type.cases.push_back({value.keys[k].text, Parse(value.items[k])});
        }
      } else if (key.text == "$other") {
        type.parts.push_back(Parse(value));
      } else {
        Fail(key, "unknown key `" + key.text + "`: beside $on stand $cases and $other");
      }
    }
    if (type.cases.empty()) Fail(node, "$on needs $cases");
    return type;
  }

  Place PlaceOf(const YamlNode& node) const { return {path_, node.line, node.column}; }
  ShapeType Of(ShapeType::Kind kind, const YamlNode& node) const {
    ShapeType type;
    type.kind = kind;
    type.place = PlaceOf(node);
    return type;
  }
  [[noreturn]] void Fail(const YamlNode& node, const std::string& message) const {
    throw InputError(PlaceOf(node), message);
  }

  const std::string& path_;
  const InternName& intern_;
};

}  // namespace

ShapeType ParseShapeType(const std::string& path, const YamlNode& node, const InternName& intern) {
  return TypeParser(path, intern).Parse(node);
}

bool IsShapeName(std::string_view text) {
  return !text.empty() && std::isupper(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace assay
