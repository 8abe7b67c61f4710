// The evaluator. One function a group of keywords; each adds what it says to the outcome of the
// schema it stands in.

#include "oracle/json_schema_evaluation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/ecma_regex.h"

namespace assay::oracle {
namespace {

constexpr int kDeepest = 400;  // schemas within schemas, references followed
constexpr std::int64_t kMostSteps = 500'000;
constexpr int kMostReasons = 1'000;  // to write one costs more than to find it

// A chain on the stack, written out only when something is wrong.
struct Path {
  const Path* up = nullptr;
  std::string_view key = {};
  std::optional<std::size_t> index = std::nullopt;

  std::string Pointer() const {
    if (up == nullptr) return "";
    return up->Pointer() + "/" + (index ? std::to_string(*index) : PointerToken(key));
  }
};

enum class Truth : std::uint8_t { kFalse, kUnknown, kTrue };

// Which children of the instance were evaluated (Core §11): what `unevaluatedItems` and
// `unevaluatedProperties` leave alone.
struct Seen {
  std::vector<bool> children;  // by position
  bool maybe_more = false;     // a part that was not judged may have evaluated others

  void Add(const Seen& other) {
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (other.children[i]) children[i] = true;
    }
    maybe_more = maybe_more || other.maybe_more;
  }
};

struct Outcome {
  Truth truth = Truth::kTrue;
  std::string why;  // of all but kTrue
  Seen seen;

  // What holds only together with `other`.
  void And(Truth other, const std::string& other_why) {
    if (other >= truth) return;
    truth = other;
    why = other_why;
  }
  // The same, of another schema on the same instance.
  void And(const Outcome& other) {
    And(other.truth, other.why);
    if (other.truth == Truth::kTrue) seen.Add(other.seen);
    if (other.truth == Truth::kUnknown) seen.maybe_more = true;
  }
};

std::size_t CodePoints(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  }));
}

bool HasType(const Json& value, std::string_view type) {
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_integer();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  return type == "object" ? value.is_object() : value.is_array();
}

bool HasOneType(const Json& value, const Json& type) {
  if (type.is_string()) return HasType(value, type.text());
  return std::any_of(type.items().begin(), type.items().end(),
                     [&](const Json& one) { return HasType(value, one.text()); });
}

int CompareCount(std::size_t count, const Json& limit) {
  return CompareNumbers(std::to_string(count), limit.text());
}

std::string Excerpt(const Json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = value.Dump();
  if (text.size() > kLongest) text = std::string(value.KindName());
  return text;
}

// When to put a reason into words. Of an alternative that does not fit nobody wants to know why.
struct Reasons {
  int quiet = 0;  // how many alternatives deep
  int written = 0;

  bool Wanted(Truth truth) {
    return (truth == Truth::kUnknown || quiet == 0) && written++ < kMostReasons;
  }
};

// A schema at work on an instance.
struct Frame {
  const Json& schema;
  const SchemaResource& resource;
  const Json& instance;
  const Path& schema_path;
  const Path& instance_path;
  int depth;
  Reasons& reasons;
  Outcome outcome = {};

  const Json* Keyword(std::string_view name) const { return schema.Find(name); }
  // `why` makes the rest of a sentence about the value; called only where somebody reads it.
  template <typename Why>
  void And(Truth truth, std::string_view keyword, const Why& why) {
    if (truth >= outcome.truth) return;
    outcome.And(truth, reasons.Wanted(truth) ? Sentence(keyword, why()) : "");
  }
  template <typename Why>
  void Require(bool holds, std::string_view keyword, const Why& why) {
    if (!holds) And(Truth::kFalse, keyword, why);
  }
  bool failed() const { return outcome.truth == Truth::kFalse; }

 private:
  std::string Sentence(std::string_view keyword, const std::string& why) const {
    const std::string value = instance_path.Pointer();
    std::string place = schema_path.Pointer();
    if (!keyword.empty()) place += "/" + std::string(keyword);
    return (value.empty() ? "the value" : value) + " " + why + " (" + place + ")";
  }
};

class Evaluator {
 public:
  explicit Evaluator(const SchemaDocument& document) : document_(document) {}

