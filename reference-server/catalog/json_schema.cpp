#include "catalog/json_schema.h"

#include <cmath>
#include <string_view>

namespace assay::reference {
namespace {

namespace json = boost::json;
using Problem = std::optional<std::string>;

bool IsInteger(const json::value& value) {
  return value.is_int64() || value.is_uint64() ||
         (value.is_double() && std::trunc(value.get_double()) == value.get_double());
}

bool HasType(const json::value& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") return IsInteger(value);
  return false;
}

/// JSON Schema counts characters, not bytes.
std::size_t CharacterCount(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1U : 0U;
  return count;
}

const json::object* FindAnchor(const json::value& place, std::string_view anchor) {
  if (const json::array* array = place.if_array()) {
    for (const json::value& element : *array) {
      if (const json::object* found = FindAnchor(element, anchor)) return found;
    }
  }
  const json::object* object = place.if_object();
  if (object == nullptr) return nullptr;
  const json::value* own = object->if_contains("$anchor");
  if (own != nullptr && own->is_string() && own->get_string() == anchor) return object;
  for (const auto& member : *object) {
    if (const json::object* found = FindAnchor(member.value(), anchor)) return found;
  }
  return nullptr;
}

class Checker {
 public:
  explicit Checker(const json::object& root) : root_(root) {}

  Problem CheckRoot(const json::value& value) { return CheckKeywords(root_, value, "arguments"); }

 private:
  Problem Check(const json::value& schema, const json::value& value, const std::string& at) {
    if (++steps_ > kMaxSteps || depth_ >= kMaxDepth) return at + " is too complex to validate";
    if (schema.is_bool()) return schema.get_bool() ? Problem() : at + " is not allowed";
    if (!schema.is_object()) return Problem();
    ++depth_;
    Problem problem = CheckKeywords(schema.get_object(), value, at);
    --depth_;
    return problem;
  }

  static constexpr int kMaxSteps = 20'000;
  static constexpr int kMaxDepth = 200;

  Problem CheckKeywords(const json::object& schema, const json::value& value,
                        const std::string& at) {
    if (Problem problem = CheckReference(schema, value, at)) return problem;
    if (Problem problem = CheckScalar(schema, value, at)) return problem;
    if (value.is_object()) {
      if (Problem problem = CheckObject(schema, value.get_object(), at)) return problem;
    }
    if (value.is_array()) {
      if (Problem problem = CheckArray(schema, value.get_array(), at)) return problem;
    }
    return CheckCombination(schema, value, at);
  }

  Problem CheckReference(const json::object& schema, const json::value& value,
                         const std::string& at) {
    const json::value* reference = schema.if_contains("$ref");
    if (reference == nullptr || !reference->is_string()) return Problem();
    const std::string_view text = reference->get_string();
    const std::string unresolved = at + " cannot be validated: " + std::string(text);
    if (!text.starts_with('#')) return unresolved;
    const std::string_view fragment = text.substr(1);
    if (fragment.empty()) return Check(Root(), value, at);
    if (!fragment.starts_with('/')) {
      const json::object* target = FindAnchor(Root(), fragment);
      return target == nullptr ? unresolved : Check(*target, value, at);
    }
    boost::system::error_code failed;
    const json::value* target = Root().find_pointer(fragment, failed);
    return target == nullptr ? unresolved : Check(*target, value, at);
  }

  static Problem CheckScalar(const json::object& schema, const json::value& value,
                             const std::string& at) {
    if (const json::value* type = schema.if_contains("type")) {
      bool fits = type->is_string() && HasType(value, type->get_string());
      if (const json::array* types = type->if_array()) {
        for (const json::value& one : *types) fits = fits || HasType(value, one.as_string());
      }
      if (!fits) return at + " must be of type " + json::serialize(*type);
    }
    if (const json::value* constant = schema.if_contains("const")) {
      if (*constant != value) return at + " must be " + json::serialize(*constant);
    }
    if (const json::value* choices = schema.if_contains("enum")) {
      bool found = false;
      for (const json::value& choice : choices->as_array()) found = found || choice == value;
      if (!found) return at + " must be one of " + json::serialize(*choices);
    }
    if (value.is_number()) return CheckNumber(schema, value, at);
    if (value.is_string()) {
      const std::size_t length = CharacterCount(value.get_string());
      return CheckSize(schema, length, "minLength", "maxLength", at, " characters");
    }
    return Problem();
  }

