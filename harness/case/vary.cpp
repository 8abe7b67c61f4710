// Putting variables in, and following them through the steps.

#include "case/vary.h"

#include <algorithm>
#include <map>
#include <utility>

#include "message/template.h"

namespace assay {
namespace {

// The text inside another text.
std::string AsText(const YamlNode& node) {
  const Json value = ToJson(node);
  return value.is_string() ? value.text() : value.Dump();
}

std::string FirstLabel(const std::string& name) { return name.substr(0, name.find('.')); }

}  // namespace

const YamlNode* VariantExpander::Find(std::string_view name) {
  const YamlNode* here = variables_.Find(name);
  if (here != nullptr) {
    used_.emplace(name);
    return here;
  }
  // A name may lead into a value.
  here = &variables_;
  std::string_view rest = name;
  while (here != nullptr && !rest.empty()) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    here = here->Find(rest.substr(0, dot));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  if (here != nullptr) used_.insert(FirstLabel(std::string(name)));
  return here;
}

void VariantExpander::Spend(const YamlNode& node, std::size_t* budget) const {
  if (*budget == 0) {
    throw InputError({path_, node.line, node.column}, "`vary` makes the file too large to load");
  }
  --*budget;
}

YamlNode VariantExpander::Copy(const YamlNode& node, std::size_t* budget) const {
  Spend(node, budget);
  YamlNode copy;
  copy.kind = node.kind;
  copy.quoted = node.quoted;
  copy.text = node.text;
  copy.line = node.line;
  copy.column = node.column;
  copy.keys = node.keys;
  copy.items.reserve(node.items.size());
  for (const YamlNode& item : node.items) copy.items.push_back(Copy(item, budget));
  return copy;
}

YamlNode VariantExpander::ExpandScalar(const YamlNode& node, std::size_t* budget) {
  std::string text;
  bool changed = false;
  std::string_view rest = node.text;
  while (!rest.empty()) {
    const std::size_t dollar = std::min(rest.find('$'), rest.size());
    text += rest.substr(0, dollar);
    rest.remove_prefix(dollar);
    const std::size_t close = rest.find('}');
    const YamlNode* value = nullptr;
    if (rest.starts_with("${") && close != std::string_view::npos) {
      value = Find(rest.substr(2, close - 2));
    }
    if (value != nullptr) {
      if (close + 1 == node.text.size()) return Copy(*value, budget);
      text += AsText(*value);
      rest.remove_prefix(close + 1);
      changed = true;
    } else {
      const std::size_t length = rest.starts_with("$$") ? 2 : std::min<std::size_t>(1, rest.size());
      text += rest.substr(0, length);
      rest.remove_prefix(length);
    }
  }
  Spend(node, budget);
  YamlNode expanded = node;
  expanded.quoted = node.quoted || changed;
  expanded.text = std::move(text);
  return expanded;
}

YamlNode VariantExpander::Expand(const YamlNode& node, std::size_t* budget) {
  if (node.is_scalar()) return ExpandScalar(node, budget);
  Spend(node, budget);
  YamlNode expanded;
  expanded.kind = node.kind;
  expanded.line = node.line;
  expanded.column = node.column;
  expanded.items.reserve(node.items.size());
  expanded.keys.reserve(node.keys.size());
  for (const YamlNode& item : node.items) expanded.items.push_back(Expand(item, budget));
  for (const YamlNode& key : node.keys) {
    YamlNode name = ExpandScalar(key, budget);
    if (!name.is_scalar()) {
      throw InputError({path_, key.line, key.column}, "a key can only be a text");
    }
    if (expanded.keys.size() < node.keys.size() && expanded.Find(name.text) != nullptr) {
      throw InputError({path_, key.line, key.column}, "duplicate key '" + name.text + "'");
    }
    expanded.keys.push_back(std::move(name));
  }
  return expanded;
}

std::optional<std::string> BadVariableName(std::string_view name) {
  if (name == "role" || name == "fresh" || name == "session") {
    return "'" + std::string(name) +
           "' cannot be a variable: the engine has its own values under it";
  }
  if (name.find_first_of(".{}$") != std::string_view::npos) {
    return "a variable's name cannot have '.', '{', '}' or '$' in it";
  }
  return std::nullopt;
}

namespace {

class VariableChecker {
 public:
  VariableChecker(const std::string& path, const std::set<std::string>& given,
                  std::vector<InputError>* problems)
      : path_(path), given_(given), problems_(problems) {}

