// The variables of a case file, before the case is read: `vary` is put in where its variables are
// named, and what is left must be saved by an earlier step or known to the engine.

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"
#include "case/yaml.h"

namespace assay {

class VariantExpander {
 public:
  // `variables`: the mapping of one variant. Must outlive the expander.
  VariantExpander(const std::string& path, const YamlNode& variables)
      : path_(path), variables_(variables) {}

  // `node` with the variables of the variant put in: a scalar that is one variable becomes its
  // value, inside longer text it is text. Other variables, and `$$`, stay. Takes the number of
  // values made off `budget`, and throws InputError when that is not enough.
  YamlNode Expand(const YamlNode& node, std::size_t* budget);

  // Variables that were put in somewhere.
  const std::set<std::string>& used() const { return used_; }

 private:
  const YamlNode* Find(std::string_view name);
  YamlNode ExpandScalar(const YamlNode& node, std::size_t* budget);
  void Spend(const YamlNode& node, std::size_t* budget) const;
  YamlNode Copy(const YamlNode& node, std::size_t* budget) const;

  const std::string& path_;
  const YamlNode& variables_;
  std::set<std::string> used_;
};

// Why a variable cannot have that name, or nothing.
std::optional<std::string> BadVariableName(std::string_view name);

struct VariableUse {
  std::set<std::string> used;    // names of all variables that are used
  std::set<std::string> roles;   // that is, `${role.NAME.…}`
  std::set<std::string> tokens;  // `${token.NAME}`
};

// Looks through an expanded case: every variable must be one of `given`, saved by an earlier step,
// `role.*`, `token.*` or `fresh.*`, and whatever is saved must be used.
VariableUse CheckVariables(const std::string& path, const YamlNode& test_case,
                           const std::set<std::string>& given, std::vector<InputError>* problems);

}  // namespace assay
