// The evidence of a finding as lines of text, the same in every report for people: what was sent
// and what came back, the whole wire, and the command that shows it again. All of it is safe to
// print.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"

namespace assay {

// → sent, ← received, ! stderr, · event.
std::string_view Mark(const TranscriptLine& line);

// The exchange a finding is about, one line each ("→ {…}"): what its step sent and what came back,
// or the end of the transcript where no step owns the finding. Long lines and long exchanges are
// cut.
std::vector<std::string> ExchangeOf(const ReportedFinding& finding, const Result& result);

// Every line of the transcript with its time, cut to `line_limit` bytes ("  12.30 ms → {…}").
std::vector<std::string> WireOf(const Result& result, std::size_t line_limit);

// An expected or actual value, cut.
std::string ValueText(const Json& value);

// The results that did not pass because of `cause`, and all cases that have a cause: they are told
// once, under it.
std::vector<const Result*> BrokenBy(const Cause& cause, const Report& report);
std::set<std::string_view> CasesWithCause(const Report& report);

// The shell command that runs this one result again.
std::string ReproduceCommand(const Result& result, const Report& report);

}  // namespace assay
