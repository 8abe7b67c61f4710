// The meta-schemas, keyword by keyword.

#include "oracle/json_schema_syntax.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "oracle/ecma_regex.h"

namespace assay::oracle {
namespace {

bool IsTypeName(const Json& name) {
  constexpr std::array<std::string_view, 7> kTypes = {"null",   "boolean", "object", "array",
                                                      "number", "integer", "string"};
  return name.is_string() && std::find(kTypes.begin(), kTypes.end(), name.text()) != kTypes.end();
}

bool AreDifferentStrings(const Json& list) {
  std::set<std::string_view> seen;
  return list.is_array() &&
         std::all_of(list.items().begin(), list.items().end(), [&](const Json& item) {
           return item.is_string() && seen.insert(item.text()).second;
         });
}

bool IsType(const Json& type) {
  if (!type.is_array()) return IsTypeName(type);
  return !type.items().empty() && AreDifferentStrings(type) &&
         std::all_of(type.items().begin(), type.items().end(), IsTypeName);
}

// 2020-12 writes it as the pattern ^[A-Za-z_][-A-Za-z0-9._]*$.
bool IsAnchor(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  return !name.empty() && plain(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return plain(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

bool IsMapOf(const Json& map, bool (*holds)(const Json&)) {
  return map.is_object() &&
         std::all_of(map.members().begin(), map.members().end(),
                     [&](const JsonMember& member) { return holds(member.value); });
}

bool HasForm(const Json& value, KeywordForm form, Dialect dialect) {
  switch (form) {
    case KeywordForm::kSchema:
      return true;  // looked at as a schema
    case KeywordForm::kSchemas:
      return value.is_array() && !value.items().empty();
    case KeywordForm::kSchemaOrSchemas:
      return !value.is_array() || !value.items().empty();
    case KeywordForm::kSchemaMap:
    case KeywordForm::kPatternMap:
      return value.is_object();
    case KeywordForm::kDependencies:
      return IsMapOf(value,
                     [](const Json& one) { return !one.is_array() || AreDifferentStrings(one); });
    case KeywordForm::kType:
      return IsType(value);
    case KeywordForm::kNames:
      return AreDifferentStrings(value);
    case KeywordForm::kNameMap:
      return IsMapOf(value, AreDifferentStrings);
    case KeywordForm::kArray:
      return value.is_array();
    case KeywordForm::kString:
    case KeywordForm::kPattern:
    case KeywordForm::kReference:
      return value.is_string();
    case KeywordForm::kIdentifier:
      return value.is_string() &&
             (dialect == Dialect::kDraft07 || value.text().find('#') >= value.text().size() - 1);
    case KeywordForm::kAnchor:
      return value.is_string() && IsAnchor(value.text());
    case KeywordForm::kBoolean:
      return value.is_boolean();
    case KeywordForm::kNumber:
      return value.is_number();
    case KeywordForm::kPositive:
      return value.is_number() && CompareNumbers(value.text(), "0") > 0;
    case KeywordForm::kCount:
      return value.is_integer() && CompareNumbers(value.text(), "0") >= 0;
    case KeywordForm::kBooleanMap:
      return IsMapOf(value, [](const Json& one) { return one.is_boolean(); });
  }
  return true;
}

std::string_view Wanted(KeywordForm form) {
  switch (form) {
    case KeywordForm::kSchemas:
    case KeywordForm::kSchemaOrSchemas:
      return "no list of schemas, or an empty one";
    case KeywordForm::kSchemaMap:
    case KeywordForm::kPatternMap:
      return "no object";
    case KeywordForm::kDependencies:
    case KeywordForm::kNameMap:
      return "no object of lists of different strings";
    case KeywordForm::kType:
      return "no type, or list of different types";
    case KeywordForm::kNames:
      return "no list of different strings";
    case KeywordForm::kArray:
      return "no list";
    case KeywordForm::kIdentifier:
      return "no URI reference without a fragment";
    case KeywordForm::kAnchor:
      return "no plain name";
    case KeywordForm::kBoolean:
      return "no boolean";
    case KeywordForm::kNumber:
      return "no number";
    case KeywordForm::kPositive:
      return "no number above 0";
    case KeywordForm::kCount:
      return "no integer from 0 on";
    case KeywordForm::kBooleanMap:
      return "no object of booleans";
    default:
      return "no string";
  }
}

std::string Excerpt(const Json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = value.Dump();
  if (text.size() > kLongest) text = std::string(value.KindName());
  return text;
}

class Syntax {
 public:
  explicit Syntax(const SchemaDocument& document) : document_(document) {}

  SchemaAnswer Check() {
    Look(document_.root(), document_.document(), {});
    // What only a reference makes a schema (a keyword that the dialect does not have holds it) no
    // meta-schema sees.
    firmly_ = false;
    while (!targets_.empty()) {
      const Target target = std::move(targets_.back());
      targets_.pop_back();
      Look(*target.schema, *target.resource, {.start = target.reference});
    }
    for (const auto* answer : {&invalid_, &doubtful_, &unjudged_}) {
      if (*answer) return **answer;
    }
    return {};
  }

 private:
  // A chain on the stack, written out only when something is wrong.
  struct Where {
    const Where* up = nullptr;
    const SubschemaPlace* place = nullptr;
    std::string_view start = {};

    std::string Pointer() const {
      return up == nullptr ? std::string(start) : up->Pointer() + place->Pointer();
    }
  };
  struct Target {
    const Json* schema;
    const SchemaResource* resource;
    std::string reference;
  };

  void Tell(SchemaAnswer::Kind kind, const Where& where, const std::string& why) {
    if (kind == SchemaAnswer::Kind::kInvalid && !firmly_) kind = SchemaAnswer::Kind::kDoubtful;
    std::optional<SchemaAnswer>& answer = kind == SchemaAnswer::Kind::kInvalid    ? invalid_
                                          : kind == SchemaAnswer::Kind::kDoubtful ? doubtful_
                                                                                  : unjudged_;
    if (answer) return;
    const std::string pointer = where.Pointer();
    answer = SchemaAnswer{kind, (pointer.empty() ? "the root" : pointer) + ": " + why};
  }

  void Look(const Json& schema, const SchemaResource& around, const Where& where) {
    if (!looked_at_.insert(&schema).second || schema.is_boolean()) return;
    if (!schema.is_object()) {
      return Tell(SchemaAnswer::Kind::kInvalid, where, Excerpt(schema) + " is no schema");
    }
    if (document_.ChangesDialect(schema)) {
      return Tell(SchemaAnswer::Kind::kNotJudged, where,
                  "another dialect, " + Excerpt(*schema.Find("$schema")));
    }
    const SchemaResource& resource = document_.ResourceOf(schema, around);
    for (const JsonMember& member : schema.members()) {
      const auto form = FormOf(member.key, document_.dialect());
      if (!form) continue;
      if (!HasForm(member.value, *form, document_.dialect())) {
        Tell(SchemaAnswer::Kind::kInvalid, where,
             member.key + ": " + Excerpt(member.value) + " is " + std::string(Wanted(*form)));
      } else if (*form == KeywordForm::kReference) {
        Follow(member.value.text(), resource, where);
      } else if (*form == KeywordForm::kPattern) {
        Compile(member.value.text(), where);
      } else if (*form == KeywordForm::kPatternMap) {
        for (const JsonMember& child : member.value.members()) Compile(child.key, where);
      }
    }
    ForEachSubschema(schema, document_.dialect(),
                     [&](const Json& child, const SubschemaPlace& place) {
                       Look(child, resource, {.up = &where, .place = &place});
                     });
  }

  void Follow(const std::string& reference, const SchemaResource& from, const Where& where) {
    const SchemaTarget target = document_.Resolve(reference, from);
    if (target.kind == SchemaTarget::Kind::kNowhere) {
      Tell(SchemaAnswer::Kind::kDoubtful, where, "nothing is at " + reference);
    } else if (target.kind == SchemaTarget::Kind::kFound) {
      targets_.push_back({target.schema, target.resource, reference});
    }
  }

  // That it is a regular expression is a SHOULD (Validation §6.3.3; draft-07 likewise).
  void Compile(const std::string& pattern, const Where& where) {
    const EcmaRegex regex(pattern);
    if (regex.fault().empty()) return;
    Tell(SchemaAnswer::Kind::kDoubtful, where,
         Json::String(pattern).Dump() + " is no regular expression: " + regex.fault());
  }

  const SchemaDocument& document_;
  std::unordered_set<const Json*> looked_at_;
  std::vector<Target> targets_;
  bool firmly_ = true;
  std::optional<SchemaAnswer> invalid_;
  std::optional<SchemaAnswer> doubtful_;
  std::optional<SchemaAnswer> unjudged_;
};

}  // namespace

SchemaAnswer CheckSyntax(const SchemaDocument& document) { return Syntax(document).Check(); }

}  // namespace assay::oracle
