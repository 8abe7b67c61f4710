// Looking variables up by dotted name.

#include "exchange/variables.h"

namespace assay {
namespace {

// The first label of `name`; `name` keeps the rest.
std::string TakeLabel(std::string_view& name) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  std::string label(name.substr(0, dot));
  name.remove_prefix(std::min(dot + 1, name.size()));
  return label;
}

// A value that no other exchange of this run uses.
std::optional<Json> Fresh(std::string_view kind) {
  static std::int64_t count = 0;
  ++count;
  if (kind == "string") return Json::String("assay-" + std::to_string(count));
  if (kind == "integer") return Json::Integer(9'000'000 + count);
  return std::nullopt;
}

std::optional<Json> FindRole(const Role& role, std::string_view name) {
  Json value = role.extra;
  value.Set("tool", Json::String(role.tool));
  value.Set("arguments", role.arguments);
  const Json* here = &value;
  while (!name.empty() && here != nullptr) here = here->Find(TakeLabel(name));
  if (here == nullptr) return std::nullopt;
  return *here;
}

}  // namespace

const Json* Variables::Saved(std::string_view name) const {
  const auto found = given_.find(std::string(name));
  return found == given_.end() ? nullptr : &found->second;
}

std::optional<Json> Variables::FindToken(std::string_view name) const {
  if (facts_ == nullptr) return std::nullopt;
  const auto token = facts_->tokens.find(std::string(name));
  if (token == facts_->tokens.end()) return std::nullopt;
  return Json::String(token->second);
}

std::optional<Json> Variables::Find(std::string_view name) const {
  if (const Json* given = Saved(name)) return *given;
  std::string_view rest = name;
  const std::string first = TakeLabel(rest);
  if (first == "fresh") return Fresh(rest);
  if (first == "role") {
    if (facts_ == nullptr) return std::nullopt;
    const auto role = facts_->roles.find(TakeLabel(rest));
    if (role == facts_->roles.end()) return std::nullopt;
    return FindRole(role->second, rest);
  }
  const Json* here = Saved(first);
  // A case may have a `token` of its own.
  if (first == "token" && here == nullptr) return FindToken(rest);
  while (!rest.empty() && here != nullptr) here = here->Find(TakeLabel(rest));
  if (here == nullptr) return std::nullopt;
  return *here;
}

}  // namespace assay
