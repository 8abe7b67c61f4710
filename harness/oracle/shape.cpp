#include "oracle/shape.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "case/place.h"
#include "case/yaml.h"
#include "oracle/shape_type.h"

namespace assay {
namespace {

using Kind = ShapeType::Kind;

// The shapes of one revision, by the number of their name; null where it has none.
using TypeTable = std::vector<const ShapeType*>;

constexpr std::size_t kMostMismatches = 8;
constexpr std::size_t kMostQuotedBytes = 60;

std::string Quoted(const Json& value) {
  std::string text = value.Dump();
  if (text.size() <= kMostQuotedBytes) return text;
  std::size_t end = kMostQuotedBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// RFC 3986 §3.1: a URI begins with a scheme. More is not asked for: servers put much into the rest.
bool HasScheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view scheme = text.substr(0, colon);
  return std::isalpha(static_cast<unsigned char>(scheme.front())) != 0 &&
         std::all_of(scheme.begin(), scheme.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' ||
                  c == '.';
         });
}

// RFC 6570 §2: braces enclose an expression and do not nest.
bool HasClosedBraces(std::string_view text) {
  bool open = false;
  for (const char c : text) {
    if (c != '{' && c != '}') continue;
    if ((c == '{') == open) return false;
    open = !open;
  }
  return !open;
}

// RFC 4648 §4, without insisting on padding and with the line breaks of RFC 2045.
bool IsBase64(std::string_view text) {
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\r' || c == '\n') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const bool digit = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/';
    if (!digit || padding > 0) return false;
    ++digits;
  }
  return digits % 4 != 1 && (padding == 0 || (padding <= 2 && (digits + padding) % 4 == 0));
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Checks one value against one type, through the names of one revision.
class Checker {
 public:
  explicit Checker(const TypeTable& types) : types_(types) {}

  std::vector<ShapeMismatch> Check(const ShapeType& type, const Json& value) {
    std::vector<Found> found;
    Collect(type, value, {}, found);
    std::vector<ShapeMismatch> mismatches;
    for (Found& one : found) {
      const bool known = std::any_of(mismatches.begin(), mismatches.end(), [&](const auto& other) {
        return other.pointer == one.pointer && other.reason == one.reason;
      });
      if (!known) mismatches.push_back({std::move(one.pointer), std::move(one.reason)});
      if (mismatches.size() == kMostMismatches) break;
    }
    return mismatches;
  }

 private:
  // Where a value stands: a chain of steps on the stack, written out only when something is wrong.
  struct Where {
    const Where* up = nullptr;
    std::string_view key;
    std::size_t index = 0;
    bool is_index = false;

    std::string Pointer() const {
      if (up == nullptr) return "";
      const std::string pointer = up->Pointer() + "/";
      return pointer + (is_index ? std::to_string(index) : PointerToken(key));
    }
  };

  struct Found {
    enum class What : std::uint8_t { kValue, kConstant, kMissing };
    std::string pointer;
    std::string reason;
    What what = What::kValue;
  };

  void Collect(const ShapeType& type, const Json& value, const Where& where,
               std::vector<Found>& found) const {
    switch (type.kind) {
      case Kind::kAny:
        return;
      case Kind::kReference:
        return Collect(*types_[type.name], value, where, found);
      case Kind::kUnion:
        return CollectUnion(type, value, where, found);
      case Kind::kSwitch:
        return CollectSwitch(type, value, where, found);
      case Kind::kConstant:
        if (!Equal(type.constant, value)) Add(type, value, where, found, Found::What::kConstant);
        return;
      case Kind::kEnum:
        if (!value.is_string() ||
            std::find(type.words.begin(), type.words.end(), value.text()) == type.words.end()) {
          Add(type, value, where, found, Found::What::kConstant);
        }
        return;
      case Kind::kNull:
        if (!value.is_null()) Add(type, value, where, found);
        return;
      case Kind::kBoolean:
        if (!value.is_boolean()) Add(type, value, where, found);
        return;
      case Kind::kNumber:
      case Kind::kInteger:
        if (!FitsNumber(type, value)) Add(type, value, where, found);
        return;
      case Kind::kString:
        if (!value.is_string() || !FitsFormat(type.format, value.text())) {
          Add(type, value, where, found);
        }
        return;
      case Kind::kArray:
        return CollectArray(type, value, where, found);
      case Kind::kObject:
        return CollectObject(type, value, where, found);
    }
  }

