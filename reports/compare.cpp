#include "reports/compare.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "reports/html_page.h"
#include "reports/markdown.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

Key KeyOf(const Result& result) { return {result.case_id, result.revision, result.transport}; }

std::map<Key, const Result*> ByKey(const Report& report) {
  std::map<Key, const Result*> by_key;
  for (const Result& result : report.results) by_key.emplace(KeyOf(result), &result);
  return by_key;
}

bool IsJudged(const Result& result) {
  return result.verdict != Verdict::kSkip && result.verdict != Verdict::kError;
}

// The worst finding of each requirement. Verdicts are in the order of their weight.
std::map<std::string_view, Verdict> WorstOf(const Result& result) {
  std::map<std::string_view, Verdict> worst;
  for (const ReportedFinding& finding : result.findings) {
    if (finding.baselined) continue;
    const auto [known, is_new] = worst.emplace(finding.requirement, finding.counts_as);
    if (!is_new) known->second = std::min(known->second, finding.counts_as);
  }
  return worst;
}

// The requirements that stand worse in `a` than in `b`.
std::vector<std::string> WorseIn(const std::map<std::string_view, Verdict>& a,
                                 const std::map<std::string_view, Verdict>& b) {
  std::vector<std::string> worse;
  for (const auto& [requirement, verdict] : a) {
    const auto other = b.find(requirement);
    if (other == b.end() || verdict < other->second) worse.emplace_back(requirement);
  }
  return worse;
}

void Sort(const Result& before, const Result& after, Comparison& comparison) {
  const auto was = WorstOf(before);
  const auto is = WorstOf(after);
  Change change{&before, &after, WorseIn(is, was), WorseIn(was, is)};
  if (IsJudged(before) && !IsJudged(after)) {
    comparison.lost.push_back(std::move(change));
  } else if (!change.broken.empty()) {
    comparison.regressions.push_back(std::move(change));
  } else if (!IsJudged(before) && IsJudged(after)) {
    comparison.gained.push_back(std::move(change));
  } else if (!change.mended.empty()) {
    comparison.fixes.push_back(std::move(change));
  }
}

struct Section {
  std::string_view title;
  const std::vector<Change>* changes;
};

std::vector<Section> SectionsOf(const Comparison& comparison) {
  return {{"Regressions", &comparison.regressions},
          {"Fixes", &comparison.fixes},
          {"No longer judged", &comparison.lost},
          {"Now judged", &comparison.gained},
          {"New", &comparison.added},
          {"Gone", &comparison.gone}};
}

const Result& AnyOf(const Change& change) {
  return change.after != nullptr ? *change.after : *change.before;
}

// "pass → fail", or the one verdict there is.
std::string Course(const Change& change) {
  if (change.before == nullptr) return std::string(ToString(change.after->verdict));
  if (change.after == nullptr) return std::string(ToString(change.before->verdict));
  return std::string(ToString(change.before->verdict)) + " → " +
         std::string(ToString(change.after->verdict));
}

std::string MessageFor(const std::string& requirement, const Result& result) {
  const ReportedFinding* worst = nullptr;
  for (const ReportedFinding& finding : result.findings) {
    if (finding.requirement != requirement || finding.baselined) continue;
    if (worst == nullptr || finding.counts_as < worst->counts_as) worst = &finding;
  }
  return Excerpt(requirement + ": " + (worst == nullptr ? "" : worst->message), 300);
}

// What there is to say of a change, safe to print: "broken: M-…: the message".
std::vector<std::string> LinesOf(const Change& change) {
  std::vector<std::string> lines;
  for (const std::string& id : change.broken) {
    lines.push_back("broken: " + MessageFor(id, *change.after));
  }
  for (const std::string& id : change.mended) {
    lines.push_back("mended: " + MessageFor(id, *change.before));
  }
  if (change.after != nullptr && change.after->verdict == Verdict::kSkip) {
    lines.push_back("skipped: " + SkipText(*change.after));
  }
  if (change.after != nullptr && change.after->verdict == Verdict::kError) {
    lines.push_back("error: " + Excerpt(change.after->error, 300));
  }
  return lines;
}

}  // namespace

