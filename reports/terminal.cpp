#include "reports/terminal.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/evidence.h"
#include "reports/exit_code.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr int kIndent = 9;  // of everything under a label
constexpr std::size_t kNamesListed = 8;
constexpr std::size_t kFindingsShown = 5;

enum class Paint { kPlain, kBold, kDim, kRed, kYellow, kBlue, kGreen };

std::string_view Sequence(Paint paint) {
  switch (paint) {
    case Paint::kBold:
      return "\x1b[1m";
    case Paint::kDim:
      return "\x1b[2m";
    case Paint::kRed:
      return "\x1b[1;31m";
    case Paint::kYellow:
      return "\x1b[33m";
    case Paint::kBlue:
      return "\x1b[34m";
    case Paint::kGreen:
      return "\x1b[32m";
    case Paint::kPlain:
      break;
  }
  return "";
}

struct Label {
  std::string_view text;
  Paint paint;
};

Label LabelOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFail:
      return {"FAIL", Paint::kRed};
    case Verdict::kWarn:
      return {"WARN", Paint::kYellow};
    case Verdict::kDiffers:
      return {"DIFFERS", Paint::kBlue};
    case Verdict::kError:
      return {"ERROR", Paint::kRed};
    case Verdict::kSkip:
      return {"SKIP", Paint::kDim};
    case Verdict::kPass:
      break;
  }
  return {"PASS", Paint::kGreen};
}

int Columns(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::vector<std::string> Wrapped(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (lines.empty() || Columns(lines.back()) + 1 + Columns(word) > std::max(20, width)) {
      lines.emplace_back(word);
    } else {
      lines.back() += " " + std::string(word);
    }
  }
  return lines;
}

// Results that say the same thing: the first is shown, the others are named.
struct Group {
  std::vector<const Result*> results;
  const ReportedFinding* leading = nullptr;  // null: the verdict is all there is
};

class Printer {
 public:
  Printer(const Report& report, const TerminalOptions& options, std::ostream& out)
      : report_(report), options_(options), out_(out), folded_(CasesWithCause(report)) {}

  void Print() {
    PrintTarget();
    for (const Cause& cause : report_.causes) PrintCause(cause);
    for (const bool counting : {true, false}) {
      for (const Verdict verdict : {Verdict::kFail, Verdict::kWarn, Verdict::kDiffers}) {
        PrintVerdicts(verdict, counting);
      }
    }
    PrintBaseline();
    PrintNotJudged();
    if (options_.trace == TerminalOptions::Trace::kAll) PrintPasses();
    PrintTotals();
  }

 private:
  std::string Painted(std::string_view text, Paint paint) const {
    if (!options_.colour || paint == Paint::kPlain) return std::string(text);
    return std::string(Sequence(paint)) + std::string(text) + "\x1b[0m";
  }

  // One line, as it is.
  void Line(std::string_view text, Paint paint = Paint::kPlain, int indent = kIndent) {
    out_ << std::string(static_cast<std::size_t>(indent), ' ') << Painted(text, paint) << '\n';
  }

  // Words, wrapped at the width of the terminal.
  void Prose(std::string_view text, Paint paint = Paint::kPlain, int indent = kIndent) {
    for (const std::string& line : Wrapped(text, options_.width - indent)) {
      Line(line, paint, indent);
    }
  }

  void Heading(Label label, std::string_view text) {
    const std::string gap(static_cast<std::size_t>(kIndent) - label.text.size(), ' ');
    out_ << '\n' << Painted(label.text, label.paint) << gap << Painted(text, Paint::kBold) << '\n';
  }

  // A name for the line and its value: "expected {…}".
  void Field(std::string_view name, std::string_view value) {
    const std::string gap(10 - name.size(), ' ');
    Line(Painted(name, Paint::kDim) + gap + std::string(value));
  }

