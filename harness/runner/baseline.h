// The baseline: findings that are known, each with the reason why it is tolerated.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"
#include "reports/report.h"

namespace assay {

struct BaselineEntry {
  // Without a variant it covers all variants of the case; with a `*` (case/glob.h) every case
  // that matches: one defect that the oracle sees in many cases takes one entry.
  std::string case_id;
  std::string requirement;
  std::string reason;
  std::string revision;   // "" = any
  std::string transport;  // "" = any
  Place place;
};

using Baseline = std::vector<BaselineEntry>;

// Parses a list of {case, requirement, reason, revision?, transport?}. `path` is only for messages.
// Throws InputError: also on an entry without a reason, and on one that stands there twice.
Baseline ParseBaseline(const std::string& path, std::string_view text);

// Marks the findings that `baseline` knows and the results that have no others, and lists the stale
// entries: those whose case ran and did not fail for their requirement. A case whose run ended in
// an error, or whose set-up did not hold, or of which a variant is among `left_out` (case ids that
// a filter, a shard or an interruption kept from running) makes no entry stale. A glob is stale
// when at least one case that it matches ran and none of them failed for its requirement; a set-up
// that did not hold does not keep it. Where an exact entry knows a finding too, its reason is told.
void ApplyBaseline(const Baseline& baseline, const std::vector<std::string>& left_out,
                   Report& report);

// The text of a baseline file that knows everything that counts in `report` (to which `baseline`
// has been applied): stale entries go, reasons stay, and what is new awaits one. New entries are
// exact: a glob would also hide what nobody has seen yet, so only people write them.
std::string UpdatedBaseline(const Baseline& baseline, const Report& report);

}  // namespace assay
