// The evidence of a finding as lines of text, the same in every report for people: what was sent
// and what came back, the whole wire, and the command that shows it again. All of it is safe to
// print.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"

namespace assay {

// → sent, ← received, ! stderr, · event.
std::string_view Mark(const TranscriptLine& line);

// The lines of a transcript entry: stderr comes in chunks of several, all else in one.
std::vector<std::string_view> LinesOf(const TranscriptLine& line);

// The part of the transcript that a finding is about: what its step sent and what came back,
// without the fences of the harness; where no step owns the finding and it has no actual value
// either, the end of the transcript.
std::vector<const TranscriptLine*> LinesAbout(const ReportedFinding& finding, const Result& result);

// The exchange a finding is about, one line each ("→ {…}"): the lines about it. Long lines and long
// exchanges are cut.
std::vector<std::string> ExchangeOf(const ReportedFinding& finding, const Result& result);

// Every line of the transcript with its time, cut to `line_limit` bytes ("  12.30 ms → {…}").
std::vector<std::string> WireOf(const Result& result, std::size_t line_limit);

// An expected or actual value, cut.
std::string ValueText(const Json& value);

// A finding and where it was found.
struct Instance {
  const Result* result;
  const ReportedFinding* finding;
};

// Where `cause` shows. What the baseline knows has no cause: it is told with its reason.
std::vector<Instance> InstancesOf(const Cause& cause, const Report& report);

// What is left to tell of a result: its findings that neither a cause nor the baseline explains,
// those that count first, then the weightiest.
std::vector<const ReportedFinding*> OwnFindings(const Result& result, const Report& report);

// The finding that speaks for the result: of those that count, or else of all, the worst; null when
// there is none.
const ReportedFinding* LeadingFinding(const Result& result, const Report& report);

// The shell command that runs this one result again, and its parts: words, and options with their
// values.
std::string ReproduceCommand(const Result& result, const Report& report);
std::vector<std::string> ReproduceParts(const Result& result, const Report& report);

}  // namespace assay