  VariableUse Case(const YamlNode& test_case) {
    for (std::size_t i = 0; i < test_case.keys.size(); ++i) {
      const std::string& key = test_case.keys[i].text;
      if (key != "vary" && key != "steps") Value(test_case.items[i]);
    }
    if (const YamlNode* steps = test_case.Find("steps")) StepOrSteps(*steps);
    for (const auto& [name, key] : saved_) {
      if (!use_.used.contains(name)) Fail(*key, "'" + name + "' is saved but never used");
    }
    return std::move(use_);
  }

 private:
  void Fail(const YamlNode& node, const std::string& message) {
    problems_->emplace_back(Place{path_, node.line, node.column}, message);
  }

  void StepOrSteps(const YamlNode& node) {
    if (node.is_sequence()) {
      for (const YamlNode& step : node.items) StepOrSteps(step);
      return;
    }
    const YamlNode* save = nullptr;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& key = node.keys[i].text;
      if (key == "steps" || key == "parallel") {
        StepOrSteps(node.items[i]);
      } else if (key == "save") {
        save = &node.items[i];
      } else {
        in_http_ = key == "http";
        Text(node.keys[i]);
        Value(node.items[i]);
        in_http_ = false;
      }
    }
    if (save == nullptr) return;
    for (const YamlNode& key : save->keys) {
      if (auto problem = BadVariableName(key.text)) Fail(key, *problem);
      if (given_.contains(key.text)) {
        Fail(key, "'" + key.text + "' is a variable of `vary` already");
      }
      saved_.emplace(key.text, &key);
    }
  }

  void Value(const YamlNode& node) {
    if (node.is_scalar()) Text(node);
    for (const YamlNode& item : node.items) Value(item);
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      Text(node.keys[i]);
      if (node.keys[i].text == "$sameAs" && node.items[i].is_scalar()) {
        Use(node.items[i].text, node.items[i]);
      }
    }
  }

  void Text(const YamlNode& node) {
    if (node.text.find("${") == std::string::npos) return;
    for (const std::string& name : VariablesOf(Json::String(node.text))) Use(name, node);
  }

  void Use(const std::string& name, const YamlNode& node) {
    const std::string first = FirstLabel(name);
    use_.used.insert(name);
    use_.used.insert(first);
    if (saved_.contains(name) || saved_.contains(first)) return;
    if (given_.contains(name) || given_.contains(first)) return;
    if (first == "fresh" && name.size() > first.size() + 1) return;
    if (in_http_ &&
        (name == "session.id" || name == "session.revision" || name == "session.path")) {
      return;
    }
    if (first == "role" && name.size() > first.size() + 1) {
      use_.roles.insert(FirstLabel(name.substr(first.size() + 1)));
      return;
    }
    if (first == "token" && name.size() > first.size() + 1) {
      use_.tokens.insert(name.substr(first.size() + 1));
      return;
    }
    Fail(node, "no variable '" + name + "'; nothing saved it before, and `vary` has none");
  }

  const std::string& path_;
  const std::set<std::string>& given_;
  std::vector<InputError>* problems_;
  std::map<std::string, const YamlNode*> saved_;
  bool in_http_ = false;  // there the engine knows the session
  VariableUse use_;
};

}  // namespace

VariableUse CheckVariables(const std::string& path, const YamlNode& test_case,
                           const std::set<std::string>& given, std::vector<InputError>* problems) {
  return VariableChecker(path, given, problems).Case(test_case);
}

}  // namespace assay
