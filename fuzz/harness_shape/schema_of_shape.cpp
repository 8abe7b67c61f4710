#include "fuzz/harness_shape/schema_of_shape.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "fuzz/expect.h"

namespace assay::fuzz {
namespace {

Json Schema(std::string_view keyword, Json value) {
  return Json::Object({{std::string(keyword), std::move(value)}});
}

Json OfType(std::string_view type) { return Schema("type", Json::String(std::string(type))); }

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// The parts of `text` between the bars that stand in no brackets.
std::vector<std::string_view> Alternatives(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] != '|' || depth > 0) continue;
    parts.push_back(Trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  parts.push_back(Trimmed(text.substr(start)));
  return parts;
}

Json Strings(const std::vector<std::string_view>& words) {
  Json list = Json::Array();
  for (const std::string_view word : words) list.items().push_back(Json::String(std::string(word)));
  return list;
}

// What the formats mean as regular expressions.
Json Format(std::string_view name) {
  Json schema = OfType("string");
  if (name == "uri") {
    schema.Set("pattern", Json::String("^[A-Za-z][A-Za-z0-9+.-]*:"));
  } else if (name == "uri-template") {
    schema.Set("pattern", Json::String(R"(^[^{}]*(\{[^{}]*\}[^{}]*)*$)"));
  } else {
    Expect(name == "base64", "a format is known", name);
    const std::string digit = R"([A-Za-z0-9+/][\r\n]*)";
    const std::string padding = R"(=[\r\n]*)";
    const std::string rest = "(" + digit + digit + "|" + digit + digit + padding + padding + "|" +
                             digit + digit + digit + "|" + digit + digit + digit + padding + ")?";
    schema.Set("pattern",
               Json::String(R"(^[\r\n]*()" + digit + digit + digit + digit + ")*" + rest + "$"));
  }
  return schema;
}

Json Range(Json schema, std::string_view bounds) {
  const std::size_t dots = bounds.find("..");
  const std::string_view least = Trimmed(bounds.substr(0, dots));
  const std::string_view most = Trimmed(bounds.substr(dots + 2));
  if (!least.empty()) schema.Set("minimum", Json::Number(std::string(least)));
  if (!most.empty()) schema.Set("maximum", Json::Number(std::string(most)));
  return schema;
}

Json Expression(std::string_view text);

Json Term(std::string_view text) {
  if (text.starts_with('[')) {
    Json schema = OfType("array");
    schema.Set("items", Expression(text.substr(1, text.size() - 2)));
    return schema;
  }
  const std::size_t bracket = text.find('(');
  const std::string_view word = text.substr(0, bracket);
  const std::string_view argument = bracket == std::string_view::npos
                                        ? std::string_view()
                                        : text.substr(bracket + 1, text.size() - bracket - 2);
  if (word == "any") return Json::Boolean(true);
  if (word == "string") return argument.empty() ? OfType("string") : Format(argument);
  if (word == "integer" || word == "number") {
    return argument.empty() ? OfType(word) : Range(OfType(word), argument);
  }
  if (word == "boolean" || word == "null" || word == "object" || word == "array") {
    return OfType(word);
  }
  if (word == "enum") return Schema("enum", Strings(Alternatives(argument)));
  if (IsJsonNumber(word)) return Schema("const", Json::Number(std::string(word)));
  return Schema("$ref", Json::String("#/$defs/" + std::string(word)));
}

Json Expression(std::string_view text) {
  const std::vector<std::string_view> terms = Alternatives(text);
  if (terms.size() == 1) return Term(terms.front());
  Json all = Json::Array();
  for (const std::string_view term : terms) all.items().push_back(Term(term));
  return Schema("anyOf", std::move(all));
}

Json Type(const YamlNode& node);

Json ObjectType(const YamlNode& node) {
  Json schema = OfType("object");
  Json properties = Json::Object();
  Json required = Json::Array();
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    std::string key = node.keys[i].text;
    if (key == "$is") {
      Json all = Json::Array();
      for (const YamlNode& item : node.items[i].items) all.items().push_back(Type(item));
      schema.Set("allOf", std::move(all));
      continue;
    }
    if (key == "$each") {
      schema.Set("additionalProperties", Type(node.items[i]));
      continue;
    }
    if (key.starts_with("$$")) key.erase(0, 1);
    if (key.ends_with('?')) {
      key.pop_back();
    } else {
      required.items().push_back(Json::String(key));
    }
    properties.Set(key, Type(node.items[i]));
  }
  schema.Set("properties", std::move(properties));
  schema.Set("required", std::move(required));
  return schema;
}

