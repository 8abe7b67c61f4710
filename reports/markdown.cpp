#include "reports/markdown.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/evidence.h"
#include "reports/exit_code.h"
#include "reports/measured.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr std::size_t kNamesListed = 10;
// GitHub refuses a step summary of more than 1024 KiB; what follows the findings is short.
constexpr std::size_t kBytesInFull = 800'000;
constexpr std::size_t kMessageBytes = 2000;

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

std::size_t LongestRun(std::string_view text, char c) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t start = i;
    while (i < text.size() && text[i] == c) ++i;
    longest = std::max(longest, i - start);
  }
  return longest;
}

}  // namespace

std::string MarkdownText(std::string_view words) {
  const std::string text = Visible(words);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsSyntax(text, i)) out.push_back('\\');
    out.push_back(text[i]);
  }
  return out;
}

std::string MarkdownCode(std::string_view text) {
  const std::string visible = Visible(text);
  const std::string fence(LongestRun(visible, '`') + 1, '`');
  const std::string pad = fence.size() > 1 ? " " : "";
  return fence + pad + visible + pad + fence;
}

namespace {

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
    names += (names.empty() ? "" : ", ") + MarkdownCode(ResultName(*results[i]));
  }
  if (results.size() > from + kNamesListed) {
    names += " and " + std::to_string(results.size() - from - kNamesListed) + " more";
  }
  return names;
}

// Findings that say the same: of one cause, or of one requirement. The first is the example.
struct Group {
  bool counts = false;
  Verdict verdict = Verdict::kFail;
  bool is_cause = false;
  const ReportedFinding* example = nullptr;
  std::vector<const Result*> results;
};

class Summary {
 public:
  Summary(const Report& report, std::ostream& out) : report_(report), out_(out) {}

  void Write() {
    WriteTarget();
    WriteCounts();
    WriteFindings();
    WriteStale();
    WriteMeasured();
    WriteNotJudged();
  }

