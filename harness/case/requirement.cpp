// The catalogue of requirements.

#include "case/requirement.h"

#include <utility>

namespace assay {

bool Requirement::InForceAt(std::string_view revision) const {
  // Revisions are dates: the order of their texts is their order in time.
  return since <= revision && (until.empty() || revision <= until);
}

void Catalogue::Add(Requirement requirement) {
  const auto [entry, added] = by_id_.emplace(requirement.id, all_.size());
  if (!added) {
    throw InputError(requirement.place, "requirement " + requirement.id +
                                            " is already defined at " +
                                            ToString(all_[entry->second].place));
  }
  all_.push_back(std::move(requirement));
}

const Requirement* Catalogue::Find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &all_[found->second];
}

std::string_view ToString(Level level) {
  switch (level) {
    case Level::kMust:
      return "must";
    case Level::kMustNot:
      return "must_not";
    case Level::kShould:
      return "should";
    case Level::kShouldNot:
      return "should_not";
    case Level::kMay:
      return "may";
    case Level::kContract:
      return "contract";
  }
  return "";
}

std::string_view ToString(Basis basis) {
  switch (basis) {
    case Basis::kKeyword:
      return "keyword";
    case Basis::kSchema:
      return "schema";
    case Basis::kJsonRpc:
      return "jsonrpc";
    case Basis::kHttp:
      return "http";
    case Basis::kProse:
      return "prose";
    case Basis::kExample:
      return "example";
    case Basis::kDerived:
      return "derived";
    case Basis::kNone:
      return "";
  }
  return "";
}

}  // namespace assay
