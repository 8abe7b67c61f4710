#include "reports/evidence.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "reports/exit_code.h"
#include "reports/visible_text.h"

namespace assay {
namespace {

constexpr std::size_t kExcerptBytes = 300;
constexpr std::size_t kExchangeLines = 6;

std::string ConnectionPrefix(const TranscriptLine& line) {
  if (line.connection.empty() || line.connection == "main") return "";
  return "[" + Visible(line.connection) + "] ";
}

using Lines = std::vector<const TranscriptLine*>;

// The id of a request, or of an answer; "" when the line is none.
std::string IdOf(const TranscriptLine& line, bool request) {
  const JsonParse parse = ParseJson(line.bytes);
  const Json* id = parse.value ? parse.value->Find("id") : nullptr;
  return id != nullptr && (parse.value->Find("method") != nullptr) == request ? id->Dump() : "";
}

// Fences are how the harness waits; what they wait for is all that matters.
void LeaveOutFences(const Result& result, Lines& lines) {
  std::set<std::string> fences;
  for (const TranscriptLine& line : result.transcript) {
    if (line.by_harness) fences.insert(IdOf(line, true));
  }
  if (fences.empty()) return;
  Lines others;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(others), [&](const auto* line) {
    return !line->by_harness && !(line->direction == "in" && fences.contains(IdOf(*line, false)));
  });
  lines = std::move(others);
}

// What belongs to the finding's step; stderr only where nothing came back.
Lines LinesOfStep(const std::string& step, const Result& result) {
  Lines all;
  for (const TranscriptLine& line : result.transcript) {
    if (!step.empty() && line.step == step) all.push_back(&line);
  }
  LeaveOutFences(result, all);
  const bool answered = std::any_of(
      all.begin(), all.end(), [](const TranscriptLine* line) { return line->direction == "in"; });
  if (answered) {
    std::erase_if(all, [](const TranscriptLine* line) { return line->direction == "err"; });
  }
  return all;
}

// From the last message sent on.
Lines EndOf(const Result& result) {
  const std::vector<TranscriptLine>& all = result.transcript;
  const auto sent = std::find_if(
      all.rbegin(), all.rend(), [](const TranscriptLine& line) { return line.direction == "out"; });
  Lines lines;
  std::transform(sent == all.rend() ? all.begin() : sent.base() - 1, all.end(),
                 std::back_inserter(lines), [](const TranscriptLine& line) { return &line; });
  return lines;
}

}  // namespace

std::string_view Mark(const TranscriptLine& line) {
  if (line.direction == "out") return "→";
  if (line.direction == "in") return "←";
  if (line.direction == "err") return "!";
  return "·";
}

