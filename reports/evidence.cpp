#include "reports/evidence.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "reports/visible_text.h"

namespace assay {
namespace {

constexpr std::size_t kExcerptBytes = 300;
constexpr std::size_t kExchangeLines = 6;

std::string ConnectionPrefix(const TranscriptLine& line) {
  if (line.connection.empty() || line.connection == "main") return "";
  return "[" + Visible(line.connection) + "] ";
}

// stderr comes in chunks of several lines, all else in one.
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

bool IsMessage(const TranscriptLine& line) {
  return line.direction == "out" || line.direction == "in";
}

using Lines = std::vector<const TranscriptLine*>;

// What belongs to the finding's step; what happened to the process only where nothing came back.
Lines LinesOfStep(const std::string& step, const Result& result) {
  Lines all;
  for (const TranscriptLine& line : result.transcript) {
    if (!step.empty() && line.step == step) all.push_back(&line);
  }
  const bool answered = std::any_of(
      all.begin(), all.end(), [](const TranscriptLine* line) { return line->direction == "in"; });
  if (answered) std::erase_if(all, [](const TranscriptLine* line) { return !IsMessage(*line); });
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

std::vector<std::string> ExchangeOf(const ReportedFinding& finding, const Result& result) {
  Lines lines = LinesOfStep(finding.step, result);
  if (lines.empty()) lines = EndOf(result);
  std::vector<std::string> texts;
  for (const TranscriptLine* line : lines) {
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

std::vector<const Result*> BrokenBy(const Cause& cause, const Report& report) {
  const std::set<std::string_view> cases(cause.cases.begin(), cause.cases.end());
  std::vector<const Result*> broken;
  for (const Result& result : report.results) {
    if (result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip) continue;
    if (cases.count(result.case_id) > 0) broken.push_back(&result);
  }
  return broken;
}

std::set<std::string_view> CasesWithCause(const Report& report) {
  std::set<std::string_view> all;
  for (const Cause& cause : report.causes) all.insert(cause.cases.begin(), cause.cases.end());
  return all;
}

std::string ReproduceCommand(const Result& result, const Report& report) {
  std::string command = "assay";
  const auto add = [&](std::string_view word) { command += " " + ShellWord(word); };
  if (result.source == "case" || result.place.empty()) {
    add("run");
    for (const std::string& option : report.options) add(option);
    if (!result.revision.empty()) {
      add("--revision");
      add(result.revision);
    }
    add("--filter");
    add(result.case_id);
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
    add(target.url);
  }
  return command;
}

}  // namespace assay
