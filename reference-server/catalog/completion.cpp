#include "catalog/completion.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "catalog/catalog.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// CompleteResult: completion.values has at most this many.
constexpr std::size_t kMostValues = 100;

const json::string* StringMember(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member == nullptr ? nullptr : member->if_string();
}

const json::object* ObjectMember(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member == nullptr ? nullptr : member->if_object();
}

/// More candidates than fit into one answer, so that the limit can be seen.
std::vector<std::string> ManyCandidates() {
  std::vector<std::string> candidates;
  for (int i = 1; i <= 150; ++i) {
    std::string digits = std::to_string(i);
    digits.insert(0, 3 - digits.size(), '0');
    candidates.push_back("test-" + digits);
  }
  return candidates;
}

/// Suggestions for arg2 depend on what arg1 was resolved to.
std::vector<std::string> DependentCandidates(const json::object* resolved) {
  const json::string* first = resolved == nullptr ? nullptr : StringMember(*resolved, "arg1");
  const std::string prefix = first == nullptr ? "value" : std::string(*first);
  return {prefix + "-alpha", prefix + "-beta", prefix + "-gamma"};
}

using Candidates = std::variant<std::vector<std::string>, std::string>;

Candidates ForPrompt(const Catalog& catalog, std::string_view prompt_name,
                     std::string_view argument, const json::object* resolved) {
  const Prompt* prompt = catalog.FindPrompt(prompt_name);
  if (prompt == nullptr) return "unknown prompt " + std::string(prompt_name);
  bool declared = false;
  if (const json::value* arguments = prompt->definition.if_contains("arguments")) {
    for (const json::value& one : arguments->as_array()) {
      declared = declared || one.at("name").as_string() == argument;
    }
  }
  if (!declared) return "the prompt has no argument " + std::string(argument);
  if (argument == "arg1") return ManyCandidates();
  if (argument == "arg2") return DependentCandidates(resolved);
  std::vector<std::string> uris;
  for (const json::object& resource : catalog.resources()) {
    uris.emplace_back(resource.at("uri").as_string());
  }
  return uris;
}

Candidates ForResource(const Catalog& catalog, std::string_view uri, std::string_view variable) {
  for (const json::object& known : catalog.templates()) {
    if (known.at("uriTemplate").as_string() != uri) continue;
    std::string expression = "{";
    expression += variable;
    expression += '}';
    if (uri.find(expression) == std::string_view::npos) {
      return "the template has no variable " + std::string(variable);
    }
    if (uri == kTemplate) return std::vector<std::string>{"1", "12", "123", "456"};
    return std::vector<std::string>{};
  }
  // A plain resource has no variables, so there is nothing to suggest.
  if (catalog.HasResource(uri)) return std::vector<std::string>{};
  return "unknown resource reference " + std::string(uri);
}

}  // namespace

std::variant<json::object, std::string> Complete(const Catalog& catalog,
                                                 const json::object& params) {
  const json::object* ref = ObjectMember(params, "ref");
  const json::object* argument = ObjectMember(params, "argument");
  if (ref == nullptr) return "ref must be an object";
  if (argument == nullptr) return "argument must be an object";
  const json::string* type = StringMember(*ref, "type");
  const json::string* name = StringMember(*argument, "name");
  const json::string* value = StringMember(*argument, "value");
  if (type == nullptr) return "ref.type must be a string";
  if (name == nullptr) return "argument.name must be a string";
  if (value == nullptr) return "argument.value must be a string";
  const json::object* resolved = nullptr;
  if (const json::value* context = params.if_contains("context")) {
    if (!context->is_object()) return "context must be an object";
    if (const json::value* given = context->get_object().if_contains("arguments")) {
      resolved = given->if_object();
      const bool strings = resolved != nullptr &&
                           std::all_of(resolved->begin(), resolved->end(),
                                       [](const auto& one) { return one.value().is_string(); });
      if (!strings) return "context.arguments must be an object of strings";
    }
  }

  Candidates candidates;
  if (*type == "ref/prompt") {
    const json::string* prompt = StringMember(*ref, "name");
    if (prompt == nullptr) return "ref.name must be a string";
    candidates = ForPrompt(catalog, *prompt, *name, resolved);
  } else if (*type == "ref/resource") {
    const json::string* uri = StringMember(*ref, "uri");
    if (uri == nullptr) return "ref.uri must be a string";
    candidates = ForResource(catalog, *uri, *name);
  } else {
    return "ref.type must be ref/prompt or ref/resource";
  }
  if (const std::string* problem = std::get_if<std::string>(&candidates)) return *problem;

  json::array values;
  std::size_t total = 0;
  for (const std::string& candidate : std::get<std::vector<std::string>>(candidates)) {
    if (!std::string_view(candidate).starts_with(std::string_view(*value))) continue;
    if (++total <= kMostValues) values.emplace_back(candidate);
  }
  return json::object{
      {"values", std::move(values)}, {"total", total}, {"hasMore", total > kMostValues}};
}

}  // namespace assay::reference
