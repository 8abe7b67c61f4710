// Templates: JSON trees in which `${name}` stands for a variable and a doubled `$` for a literal
// one.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "message/json.h"

namespace assay {

// The value of a variable, or nothing when there is none of that name. Names may have dots
// (`role.echo.tool`).
using Lookup = std::function<std::optional<Json>(std::string_view name)>;

// Thrown when a template names a variable that has no value.
class UnknownVariable : public std::runtime_error {
 public:
  explicit UnknownVariable(const std::string& name)
      : std::runtime_error("no value for ${" + name + "}"), name_(name) {}
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// Fills in a value to be sent. A scalar that is one variable takes its value with its type; inside
// longer text the value is text. `$$` becomes `$`. An object whose only member is `$json` becomes
// that exact text. A member whose value is `${name?}` is left out when there is no such variable.
Json FillValue(const Json& value, const Lookup& lookup);
// Fills in a pattern: matchers stay, and values that come from variables are taken literally.
Json FillPattern(const Json& pattern, const Lookup& lookup);
// The names of all variables that a template uses.
std::vector<std::string> VariablesOf(const Json& value);

}  // namespace assay