  SchemaAnswer Run(const Json& instance) {
    const Path root;
    const Outcome outcome = Judge(document_.root(), document_.document(), instance, root, root, 0);
    switch (outcome.truth) {
      case Truth::kTrue:
        return {};
      case Truth::kFalse:
        return {SchemaAnswer::Kind::kInvalid, outcome.why};
      case Truth::kUnknown:
        return {SchemaAnswer::Kind::kNotJudged,
                outcome.why.empty() ? "too much of it is not judged" : outcome.why};
    }
    return {};
  }

 private:
  // A look for a name among others is cheap, and many are not.
  void Charge(std::size_t comparisons) { steps_ -= static_cast<std::int64_t>(comparisons / 4); }
  bool is_2020() const { return document_.dialect() == Dialect::k2020; }

  static Outcome Blank(const Json& instance) {
    const std::size_t children =
        instance.is_object() ? instance.members().size() : instance.items().size();
    return {Truth::kTrue, "", {std::vector<bool>(children), false}};
  }

  Outcome Judge(const Json& schema, const SchemaResource& around, const Json& instance,
                const Path& schema_path, const Path& instance_path, int depth) {
    Frame frame{schema,        document_.ResourceOf(schema, around),
                instance,      schema_path,
                instance_path, depth,
                reasons_,      Blank(instance)};
    if (schema.is_boolean()) {
      frame.Require(schema.boolean(), "", [] { return "may not be there"; });
      return std::move(frame.outcome);
    }
    if (depth > kDeepest || --steps_ < 0) {
      frame.outcome.And(Truth::kUnknown, "the schema takes too long to evaluate");
      return std::move(frame.outcome);
    }
    // What `$dynamicRef` may lead to depends on the resources on the way here.
    scope_.push_back(&frame.resource);
    Apply(frame);
    scope_.pop_back();
    return std::move(frame.outcome);
  }

  // Another schema on the same instance.
  Outcome Beside(const Frame& frame, const Json& schema, const Path& schema_path) {
    return Judge(schema, frame.resource, frame.instance, schema_path, frame.instance_path,
                 frame.depth + 1);
  }

  // What one alternative says.
  template <typename Evaluation>
  Outcome Quietly(const Evaluation& evaluation) {
    ++reasons_.quiet;
    Outcome outcome = evaluation();
    --reasons_.quiet;
    return outcome;
  }

  void Apply(Frame& frame) {
    if (document_.IsOnlyReference(frame.schema)) return Reference(frame, "$ref");
    using Keywords = void (Evaluator::*)(Frame&);
    static constexpr Keywords kCheapestFirst[] = {
        &Evaluator::Any,        &Evaluator::Numbers,      &Evaluator::Strings,
        &Evaluator::Arrays,     &Evaluator::Objects,      &Evaluator::Items,
        &Evaluator::Contains,   &Evaluator::Properties,   &Evaluator::Names,
        &Evaluator::References, &Evaluator::Combinations, &Evaluator::Condition,
        &Evaluator::Dependent,  &Evaluator::Unevaluated};
    for (const Keywords keywords : kCheapestFirst) {
      (this->*keywords)(frame);
      if (frame.failed()) return;
    }
  }

  // --- assertions

  void Any(Frame& frame) {
    const Json& instance = frame.instance;
    if (const Json* type = frame.Keyword("type")) {
      frame.Require(HasOneType(instance, *type), "type", [&] {
        return "is " + std::string(instance.KindName()) + ", the type is " + Excerpt(*type);
      });
    }
    if (const Json* values = frame.Keyword("enum")) {
      Charge(values->items().size());
      frame.Require(std::any_of(values->items().begin(), values->items().end(),
                                [&](const Json& value) { return Equal(value, instance); }),
                    "enum", [] { return "is none of the enumerated values"; });
    }
    if (const Json* value = frame.Keyword("const")) {
      frame.Require(Equal(*value, instance), "const", [&] { return "is not " + Excerpt(*value); });
    }
  }

