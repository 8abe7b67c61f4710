// The catalogue: every server obligation we know, with its level and where the specification says
// it.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"

namespace assay {

enum class Level { kMust, kMustNot, kShould, kShouldNot, kMay, kContract };

// How firm a requirement is. The first four may give `fail`, the others at most `warn`. Contract
// items have no basis.
enum class Basis { kKeyword, kSchema, kJsonRpc, kHttp, kProse, kExample, kDerived, kNone };

struct Requirement {
  std::string id;  // as baselines name it, e.g. M-META-MISSING-VERSION
  Level level = Level::kMust;
  Basis basis = Basis::kNone;
  std::string since;       // first revision it holds in, e.g. 2025-03-26
  std::string until;       // last one; "" = still in force
  std::string where;       // page and heading
  std::string link;        // the same as a URL; "" for contract items
  std::string transport;   // any | stdio | http
  std::string observable;  // wire | http | process | timing | load | not-observable
  std::string text;
  std::string why_not;  // why nothing judges it; "" where it is judged, or the other fields tell
  Place place;

  bool InForceAt(std::string_view revision) const;
};

class Catalogue {
 public:
  void Add(Requirement requirement);  // throws InputError on a duplicate id
  const Requirement* Find(std::string_view id) const;
  // In the order in which they were added.
  const std::vector<Requirement>& all() const { return all_; }

 private:
  std::vector<Requirement> all_;
  std::map<std::string, std::size_t, std::less<>> by_id_;
};

std::string_view ToString(Level level);
std::string_view ToString(Basis basis);

}  // namespace assay
