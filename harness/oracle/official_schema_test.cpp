// Our shapes against the official JSON Schema, where it is at hand: ASSAY_SPEC_DIR names a folder
// with <revision>/schema.json, 2026-07-28/examples/<Type>/*.json and ext-tasks/schema.json.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/builtin.h"
#include "message/json.h"
#include "oracle/shape.h"

namespace assay {
namespace {

constexpr std::string_view kModern = "2026-07-28";
constexpr std::string_view kRevisions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                           kModern};

Json ReadJson(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  JsonParse parse = ParseJson(text.str());
  if (!parse.value) throw std::runtime_error(path.string() + ": " + parse.error);
  return *std::move(parse.value);
}

Json Parse(std::string_view text) { return ParseJson(text).value.value(); }

// JSON Schema, as far as the official files use it. Another keyword than theirs is an error, so
// that none goes unseen.
class JsonSchema {
 public:
  explicit JsonSchema(Json root) : root_(std::move(root)) {}

  // The definition called `name`, or null. Older schemas give params no name of their own.
  const Json* Definition(const std::string& name) const {
    const Json* all = root_.Find("$defs");
    if (all == nullptr) all = root_.Find("definitions");
    if (const Json* found = all->Find(name)) return found;
    static const std::regex kParams("(\\w+(?:Notification|Request))Params");
    std::smatch match;
    if (!std::regex_match(name, match, kParams)) return nullptr;
    return all->Find(match[1].str(), "properties", "params");
  }

  // A value that has everything a schema names; `choice` picks among alternatives.
  Json Instance(const Json& schema, std::size_t choice, int depth = 0) const {
    if (const Json* reference = schema.Find("$ref")) {
      return Instance(*At(root_, reference->text().substr(1)), choice, depth);
    }
    if (const Json* constant = schema.Find("const")) return *constant;
    for (const char* keyword : {"enum", "anyOf"}) {
      const Json* branches = schema.Find(keyword);
      if (branches == nullptr) continue;
      const Json& branch = branches->items()[choice % branches->items().size()];
      return keyword == std::string_view("enum") ? branch : Instance(branch, choice, depth);
    }
    Json value = InstanceOfType(schema, choice, depth);
    if (const Json* all = schema.Find("allOf")) {
      value = Json::Object();
      for (const Json& part : all->items()) {
        const Json of_part = Instance(part, choice, depth);
        for (const JsonMember& member : of_part.members()) value.Set(member.key, member.value);
      }
    }
    return value;
  }

  bool Fits(const Json& schema, const Json& value) const {
    if (schema.is_boolean()) return schema.boolean();
    for (const JsonMember& keyword : schema.members()) {
      if (!FitsKeyword(schema, keyword.key, keyword.value, value)) return false;
    }
    return true;
  }

 private:
  static constexpr int kDeepest = 6;  // some definitions hold themselves

  Json InstanceOfType(const Json& schema, std::size_t choice, int depth) const {
    const Json* type = schema.Find("type");
    if (type != nullptr && type->is_array()) type = &type->items()[choice % type->items().size()];
    const std::string name = type == nullptr ? "" : type->text();
    if (name == "null") return {};
    if (name == "boolean") return Json::Boolean(true);
    if (name == "integer" || name == "number") return Json::Integer(1);
    if (name == "string") {
      return Json::String(schema.FindString("format") == "byte" ? "AAAA" : "a:b");
    }
    if (name == "array") {
      if (depth > kDeepest) return Json::Array();
      return Json::Array({Instance(*schema.Find("items"), choice, depth + 1)});
    }
    Json object = Json::Object();
    if (const Json* properties = schema.Find("properties")) {
      for (const JsonMember& property : properties->members()) {
        object.Set(property.key, Instance(property.value, choice, depth + 1));
      }
    }
    const Json* more = schema.Find("additionalProperties");
    if (more != nullptr && more->is_object() && !more->members().empty() && depth < kDeepest &&
        more->Find("not") == nullptr) {
      object.Set("k", Instance(*more, choice, depth + 1));
    }
    return object;
  }

