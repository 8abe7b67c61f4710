#include "reports/markdown.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/evidence.h"
#include "reports/exit_code.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr std::size_t kNamesListed = 10;

// Whether the character at `i` would be syntax: anywhere, as the start of a line, or in what GitHub
// takes for a link.
bool IsSyntax(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (std::string_view("\\`*_[]<>#|&~$@").find(c) != std::string_view::npos) return true;
  const std::string_view before = text.substr(0, i);
  const std::string_view after = text.substr(i + 1);
  if (i == 0 && std::string_view("-+=").find(c) != std::string_view::npos) return true;
  const bool numbers = i > 0 && before.find_first_not_of("0123456789") == std::string_view::npos;
  if (numbers && (c == '.' || c == ')')) return after.empty() || after.front() == ' ';
  if (c == ':') return text.substr(i, 3) == "://";
  return c == '.' && (before.ends_with("www") || before.ends_with("WWW"));
}

// Words in running text: nothing in them can format, link, or be HTML.
std::string Escaped(std::string_view words) {
  const std::string text = Visible(words);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsSyntax(text, i)) out.push_back('\\');
    out.push_back(text[i]);
  }
  return out;
}

std::size_t LongestRun(std::string_view text, char c) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t start = i;
    while (i < text.size() && text[i] == c) ++i;
    longest = std::max(longest, i - start);
  }
  return longest;
}

std::string Code(std::string_view text) {
  const std::string visible = Visible(text);
  const std::string fence(LongestRun(visible, '`') + 1, '`');
  const std::string pad = fence.size() > 1 ? " " : "";
  return fence + pad + visible + pad + fence;
}

void WriteBlock(const std::vector<std::string>& lines, std::ostream& out) {
  std::size_t fence = 3;
  for (const std::string& line : lines) fence = std::max(fence, LongestRun(line, '`') + 1);
  out << '\n' << std::string(fence, '`') << "text\n";
  for (const std::string& line : lines) out << line << '\n';
  out << std::string(fence, '`') << '\n';
}

std::string Names(const std::vector<const Result*>& results, std::size_t from) {
  std::string names;
  for (std::size_t i = from; i < std::min(results.size(), from + kNamesListed); ++i) {
    names += (names.empty() ? "" : ", ") + Code(ResultName(*results[i]));
  }
  if (results.size() > from + kNamesListed) {
    names += " and " + std::to_string(results.size() - from - kNamesListed) + " more";
  }
  return names;
}

// Findings that break one requirement; the first is the example.
struct Group {
  bool counts = false;
  const ReportedFinding* example = nullptr;
  std::vector<const Result*> results;
};

class Summary {
 public:
  Summary(const Report& report, std::ostream& out)
      : report_(report), out_(out), folded_(CasesWithCause(report)) {}

  void Write() {
    WriteTarget();
    WriteCounts();
    WriteCauses();
    WriteFindings();
    WriteStale();
    WriteNotJudged();
  }

 private:
  void WriteTarget() {
    const Target& target = report_.target;
    out_ << "# Assay: " << Escaped(target.server_name.empty() ? "a server" : target.server_name);
    if (!target.server_version.empty()) out_ << ' ' << Escaped(target.server_version);
    out_ << "\n\n**" << Escaped(ExitMeaning(report_)) << "**\n\n";
    std::string command;
    for (const std::string& word : target.command) {
      command += (command.empty() ? "" : " ") + ShellWord(word);
    }
    WriteFact("started by", command);
    WriteFact("at", target.url);
    WriteFact("transport", target.transport);
    WriteFact("revisions", Joined(target.revisions));
    WriteFact("era policy", target.era_policy);
    WriteFact("tasks", Joined(target.tasks));
    WriteFact("profile", target.profile);
  }

  void WriteFact(std::string_view name, std::string_view value) {
    if (!value.empty()) out_ << "- " << name << ": " << Code(value) << '\n';
  }

  void WriteCounts() {
    static constexpr Verdict kColumns[] = {Verdict::kFail,  Verdict::kWarn, Verdict::kDiffers,
                                           Verdict::kError, Verdict::kSkip, Verdict::kPass};
    std::string head = "|";
    std::string rule = "|";
    std::string row = "|";
    for (const Verdict verdict : kColumns) {
      const auto count = report_.counts.find(verdict);
      head += " " + std::string(ToString(verdict)) + " |";
      rule += " ---: |";
      row += " " + std::to_string(count == report_.counts.end() ? 0 : count->second) + " |";
    }
    out_ << '\n' << head << '\n' << rule << '\n' << row << '\n';
  }

