// Sums over a whole run.

#include "runner/tally.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "reports/wording.h"

namespace assay {

void CountVerdicts(Report& report) {
  report.counts.clear();
  for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kWarn, Verdict::kDiffers,
                                Verdict::kSkip, Verdict::kError}) {
    report.counts[verdict] = 0;
  }
  for (const Result& result : report.results) ++report.counts[result.verdict];
}

void FindCauses(Report& report) {
  constexpr std::size_t kFewest = 3;
  std::map<std::tuple<Verdict, std::string, std::string>, std::vector<std::string>> by_words;
  for (const Result& result : report.results) {
    for (const ReportedFinding& finding : result.findings) {
      auto& cases = by_words[{finding.counts_as, finding.requirement, finding.message}];
      if (cases.empty() || cases.back() != result.case_id) cases.push_back(result.case_id);
    }
  }
  for (auto& [words, cases] : by_words) {
    if (cases.size() < kFewest) continue;
    const auto& [counts_as, requirement, message] = words;
    report.causes.push_back({requirement, message, counts_as, std::move(cases)});
  }
  std::stable_sort(report.causes.begin(), report.causes.end(), [](const Cause& a, const Cause& b) {
    return a.counts_as != b.counts_as ? a.counts_as < b.counts_as : a.cases.size() > b.cases.size();
  });
}

namespace {

// Whether what is about `about` ("any", "stdio" or "http") has to do with `transport`.
bool Concerns(std::string_view about, std::string_view transport) {
  return transport.empty() || about == "any" || about == transport;
}

}  // namespace

std::map<std::string, std::vector<std::string>> JudgesOf(const std::vector<Case>& cases,
                                                         std::string_view transport) {
  std::map<std::string, std::vector<std::string>> judges;
  for (const Case& test_case : cases) {
    const std::string about = NeedsStdio(test_case) ? "stdio" : test_case.transport;
    if (!Concerns(about, transport)) continue;
    const std::string id = test_case.id.substr(0, test_case.id.find('@'));
    for (const std::string& requirement : test_case.requires_ids) {
      auto& list = judges[requirement];
      if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
    }
  }
  for (const OracleRule& rule : OracleRules()) {
    if (!Concerns(rule.transport, transport)) continue;
    for (const std::string_view requirement : rule.requirements) {
      judges[std::string(requirement)].push_back("oracle/" + std::string(rule.name));
    }
  }
  return judges;
}

std::map<std::string, std::set<std::string>> UnjudgedIn(const std::vector<Result>& results) {
  std::map<std::string, std::set<std::string>> unjudged;
  for (const Result& result : results) {
    for (const ReportedUnjudged& one : result.unjudged) unjudged[one.requirement].insert(one.why);
  }
  return unjudged;
}

std::string WhyUnjudged(const std::vector<std::string>& reasons) {
  std::string why = reasons.front();
  if (reasons.size() > 1) why += ", and " + std::to_string(reasons.size() - 1) + " more like it";
  return why;
}

std::string WhyNotJudged(const Requirement& requirement, const std::vector<std::string>& judges) {
  if (!judges.empty()) return "";
  if (!requirement.why_not.empty()) return requirement.why_not;
  if (requirement.level == Level::kMay) return "a MAY permits; it cannot be broken";
  if (requirement.observable == "not-observable") return "cannot be seen from outside";
  if (requirement.observable == "load") return "names no threshold to measure against";
  return "no case yet";
}

namespace {

bool IsSpoken(const Requirement& requirement, const ServerFacts& facts) {
  const bool modern = requirement.since >= "2026";
  if (requirement.level == Level::kContract) return true;
  return modern ? facts.modern.served : facts.legacy.served;
}

}  // namespace

void TellRequirements(const Catalogue& catalogue, const std::vector<Case>& cases,
                      const ServerFacts& facts, const std::set<std::string>& proved, bool over_http,
                      Report& report) {
  const auto judges = JudgesOf(cases);
  std::set<std::string> failed;
  std::map<std::string, std::string> skipped;  // requirement -> why its case was skipped
  const auto unjudged = UnjudgedIn(report.results);
  bool anything_ran = false;
  for (const Result& result : report.results) {
    for (const ReportedFinding& finding : result.findings) failed.insert(finding.requirement);
    if (result.verdict != Verdict::kSkip) {
      anything_ran = true;
      continue;
    }
    for (const std::string& id : result.requires_ids) skipped.emplace(id, SkipText(result));
  }
  for (const Requirement& requirement : catalogue.all()) {
    if (!IsSpoken(requirement, facts)) continue;
    RequirementState state;
    state.id = requirement.id;
    state.level = ToString(requirement.level);
    state.text = requirement.text;
    state.link = requirement.link;
    state.basis = requirement.basis == Basis::kNone ? "" : ToString(requirement.basis);
    const auto found = judges.find(requirement.id);
    if (found != judges.end()) state.cases = found->second;
    const auto watcher =
        std::find_if(state.cases.begin(), state.cases.end(),
                     [](const auto& judge) { return judge.starts_with("oracle/"); });
    state.why = WhyNotJudged(requirement, state.cases);
    const bool holds_elsewhere = requirement.transport == (over_http ? "stdio" : "http");
    if (failed.contains(requirement.id)) {
      state.state = "failed";
    } else if (const auto open = unjudged.find(requirement.id); open != unjudged.end()) {
      // Whatever else was seen of it: not all of it was judged.
      state.state = "not-judged";
      state.why = WhyUnjudged({open->second.begin(), open->second.end()});
    } else if (proved.contains(requirement.id)) {
      state.state = "passed";
    } else if (watcher != state.cases.end() && anything_ran && !holds_elsewhere) {
      state.state = "passed";
      state.why = "watched in every exchange (" + *watcher + "), never seen broken";
    } else {
      state.state = "not-judged";
      if (holds_elsewhere) {
        state.why = over_http ? "holds only over stdio" : "holds only over HTTP";
      }
      if (state.why.empty()) {
        const auto why = skipped.find(requirement.id);
        state.why = why == skipped.end() ? std::string(kCasesDidNotRun) : why->second;
      }
    }
    report.requirements.push_back(std::move(state));
  }
}

}  // namespace assay
