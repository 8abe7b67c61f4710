#include "reports/wording.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "reports/visible_text.h"

namespace assay {

std::string Several(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + Visible(text);
  return joined;
}

std::string DurationText(std::chrono::milliseconds duration) {
  const auto count = duration.count();
  if (count < 1000) return std::to_string(count) + " ms";
  if (count < 60'000) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(count) / 1000);
    return text;
  }
  return std::to_string(count / 60'000) + " min " + std::to_string(count / 1000 % 60) + " s";
}

std::string VariantOf(const Result& result) {
  if (result.revision.empty()) return Visible(result.transport);
  return Visible(result.revision) + (result.transport.empty() ? "" : " ") +
         Visible(result.transport);
}

std::string ResultName(const Result& result) {
  return Visible(result.case_id) + " (" + VariantOf(result) + ")";
}

std::string SkipWords(std::string_view skip_reason) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"not-declared", "the server does not declare it"},
      {"needs-role", "no tool has the role it needs (a profile names them)"},
      {"not-this-era", "for another era or revision"},
      {"not-this-transport", "for another transport"},
      {"unsafe-tool", "would call a tool that may do harm (--allow-tool-calls)"},
      {"precondition", "not applicable here"},
  };
  for (const auto& [reason, words] : kWords) {
    if (reason == skip_reason) return std::string(words);
  }
  return Visible(skip_reason);
}

std::string SkipDetail(const Result& result) {
  const std::string_view detail = result.skip_detail;
  const std::size_t place = detail.starts_with("steps/") ? detail.find(": ") : std::string::npos;
  return Visible(place == std::string::npos ? detail : detail.substr(place + 2));
}

std::string SkipText(const Result& result) {
  const std::string detail = SkipDetail(result);
  return SkipWords(result.skip_reason) + (detail.empty() ? "" : ": ") + detail;
}

std::string KnownReason(const Result& result) {
  const auto known = std::find_if(result.findings.begin(), result.findings.end(),
                                  [](const ReportedFinding& finding) { return finding.baselined; });
  return known == result.findings.end() ? "" : Visible(known->baseline_reason);
}

std::string RequirementLine(const ReportedFinding& finding) {
  std::string line = Visible(finding.requirement);
  for (const std::string& part : {finding.level, finding.basis}) {
    if (!part.empty()) line += " · " + Visible(part);
  }
  const bool must = finding.level == "must" || finding.level == "must_not";
  if (!must || finding.counts_as != Verdict::kWarn) return line;
  // Only these carry a fail; of any other basis the specification has no sentence that demands it.
  static constexpr std::string_view kFirm[] = {"keyword", "schema", "jsonrpc", "http"};
  const bool firm = std::find(std::begin(kFirm), std::end(kFirm), finding.basis) != std::end(kFirm);
  return line + ", counted as a warning here: " +
         (firm ? "the specification leaves room" : "the specification does not say so outright");
}

}  // namespace assay