  static bool FitsNumber(const ShapeType& type, const Json& value) {
    if (!value.is_number() || (type.kind == Kind::kInteger && !value.is_integer())) return false;
    return (type.least.empty() || CompareNumbers(value.text(), type.least) >= 0) &&
           (type.most.empty() || CompareNumbers(value.text(), type.most) <= 0);
  }

  static bool FitsFormat(ShapeType::Format format, std::string_view text) {
    switch (format) {
      case ShapeType::Format::kNone:
        return true;
      case ShapeType::Format::kUri:
        return HasScheme(text);
      case ShapeType::Format::kUriTemplate:
        return HasClosedBraces(text);
      case ShapeType::Format::kBase64:
        return IsBase64(text);
    }
    return true;
  }

  void CollectArray(const ShapeType& type, const Json& value, const Where& where,
                    std::vector<Found>& found) const {
    if (!value.is_array()) return Add(type, value, where, found);
    if (type.parts.empty()) return;
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      Collect(type.parts.front(), value.items()[i], {&where, {}, i, true}, found);
      if (found.size() >= kMostMismatches) return;
    }
  }

  void CollectObject(const ShapeType& type, const Json& value, const Where& where,
                     std::vector<Found>& found) const {
    if (!value.is_object()) return Add(type, value, where, found);
    for (const ShapeType& base : type.is) Collect(base, value, where, found);
    for (const ShapeMember& member : type.members) {
      if (const Json* child = value.Find(member.name)) {
        Collect(member.type, *child, {&where, member.name}, found);
      } else if (member.required) {
        AddMissing(member.name, where, found);
      }
    }
    if (type.each.empty()) return;
    for (const JsonMember& child : value.members()) {
      const bool named =
          std::any_of(type.members.begin(), type.members.end(),
                      [&](const ShapeMember& member) { return member.name == child.key; });
      if (!named) Collect(type.each.front(), child.value, {&where, child.key}, found);
    }
  }

  void CollectSwitch(const ShapeType& type, const Json& value, const Where& where,
                     std::vector<Found>& found) const {
    if (!value.is_object()) return Add(type, value, where, found);
    const Json* selector = value.Find(type.discriminator);
    if (selector != nullptr && selector->is_string()) {
      for (const ShapeCase& one : type.cases) {
        if (one.value == selector->text()) return Collect(one.type, value, where, found);
      }
    }
    if (!type.parts.empty()) return Collect(type.parts.front(), value, where, found);
    if (selector == nullptr) return AddMissing(type.discriminator, where, found);
    std::vector<std::string> values;
    for (const ShapeCase& one : type.cases) values.push_back(one.value);
    const Where at_selector{&where, type.discriminator};
    found.push_back({at_selector.Pointer(),
                     "expected one of " + Join(values) + "; got " + Quoted(*selector),
                     Found::What::kConstant});
  }

  // Where no branch fits, the one that comes closest says what is wrong.
  void CollectUnion(const ShapeType& type, const Json& value, const Where& where,
                    std::vector<Found>& found) const {
    std::vector<Found> closest;
    for (const ShapeType& branch : type.parts) {
      if (!TakesKind(branch, value)) continue;
      std::vector<Found> of_branch;
      Collect(branch, value, where, of_branch);
      if (of_branch.empty()) return;
      if (closest.empty() || Distance(of_branch, where) < Distance(closest, where)) {
        closest = std::move(of_branch);
      }
    }
    if (closest.empty()) return Add(type, value, where, found);
    std::move(closest.begin(), closest.end(), std::back_inserter(found));
  }

  // How much speaks against a branch: first what says that another one is meant (a wrong constant,
  // a missing member of the value itself), then all the rest.
  static std::pair<std::size_t, std::size_t> Distance(const std::vector<Found>& found,
                                                      const Where& where) {
    const std::string here = where.Pointer();
    const auto against = std::count_if(found.begin(), found.end(), [&](const Found& one) {
      return one.what == Found::What::kConstant ||
             (one.what == Found::What::kMissing && one.pointer == here);
    });
    return {static_cast<std::size_t>(against), found.size()};
  }