  bool FitsKeyword(const Json& schema, const std::string& keyword, const Json& argument,
                   const Json& value) const {
    if (keyword == "$ref") return Fits(*At(root_, argument.text().substr(1)), value);
    if (keyword == "type") return FitsType(argument, value);
    if (keyword == "const") return Equal(argument, value);
    if (keyword == "enum") {
      return Any(argument, [&](const Json& one) { return Equal(one, value); });
    }
    if (keyword == "anyOf") {
      return Any(argument, [&](const Json& one) { return Fits(one, value); });
    }
    if (keyword == "allOf") {
      return !Any(argument, [&](const Json& one) { return !Fits(one, value); });
    }
    if (keyword == "not") return !Fits(argument, value);
    if (keyword == "minimum") {
      return !value.is_number() || CompareNumbers(value.text(), argument.text()) >= 0;
    }
    if (keyword == "maximum") {
      return !value.is_number() || CompareNumbers(value.text(), argument.text()) <= 0;
    }
    if (keyword == "maxItems") {
      return !value.is_array() ||
             static_cast<std::int64_t>(value.items().size()) <= argument.AsInteger().value();
    }
    if (keyword == "items") {
      return !value.is_array() ||
             !Any(value, [&](const Json& item) { return !Fits(argument, item); });
    }
    if (keyword == "required") {
      return !value.is_object() ||
             !Any(argument, [&](const Json& key) { return value.Find(key.text()) == nullptr; });
    }
    if (keyword == "properties") {
      for (const JsonMember& property : argument.members()) {
        const Json* child = value.Find(property.key);
        if (child != nullptr && !Fits(property.value, *child)) return false;
      }
      return true;
    }
    if (keyword == "additionalProperties") {
      const Json* named = schema.Find("properties");
      for (const JsonMember& child : value.members()) {
        const bool is_named = named != nullptr && named->Find(child.key) != nullptr;
        if (!is_named && !Fits(argument, child.value)) return false;
      }
      return true;
    }
    if (keyword == "propertyNames") {
      for (const JsonMember& child : value.members()) {
        if (!Fits(argument, Json::String(child.key))) return false;
      }
      return true;
    }
    if (keyword == "format") return !value.is_string() || FitsFormat(argument.text(), value.text());
    if (keyword == "description" || keyword == "$schema" || keyword == "default") return true;
    throw std::runtime_error("the official schema uses `" + keyword + "`");
  }

  template <typename Predicate>
  static bool Any(const Json& list, const Predicate& predicate) {
    return std::any_of(list.items().begin(), list.items().end(), predicate);
  }

  static bool FitsType(const Json& type, const Json& value) {
    if (type.is_array()) {
      return Any(type, [&](const Json& one) { return FitsType(one, value); });
    }
    const std::string& name = type.text();
    if (name == "null") return value.is_null();
    if (name == "boolean") return value.is_boolean();
    if (name == "integer") return value.is_integer();
    if (name == "number") return value.is_number();
    if (name == "string") return value.is_string();
    if (name == "array") return value.is_array();
    if (name == "object") return value.is_object();
    throw std::runtime_error("the official schema uses the type `" + name + "`");
  }

  static bool FitsFormat(const std::string& format, const std::string& text) {
    static const std::regex kUri("[A-Za-z][A-Za-z0-9+.-]*:[^]*");
    static const std::regex kTemplate("(?:[^{}]|\\{[^{}]*\\})*");
    static const std::regex kBase64(
        "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");
    if (format == "uri") return std::regex_match(text, kUri);
    if (format == "uri-template") return std::regex_match(text, kTemplate);
    if (format == "byte") return std::regex_match(text, kBase64);
    throw std::runtime_error("the official schema uses the format `" + format + "`");
  }

  Json root_;
};

// A value with one defect, or another of no consequence.
struct Mutation {
  std::string pointer;
  std::string change;  // "dropped", or what stands there now
  Json value;
};

// Every member left out, and every value replaced by each of some others, one at a time.
class Mutator {
 public:
  explicit Mutator(const Json& original) : original_(original) { Visit(original_, ""); }
  std::vector<Mutation> Take() { return std::move(mutations_); }

