// Result -> FIXED, FAILED or ERROR.

#include "runner/replay.h"

#include <algorithm>

#include "reports/exit_code.h"

namespace assay {

Replayed JudgeReplay(const Result& result, const Report& report) {
  if (result.verdict == Verdict::kError) return {Replayed::State::kError, result.error};
  if (result.verdict == Verdict::kSkip) {
    const std::string& detail = result.skip_detail;
    return {Replayed::State::kError, result.skip_reason + (detail.empty() ? "" : ": " + detail)};
  }
  const auto is_own = [&](const ReportedFinding& finding) {
    const auto& own = result.requires_ids;
    return std::find(own.begin(), own.end(), finding.requirement) != own.end();
  };
  const auto tell = [](const ReportedFinding& finding) {
    return Replayed{Replayed::State::kFailed, finding.requirement + ": " + finding.message};
  };
  for (const ReportedFinding& finding : result.findings) {
    if (is_own(finding)) return tell(finding);
  }
  for (const ReportedFinding& finding : result.findings) {
    if (Counts(finding, report)) return tell(finding);
  }
  return {};
}

std::string_view ToString(Replayed::State state) {
  switch (state) {
    case Replayed::State::kFixed:
      return "FIXED";
    case Replayed::State::kFailed:
      return "FAILED";
    case Replayed::State::kError:
      return "ERROR";
  }
  return "";
}

}  // namespace assay
