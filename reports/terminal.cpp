#include "reports/terminal.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
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

constexpr int kIndent = 9;  // of everything under a label
// How much is shown before "and 7 more".
constexpr std::size_t kNamesListed = 2;
constexpr std::size_t kFindingsShown = 3;  // of one result
constexpr std::size_t kShownInFull = 8;
constexpr std::size_t kShownInBrief = 8;
constexpr std::size_t kReasonsListed = 4;
constexpr std::size_t kDetailsListed = 2;

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

// Words in lines of `width` columns, `ending` after each but the last. A word stays whole.
std::vector<std::string> Filled(const std::vector<std::string>& words, int width,
                                std::string_view ending = "") {
  const int room = std::max(20, width - Columns(ending));
  std::vector<std::string> lines;
  for (const std::string& word : words) {
    if (lines.empty() || Columns(lines.back()) + 1 + Columns(word) > room) {
      if (!lines.empty()) lines.back() += ending;
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

std::vector<std::string> Wrapped(std::string_view text, int width) {
  std::vector<std::string> words;
  while (!text.empty()) {
    words.emplace_back(text.substr(0, text.find(' ')));
    text.remove_prefix(std::min(words.back().size() + 1, text.size()));
  }
  return Filled(words, width);
}

// The bytes of the first `columns` characters.
std::size_t BytesOf(std::string_view text, int columns) {
  std::size_t at = 0;
  while (at < text.size() && columns-- > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
  }
  return at;
}

// Text without blanks to wrap at, such as JSON, in lines of `width` columns.
std::vector<std::string> Broken(std::string_view text, int width) {
  std::vector<std::string> lines;
  do {
    const std::size_t end = BytesOf(text, std::max(20, width));
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  } while (!text.empty());
  return lines;
}

// Results that say the same thing: the first is shown, the others are named.
struct Group {
  Verdict verdict = Verdict::kFail;
  bool counts = false;
  bool is_cause = false;
  const ReportedFinding* leading = nullptr;  // null: the verdict is all there is
  std::vector<const Result*> results;
};

class Printer {
 public:
  Printer(const Report& report, const TerminalOptions& options, std::ostream& out)
      : report_(report), options_(options), out_(out) {}

  void Print() {
    PrintTarget();
    PrintGroups();
    PrintBaseline();
    PrintErrors();
    PrintSkips();
    PrintNotJudged();
    if (options_.trace == TerminalOptions::Trace::kAll) PrintPasses();
    PrintMeasured();
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
    out_ << '\n';
    Titled(label, text);
  }

  // A label and bold words beside it.
  void Titled(Label label, std::string_view text) {
    const std::string gap(static_cast<std::size_t>(kIndent) - label.text.size(), ' ');
    out_ << Painted(label.text, label.paint) << gap;
    bool first = true;
    for (const std::string& line : Wrapped(text, options_.width - kIndent)) {
      Line(line, Paint::kBold, first ? 0 : kIndent);
      first = false;
    }
  }

  // One line of the wire or a value, broken where it is too long.
  void Wire(std::string_view text, std::string_view name = "") {
    const std::string gap(name.empty() ? 0 : 10 - name.size(), ' ');
    const int hang = name.empty() ? 2 : 10;
    bool first = true;
    for (const std::string& line : Broken(text, options_.width - kIndent - hang)) {
      if (first) {
        Line(Painted(name, Paint::kDim) + gap + line);
      } else {
        Line(line, Paint::kPlain, kIndent + hang);
      }
      first = false;
    }
  }

  void Command(const Result& result) {
    std::vector<std::string> words = ReproduceParts(result, report_);
    words.front().insert(0, "$ ");
    bool first = true;
    for (const std::string& line : Filled(words, options_.width - kIndent - 4, " \\")) {
      Line(line, Paint::kDim, first ? kIndent : kIndent + 4);
      first = false;
    }
  }

  // "a, b and 7 more", from the results that stand at `from` and behind it.
  static std::string Names(const std::vector<const Result*>& results, std::size_t from) {
    std::string text;
    const std::size_t end = std::min(results.size(), from + kNamesListed);
    for (std::size_t i = from; i < end; ++i) {
      text += (i == from ? "" : ", ") + ResultName(*results[i]);
    }
    if (results.size() > end) text += " and " + std::to_string(results.size() - end) + " more";
    return text;
  }

  // The results that say the same as the first.
  void Others(std::string_view lead, const std::vector<const Result*>& results) {
    if (results.size() < 2) return;
    Prose(std::string(lead) + Several(results.size() - 1, "case: ", "cases: ") + Names(results, 1),
          Paint::kDim);
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

  void AddCauses(std::vector<Group>& groups) const {
    for (const Cause& cause : report_.causes) {
      Group group;
      group.is_cause = true;
      for (const Instance& instance : InstancesOf(cause, report_)) {
        if (group.leading == nullptr) group.leading = instance.finding;
        group.results.push_back(instance.result);
      }
      if (group.leading == nullptr) continue;
      group.verdict = cause.counts_as;
      group.counts = Counts(*group.leading, report_);
      groups.push_back(std::move(group));
    }
  }

  // Of the results, what no cause explains. Those with the same findings make a group.
  void AddResults(std::vector<Group>& groups) const {
    std::map<std::string, std::size_t> by_findings;
    for (const Result& result : report_.results) {
      if (result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip ||
          result.verdict == Verdict::kError) {
        continue;
      }
      const std::vector<const ReportedFinding*> own = OwnFindings(result, report_);
      if (own.empty() && !result.findings.empty()) continue;  // told elsewhere
      Group group;
      std::string key = result.case_id;
      if (own.empty()) {
        group.verdict = result.verdict;
        group.counts = Counts(result, report_);
      } else {
        group.leading = own.front();
        group.verdict = own.front()->counts_as;
        group.counts = Counts(*own.front(), report_);
        key.clear();
        for (const ReportedFinding* finding : own) {
          if (finding != own.front() && !Counts(*finding, report_)) break;
          key += finding->requirement + '\n' + finding->message + '\n';
        }
        key += ToString(group.verdict);
      }
      const auto [known, is_new] = by_findings.emplace(std::move(key), groups.size());
      if (is_new) groups.push_back(std::move(group));
      groups[known->second].results.push_back(&result);
    }
  }

  // What counts, then what does not; the worst first, and of these what many cases share.
  std::vector<Group> Groups() const {
    std::vector<Group> groups;
    AddCauses(groups);
    AddResults(groups);
    const auto rank = [](const Group& group) {
      return std::tuple(!group.counts, group.verdict, !group.is_cause);
    };
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const Group& a, const Group& b) { return rank(a) < rank(b); });
    return groups;
  }

  void PrintGroups() {
    const std::vector<Group> groups = Groups();
    std::size_t begin = 0;
    while (begin < groups.size()) {
      const auto other = std::find_if(groups.begin() + static_cast<std::ptrdiff_t>(begin),
                                      groups.end(), [&](const Group& group) {
                                        return group.counts != groups[begin].counts ||
                                               group.verdict != groups[begin].verdict;
                                      });
      const auto end = static_cast<std::size_t>(other - groups.begin());
      PrintAlike(groups, begin, end);
      begin = end;
    }
  }

  // Groups of one verdict: what counts in full, as far as anyone would read on; the others in two
  // lines each.
  void PrintAlike(const std::vector<Group>& groups, std::size_t begin, std::size_t end) {
    const bool counts = groups[begin].counts;
    const std::size_t in_full = Traced() ? end : std::min(end, begin + (counts ? kShownInFull : 0));
    const std::size_t brief = Traced() ? end : std::min(end, in_full + kShownInBrief);
    for (std::size_t i = begin; i < in_full; ++i) PrintInFull(groups[i]);
    if (in_full < end) out_ << '\n';
    for (std::size_t i = in_full; i < brief; ++i) PrintBrief(groups[i]);
    if (brief == end) return;
    const std::string where = options_.report_directory.empty()
                                  ? "--report DIR writes them all down"
                                  : Visible(options_.report_directory) + "/summary.md has them all";
    Prose("and " + std::to_string(end - brief) + " more such findings; " + where, Paint::kDim);
  }

  static std::string Times(const Group& group) {
    return group.results.size() == 1 ? "" : "×" + std::to_string(group.results.size()) + " ";
  }

  void PrintInFull(const Group& group) {
    const Result& first = *group.results.front();
    if (group.is_cause) {
      Heading(LabelOf(group.verdict), Times(group) + Visible(group.leading->message));
      PrintRequirement(*group.leading);
      out_ << '\n';
      Prose("for example in " + ResultName(first));
      for (const auto& [name, text] : EvidenceOf(*group.leading, first, true)) Wire(text, name);
    } else {
      Heading(LabelOf(group.verdict), ResultName(first));
      Prose(Visible(Unwrapped(first.title)));
      out_ << '\n';
      PrintFindings(first);
    }
    if (Traced()) {
      out_ << '\n';
      PrintWire(first);
    }
    out_ << '\n';
    Command(first);
    Others("also in ", group.results);
    PrintTraces(group.results, 1);
  }

  void PrintBrief(const Group& group) {
    const Result& first = *group.results.front();
    if (group.leading == nullptr) {
      Titled(LabelOf(group.verdict), ResultName(first));
      PrintVerdictAlone(first);
    } else {
      Titled(LabelOf(group.verdict), Times(group) + Visible(group.leading->message));
      const std::size_t others = group.results.size() - 1;
      Prose(RequirementLine(*group.leading), Paint::kDim);
      Prose(ResultName(first) + (others == 0 ? "" : " and " + std::to_string(others) + " more"),
            Paint::kDim);
    }
    PrintTraces(group.results, 0);
  }

  void PrintVerdictAlone(const Result& result) {
    Prose(result.repeat_differs
              ? "Alone it behaves otherwise than among others."
              : std::string("Its verdict is ") + std::string(ToString(result.verdict)) + ".");
  }

  void PrintFindings(const Result& result) {
    const std::vector<const ReportedFinding*> own = OwnFindings(result, report_);
    if (own.empty()) PrintVerdictAlone(result);
    std::optional<std::string_view> shown_step;
    for (std::size_t i = 0; i < std::min(own.size(), kFindingsShown); ++i) {
      const ReportedFinding& finding = *own[i];
      if (i > 0) out_ << '\n';
      Prose(Visible(finding.message), Paint::kBold);
      PrintRequirement(finding);
      const auto evidence = EvidenceOf(finding, result, shown_step != finding.step);
      if (!evidence.empty()) out_ << '\n';
      for (const auto& [name, text] : evidence) Wire(text, name);
      shown_step = finding.step;
    }
    if (own.size() > kFindingsShown) {
      out_ << '\n';
      Line("and " + Several(own.size() - kFindingsShown, "more finding", "more findings"));
    }
    if (!own.empty() && result.repeat_differs) {
      Line("Alone it behaves otherwise than among others.");
    }
  }

  void PrintRequirement(const ReportedFinding& finding) {
    Prose(RequirementLine(finding));
    if (!finding.text.empty()) {
      Prose("“" + Visible(Unwrapped(finding.text)) + "”", Paint::kDim, kIndent + 2);
    }
    if (!finding.link.empty()) Line(Visible(finding.link), Paint::kDim, kIndent + 2);
  }

  // The exchange of a finding, what was expected, and what came, each with its name.
  std::vector<std::pair<std::string_view, std::string>> EvidenceOf(const ReportedFinding& finding,
                                                                   const Result& result,
                                                                   bool with_exchange) const {
    std::vector<std::pair<std::string_view, std::string>> lines;
    if (!Traced() && with_exchange) {
      for (std::string& line : ExchangeOf(finding, result)) lines.emplace_back("", std::move(line));
    }
    const auto exchange_end = lines.size();
    if (finding.expected) lines.emplace_back("expected", ValueText(*finding.expected));
    if (!finding.actual) return lines;
    std::string actual = ValueText(*finding.actual);
    const std::string text = Visible(finding.actual->text());  // of a line that is no JSON
    const bool shown =
        std::any_of(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(exchange_end),
                    [&](const auto& line) {
                      return line.second.ends_with("← " + actual) ||
                             (!text.empty() && line.second.ends_with("← " + text));
                    });
    if (!shown) lines.emplace_back("actual", std::move(actual));
    return lines;
  }

  void PrintBaseline() {
    std::vector<const Result*> known;
    for (const Result& result : report_.results) {
      if (result.baseline == "expected") known.push_back(&result);
    }
    if (!known.empty()) {
      Heading({"KNOWN", Paint::kDim},
              Several(known.size(), "case breaks", "cases break") + " as the baseline says");
      std::map<std::string, std::size_t> reasons;
      for (const Result* result : known) ++reasons[KnownReason(*result)];
      PrintReasons(reasons);
    }
    for (const StaleBaseline& stale : report_.stale) {
      Heading({"STALE", Paint::kRed}, Visible(stale.case_id));
      Prose("It ran and did not fail for " + Visible(stale.requirement) +
            ": take the entry out of the baseline.");
      Line(Visible(stale.place), Paint::kDim);
    }
  }

  void PrintErrors() {
    std::map<std::string_view, std::vector<const Result*>> by_error;
    for (const Result& result : report_.results) {
      if (result.verdict == Verdict::kError) by_error[result.error].push_back(&result);
    }
    for (const auto& [error, results] : by_error) {
      Heading(LabelOf(Verdict::kError), ResultName(*results.front()));
      Prose("Could not be judged: " + Visible(error));
      Others("nor could ", results);
      PrintTraces(results, 0);
    }
  }

  void PrintSkips() {
    std::map<std::string, std::map<std::string, std::size_t>> details;  // by reason
    std::map<std::string, std::size_t> counts;
    std::vector<const Result*> unprepared;
    for (const Result& result : report_.results) {
      if (result.verdict != Verdict::kSkip) continue;
      ++counts[result.skip_reason];
      ++details[result.skip_reason][SkipDetail(result)];
      if (result.skip_reason == "precondition") unprepared.push_back(&result);
    }
    if (counts.empty()) return;
    std::size_t total = 0;
    for (const auto& [reason, count] : counts) total += count;
    Heading(LabelOf(Verdict::kSkip), Several(total, "case was", "cases were") + " not judged");
    for (const auto& [reason, count] : MostFrequent(counts)) {
      if (reason == "precondition") continue;
      // The details of the other reasons are many, and long.
      Numbered(count, SkipWords(reason) +
                          (reason == "not-declared" ? FirstOf(details[reason]) : std::string()));
    }
    std::map<std::string, std::size_t> inapplicable;
    for (const auto& [detail, count] : details["precondition"]) {
      inapplicable[SkipWords("precondition") + (detail.empty() ? "" : ": ") + detail] += count;
    }
    PrintReasons(inapplicable, SkipWords("precondition") + " for other reasons");
    PrintTraces(unprepared, 0);
  }

  // The most frequent details of a reason: ": a (7), b (2) and 3 more".
  std::string FirstOf(const std::map<std::string, std::size_t>& details) const {
    std::string text;
    std::size_t shown = 0;
    const auto sorted = MostFrequent(details);
    for (const auto& [detail, times] : sorted) {
      if (shown == kDetailsListed) break;
      ++shown;
      if (detail.empty()) continue;
      text += (text.empty() ? ": " : ", ") + detail;
      if (sorted.size() > 1) text += " (" + std::to_string(times) + ")";
    }
    if (sorted.size() > shown) text += " and " + std::to_string(sorted.size() - shown) + " more";
    return text;
  }

  void PrintNotJudged() {
    std::map<std::string, std::size_t> why;
    std::size_t total = 0;
    for (const RequirementState& requirement : report_.requirements) {
      if (requirement.state != "not-judged") continue;
      ++why[Visible(requirement.why)];
      ++total;
    }
    if (total == 0) return;
    Heading({"UNJUDGED", Paint::kDim},
            std::to_string(total) + " of " +
                Several(report_.requirements.size(), "requirement was", "requirements were") +
                " not judged");
    PrintReasons(why);
  }

  static std::vector<std::pair<std::string, std::size_t>> MostFrequent(
      const std::map<std::string, std::size_t>& counts) {
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
  }

  // One line for each reason, the most frequent first; the rare ones in one.
  void PrintReasons(const std::map<std::string, std::size_t>& reasons,
                    const std::string& others = "for other reasons") {
    const auto sorted = MostFrequent(reasons);
    std::size_t rest = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i < kReasonsListed || sorted.size() == kReasonsListed + 1) {
        Numbered(sorted[i].second, sorted[i].first);
      } else {
        rest += sorted[i].second;
      }
    }
    if (rest > 0) Numbered(rest, others);
  }

  // "  12  words", the words cut at the width.
  void Numbered(std::size_t count, const std::string& text) {
    std::string number = std::to_string(count);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, ' ');
    const int room = options_.width - kIndent - Columns(number) - 2;
    std::string words = text;
    if (Columns(words) > room) words = words.substr(0, BytesOf(words, room - 1)) + "…";
    Line(Painted(number, Paint::kBold) + "  " + words);
  }

  void PrintPasses() {
    for (const Result& result : report_.results) {
      if (result.verdict == Verdict::kPass) PrintTraceOf(result);
    }
  }

  void PrintMeasured() {
    const std::vector<MeasuredRow> rows = MeasuredRows(report_);
    const std::vector<std::string> words = MeasuredInWords(report_);
    if (rows.empty() && words.empty()) return;
    Heading({"MEASURED", Paint::kDim}, "how long connections were held, and who served them");
    PrintMeasuredRows(rows);
    for (const std::string& sentence : words) Prose(sentence);
  }

  void PrintMeasuredRows(const std::vector<MeasuredRow>& rows) {
    if (rows.empty()) return;
    std::array<int, kMeasuredColumns.size()> widths{};
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = Columns(kMeasuredColumns[i]);
      for (const MeasuredRow& row : rows) widths[i] = std::max(widths[i], Columns(row[i]));
    }
    const auto print = [&](const auto& cells, Paint paint) {
      std::string line;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string cell = Visible(cells[i]);
        line += cell + std::string(static_cast<std::size_t>(widths[i] - Columns(cell) + 2), ' ');
      }
      Line(line.substr(0, line.find_last_not_of(' ') + 1), paint);
    };
    print(kMeasuredColumns, Paint::kDim);
    for (const MeasuredRow& row : rows) print(row, Paint::kPlain);
  }

  void PrintTotals() {
    static constexpr std::pair<Verdict, std::string_view> kWords[] = {
        {Verdict::kFail, " failed"},      {Verdict::kWarn, " warned"},
        {Verdict::kDiffers, " differed"}, {Verdict::kError, " could not be judged"},
        {Verdict::kSkip, " skipped"},     {Verdict::kPass, " passed"},
    };
    out_ << '\n';
    int used = 0;
    for (const auto& [verdict, words] : kWords) {
      const auto count = report_.counts.find(verdict);
      const int cases = count == report_.counts.end() ? 0 : count->second;
      if (cases == 0 && verdict != Verdict::kPass) continue;
      const std::string text = std::to_string(cases) + std::string(words);
      Flow(text, used == 0 ? "" : ", ", LabelOf(verdict).paint, used);
    }
    Flow("in " + DurationText(report_.duration), " ", Paint::kPlain, used);
    out_ << '\n';
    if (!options_.report_directory.empty()) {
      out_ << "report in " << Visible(options_.report_directory) << '\n';
    }
    Prose(ExitMeaning(report_), report_.exit_code == 0 ? Paint::kGreen : Paint::kRed, 0);
  }

  // `text` on the same line, `gap` before it, or on the next where there is no room; `used` columns
  // of the line are taken.
  void Flow(std::string_view text, std::string_view gap, Paint paint, int& used) {
    if (used + Columns(gap) + Columns(text) + 1 > options_.width) {
      out_ << gap.substr(0, gap.find(' ')) << '\n';
      used = 0;
    } else {
      out_ << gap;
      used += Columns(gap);
    }
    out_ << Painted(text, paint);
    used += Columns(text);
  }

  const Report& report_;
  const TerminalOptions& options_;
  std::ostream& out_;
};

}  // namespace

void PrintTerminal(const Report& report, const TerminalOptions& options, std::ostream& out) {
  Printer(report, options, out).Print();
}

}  // namespace assay