  // Whether a value of this kind of JSON can fit at all.
  bool TakesKind(const ShapeType& type, const Json& value) const {
    switch (type.kind) {
      case Kind::kAny:
        return true;
      case Kind::kNull:
        return value.is_null();
      case Kind::kBoolean:
        return value.is_boolean();
      case Kind::kNumber:
      case Kind::kInteger:
        return value.is_number();
      case Kind::kString:
      case Kind::kEnum:
        return value.is_string();
      case Kind::kConstant:
        return value.kind() == type.constant.kind();
      case Kind::kArray:
        return value.is_array();
      case Kind::kObject:
      case Kind::kSwitch:
        return value.is_object();
      case Kind::kUnion:
        return std::any_of(type.parts.begin(), type.parts.end(),
                           [&](const ShapeType& part) { return TakesKind(part, value); });
      case Kind::kReference:
        return TakesKind(*types_[type.name], value);
    }
    return true;
  }

  static std::string Bounds(const ShapeType& type, const std::string& noun) {
    if (!type.least.empty() && !type.most.empty()) {
      return noun + " from " + type.least + " to " + type.most;
    }
    if (!type.least.empty()) return noun + " of " + type.least + " or more";
    if (!type.most.empty()) return noun + " of " + type.most + " or less";
    return noun;
  }

  // What the type asks for, in words.
  std::vector<std::string> Describe(const ShapeType& type) const {
    switch (type.kind) {
      case Kind::kAny:
        return {"anything"};
      case Kind::kNull:
        return {"null"};
      case Kind::kBoolean:
        return {"a boolean"};
      case Kind::kNumber:
        return {Bounds(type, "a number")};
      case Kind::kInteger:
        return {Bounds(type, "an integer")};
      case Kind::kString:
        switch (type.format) {
          case ShapeType::Format::kNone:
            return {"a string"};
          case ShapeType::Format::kUri:
            return {"a URI, which begins with a scheme"};
          case ShapeType::Format::kUriTemplate:
            return {"a URI template, in which every brace is closed"};
          case ShapeType::Format::kBase64:
            return {"base64"};
        }
        return {};
      case Kind::kConstant:
        return {type.constant.Dump()};
      case Kind::kEnum:
        return {"one of " + Join(type.words)};
      case Kind::kArray:
        return {"an array"};
      case Kind::kObject:
      case Kind::kSwitch:
        return {"an object"};
      case Kind::kReference:
        return Describe(*types_[type.name]);
      case Kind::kUnion: {
        std::vector<std::string> all;
        for (const ShapeType& part : type.parts) {
          for (std::string& words : Describe(part)) {
            if (std::find(all.begin(), all.end(), words) == all.end()) {
              all.push_back(std::move(words));
            }
          }
        }
        return all;
      }
    }
    return {};
  }

  void Add(const ShapeType& type, const Json& value, const Where& where, std::vector<Found>& found,
           Found::What what = Found::What::kValue) const {
    std::string expected;
    for (const std::string& words : Describe(type)) {
      expected += (expected.empty() ? "" : " or ") + words;
    }
    // Where the kind of JSON is right, the value itself is what is wrong.
    const std::string got = TakesKind(type, value) ? Quoted(value) : std::string(value.KindName());
    const bool is_list = type.kind == Kind::kEnum;
    found.push_back(
        {where.Pointer(), "expected " + expected + (is_list ? "; got " : ", got ") + got, what});
  }

  static void AddMissing(std::string_view member, const Where& where, std::vector<Found>& found) {
    found.push_back({where.Pointer(), "member `" + std::string(member) + "` is missing",
                     Found::What::kMissing});
  }

  const TypeTable& types_;
};

}  // namespace

struct Shapes::Impl {
  using MethodTable = std::map<std::string, std::string, std::less<>>;  // method -> shape

  struct Revision {
    TypeTable types;
    MethodTable results;
    MethodTable notifications;
    MethodTable requests;
  };

  void AddFile(const std::string& path, const YamlNode& root);
  Revision Base(const std::string& path, const YamlNode& root) const;
  void AddTypes(const std::string& path, const YamlNode& node, Revision& revision);

