#include "runner/baseline.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "case/glob.h"
#include "case/yaml.h"
#include "reports/exit_code.h"

namespace assay {
namespace {

auto Key(const BaselineEntry& entry) {
  return std::tie(entry.case_id, entry.requirement, entry.revision, entry.transport);
}

BaselineEntry ParseEntry(const std::string& path, const YamlNode& node) {
  BaselineEntry entry;
  entry.place = {path, node.line, node.column};
  if (!node.is_mapping()) {
    throw InputError(entry.place, "expected an entry {case, requirement, reason}");
  }
  const std::map<std::string_view, std::string*> members{
      {"case", &entry.case_id},      {"requirement", &entry.requirement}, {"reason", &entry.reason},
      {"revision", &entry.revision}, {"transport", &entry.transport},
  };
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlNode& key = node.keys[i];
    const YamlNode& value = node.items[i];
    const auto member = members.find(key.text);
    if (member == members.end()) {
      throw InputError({path, key.line, key.column},
                       "unknown key '" + key.text +
                           "'; expected one of: case, requirement, reason, revision, transport");
    }
    if (!value.is_scalar() || value.is_null() || value.text.empty()) {
      throw InputError({path, value.line, value.column}, "expected text for '" + key.text + "'");
    }
    *member->second = value.text;
  }
  for (const std::string_view key : {"case", "requirement", "reason"}) {
    if (members.at(key)->empty()) {
      throw InputError(entry.place, "missing key '" + std::string(key) + "'");
    }
  }
  if (!entry.transport.empty() && entry.transport != "stdio" && entry.transport != "http") {
    const YamlNode& value = *node.Find("transport");
    throw InputError({path, value.line, value.column},
                     "expected stdio or http, got '" + value.text + "'");
  }
  return entry;
}

bool IsGlob(const BaselineEntry& entry) { return entry.case_id.find('*') != std::string::npos; }

bool CoversCase(const BaselineEntry& entry, std::string_view case_id) {
  const auto names = [&](std::string_view id) {
    return IsGlob(entry) ? MatchesGlob(entry.case_id, id) : entry.case_id == id;
  };
  if (names(case_id)) return true;
  return entry.case_id.find('@') == std::string::npos &&
         names(case_id.substr(0, case_id.find('@')));
}

bool Covers(const BaselineEntry& entry, const Result& result) {
  return CoversCase(entry, result.case_id) &&
         (entry.revision.empty() || entry.revision == result.revision) &&
         (entry.transport.empty() || entry.transport == result.transport);
}

bool IsDefect(const ReportedFinding& finding) {
  return finding.counts_as == Verdict::kFail || finding.counts_as == Verdict::kWarn ||
         finding.counts_as == Verdict::kDiffers;
}

bool Breaks(const Result& result, std::string_view requirement) {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](const ReportedFinding& finding) {
                       return finding.requirement == requirement && IsDefect(finding);
                     });
}

bool Ran(const Result& result) {
  return result.verdict != Verdict::kSkip && result.verdict != Verdict::kError;
}

// Whether it might have failed, had it come that far. Among all that a glob covers something has
// always come too short to be waited for.
bool IsUndecided(const Result& result, const BaselineEntry& entry) {
  return result.verdict == Verdict::kError ||
         (result.skip_reason == "precondition" && !IsGlob(entry));
}

bool IsStale(const BaselineEntry& entry, const std::vector<const Result*>& covered,
             const std::vector<std::string>& left_out) {
  bool ran = false;
  for (const Result* result : covered) {
    if (IsUndecided(*result, entry) || Breaks(*result, entry.requirement)) return false;
    ran = ran || Ran(*result);
  }
  return ran && std::none_of(left_out.begin(), left_out.end(), [&](const std::string& case_id) {
           return CoversCase(entry, case_id);
         });
}

void Mark(const BaselineEntry& entry, Result& result) {
  for (ReportedFinding& finding : result.findings) {
    if (finding.requirement != entry.requirement || finding.baselined) continue;
    finding.baselined = true;
    finding.baseline_reason = entry.reason;
  }
}

bool IsAllKnown(const Result& result) {
  bool any = false;
  for (const ReportedFinding& finding : result.findings) {
    if (!IsDefect(finding)) continue;
    if (!finding.baselined) return false;
    any = true;
  }
  return any;
}

// The reason of an entry for just this case is the better one.
Baseline ExactFirst(Baseline baseline) {
  std::stable_partition(baseline.begin(), baseline.end(),
                        [](const BaselineEntry& entry) { return !IsGlob(entry); });
  return baseline;
}

}  // namespace