std::vector<std::string_view> LinesOf(const TranscriptLine& line) {
  std::string_view rest = line.bytes;
  if (line.direction != "err") return {rest};
  std::vector<std::string_view> lines;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

std::vector<const TranscriptLine*> LinesAbout(const ReportedFinding& finding,
                                              const Result& result) {
  Lines lines = LinesOfStep(finding.step, result);
  if (lines.empty() && !finding.actual) lines = EndOf(result);
  return lines;
}

std::vector<std::string> ExchangeOf(const ReportedFinding& finding, const Result& result) {
  std::vector<std::string> texts;
  for (const TranscriptLine* line : LinesAbout(finding, result)) {
    for (const std::string_view text : LinesOf(*line)) {
      texts.push_back(ConnectionPrefix(*line) + std::string(Mark(*line)) + " " +
                      Excerpt(text, kExcerptBytes));
    }
  }
  if (texts.size() > kExchangeLines) {
    const std::size_t head = kExchangeLines / 2;
    const std::size_t left_out = texts.size() - kExchangeLines;
    const auto gap = texts.begin() + static_cast<std::ptrdiff_t>(head);
    const auto after = texts.erase(gap, gap + static_cast<std::ptrdiff_t>(left_out));
    texts.insert(after, "… " + std::to_string(left_out) + " more");
  }
  return texts;
}

std::vector<std::string> WireOf(const Result& result, std::size_t line_limit) {
  std::vector<std::string> texts;
  for (const TranscriptLine& line : result.transcript) {
    char time[32];
    std::snprintf(time, sizeof time, "%8.2f ms ", static_cast<double>(line.at.count()) / 1000);
    for (const std::string_view text : LinesOf(line)) {
      texts.push_back(time + ConnectionPrefix(line) + std::string(Mark(line)) + " " +
                      Excerpt(text, line_limit));
    }
  }
  return texts;
}

std::string ValueText(const Json& value) { return Excerpt(value.Dump(), kExcerptBytes); }

namespace {

bool IsFrom(const Cause& cause, const ReportedFinding& finding) {
  return !finding.baselined && finding.requirement == cause.requirement &&
         finding.message == cause.message && finding.counts_as == cause.counts_as;
}

// Verdicts are in the order of their weight.
bool IsWorse(const ReportedFinding& a, const ReportedFinding& b, const Report& report) {
  const bool counts = Counts(a, report);
  return counts != Counts(b, report) ? counts : a.counts_as < b.counts_as;
}

}  // namespace

std::vector<Instance> InstancesOf(const Cause& cause, const Report& report) {
  std::vector<Instance> instances;
  for (const Result& result : report.results) {
    const auto found =
        std::find_if(result.findings.begin(), result.findings.end(),
                     [&](const ReportedFinding& finding) { return IsFrom(cause, finding); });
    if (found != result.findings.end()) instances.push_back({&result, &*found});
  }
  return instances;
}

std::vector<const ReportedFinding*> OwnFindings(const Result& result, const Report& report) {
  std::vector<const ReportedFinding*> own;
  for (const ReportedFinding& finding : result.findings) {
    const bool told = finding.baselined ||
                      std::any_of(report.causes.begin(), report.causes.end(),
                                  [&](const Cause& cause) { return IsFrom(cause, finding); });
    if (!told) own.push_back(&finding);
  }
  std::stable_sort(own.begin(), own.end(),
                   [&](const auto* a, const auto* b) { return IsWorse(*a, *b, report); });
  return own;
}

const ReportedFinding* LeadingFinding(const Result& result, const Report& report) {
  const auto worst =
      std::min_element(result.findings.begin(), result.findings.end(),
                       [&](const auto& a, const auto& b) { return IsWorse(a, b, report); });
  return worst == result.findings.end() ? nullptr : &*worst;
}

std::vector<std::string> ReproduceParts(const Result& result, const Report& report) {
  std::vector<std::string> parts{"assay"};
  const auto add = [&](std::string_view word) { parts.push_back(ShellWord(word)); };
  const auto add_value = [&](std::string_view word) { parts.back() += " " + ShellWord(word); };
  if (result.source == "case" || result.place.empty()) {
    add("run");
    for (const std::string& word : report.options) {
      const bool is_value = !word.starts_with("--") && parts.back().starts_with("--");
      is_value ? add_value(word) : add(word);
    }
    if (!result.revision.empty()) {
      add("--revision");
      add_value(result.revision);
    }
    add("--filter");
    add_value(result.case_id);
    add("--trace");
  } else {
    add("replay");
    add(result.place.substr(0, result.place.find(':')));
  }
  const Target& target = report.target;
  if (!target.command.empty()) {
    if (target.transport == "http") add("--http");
    add("--");
    for (const std::string& word : target.command) add(word);
  } else if (!target.url.empty()) {
    add("--url");
    add_value(target.url);
  }
  return parts;
}

std::string ReproduceCommand(const Result& result, const Report& report) {
  std::string command;
  for (const std::string& part : ReproduceParts(result, report)) {
    command += (command.empty() ? "" : " ") + part;
  }
  return command;
}

}  // namespace assay