  void Names(std::string_view lead, const std::vector<const Result*>& results,
             std::size_t from = 0) {
    std::string text(lead);
    for (std::size_t i = from; i < std::min(results.size(), from + kNamesListed); ++i) {
      text += (i == from ? " " : ", ") + ResultName(*results[i]);
    }
    if (results.size() > from + kNamesListed) {
      text += " and " + std::to_string(results.size() - from - kNamesListed) + " more";
    }
    Prose(text, Paint::kDim);
  }

  // The results that say the same as the first.
  void Others(std::string_view lead, const std::vector<const Result*>& results) {
    const std::size_t count = results.size() - 1;
    if (count > 0) Names(std::string(lead) + Several(count, "case:", "cases:"), results, 1);
  }

  void PrintTarget() {
    const Target& target = report_.target;
    std::string server = Visible(target.server_name.empty() ? "the server" : target.server_name);
    if (!target.server_version.empty()) server += " " + Visible(target.server_version);
    out_ << Painted(server, Paint::kBold) << " over " << Visible(target.transport) << '\n';
    std::string facts;
    const auto add = [&](std::string_view name, const std::string& value) {
      if (value.empty()) return;
      facts += (facts.empty() ? "" : " · ") + std::string(name) + Visible(value);
    };
    add("", Joined(target.revisions));
    add("era policy ", target.era_policy);
    add("tasks: ", Joined(target.tasks));
    add("profile ", target.profile);
    Prose(facts, Paint::kDim, 0);
  }

  bool Traced() const { return options_.trace != TerminalOptions::Trace::kNone; }

  void PrintWire(const Result& result) {
    for (const std::string& line : WireOf(result, std::numeric_limits<std::size_t>::max())) {
      Line(line);
    }
  }

  void PrintCause(const Cause& cause) {
    Heading({"CAUSE", Paint::kRed}, Visible(cause.message));
    const std::vector<const Result*> broken = BrokenBy(cause, report_);
    if (!broken.empty()) {
      out_ << '\n';
      PrintEvidence(*broken.front());
      out_ << '\n';
    }
    Names("breaks " + Several(broken.size(), "case:", "cases:"), broken);
    PrintTraces(broken, 1);
  }

  // The wire of these, the first `shown` left out.
  void PrintTraces(const std::vector<const Result*>& results, std::size_t shown) {
    if (!Traced()) return;
    for (std::size_t i = shown; i < results.size(); ++i) PrintTraceOf(*results[i]);
  }

  void PrintTraceOf(const Result& result) {
    if (result.transcript.empty()) return;
    Heading(LabelOf(result.verdict), ResultName(result));
    PrintWire(result);
  }

  const ReportedFinding* Leading(const Result& result, bool counting) const {
    const auto found = std::find_if(
        result.findings.begin(), result.findings.end(),
        [&](const ReportedFinding& finding) { return !counting || Counts(finding, report_); });
    return found == result.findings.end() ? nullptr : &*found;
  }

  // The results of this verdict that count (or do not) and that no cause explains.
  std::vector<Group> GroupsOf(Verdict verdict, bool counting) const {
    std::vector<Group> groups;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> by_finding;
    for (const Result& result : report_.results) {
      if (result.verdict != verdict || result.baseline == "expected") continue;
      if (Counts(result, report_) != counting || folded_.count(result.case_id) > 0) continue;
      const ReportedFinding* leading = Leading(result, counting);
      std::pair<std::string_view, std::string_view> key{result.case_id, ""};
      if (leading != nullptr) key = {leading->requirement, leading->message};
      const auto [group, is_new] = by_finding.emplace(key, groups.size());
      if (is_new) groups.push_back({{}, leading});
      groups[group->second].results.push_back(&result);
    }
    return groups;
  }

  void PrintVerdicts(Verdict verdict, bool counting) {
    for (const Group& group : GroupsOf(verdict, counting)) {
      const Result& first = *group.results.front();
      Heading(LabelOf(verdict), ResultName(first));
      if (counting) {
        Prose(Visible(Unwrapped(first.title)));
        out_ << '\n';
        PrintEvidence(first);
      } else {
        PrintBrief(group);
      }
      Others("also in ", group.results);
      PrintTraces(group.results, counting ? 1 : 0);
    }
  }