  void Numbers(Frame& frame) {
    if (!frame.instance.is_number()) return;
    const std::string& number = frame.instance.text();
    const auto limit = [&](std::string_view keyword, auto holds) {
      const Json* bound = frame.Keyword(keyword);
      if (bound == nullptr) return;
      frame.Require(holds(CompareNumbers(number, bound->text())), keyword, [&] {
        return "is " + Excerpt(frame.instance) + ", the limit is " + Excerpt(*bound);
      });
    };
    limit("minimum", [](int order) { return order >= 0; });
    limit("maximum", [](int order) { return order <= 0; });
    limit("exclusiveMinimum", [](int order) { return order > 0; });
    limit("exclusiveMaximum", [](int order) { return order < 0; });
    if (const Json* unit = frame.Keyword("multipleOf")) {
      const auto multiple = IsMultiple(number, unit->text());
      frame.Require(multiple.value_or(true), "multipleOf",
                    [&] { return "is no multiple of " + Excerpt(*unit); });
      if (!multiple) {
        frame.And(Truth::kUnknown, "multipleOf", [] { return "has too many digits to divide"; });
      }
    }
  }

  static void Limit(Frame& frame, std::string_view least, std::string_view most, std::size_t count,
                    std::string_view of) {
    const auto has = [&] { return "has " + std::to_string(count) + " " + std::string(of); };
    if (const Json* limit = frame.Keyword(least)) {
      frame.Require(CompareCount(count, *limit) >= 0, least, has);
    }
    if (const Json* limit = frame.Keyword(most)) {
      frame.Require(CompareCount(count, *limit) <= 0, most, has);
    }
  }

  void Strings(Frame& frame) {
    if (!frame.instance.is_string()) return;
    const std::string& text = frame.instance.text();
    Limit(frame, "minLength", "maxLength", CodePoints(text), "characters");
    if (const Json* pattern = frame.Keyword("pattern")) {
      const Truth found = Matches(pattern->text(), text);
      frame.And(found, "pattern", [&] {
        return (found == Truth::kFalse ? "does not match " : "is not judged by ") +
               Excerpt(*pattern);
      });
    }
  }