  std::size_t Number(std::string_view name) {
    const auto found = numbers.find(name);
    if (found != numbers.end()) return found->second;
    names.emplace_back(name);
    return numbers.emplace(name, names.size() - 1).first->second;
  }

  const Revision* FindRevision(std::string_view name) const {
    const auto found = revisions.find(name);
    return found == revisions.end() ? nullptr : &found->second;
  }

  // Null where `revision` has no such shape.
  const ShapeType* Find(const Revision& revision, std::string_view name) const {
    const auto number = numbers.find(name);
    if (number == numbers.end() || number->second >= revision.types.size()) return nullptr;
    return revision.types[number->second];
  }

  std::optional<std::string> FindMethod(std::string_view revision, MethodTable Revision::*table,
                                        std::string_view method) const {
    const Revision* known = FindRevision(revision);
    if (known == nullptr) return std::nullopt;
    const auto found = (known->*table).find(method);
    if (found == (known->*table).end()) return std::nullopt;
    return found->second;
  }

  std::vector<std::string> names;
  std::map<std::string, std::size_t, std::less<>> numbers;  // of the names
  std::vector<std::unique_ptr<const ShapeType>> owned;
  std::map<std::string, Revision, std::less<>> revisions;
};

namespace {

Place PlaceOf(const std::string& path, const YamlNode& node) {
  return {path, node.line, node.column};
}

// Every name in `type` has to be a shape of the revision, and a shape must not be defined by itself
// without a member or an item in between.
class ReferenceCheck {
 public:
  ReferenceCheck(const TypeTable& types, const std::vector<std::string>& names)
      : types_(types), names_(names) {}

  void Run() {
    for (const ShapeType* type : types_) {
      if (type == nullptr) continue;
      Resolve(*type);
    }
    for (std::size_t name = 0; name < types_.size(); ++name) {
      if (types_[name] == nullptr) continue;
      open_.assign(types_.size(), false);
      open_[name] = true;
      Unroll(*types_[name]);
    }
  }

 private:
  void Resolve(const ShapeType& type) const {
    if (type.kind == Kind::kReference) {
      if (type.name >= types_.size() || types_[type.name] == nullptr) {
        throw InputError(type.place, "there is no shape called `" + names_[type.name] + "`");
      }
      return;
    }
    for (const ShapeType& part : type.parts) Resolve(part);
    for (const ShapeMember& member : type.members) Resolve(member.type);
    for (const ShapeType& base : type.is) Resolve(base);
    for (const ShapeType& each : type.each) Resolve(each);
    for (const ShapeCase& one : type.cases) Resolve(one.type);
  }

  // Follows what is checked against the same value.
  void Unroll(const ShapeType& type) {
    if (type.kind == Kind::kReference) {
      if (open_[type.name]) {
        throw InputError(type.place, "the shape `" + names_[type.name] + "` is defined by itself");
      }
      open_[type.name] = true;
      Unroll(*types_[type.name]);
      open_[type.name] = false;
      return;
    }
    if (type.kind == Kind::kUnion || type.kind == Kind::kSwitch) {
      for (const ShapeType& part : type.parts) Unroll(part);
    }
    for (const ShapeType& base : type.is) Unroll(base);
    for (const ShapeCase& one : type.cases) Unroll(one.type);
  }

  const TypeTable& types_;
  const std::vector<std::string>& names_;
  std::vector<bool> open_;
};

}  // namespace

// What the file builds upon: another revision, the one it adds to, or nothing.
Shapes::Impl::Revision Shapes::Impl::Base(const std::string& path, const YamlNode& root) const {
  const YamlNode* base = root.Find("adds_to");
  if (base == nullptr) base = root.Find("extends");
  if (base == nullptr) return {};
  const Revision* known = FindRevision(base->text);
  if (known == nullptr) {
    throw InputError(PlaceOf(path, *base), "there are no shapes of revision " + base->text);
  }
  return *known;
}

void Shapes::Impl::AddTypes(const std::string& path, const YamlNode& node, Revision& revision) {
  const InternName intern = [this](std::string_view name) { return Number(name); };
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& key = node.keys[i];
    if (!IsShapeName(key.text)) {
      throw InputError(PlaceOf(path, key), "`" + key.text + "` is no name for a shape");
    }
    const std::size_t number = Number(key.text);
    owned.push_back(std::make_unique<const ShapeType>(ParseShapeType(path, node.items[i], intern)));
    if (revision.types.size() <= number) revision.types.resize(number + 1);
    revision.types[number] = owned.back().get();
  }
}