  static Problem CheckNumber(const json::object& schema, const json::value& value,
                             const std::string& at) {
    const auto number = value.to_number<double>();
    const auto limit = [&schema](std::string_view name) -> std::optional<double> {
      const json::value* given = schema.if_contains(name);
      if (given == nullptr || !given->is_number()) return std::nullopt;
      return given->to_number<double>();
    };
    if (const auto least = limit("minimum"); least && number < *least) {
      return at + " must be at least " + json::serialize(schema.at("minimum"));
    }
    if (const auto most = limit("maximum"); most && number > *most) {
      return at + " must be at most " + json::serialize(schema.at("maximum"));
    }
    if (const auto above = limit("exclusiveMinimum"); above && number <= *above) {
      return at + " must be above " + json::serialize(schema.at("exclusiveMinimum"));
    }
    if (const auto below = limit("exclusiveMaximum"); below && number >= *below) {
      return at + " must be below " + json::serialize(schema.at("exclusiveMaximum"));
    }
    return Problem();
  }

  static Problem CheckSize(const json::object& schema, std::size_t size, std::string_view least,
                           std::string_view most, const std::string& at, std::string_view unit) {
    const json::value* low = schema.if_contains(least);
    if (low != nullptr && size < low->to_number<std::size_t>()) {
      return at + " must have at least " + json::serialize(*low) + std::string(unit);
    }
    const json::value* high = schema.if_contains(most);
    if (high != nullptr && size > high->to_number<std::size_t>()) {
      return at + " must have at most " + json::serialize(*high) + std::string(unit);
    }
    return Problem();
  }

  Problem CheckObject(const json::object& schema, const json::object& value,
                      const std::string& at) {
    if (Problem problem =
            CheckSize(schema, value.size(), "minProperties", "maxProperties", at, " members")) {
      return problem;
    }
    if (const json::value* required = schema.if_contains("required")) {
      for (const json::value& name : required->as_array()) {
        if (!value.contains(name.as_string())) return at + " lacks " + json::serialize(name);
      }
    }
    if (const json::value* dependent = schema.if_contains("dependentRequired")) {
      for (const auto& [trigger, names] : dependent->as_object()) {
        if (!value.contains(trigger)) continue;
        for (const json::value& name : names.as_array()) {
          if (!value.contains(name.as_string())) return at + " lacks " + json::serialize(name);
        }
      }
    }
    const json::value* properties = schema.if_contains("properties");
    const json::value* additional = schema.if_contains("additionalProperties");
    for (const auto& member : value) {
      const json::value* known =
          properties == nullptr ? nullptr : properties->as_object().if_contains(member.key());
      const json::value* rule = known == nullptr ? additional : known;
      if (rule == nullptr) continue;
      const std::string place = at + "/" + std::string(member.key());
      if (Problem problem = Check(*rule, member.value(), place)) return problem;
    }
    return Problem();
  }

  Problem CheckArray(const json::object& schema, const json::array& value, const std::string& at) {
    if (Problem problem =
            CheckSize(schema, value.size(), "minItems", "maxItems", at, " elements")) {
      return problem;
    }
    const json::value* prefix = schema.if_contains("prefixItems");
    const json::value* items = schema.if_contains("items");
    const std::size_t fixed = prefix == nullptr ? 0 : prefix->as_array().size();
    for (std::size_t i = 0; i < value.size(); ++i) {
      const json::value* rule = i < fixed ? &prefix->get_array()[i] : items;
      if (rule == nullptr) continue;
      if (Problem problem = Check(*rule, value[i], at + "/" + std::to_string(i))) return problem;
    }
    return Problem();
  }

  Problem CheckCombination(const json::object& schema, const json::value& value,
                           const std::string& at) {
    if (const json::value* all = schema.if_contains("allOf")) {
      for (const json::value& part : all->as_array()) {
        if (Problem problem = Check(part, value, at)) return problem;
      }
    }
    if (const json::value* any = schema.if_contains("anyOf")) {
      if (CountMatches(any->as_array(), value, at) == 0) return at + " fits no alternative";
    }
    if (const json::value* one = schema.if_contains("oneOf")) {
      if (CountMatches(one->as_array(), value, at) != 1) return at + " must fit one alternative";
    }
    if (const json::value* forbidden = schema.if_contains("not")) {
      if (!Check(*forbidden, value, at)) return at + " is not allowed";
    }
    if (const json::value* condition = schema.if_contains("if")) {
      const json::value* branch =
          schema.if_contains(Check(*condition, value, at) ? "else" : "then");
      if (branch != nullptr) return Check(*branch, value, at);
    }
    return Problem();
  }

  int CountMatches(const json::array& alternatives, const json::value& value,
                   const std::string& at) {
    int count = 0;
    for (const json::value& alternative : alternatives) {
      if (!Check(alternative, value, at)) ++count;
    }
    return count;
  }

  /// The whole schema as a value; a copy that only schemas with references pay for.
  const json::value& Root() {
    if (!root_value_) root_value_.emplace(root_);
    return *root_value_;
  }

  const json::object& root_;
  std::optional<json::value> root_value_;
  int steps_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<std::string> SchemaProblem(const json::object& schema, const json::value& value) {
  return Checker(schema).CheckRoot(value);
}

}  // namespace assay::reference