  // What does not count takes two lines.
  void PrintBrief(const Group& group) {
    if (group.leading == nullptr) {
      PrintVerdictAlone(*group.results.front());
      return;
    }
    Prose(Visible(group.leading->message));
    Line(RequirementLine(*group.leading), Paint::kDim);
  }

  void PrintVerdictAlone(const Result& result) {
    Prose(result.repeat_differs
              ? "Alone it behaves otherwise than among others."
              : std::string("Its verdict is ") + std::string(ToString(result.verdict)) + ".");
  }

  // Findings, exchange, and the command to see it again.
  void PrintEvidence(const Result& result) {
    if (result.findings.empty()) PrintVerdictAlone(result);
    std::optional<std::string_view> shown_step;
    for (std::size_t i = 0; i < std::min(result.findings.size(), kFindingsShown); ++i) {
      const ReportedFinding& finding = result.findings[i];
      if (i > 0) out_ << '\n';
      PrintFinding(finding);
      if (!Traced() && shown_step != finding.step) {
        for (const std::string& line : ExchangeOf(finding, result)) Line(line);
      }
      shown_step = finding.step;
      if (finding.expected) Field("expected", ValueText(*finding.expected));
      if (finding.actual) Field("actual", ValueText(*finding.actual));
    }
    if (result.findings.size() > kFindingsShown) {
      out_ << '\n';
      Line("and " +
           Several(result.findings.size() - kFindingsShown, "more finding", "more findings"));
    }
    if (!result.findings.empty() && result.repeat_differs) {
      Line("Alone it behaves otherwise than among others.");
    }
    if (Traced()) {
      out_ << '\n';
      PrintWire(result);
    }
    out_ << '\n';
    Line("$ " + ReproduceCommand(result, report_), Paint::kDim);
  }

  void PrintFinding(const ReportedFinding& finding) {
    Prose(Visible(finding.message), Paint::kBold);
    std::string requirement = RequirementLine(finding);
    if (finding.baselined) requirement += " · known: " + Visible(finding.baseline_reason);
    Line(requirement);
    if (!finding.text.empty()) {
      Prose("“" + Visible(Unwrapped(finding.text)) + "”", Paint::kDim, kIndent + 2);
    }
    if (!finding.link.empty()) Line(Visible(finding.link), Paint::kDim, kIndent + 2);
    out_ << '\n';
  }

  void PrintBaseline() {
    std::vector<const Result*> known;
    for (const Result& result : report_.results) {
      if (result.baseline == "expected") known.push_back(&result);
    }
    if (!known.empty()) {
      Heading({"KNOWN", Paint::kDim},
              Several(known.size(), "case breaks", "cases break") + " as the baseline says");
      for (const Result* result : known) Prose(ResultName(*result) + ": " + KnownReason(*result));
    }
    for (const StaleBaseline& stale : report_.stale) {
      Heading({"STALE", Paint::kRed}, Visible(stale.case_id));
      Prose("It ran and did not fail for " + Visible(stale.requirement) +
            ": take the entry out of the baseline.");
      Line(Visible(stale.place), Paint::kDim);
    }
  }

  void PrintNotJudged() {
    PrintErrors();
    PrintSkips();
    std::map<std::string, std::size_t> why;
    std::size_t total = 0;
    for (const RequirementState& requirement : report_.requirements) {
      if (requirement.state != "not-judged") continue;
      ++why[requirement.why];
      ++total;
    }
    if (total == 0) return;
    Heading({"UNJUDGED", Paint::kDim},
            Several(total, "requirement was", "requirements were") + " not judged");
    for (const auto& [reason, count] : MostFrequent(why)) Numbered(count, Visible(reason));
  }