// An object whose member `name` is one of `values`.
Json Selected(const std::string& name, Json values) {
  Json schema = Schema("properties", Schema(name, Schema("enum", std::move(values))));
  schema.Set("required", Json::Array({Json::String(name)}));
  return schema;
}

Json Both(Json a, Json b) {
  Json schema = OfType("object");
  schema.Set("allOf", Json::Array({std::move(a), std::move(b)}));
  return schema;
}

Json SwitchType(const YamlNode& node) {
  const std::string name = node.Find("$on")->text;
  const YamlNode& cases = *node.Find("$cases");
  Json choices = Json::Array();
  Json values = Json::Array();
  for (std::size_t i = 0; i < cases.items.size(); ++i) {
    const Json value = Json::String(cases.keys[i].text);
    values.items().push_back(value);
    choices.items().push_back(Both(Selected(name, Json::Array({value})), Type(cases.items[i])));
  }
  if (const YamlNode* other = node.Find("$other")) {
    choices.items().push_back(Both(Schema("not", Selected(name, std::move(values))), Type(*other)));
  }
  return Schema("anyOf", std::move(choices));
}

Json Type(const YamlNode& node) {
  if (node.is_sequence()) {
    Json schema = OfType("array");
    schema.Set("items", Type(node.items.front()));
    return schema;
  }
  if (node.is_mapping()) {
    return node.Find("$on") != nullptr ? SwitchType(node) : ObjectType(node);
  }
  return node.quoted ? Schema("const", Json::String(node.text)) : Expression(node.text);
}

void CollectReferences(const Json& schema, std::set<std::string>& names) {
  constexpr std::string_view kHead = "#/$defs/";
  for (const JsonMember& member : schema.members()) {
    if (member.key == "$ref") names.insert(member.value.text().substr(kHead.size()));
    CollectReferences(member.value, names);
  }
  for (const Json& item : schema.items()) CollectReferences(item, names);
}

}  // namespace

void ShapeSchemas::AddFile(const std::string& path, const YamlText& yaml) {
  const YamlNode root = ParseYaml(path, yaml);
  const YamlNode* extends = root.Find("extends");
  const YamlNode* adds_to = root.Find("adds_to");
  Definitions& definitions =
      revisions_[(adds_to == nullptr ? root.Find("revision") : adds_to)->text];
  if (extends != nullptr) definitions = revisions_.at(extends->text);
  const YamlNode& shapes = *root.Find("shapes");
  for (std::size_t i = 0; i < shapes.items.size(); ++i) {
    definitions[shapes.keys[i].text] = Type(shapes.items[i]);
  }
}

const Json& ShapeSchemas::SchemaOf(const std::string& revision, const std::string& name) {
  Json& schema = made_[revision + ' ' + name];
  if (schema.is_object()) return schema;
  const Definitions& definitions = revisions_.at(revision);
  Json needed = Json::Object();
  std::set<std::string> open{name};
  while (!open.empty()) {
    const std::string next = *open.begin();
    open.erase(open.begin());
    if (needed.Find(next) != nullptr) continue;
    needed.Set(next, definitions.at(next));
    CollectReferences(definitions.at(next), open);
  }
  schema = Json::Object({{"$ref", Json::String("#/$defs/" + name)}, {"$defs", std::move(needed)}});
  return schema;
}

}  // namespace assay::fuzz