Baseline ParseBaseline(const std::string& path, std::string_view text) {
  const YamlNode root = ParseYaml(path, text);
  Baseline baseline;
  if (root.is_null()) return baseline;
  if (!root.is_sequence()) {
    throw InputError({path, root.line, root.column},
                     "expected a list of {case, requirement, reason}");
  }
  for (const YamlNode& node : root.items) {
    BaselineEntry entry = ParseEntry(path, node);
    const auto twin = std::find_if(baseline.begin(), baseline.end(),
                                   [&](const auto& other) { return Key(other) == Key(entry); });
    if (twin != baseline.end()) {
      throw InputError(entry.place,
                       "the same entry stands on line " + std::to_string(twin->place.line));
    }
    baseline.push_back(std::move(entry));
  }
  return baseline;
}

void ApplyBaseline(const Baseline& baseline, const std::vector<std::string>& left_out,
                   Report& report) {
  for (const BaselineEntry& entry : ExactFirst(baseline)) {
    std::vector<const Result*> covered;
    for (Result& result : report.results) {
      if (!Covers(entry, result)) continue;
      Mark(entry, result);
      covered.push_back(&result);
    }
    if (!IsStale(entry, covered, left_out)) continue;
    report.stale.push_back({entry.case_id, entry.requirement, ToString(entry.place)});
    if (IsGlob(entry)) continue;  // of no single result
    for (Result& result : report.results) {
      if (Covers(entry, result) && Ran(result)) result.baseline = "stale";
    }
  }
  for (Result& result : report.results) {
    if (result.baseline.empty() && IsAllKnown(result)) result.baseline = "expected";
  }
}

namespace {

constexpr std::string_view kHeader =
    "# Known findings. Each must fail for the requirement it names; one whose case ran and did "
    "not\n"
    "# fail is stale, and fails the run.\n";

// A plain scalar where nothing in the text could be taken for syntax or for another type.
std::string ToYaml(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') ||
           std::string_view(" ,.;()/_@-").find(c) != std::string_view::npos;
  };
  static const std::set<std::string_view> kWords{"true", "false", "null", "yes", "no", "on", "off"};
  const bool plain = is_letter(text.front()) && text.back() != ' ' && kWords.count(text) == 0 &&
                     std::all_of(text.begin(), text.end(), is_plain);
  return plain ? std::string(text) : Json::String(std::string(text)).Dump();
}

std::string ToYaml(const BaselineEntry& entry) {
  std::string text = "- case: " + ToYaml(entry.case_id);
  text += "\n  requirement: " + ToYaml(entry.requirement);
  if (!entry.revision.empty()) text += "\n  revision: " + ToYaml(entry.revision);
  if (!entry.transport.empty()) text += "\n  transport: " + ToYaml(entry.transport);
  return text + "\n  reason: " + ToYaml(entry.reason) + "\n";
}

bool IsListedAsStale(const BaselineEntry& entry, const Report& report) {
  return std::any_of(report.stale.begin(), report.stale.end(), [&](const StaleBaseline& stale) {
    return stale.case_id == entry.case_id && stale.requirement == entry.requirement &&
           stale.place == ToString(entry.place);
  });
}

// Case and requirement of everything that counts, with the results that show it.
std::map<std::pair<std::string, std::string>, std::vector<const Result*>> NewlyKnown(
    const Report& report) {
  std::map<std::pair<std::string, std::string>, std::vector<const Result*>> known;
  for (const Result& result : report.results) {
    for (const ReportedFinding& finding : result.findings) {
      if (!Counts(finding, report)) continue;
      std::vector<const Result*>& results = known[{result.case_id, finding.requirement}];
      if (results.empty() || results.back() != &result) results.push_back(&result);
    }
  }
  return known;
}

}  // namespace

std::string UpdatedBaseline(const Baseline& baseline, const Report& report) {
  constexpr std::string_view kReason = "TODO: say why";
  Baseline updated;
  for (const BaselineEntry& entry : baseline) {
    if (!IsListedAsStale(entry, report)) updated.push_back(entry);
  }
  for (const auto& [key, broken] : NewlyKnown(report)) {
    const std::string& case_id = key.first;
    const std::string& requirement = key.second;
    // Where the same case met the requirement elsewhere, only what broke it is known.
    const bool met_elsewhere =
        std::any_of(report.results.begin(), report.results.end(), [&](const Result& result) {
          return result.case_id == case_id && Ran(result) && !Breaks(result, requirement);
        });
    for (const Result* result : broken) {
      updated.push_back({case_id,
                         requirement,
                         std::string(kReason),
                         met_elsewhere ? result->revision : "",
                         met_elsewhere ? result->transport : "",
                         {}});
      if (!met_elsewhere) break;
    }
  }
  std::sort(updated.begin(), updated.end(),
            [](const auto& a, const auto& b) { return Key(a) < Key(b); });
  std::string text(kHeader);
  if (updated.empty()) text += "[]\n";
  for (const BaselineEntry& entry : updated) text += ToYaml(entry);
  return text;
}

}  // namespace assay
