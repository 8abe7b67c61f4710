// The variables of one exchange: those of its variant, those it saved, the roles of the server's
// tools, the tokens that the profile gives, and values nobody else has.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "exchange/facts.h"
#include "message/json.h"

namespace assay {

class Variables {
 public:
  // `facts` may be null: then there are no roles and no tokens.
  Variables(std::map<std::string, Json> given, const ServerFacts* facts)
      : given_(std::move(given)), facts_(facts) {}

  // `name` may lead into a value: role.echo.arguments.message.
  std::optional<Json> Find(std::string_view name) const;
  void Save(const std::string& name, Json value) { given_[name] = std::move(value); }
  const Json* Saved(std::string_view name) const;

 private:
  std::optional<Json> FindToken(std::string_view name) const;

  std::map<std::string, Json> given_;
  const ServerFacts* facts_;
};

}  // namespace assay