  void Arrays(Frame& frame) {
    if (!frame.instance.is_array()) return;
    const std::vector<Json>& items = frame.instance.items();
    Limit(frame, "minItems", "maxItems", items.size(), "items");
    const Json* unique = frame.Keyword("uniqueItems");
    if (unique == nullptr || !unique->boolean()) return;
    Charge(items.size() * items.size());
    if (steps_ < 0) {
      return frame.And(Truth::kUnknown, "uniqueItems",
                       [] { return "has too many items to compare them all"; });
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (!Equal(items[i], items[k])) continue;
        return frame.And(Truth::kFalse, "uniqueItems", [&] {
          return "has equal items, " + std::to_string(k) + " and " + std::to_string(i);
        });
      }
    }
  }

  void RequireAll(Frame& frame, const Json& names, std::string_view keyword) {
    Charge(names.items().size() * frame.instance.members().size());
    for (const Json& name : names.items()) {
      frame.Require(frame.instance.Find(name.text()) != nullptr, keyword,
                    [&] { return "lacks " + name.text(); });
    }
  }

  void Objects(Frame& frame) {
    if (!frame.instance.is_object()) return;
    Limit(frame, "minProperties", "maxProperties", frame.instance.members().size(), "properties");
    if (const Json* names = frame.Keyword("required")) RequireAll(frame, *names, "required");
    if (const Json* dependent = frame.Keyword("dependentRequired"); dependent && is_2020()) {
      for (const JsonMember& member : dependent->members()) {
        if (frame.instance.Find(member.key) != nullptr) {
          RequireAll(frame, member.value, "dependentRequired");
        }
      }
    }
  }

  Truth Matches(const std::string& pattern, std::string_view text) {
    auto regex = regexes_.find(pattern);
    if (regex == regexes_.end()) regex = regexes_.try_emplace(pattern, pattern).first;
    steps_ -= 10 + static_cast<std::int64_t>(text.size());
    if (steps_ < 0) return Truth::kUnknown;
    const auto found = regex->second.FoundIn(text);
    return !found ? Truth::kUnknown : *found ? Truth::kTrue : Truth::kFalse;
  }

  // --- children

  // The child at `position` by `schema`, which stands at `keyword` (and `key` or `index` in it).
  Outcome Child(const Frame& frame, std::size_t position, const Json& schema,
                const Path& schema_path) {
    if (frame.instance.is_array()) {
      return Judge(schema, frame.resource, frame.instance.items()[position], schema_path,
                   {.up = &frame.instance_path, .index = position}, frame.depth + 1);
    }
    const JsonMember& member = frame.instance.members()[position];
    return Judge(schema, frame.resource, member.value, schema_path,
                 {.up = &frame.instance_path, .key = member.key}, frame.depth + 1);
  }

  // What the schema of a child says, the parent says too.
  void Descend(Frame& frame, std::size_t position, const Json& schema, const Path& schema_path) {
    const Outcome child = Child(frame, position, schema, schema_path);
    frame.outcome.And(child.truth, child.why);
    frame.outcome.seen.children[position] = true;
  }

  void Items(Frame& frame) {
    if (!frame.instance.is_array()) return;
    const std::size_t count = frame.instance.items().size();
    const Json* items = frame.Keyword("items");
    std::string_view first = "prefixItems";
    std::string_view rest = "items";
    if (!is_2020()) {
      const bool one_by_one = items != nullptr && items->is_array();
      first = one_by_one ? "items" : "";
      rest = one_by_one ? "additionalItems" : "items";
    }
    std::size_t next = 0;
    const Path first_path{.up = &frame.schema_path, .key = first};
    if (const Json* schemas = first.empty() ? nullptr : frame.Keyword(first)) {
      for (; next < std::min(count, schemas->items().size()); ++next) {
        Descend(frame, next, schemas->items()[next], {.up = &first_path, .index = next});
      }
    }
    const Path rest_path{.up = &frame.schema_path, .key = rest};
    if (const Json* schema = frame.Keyword(rest)) {
      for (; next < count && !frame.failed(); ++next) Descend(frame, next, *schema, rest_path);
    }
  }

  void Contains(Frame& frame) {
    const Json* schema = frame.Keyword("contains");
    if (schema == nullptr || !frame.instance.is_array()) return;
    const Path path{.up = &frame.schema_path, .key = "contains"};
    std::size_t surely = 0;
    std::size_t perhaps = 0;
    for (std::size_t i = 0; i < frame.instance.items().size(); ++i) {
      switch (Quietly([&] { return Child(frame, i, *schema, path); }).truth) {
        case Truth::kTrue:
          ++surely;
          if (is_2020()) frame.outcome.seen.children[i] = true;
          break;
        case Truth::kUnknown:
          ++perhaps;
          frame.outcome.seen.maybe_more = true;
          break;
        case Truth::kFalse:
          break;
      }
    }
    const Json one = Json::Integer(1);
    const Json* least = is_2020() ? frame.Keyword("minContains") : nullptr;
    const Json* most = is_2020() ? frame.Keyword("maxContains") : nullptr;
    if (least == nullptr) least = &one;
    const bool too_few = CompareCount(surely + perhaps, *least) < 0;
    const bool too_many = most != nullptr && CompareCount(surely, *most) > 0;
    const bool sure = CompareCount(surely, *least) >= 0 &&
                      (most == nullptr || CompareCount(surely + perhaps, *most) <= 0);
    frame.Require(!too_few && !too_many, "contains",
                  [&] { return "has " + std::to_string(surely) + " items of the kind asked for"; });
    if (!sure) {
      frame.And(Truth::kUnknown, "contains",
                [] { return "may have too few items of the kind asked for, or too many"; });
    }
  }

  void Properties(Frame& frame) {
    if (!frame.instance.is_object()) return;
    const Json* properties = frame.Keyword("properties");
    const Json* patterns = frame.Keyword("patternProperties");
    const Json* additional = frame.Keyword("additionalProperties");
    if (properties == nullptr && patterns == nullptr && additional == nullptr) return;
    const Path properties_path{.up = &frame.schema_path, .key = "properties"};
    const Path patterns_path{.up = &frame.schema_path, .key = "patternProperties"};
    const Path additional_path{.up = &frame.schema_path, .key = "additionalProperties"};
    const std::vector<JsonMember>& members = frame.instance.members();
    for (std::size_t i = 0; i < members.size() && !frame.failed(); ++i) {
      if (properties != nullptr) Charge(properties->members().size());
      Truth named = Truth::kFalse;  // whether either keyword speaks of this member
      if (const Json* schema = properties == nullptr ? nullptr : properties->Find(members[i].key)) {
        named = Truth::kTrue;
        Descend(frame, i, *schema, {.up = &properties_path, .key = members[i].key});
      }
      if (patterns != nullptr) {
        for (const JsonMember& pattern : patterns->members()) {
          const Truth matches = Matches(pattern.key, members[i].key);
          named = std::max(named, matches);
          const Path path{.up = &patterns_path, .key = pattern.key};
          if (matches == Truth::kTrue) {
            Descend(frame, i, pattern.value, path);
          } else if (matches == Truth::kUnknown) {
            frame.outcome.seen.maybe_more = true;
            Perhaps(frame, Child(frame, i, pattern.value, path), "patternProperties");
          }
        }
      }
      if (additional == nullptr || named == Truth::kTrue) continue;
      if (named == Truth::kFalse) {
        Descend(frame, i, *additional, additional_path);
      } else {
        Perhaps(frame, Child(frame, i, *additional, additional_path), "additionalProperties");
      }
    }
  }

  // `outcome` counts only if something holds that is not judged.
  void Perhaps(Frame& frame, const Outcome& outcome, std::string_view keyword) {
    if (outcome.truth == Truth::kTrue) return;
    frame.And(Truth::kUnknown, keyword, [] { return "has a name that a pattern does not tell"; });
  }

  void Names(Frame& frame) {
    const Json* schema = frame.Keyword("propertyNames");
    if (schema == nullptr || !frame.instance.is_object()) return;
    const Path path{.up = &frame.schema_path, .key = "propertyNames"};
    for (const JsonMember& member : frame.instance.members()) {
      const Json name = Json::String(member.key);
      const Outcome outcome =
          Judge(*schema, frame.resource, name, path,
                {.up = &frame.instance_path, .key = member.key}, frame.depth + 1);
      frame.outcome.And(outcome.truth, outcome.why);
    }
  }

  // --- the same instance by other schemas

  void References(Frame& frame) {
    if (frame.Keyword("$ref") != nullptr) Reference(frame, "$ref");
    if (!is_2020()) return;
    if (frame.Keyword("$dynamicRef") != nullptr) Reference(frame, "$dynamicRef");
    if (frame.Keyword("$recursiveRef") != nullptr) {
      frame.And(Truth::kUnknown, "$recursiveRef",
                [] { return "is not judged by what 2019-09 had"; });
      frame.outcome.seen.maybe_more = true;
    }
  }

  void Reference(Frame& frame, std::string_view keyword) {
    const std::string& reference = frame.Keyword(keyword)->text();
    SchemaTarget target = document_.Resolve(reference, frame.resource);
    if (target.kind != SchemaTarget::Kind::kFound) {
      frame.outcome.seen.maybe_more = true;
      return frame.And(Truth::kUnknown, keyword,
                       [&] { return "is not judged by what is not in the schema, " + reference; });
    }
    if (keyword == "$dynamicRef" && !target.dynamic_anchor.empty()) {
      for (const SchemaResource* resource : scope_) {  // the outermost first
        const Json* schema = document_.FindDynamic(*resource, target.dynamic_anchor);
        if (schema == nullptr) continue;
        target.schema = schema;
        target.resource = resource;
        break;
      }
    }
    const Path path{.up = &frame.schema_path, .key = keyword};
    frame.outcome.And(Judge(*target.schema, *target.resource, frame.instance, path,
                            frame.instance_path, frame.depth + 1));
  }

  void Combinations(Frame& frame) {
    if (const Json* all = frame.Keyword("allOf")) {
      const Path path{.up = &frame.schema_path, .key = "allOf"};
      for (std::size_t i = 0; i < all->items().size(); ++i) {
        frame.outcome.And(Beside(frame, all->items()[i], {.up = &path, .index = i}));
      }
    }
    Alternatives(frame, "anyOf", false);
    Alternatives(frame, "oneOf", true);
    if (const Json* schema = frame.Keyword("not")) {
      const Outcome outcome =
          Quietly([&] { return Beside(frame, *schema, {.up = &frame.schema_path, .key = "not"}); });
      frame.Require(outcome.truth != Truth::kTrue, "not", [] { return "is what it must not be"; });
      if (outcome.truth == Truth::kUnknown) frame.outcome.And(Truth::kUnknown, outcome.why);
    }
  }

  void Alternatives(Frame& frame, std::string_view keyword, bool only_one) {
    const Json* schemas = frame.Keyword(keyword);
    if (schemas == nullptr) return;
    const Path path{.up = &frame.schema_path, .key = keyword};
    std::size_t surely = 0;
    std::optional<std::string> unknown;
    for (std::size_t i = 0; i < schemas->items().size(); ++i) {
      const Outcome outcome =
          Quietly([&] { return Beside(frame, schemas->items()[i], {.up = &path, .index = i}); });
      if (outcome.truth == Truth::kTrue) {
        ++surely;
        frame.outcome.seen.Add(outcome.seen);
      } else if (outcome.truth == Truth::kUnknown) {
        unknown = outcome.why;
        frame.outcome.seen.maybe_more = true;
      }
    }
    if ((surely == 0 && !unknown) || (only_one && surely > 1)) {
      frame.And(Truth::kFalse, keyword,
                [&] { return "fits " + std::to_string(surely) + " of the schemas"; });
    } else if (unknown && (only_one || surely == 0)) {
      frame.outcome.And(Truth::kUnknown, *unknown);
    }
  }

  void Condition(Frame& frame) {
    const Json* condition = frame.Keyword("if");
    if (condition == nullptr) return;
    const Outcome holds =
        Quietly([&] { return Beside(frame, *condition, {.up = &frame.schema_path, .key = "if"}); });
    const auto branch = [&](std::string_view keyword) {
      const Json* schema = frame.Keyword(keyword);
      return schema == nullptr ? Blank(frame.instance)
                               : Beside(frame, *schema, {.up = &frame.schema_path, .key = keyword});
    };
    if (holds.truth == Truth::kTrue) {
      frame.outcome.And(holds);
      frame.outcome.And(branch("then"));
    } else if (holds.truth == Truth::kFalse) {
      frame.outcome.And(branch("else"));
    } else {
      const Outcome then = branch("then");
      const Outcome otherwise = branch("else");
      frame.outcome.seen.maybe_more = true;
      if (then.truth == otherwise.truth) {
        frame.outcome.And(then.truth, then.why);
      } else {
        frame.outcome.And(Truth::kUnknown, holds.why);
      }
    }
  }

  void Dependent(Frame& frame) {
    if (!frame.instance.is_object()) return;
    const Json* dependent = frame.Keyword(is_2020() ? "dependentSchemas" : "dependencies");
    if (dependent != nullptr) {
      const std::string_view keyword = is_2020() ? "dependentSchemas" : "dependencies";
      const Path path{.up = &frame.schema_path, .key = keyword};
      for (const JsonMember& member : dependent->members()) {
        if (frame.instance.Find(member.key) == nullptr) continue;
        if (member.value.is_array()) {
          RequireAll(frame, member.value, keyword);
        } else {
          frame.outcome.And(Beside(frame, member.value, {.up = &path, .key = member.key}));
        }
      }
    }
    if (is_2020() && frame.Keyword("dependencies") != nullptr) {
      // Its meta-schema still has it and its text leaves what it does to the implementation.
      frame.And(Truth::kUnknown, "dependencies",
                [] { return "is not judged by what draft-07 had"; });
      frame.outcome.seen.maybe_more = true;
    }
  }

  // After all others: it needs to know what they evaluated.
  void Unevaluated(Frame& frame) {
    if (!is_2020() || (!frame.instance.is_array() && !frame.instance.is_object())) return;
    const std::string_view keyword =
        frame.instance.is_array() ? "unevaluatedItems" : "unevaluatedProperties";
    const Json* schema = frame.Keyword(keyword);
    if (schema == nullptr) return;
    const Path path{.up = &frame.schema_path, .key = keyword};
    for (std::size_t i = 0; i < frame.outcome.seen.children.size(); ++i) {
      if (frame.outcome.seen.children[i]) continue;
      Outcome child = Child(frame, i, *schema, path);
      if (child.truth == Truth::kFalse && frame.outcome.seen.maybe_more) {
        child.truth = Truth::kUnknown;
      }
      frame.outcome.And(child.truth, child.why);
      frame.outcome.seen.children[i] = true;
    }
  }

  const SchemaDocument& document_;
  std::int64_t steps_ = kMostSteps;
  Reasons reasons_;
  std::vector<const SchemaResource*> scope_;
  std::map<std::string, EcmaRegex, std::less<>> regexes_;
};

}  // namespace

SchemaAnswer Evaluate(const SchemaDocument& document, const Json& instance) {
  return Evaluator(document).Run(instance);
}

}  // namespace assay::oracle