  void PrintErrors() {
    std::map<std::string_view, std::vector<const Result*>> by_error;
    for (const Result& result : report_.results) {
      if (result.verdict == Verdict::kError && folded_.count(result.case_id) == 0) {
        by_error[result.error].push_back(&result);
      }
    }
    for (const auto& [error, results] : by_error) {
      Heading(LabelOf(Verdict::kError), ResultName(*results.front()));
      Prose("Could not be judged: " + Visible(error));
      Others("nor could ", results);
      PrintTraces(results, 0);
    }
  }

  void PrintSkips() {
    std::map<std::string_view, std::map<std::string, std::size_t>> details_by_reason;
    std::map<std::string, std::size_t> counts;
    std::vector<const Result*> unprepared;
    std::size_t total = 0;
    for (const Result& result : report_.results) {
      if (result.verdict != Verdict::kSkip) continue;
      ++total;
      ++counts[result.skip_reason];
      if (result.skip_reason == "precondition") {
        unprepared.push_back(&result);
      } else if (!result.skip_detail.empty()) {
        ++details_by_reason[result.skip_reason][result.skip_detail];
      }
    }
    if (total == 0) return;
    Heading(LabelOf(Verdict::kSkip), Several(total, "case was", "cases were") + " not judged");
    for (const auto& [reason, count] : MostFrequent(counts)) {
      std::string text = SkipWords(reason);
      std::string lead = ": ";
      for (const auto& [detail, times] : MostFrequent(details_by_reason[reason])) {
        text += lead + Visible(detail) + " (" + std::to_string(times) + ")";
        lead = ", ";
      }
      Numbered(count, text);
      if (reason != "precondition") continue;
      for (const Result* result : unprepared) {
        Prose(ResultName(*result) + ": " + Visible(result->skip_detail), Paint::kDim, kIndent + 6);
      }
    }
    PrintTraces(unprepared, 0);
  }

  static std::vector<std::pair<std::string, std::size_t>> MostFrequent(
      const std::map<std::string, std::size_t>& counts) {
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
  }

  // "  12  words", the words hanging.
  void Numbered(std::size_t count, const std::string& text) {
    std::string number = std::to_string(count);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, ' ');
    const std::vector<std::string> lines = Wrapped(text, options_.width - kIndent - 6);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Line((i == 0 ? Painted(number, Paint::kBold) : "    ") + "  " + lines[i]);
    }
  }

  void PrintPasses() {
    for (const Result& result : report_.results) {
      if (result.verdict == Verdict::kPass) PrintTraceOf(result);
    }
  }

  void PrintTotals() {
    static constexpr std::pair<Verdict, std::string_view> kWords[] = {
        {Verdict::kFail, " failed"},      {Verdict::kWarn, " warned"},
        {Verdict::kDiffers, " differed"}, {Verdict::kError, " could not be judged"},
        {Verdict::kSkip, " skipped"},     {Verdict::kPass, " passed"},
    };
    std::string totals;
    for (const auto& [verdict, words] : kWords) {
      const auto count = report_.counts.find(verdict);
      const int cases = count == report_.counts.end() ? 0 : count->second;
      if (cases == 0 && verdict != Verdict::kPass) continue;
      totals += totals.empty() ? "" : ", ";
      totals += Painted(std::to_string(cases) + std::string(words), LabelOf(verdict).paint);
    }
    out_ << '\n' << totals << " in " << DurationText(report_.duration) << '\n';
    if (!options_.report_directory.empty()) {
      out_ << "report in " << Visible(options_.report_directory) << '\n';
    }
    out_ << Painted(ExitMeaning(report_), report_.exit_code == 0 ? Paint::kGreen : Paint::kRed)
         << '\n';
  }

  const Report& report_;
  const TerminalOptions& options_;
  std::ostream& out_;
  std::set<std::string_view> folded_;
};

}  // namespace

void PrintTerminal(const Report& report, const TerminalOptions& options, std::ostream& out) {
  Printer(report, options, out).Print();
}

}  // namespace assay
