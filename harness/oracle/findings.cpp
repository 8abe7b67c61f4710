// Where rules put what they find.

#include "oracle/findings.h"

#include <algorithm>
#include <map>
#include <utility>

namespace assay::oracle {

std::string_view Duty::IdFor(Era era, std::string_view revision) const {
  if (era == Era::kModern) return modern;
  if (revision.empty()) {
    return since <= "2024-11-05" && until >= "2025-11-25" ? legacy : std::string_view();
  }
  return since <= revision && revision <= until ? legacy : std::string_view();
}

void Findings::Report(std::initializer_list<Duty> duties, const Received& received,
                      std::string message, Detail detail) {
  for (const Duty& duty : duties) {
    if (duty.IdFor(received.era, received.revision).empty()) continue;
    Report(duty, received.era, received.revision, received.at, received.step(), std::move(message),
           std::move(detail));
    return;
  }
}

void Findings::Report(const Duty& duty, Era era, std::string_view revision, std::size_t at,
                      std::string step, std::string message, Detail detail) {
  const std::string_view id = duty.IdFor(era, revision);
  if (id.empty()) return;
  placed_.push_back(
      {at, Finding{std::string(id), std::move(message), std::move(step), std::move(detail.expected),
                   std::move(detail.actual), detail.at_most_warn}});
}

void Findings::LeaveOpen(const Duty& duty, const Received& received, std::string why) {
  const std::string_view id = duty.IdFor(received.era, received.revision);
  const bool said = std::any_of(unjudged_.begin(), unjudged_.end(), [&](const Unjudged& old) {
    return old.requirement == id && old.why == why;
  });
  if (!id.empty() && !said) unjudged_.push_back({std::string(id), std::move(why)});
}

std::vector<Finding> Findings::Take() && {
  std::stable_sort(placed_.begin(), placed_.end(),
                   [](const Placed& a, const Placed& b) { return a.at < b.at; });
  std::vector<Finding> taken;
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  for (Placed& placed : placed_) {
    const auto [it, fresh] =
        seen.try_emplace({placed.finding.requirement, placed.finding.message}, taken.size());
    if (fresh) {
      taken.push_back(std::move(placed.finding));
    } else if (taken[it->second].at_most_warn && !placed.finding.at_most_warn) {
      taken[it->second] = std::move(placed.finding);
    }
  }
  return taken;
}

}  // namespace assay::oracle