Comparison Compare(const Report& before, const Report& after) {
  Comparison comparison;
  const auto old_results = ByKey(before);
  const auto new_results = ByKey(after);
  for (const Result& result : after.results) {
    const auto old = old_results.find(KeyOf(result));
    if (old != old_results.end()) {
      Sort(*old->second, result, comparison);
    } else {
      comparison.added.push_back({.before = nullptr, .after = &result, .broken = {}, .mended = {}});
    }
  }
  for (const Result& result : before.results) {
    if (new_results.contains(KeyOf(result))) continue;
    comparison.gone.push_back({.before = &result, .after = nullptr, .broken = {}, .mended = {}});
  }
  return comparison;
}

void PrintComparison(const Comparison& comparison, std::ostream& out) {
  for (const auto& [title, changes] : SectionsOf(comparison)) {
    if (changes->empty()) continue;
    out << title << ": " << Several(changes->size(), "case", "cases") << '\n';
    for (const Change& change : *changes) {
      out << "  " << Course(change) << "  " << ResultName(AnyOf(change)) << '\n';
      for (const std::string& line : LinesOf(change)) out << "      " << line << '\n';
    }
    out << '\n';
  }
  out << Several(comparison.regressions.size(), "regression", "regressions") << ", "
      << Several(comparison.fixes.size(), "fix", "fixes") << ", " << comparison.added.size()
      << " new, " << comparison.gone.size() << " gone\n";
}

void WriteComparisonMarkdown(const Comparison& comparison, std::ostream& out) {
  out << "# Assay: what changed\n\n|";
  for (const auto& [title, changes] : SectionsOf(comparison)) out << ' ' << title << " |";
  out << "\n|";
  for (std::size_t i = 0; i < SectionsOf(comparison).size(); ++i) out << " ---: |";
  out << "\n|";
  for (const auto& [title, changes] : SectionsOf(comparison)) out << ' ' << changes->size() << " |";
  out << '\n';
  for (const auto& [title, changes] : SectionsOf(comparison)) {
    if (changes->empty()) continue;
    out << "\n## " << title << "\n\n";
    for (const Change& change : *changes) {
      out << "- " << Course(change) << ": " << MarkdownCode(ResultName(AnyOf(change))) << '\n';
      for (const std::string& line : LinesOf(change)) out << "  - " << MarkdownText(line) << '\n';
    }
  }
}

void WriteComparisonHtml(const Comparison& comparison, const Report& after, std::ostream& out) {
  const std::string& name = after.target.server_name;
  const std::string title = (name.empty() ? "A server" : Excerpt(name, 100)) + ": what changed";
  WritePageStart(title + " · Assay", "", out);
  out << "<header><p class=\"brand\">Assay comparison</p><h1>" << HtmlText(title)
      << "</h1></header>\n<main>\n<ul class=\"legend\">";
  for (const auto& [section, changes] : SectionsOf(comparison)) {
    out << "<li><b>" << changes->size() << "</b> " << section << "</li>";
  }
  out << "</ul>\n";
  for (const auto& [section, changes] : SectionsOf(comparison)) {
    if (changes->empty()) continue;
    out << "<section><h2>" << section << "</h2>\n<ul class=\"changes\">\n";
    for (const Change& change : *changes) {
      const Result& result = AnyOf(change);
      out << "<li><span class=\"verdict " << ToString(result.verdict) << "\">" << Course(change)
          << "</span> <code>" << HtmlText(ResultName(result)) << "</code>";
      const std::vector<std::string> lines = LinesOf(change);
      if (!lines.empty()) out << "<ul>";
      for (const std::string& line : lines) out << "<li>" << HtmlText(line) << "</li>";
      if (!lines.empty()) out << "</ul>";
      out << "</li>\n";
    }
    out << "</ul></section>\n";
  }
  out << "</main>\n";
  WritePageEnd("", out);
}

}  // namespace assay