 private:
  void Visit(const Json& value, const std::string& pointer) {
    for (const std::string_view text :
         {"null", "true", "-1", "2", "1.5", "\"x\"", "\"a:b\"", "[]", "[\"x\"]", "{}", "{\"x\":{}}",
          "{\"type\":\"string\"}", "{\"type\":\"text\",\"text\":\"x\"}"}) {
      Add(pointer, std::string(text), Parse(text));
    }
    for (const JsonMember& member : value.members()) {
      const std::string below = pointer + "/" + Escaped(member.key);
      Add(below, "dropped", std::nullopt);
      Visit(member.value, below);
    }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      Visit(value.items()[i], pointer + "/" + std::to_string(i));
    }
  }

  static std::string Escaped(const std::string& key) {
    std::string escaped;
    for (const char c : key) escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return escaped;
  }

  void Add(const std::string& pointer, const std::string& change,
           const std::optional<Json>& replacement) {
    mutations_.push_back({pointer, change, Replaced(original_, pointer, "", replacement)});
  }

  // A copy of `value`, which stands at `here`, with what stands at `target` replaced or left out.
  static Json Replaced(const Json& value, const std::string& target, const std::string& here,
                       const std::optional<Json>& replacement) {
    if (here == target) return *replacement;
    Json copy = value;
    if (target.rfind(here + "/", 0) != 0) return copy;
    if (copy.is_object()) {
      std::vector<JsonMember> members;
      for (JsonMember& member : copy.members()) {
        const std::string below = here + "/" + Escaped(member.key);
        if (below == target && !replacement) continue;
        members.push_back({member.key, Replaced(member.value, target, below, replacement)});
      }
      copy.members() = std::move(members);
    }
    for (std::size_t i = 0; i < copy.items().size(); ++i) {
      copy.items()[i] =
          Replaced(copy.items()[i], target, here + "/" + std::to_string(i), replacement);
    }
    return copy;
  }

  const Json& original_;
  std::vector<Mutation> mutations_;
};

// A disagreement that we stand by: where both patterns are found.
struct Allowed {
  enum class We { kAccept, kRefuse };
  We we;
  const char* pointer;
  const char* change;
  const char* reason;
};
constexpr Allowed kAllowed[] = {
    {Allowed::We::kAccept, "^/id$", "^null$",
     "JSON-RPC 2.0 answers with a null id where none could be read"},
    {Allowed::We::kAccept, "/(size|total|maxTokens|ttl|pollInterval)$", "^1\\.5$",
     "the TypeScript schema, which is the source, says number"},
    {Allowed::We::kAccept,
     "/(extensions|experimental|sampling|elicitation|logging|completions|metadata)/",
     "^(null|1\\.5)$",
     "the JSON schema forgets them among the JSON values that the TypeScript schema lists"},
    {Allowed::We::kRefuse, "^/_meta$", ".",
     "the older schemas say so where they define Request, and forget it in its kinds"},
};

struct Sample {
  std::string type;
  std::string origin;
  Json value;
};

class OfficialSchemaTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("ASSAY_SPEC_DIR");
    if (folder == nullptr) GTEST_SKIP() << "ASSAY_SPEC_DIR does not name the official schemas";
    folder_ = folder;
    for (const BuiltinFile& file : BuiltinFiles("shapes/")) {
      if (file.path.ends_with(".yaml")) shapes_.AddFile(std::string(file.path), file.text);
    }
  }

  // The official examples, in order of their names.
  std::vector<Sample> Samples() const {
    std::vector<Sample> samples;
    const std::filesystem::path examples = folder_ / kModern / "examples";
    for (const auto& file : std::filesystem::recursive_directory_iterator(examples)) {
      if (file.path().extension() != ".json") continue;
      samples.push_back({file.path().parent_path().filename().string(),
                         file.path().filename().string(), ReadJson(file.path())});
    }
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
      return std::pair(a.type, a.origin) < std::pair(b.type, b.origin);
    });
    return samples;
  }

  // Compares the verdicts on every mutation of `sample`; counts them.
  void Compare(const JsonSchema& official, const Json& definition, std::string_view revision,
               const Sample& sample) {
    for (const Mutation& mutation : Mutator(sample.value).Take()) {
      const bool theirs = official.Fits(definition, mutation.value);
      const std::vector<ShapeMismatch> ours = shapes_.Check(revision, sample.type, mutation.value);
      ++compared_;
      if (theirs == ours.empty() || IsAllowed(mutation, ours.empty())) continue;
      ADD_FAILURE() << revision << " " << sample.type << " (" << sample.origin << ") with "
                    << mutation.pointer << " " << mutation.change << ": the official schema "
                    << (theirs ? "accepts" : "refuses") << " it, our shape "
                    << (ours.empty() ? "accepts it"
                                     : "says: " + ours[0].pointer + " " + ours[0].reason);
    }
  }

  void CompareInstances(const JsonSchema& official, std::string_view revision,
                        const std::string& name) {
    const Json& definition = *official.Definition(name);
    std::set<std::string> seen;
    for (std::size_t choice = 0; choice < 8; ++choice) {
      const Json value = official.Instance(definition, choice);
      if (!seen.insert(value.Dump()).second) continue;
      Compare(official, definition, revision, {name, "instance " + std::to_string(choice), value});
    }
  }

  static bool IsAllowed(const Mutation& mutation, bool we_accept) {
    return std::any_of(std::begin(kAllowed), std::end(kAllowed), [&](const Allowed& allowed) {
      return (allowed.we == Allowed::We::kAccept) == we_accept &&
             std::regex_search(mutation.pointer, std::regex(allowed.pointer)) &&
             std::regex_search(mutation.change, std::regex(allowed.change));
    });
  }

  std::filesystem::path folder_;
  Shapes shapes_;
  int compared_ = 0;
};

TEST_F(OfficialSchemaTest, EveryExampleFitsOurShape) {
  int fitted = 0;
  for (const Sample& sample : Samples()) {
    if (!shapes_.Has(kModern, sample.type)) continue;
    for (const ShapeMismatch& mismatch : shapes_.Check(kModern, sample.type, sample.value)) {
      ADD_FAILURE() << sample.type << "/" << sample.origin << ": " << mismatch.pointer << " "
                    << mismatch.reason;
    }
    ++fitted;
  }
  EXPECT_GT(fitted, 70);
}

TEST_F(OfficialSchemaTest, VerdictsAgreeOnMutatedExamples) {
  for (const std::string_view revision : kRevisions) {
    const JsonSchema official(ReadJson(folder_ / revision / "schema.json"));
    for (const Sample& sample : Samples()) {
      const Json* definition = official.Definition(sample.type);
      if (definition == nullptr || !shapes_.Has(revision, sample.type)) continue;
      Compare(official, *definition, revision, sample);
    }
  }
  EXPECT_GT(compared_, 5000);
}

// Not everything has an example: values made from the schemas themselves, for every shape of ours
// that they define.
TEST_F(OfficialSchemaTest, VerdictsAgreeOnMutatedInstances) {
  std::set<std::string> core;
  for (const std::string_view revision : kRevisions) {
    const JsonSchema official(ReadJson(folder_ / revision / "schema.json"));
    for (const std::string& name : shapes_.Names(revision)) {
      if (official.Definition(name) == nullptr) continue;
      CompareInstances(official, revision, name);
      if (revision == kModern) core.insert(name);
    }
  }
  const JsonSchema extension(ReadJson(folder_ / "ext-tasks" / "schema.json"));
  int of_extension = 0;
  for (const std::string& name : shapes_.Names(kModern)) {
    if (extension.Definition(name) == nullptr || core.count(name) != 0) continue;
    CompareInstances(extension, kModern, name);
    ++of_extension;
  }
  EXPECT_GE(of_extension, 9);
  EXPECT_GT(compared_, 5000);
}

}  // namespace
}  // namespace assay