  void WriteCauses() {
    if (report_.causes.empty()) return;
    out_ << "\n## Causes\n";
    for (const Cause& cause : report_.causes) {
      const std::vector<const Result*> broken = BrokenBy(cause, report_);
      out_ << "\n### " << Escaped(cause.message) << '\n';
      if (broken.empty()) continue;
      out_ << "\nBreaks " << Several(broken.size(), "case", "cases") << ": " << Names(broken, 0)
           << '\n';
      const Result& first = *broken.front();
      if (!first.findings.empty()) WriteEvidence(first.findings.front(), first);
    }
  }

  // In the order in which they were found, those that count first.
  std::vector<Group> GroupsOf() const {
    std::vector<Group> groups;
    std::map<std::pair<std::string_view, bool>, std::size_t> by_requirement;
    for (const Result& result : report_.results) {
      if (folded_.count(result.case_id) > 0) continue;
      for (const ReportedFinding& finding : result.findings) {
        const bool counts = Counts(finding, report_);
        const auto [group, is_new] = by_requirement.emplace(
            std::pair{std::string_view(finding.requirement), counts}, groups.size());
        if (is_new) groups.push_back({counts, &finding, {}});
        std::vector<const Result*>& results = groups[group->second].results;
        if (results.empty() || results.back() != &result) results.push_back(&result);
      }
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.counts && !b.counts; });
    return groups;
  }

  void WriteFindings() {
    const std::vector<Group> groups = GroupsOf();
    bool told = false;  // whether the heading of what does not count stands
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Group& group = groups[i];
      if (i == 0 && group.counts) out_ << "\n## Findings\n";
      if (!group.counts && !told) {
        out_ << "\n## Findings that do not count\n";
        told = true;
      }
      const ReportedFinding& finding = *group.example;
      out_ << "\n### " << Escaped(RequirementLine(finding)) << "\n\n";
      if (!finding.text.empty()) out_ << "> " << Escaped(Unwrapped(finding.text)) << "\n\n";
      if (!finding.link.empty()) out_ << '<' << Link(finding.link) << ">\n\n";
      out_ << Escaped(finding.message) << " — " << Code(ResultName(*group.results.front())) << '\n';
      if (finding.baselined) out_ << "\nKnown: " << Escaped(finding.baseline_reason) << '\n';
      WriteEvidence(finding, *group.results.front());
      if (group.results.size() > 1) {
        out_ << "\nAlso in " << Several(group.results.size() - 1, "case", "cases") << ": "
             << Names(group.results, 1) << '\n';
      }
    }
  }

  // An autolink ends at the first `>` or blank.
  static std::string Link(std::string_view link) {
    std::string out = Visible(link);
    std::erase_if(out, [](char c) { return c == '<' || c == '>' || c == ' '; });
    return out;
  }

  void WriteEvidence(const ReportedFinding& finding, const Result& result) {
    std::vector<std::string> lines = ExchangeOf(finding, result);
    if (finding.expected) lines.push_back("expected " + ValueText(*finding.expected));
    if (finding.actual) lines.push_back("actual   " + ValueText(*finding.actual));
    lines.push_back("$ " + ReproduceCommand(result, report_));
    WriteBlock(lines, out_);
  }

  void WriteStale() {
    if (report_.stale.empty()) return;
    out_ << "\n## Stale baseline entries\n\n";
    for (const StaleBaseline& stale : report_.stale) {
      out_ << "- " << Code(stale.place) << ": " << Code(stale.case_id) << " did not fail for "
           << Code(stale.requirement) << '\n';
    }
  }

  void WriteNotJudged() {
    // What to say, and how often it is the reason.
    std::map<std::string, std::size_t> errors;
    std::map<std::string, std::size_t> skips;
    for (const Result& result : report_.results) {
      if (result.verdict == Verdict::kError) ++errors[result.error];
      if (result.verdict == Verdict::kSkip) ++skips[SkipText(result)];
    }
    std::map<std::string, std::size_t> requirements;
    for (const RequirementState& requirement : report_.requirements) {
      if (requirement.state == "not-judged") ++requirements[requirement.why];
    }
    if (errors.empty() && skips.empty() && requirements.empty()) return;
    out_ << "\n## Not judged\n\n";
    WriteReasons(errors, "case: ", "cases: ");
    WriteReasons(skips, "case skipped: ", "cases skipped: ");
    WriteReasons(requirements, "requirement: ", "requirements: ");
  }

  void WriteReasons(const std::map<std::string, std::size_t>& reasons, std::string_view one,
                    std::string_view many) {
    for (const auto& [reason, count] : reasons) {
      out_ << "- " << Several(count, one, many) << Escaped(reason) << '\n';
    }
  }

  const Report& report_;
  std::ostream& out_;
  std::set<std::string_view> folded_;
};

}  // namespace

void WriteMarkdown(const Report& report, std::ostream& out) { Summary(report, out).Write(); }

}  // namespace assay
