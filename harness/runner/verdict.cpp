// Levels and basis, applied in one place.

#include "runner/verdict.h"

#include <algorithm>
#include <optional>

namespace assay {
namespace {

constexpr std::string_view kFirstModern = "2026-07-28";

bool IsFirm(Basis basis) {
  return basis == Basis::kKeyword || basis == Basis::kSchema || basis == Basis::kJsonRpc ||
         basis == Basis::kHttp;
}

// What breaking `requirement` gives, or nothing when it cannot be broken (MAY).
std::optional<Verdict> Weigh(const Requirement& requirement, const Finding& finding,
                             const std::optional<Level>& lowered) {
  Level level = requirement.level;
  // A case may lower the level, for all it proves; contract items stay what they are.
  if (lowered && level != Level::kContract) level = *lowered;
  switch (level) {
    case Level::kMay:
      return std::nullopt;
    case Level::kContract:
      return Verdict::kDiffers;
    case Level::kMust:
    case Level::kMustNot:
      return IsFirm(requirement.basis) && !finding.at_most_warn ? Verdict::kFail : Verdict::kWarn;
    case Level::kShould:
    case Level::kShouldNot:
      return Verdict::kWarn;
  }
  return std::nullopt;
}

// What both an expectation and the oracle see of one step is one defect.
bool SaysTheSame(const ReportedFinding& a, const ReportedFinding& b) {
  if (a.requirement != b.requirement) return false;
  return a.message == b.message || (!a.step.empty() && a.step == b.step);
}

// The weightier, so that no verdict changes; else the one that knows what was expected.
bool IsBetter(const ReportedFinding& a, const ReportedFinding& b) {
  if (a.counts_as != b.counts_as) return a.counts_as < b.counts_as;
  return a.expected && !b.expected;
}

}  // namespace

std::vector<ReportedFinding> WeighFindings(const std::vector<Finding>& findings,
                                           const Case& test_case, const std::string& revision,
                                           bool over_http, const Catalogue& catalogue) {
  std::vector<ReportedFinding> weighed;
  for (const Finding& finding : findings) {
    const Requirement* requirement = catalogue.Find(finding.requirement);
    if (requirement == nullptr) continue;  // the tests see to it that there is none
    if (requirement->transport == (over_http ? "stdio" : "http")) continue;
    // Within its era. A case that crosses over to the other era proves what holds there, at the
    // newest revision.
    const bool same_era = (requirement->since >= kFirstModern) == (revision >= kFirstModern);
    if (!revision.empty() && same_era && !requirement->InForceAt(revision)) continue;
    const auto required = std::find(test_case.requires_ids.begin(), test_case.requires_ids.end(),
                                    finding.requirement);
    const auto lowered = required == test_case.requires_ids.end() ? std::nullopt : test_case.level;
    const auto counts_as = Weigh(*requirement, finding, lowered);
    if (!counts_as) continue;
    ReportedFinding reported;
    reported.requirement = requirement->id;
    reported.level = ToString(requirement->level);
    reported.basis = requirement->basis == Basis::kNone ? "" : ToString(requirement->basis);
    reported.counts_as = *counts_as;
    reported.message = finding.message;
    reported.step = finding.step;
    reported.expected = finding.expected;
    reported.actual = finding.actual;
    reported.link = requirement->link;
    reported.text = requirement->text;
    const auto twin = std::find_if(weighed.begin(), weighed.end(),
                                   [&](const auto& old) { return SaysTheSame(old, reported); });
    if (twin == weighed.end()) {
      weighed.push_back(std::move(reported));
    } else if (IsBetter(reported, *twin)) {
      *twin = std::move(reported);
    }
  }
  return weighed;
}

Verdict WorstVerdict(const std::vector<ReportedFinding>& findings) {
  Verdict worst = Verdict::kPass;
  const auto weight = [](Verdict verdict) {
    switch (verdict) {
      case Verdict::kFail:
        return 3;
      case Verdict::kWarn:
        return 2;
      case Verdict::kDiffers:
        return 1;
      default:
        return 0;
    }
  };
  for (const ReportedFinding& finding : findings) {
    if (weight(finding.counts_as) > weight(worst)) worst = finding.counts_as;
  }
  return worst;
}

}  // namespace assay