void Shapes::Impl::AddFile(const std::string& path, const YamlNode& root) {
  if (!root.is_mapping()) throw InputError(PlaceOf(path, root), "expected a mapping");
  Revision revision = Base(path, root);
  const YamlNode* name = root.Find("adds_to");
  if (name == nullptr) name = root.Find("revision");
  if (name == nullptr) {
    throw InputError(PlaceOf(path, root), "expected `revision` or `adds_to`");
  }
  if (name->text.empty() ||
      (FindRevision(name->text) != nullptr && root.Find("adds_to") == nullptr)) {
    throw InputError(PlaceOf(path, *name), "expected the name of a new revision");
  }
  const std::map<std::string_view, MethodTable Revision::*> tables = {
      {"results", &Revision::results},
      {"notifications", &Revision::notifications},
      {"requests", &Revision::requests},
  };
  std::vector<const YamlNode*> shapes_of_methods;
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    const YamlNode& key = root.keys[i];
    const YamlNode& value = root.items[i];
    const auto table = tables.find(key.text);
    if ((key.text == "shapes" || table != tables.end()) && !value.is_mapping()) {
      throw InputError(PlaceOf(path, value), "expected a mapping");
    }
    if (key.text == "shapes") {
      AddTypes(path, value, revision);
    } else if (table != tables.end()) {
      for (std::size_t k = 0; k < value.items.size(); ++k) {
        const std::string& method = value.keys[k].text;
        if (value.items[k].is_null()) {
          (revision.*table->second).erase(method);
        } else {
          (revision.*table->second)[method] = value.items[k].text;
          shapes_of_methods.push_back(&value.items[k]);
        }
      }
    } else if (key.text != "revision" && key.text != "extends" && key.text != "adds_to") {
      throw InputError(PlaceOf(path, key), "unknown key `" + key.text + "`");
    }
  }
  for (const YamlNode* shape : shapes_of_methods) {
    if (Find(revision, shape->text) == nullptr) {
      throw InputError(PlaceOf(path, *shape), "there is no shape called `" + shape->text + "`");
    }
  }
  ReferenceCheck(revision.types, names).Run();
  revisions[name->text] = std::move(revision);
}

Shapes::Shapes() : impl_(std::make_unique<Impl>()) {}
Shapes::~Shapes() = default;
Shapes::Shapes(Shapes&&) noexcept = default;
Shapes& Shapes::operator=(Shapes&&) noexcept = default;

void Shapes::AddFile(const std::string& path, const YamlText& yaml) {
  impl_->AddFile(path, ParseYaml(path, yaml));
}

bool Shapes::Has(std::string_view revision, std::string_view name) const {
  const Impl::Revision* known = impl_->FindRevision(revision);
  return known != nullptr && impl_->Find(*known, name) != nullptr;
}

std::vector<std::string> Shapes::Names(std::string_view revision) const {
  std::vector<std::string> names;
  const Impl::Revision* known = impl_->FindRevision(revision);
  if (known == nullptr) return names;
  for (std::size_t i = 0; i < known->types.size(); ++i) {
    if (known->types[i] != nullptr) names.push_back(impl_->names[i]);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> Shapes::ResultShape(std::string_view revision,
                                               std::string_view method) const {
  return impl_->FindMethod(revision, &Impl::Revision::results, method);
}

std::optional<std::string> Shapes::NotificationShape(std::string_view revision,
                                                     std::string_view method) const {
  return impl_->FindMethod(revision, &Impl::Revision::notifications, method);
}

std::optional<std::string> Shapes::RequestShape(std::string_view revision,
                                                std::string_view method) const {
  return impl_->FindMethod(revision, &Impl::Revision::requests, method);
}

std::vector<ShapeMismatch> Shapes::Check(std::string_view revision, std::string_view name,
                                         const Json& value) const {
  const Impl::Revision* known = impl_->FindRevision(revision);
  const ShapeType* type = known == nullptr ? nullptr : impl_->Find(*known, name);
  assert(type != nullptr);
  return Checker(known->types).Check(*type, value);
}

}  // namespace assay