 private:
  void WriteTarget() {
    const Target& target = report_.target;
    out_ << "# Assay: "
         << MarkdownText(target.server_name.empty() ? "a server" : target.server_name);
    if (!target.server_version.empty()) out_ << ' ' << MarkdownText(target.server_version);
    out_ << "\n\n**" << MarkdownText(ExitMeaning(report_)) << "**\n\n";
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
    if (!value.empty()) out_ << "- " << name << ": " << MarkdownCode(value) << '\n';
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

  void AddCauses(std::vector<Group>& groups) const {
    for (const Cause& cause : report_.causes) {
      Group group;
      group.verdict = cause.counts_as;
      group.is_cause = true;
      for (const Instance& instance : InstancesOf(cause, report_)) {
        if (group.example == nullptr) group.example = instance.finding;
        group.results.push_back(instance.result);
      }
      if (group.example == nullptr) continue;
      group.counts = Counts(*group.example, report_);
      groups.push_back(std::move(group));
    }
  }

  void AddFindings(std::vector<Group>& groups) const {
    std::map<std::tuple<std::string_view, bool, Verdict>, std::size_t> by_requirement;
    const auto add = [&](const ReportedFinding& finding, const Result& result) {
      const bool counts = Counts(finding, report_);
      const auto [group, is_new] = by_requirement.emplace(
          std::tuple{std::string_view(finding.requirement), counts, finding.counts_as},
          groups.size());
      if (is_new) groups.push_back({counts, finding.counts_as, false, &finding, {}});
      std::vector<const Result*>& results = groups[group->second].results;
      if (results.empty() || results.back() != &result) results.push_back(&result);
    };
    for (const Result& result : report_.results) {
      for (const ReportedFinding* finding : OwnFindings(result, report_)) add(*finding, result);
      for (const ReportedFinding& finding : result.findings) {
        if (finding.baselined) add(finding, result);
      }
    }
  }

  // What counts first, of these what many cases share, then the worst.
  std::vector<Group> Groups() const {
    std::vector<Group> groups;
    AddCauses(groups);
    AddFindings(groups);
    const auto rank = [](const Group& group) {
      return group.counts ? std::tuple(0, !group.is_cause, group.verdict)
                          : std::tuple(1, false, group.verdict);
    };
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const Group& a, const Group& b) { return rank(a) < rank(b); });
    return groups;
  }

  static std::string_view SectionOf(const Group& group) {
    if (!group.counts) return "Findings that do not count";
    return group.is_cause ? "Causes" : "Findings";
  }

  void WriteFindings() {
    std::string_view section;
    for (const Group& group : Groups()) {
      if (section != SectionOf(group)) {
        section = SectionOf(group);
        out_ << "\n## " << section << '\n';
      }
      WriteGroup(group);
    }
  }

  // In full while there is room, then by its name.
  void WriteGroup(const Group& group) {
    if (written_ >= kBytesInFull) {
      out_ << "- " << ToString(group.verdict) << " ×" << group.results.size() << ": "
           << MarkdownText(RequirementLine(*group.example)) << '\n';
      return;
    }
    std::ostringstream text;
    WriteInFull(group, text);
    out_ << text.view();
    written_ += text.view().size();
  }

  void WriteInFull(const Group& group, std::ostream& out) const {
    const ReportedFinding& finding = *group.example;
    const Result& first = *group.results.front();
    const std::string message = Excerpt(finding.message, kMessageBytes);
    out << "\n### " << ToString(group.verdict);
    if (group.results.size() > 1) out << " ×" << group.results.size();
    out << ": " << MarkdownText(group.is_cause ? message : RequirementLine(finding)) << "\n\n";
    if (group.is_cause) out << MarkdownText(RequirementLine(finding)) << "\n\n";
    if (!finding.text.empty()) out << "> " << MarkdownText(Unwrapped(finding.text)) << "\n\n";
    if (!finding.link.empty()) out << '<' << Link(finding.link) << ">\n\n";
    out << (group.is_cause ? "For example" : MarkdownText(message)) << " — "
        << MarkdownCode(ResultName(first)) << '\n';
    if (finding.baselined) out << "\nKnown: " << MarkdownText(finding.baseline_reason) << '\n';
    WriteEvidence(finding, first, out);
    if (group.results.size() > 1) {
      out << "\nAlso in " << Several(group.results.size() - 1, "case", "cases") << ": "
          << Names(group.results, 1) << '\n';
    }
  }

  // An autolink ends at the first `>` or blank.
  static std::string Link(std::string_view link) {
    std::string out = Visible(link);
    std::erase_if(out, [](char c) { return c == '<' || c == '>' || c == ' '; });
    return out;
  }

  void WriteEvidence(const ReportedFinding& finding, const Result& result,
                     std::ostream& out) const {
    std::vector<std::string> lines = ExchangeOf(finding, result);
    if (finding.expected) lines.push_back("expected " + ValueText(*finding.expected));
    if (finding.actual) lines.push_back("actual   " + ValueText(*finding.actual));
    lines.push_back("$ " + ReproduceCommand(result, report_));
    WriteBlock(lines, out);
  }

  void WriteStale() {
    if (report_.stale.empty()) return;
    out_ << "\n## Stale baseline entries\n\n";
    for (const StaleBaseline& stale : report_.stale) {
      out_ << "- " << MarkdownCode(stale.place) << ": " << MarkdownCode(stale.case_id)
           << " did not fail for " << MarkdownCode(stale.requirement) << '\n';
    }
  }

  void WriteMeasured() {
    const std::vector<MeasuredRow> rows = MeasuredRows(report_);
    const std::vector<std::string> words = MeasuredInWords(report_);
    if (rows.empty() && words.empty()) return;
    out_ << "\n## Measured\n";
    if (!rows.empty()) WriteMeasuredRows(rows);
    for (const std::string& sentence : words) out_ << '\n' << MarkdownText(sentence) << '\n';
  }

  void WriteMeasuredRows(const std::vector<MeasuredRow>& rows) {
    out_ << "\n|";
    for (const std::string_view column : kMeasuredColumns) out_ << ' ' << column << " |";
    out_ << "\n|---|---|--:|--:|--:|---|---|\n";
    for (const MeasuredRow& row : rows) {
      out_ << '|';
      for (const std::string& cell : row) out_ << ' ' << MarkdownText(cell) << " |";
      out_ << '\n';
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
    std::map<std::string, std::vector<std::string>> requirements;
    for (const RequirementState& requirement : report_.requirements) {
      if (requirement.state == "not-judged")
        requirements[requirement.why].push_back(requirement.id);
    }
    if (errors.empty() && skips.empty() && requirements.empty()) return;
    out_ << "\n## Not judged\n\n";
    WriteReasons(errors, "case: ", "cases: ");
    WriteReasons(skips, "case skipped: ", "cases skipped: ");
    for (const auto& [why, ids] : requirements) {
      out_ << "- " << Several(ids.size(), "requirement: ", "requirements: ") << MarkdownText(why)
           << " (";
      for (std::size_t i = 0; i < ids.size(); ++i)
        out_ << (i == 0 ? "" : ", ") << MarkdownCode(ids[i]);
      out_ << ")\n";
    }
  }

  void WriteReasons(const std::map<std::string, std::size_t>& reasons, std::string_view one,
                    std::string_view many) {
    for (const auto& [reason, count] : reasons) {
      out_ << "- " << Several(count, one, many) << MarkdownText(reason) << '\n';
    }
  }

  const Report& report_;
  std::ostream& out_;
  std::size_t written_ = 0;  // bytes of findings
};

}  // namespace

void WriteMarkdown(const Report& report, std::ostream& out) { Summary(report, out).Write(); }

}  // namespace assay
