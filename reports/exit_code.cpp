#include "reports/exit_code.h"

#include <algorithm>
#include <string_view>

#include "reports/wording.h"

namespace assay {
namespace {

bool IsRequired(Verdict verdict, const Report& report) {
  const auto asks_for = [&](std::string_view level) {
    return std::find(report.required.begin(), report.required.end(), level) !=
           report.required.end();
  };
  switch (verdict) {
    case Verdict::kFail:
      return asks_for("must");
    case Verdict::kWarn:
      return asks_for("should");
    case Verdict::kDiffers:
      return asks_for("contract");
    case Verdict::kPass:
    case Verdict::kSkip:
    case Verdict::kError:
      return false;
  }
  return false;
}

bool HasErrors(const Report& report) {
  return std::any_of(report.results.begin(), report.results.end(),
                     [](const Result& result) { return result.verdict == Verdict::kError; });
}

}  // namespace

bool Counts(const ReportedFinding& finding, const Report& report) {
  return !finding.baselined && IsRequired(finding.counts_as, report);
}

bool Counts(const Result& result, const Report& report) {
  if (result.verdict == Verdict::kSkip || result.verdict == Verdict::kError) return false;
  if (result.findings.empty()) return IsRequired(result.verdict, report);
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](const ReportedFinding& finding) { return Counts(finding, report); });
}

int CountFindings(const Report& report) {
  int count = 0;
  for (const Result& result : report.results) {
    if (!Counts(result, report)) continue;
    const auto counting =
        std::count_if(result.findings.begin(), result.findings.end(),
                      [&](const ReportedFinding& finding) { return Counts(finding, report); });
    count += std::max(1, static_cast<int>(counting));
  }
  return count;
}

int ExitCode(const Report& report) {
  if (CountFindings(report) > 0 || !report.stale.empty()) return 1;
  return HasErrors(report) ? 3 : 0;
}

std::string ExitMeaning(const Report& report) {
  const std::string levels = Joined(report.required);
  const std::string exit = "exit " + std::to_string(report.exit_code) + ": ";
  switch (report.exit_code) {
    case 0:
      return exit + "meets what is required (" + levels + ")";
    case 1: {
      std::string why;
      if (const int findings = CountFindings(report); findings > 0) {
        why = Several(static_cast<std::size_t>(findings), "finding", "findings") +
              " at a required level (" + levels + ")";
      }
      if (!report.stale.empty()) {
        why += (why.empty() ? "" : ", ") +
               Several(report.stale.size(), "stale baseline entry", "stale baseline entries");
      }
      return exit + why;
    }
    case 3:
      return exit + (HasErrors(report) ? "not everything could be judged"
                                       : "the server could not be tested");
    case 130:
      return exit + "interrupted; this is what ran until then";
    default:
      return "exit " + std::to_string(report.exit_code);
  }
}

}  // namespace assay
