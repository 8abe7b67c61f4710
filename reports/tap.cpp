#include "reports/tap.h"

#include <string>
#include <string_view>
#include <vector>

#include "reports/evidence.h"
#include "reports/exit_code.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

// A description or a directive's reason, in which `#` and `\` have a meaning.
std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : Visible(text)) {
    if (c == '#' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

// A JSON string is a YAML string.
std::string Quoted(std::string_view text) { return Json::String(Visible(text)).Dump(); }

void WriteMember(std::string_view indent, std::string_view key, std::string_view value,
                 std::ostream& out) {
  if (!value.empty()) out << indent << key << ": " << Quoted(value) << '\n';
}

void WriteLines(std::string_view indent, std::string_view key,
                const std::vector<std::string>& lines, std::ostream& out) {
  if (lines.empty()) return;
  out << indent << key << ":\n";
  for (const std::string& line : lines) out << indent << "  - " << Quoted(line) << '\n';
}

void WriteFinding(const ReportedFinding& finding, const Result& result, std::ostream& out) {
  constexpr std::string_view kIndent = "      ";
  out << "    - requirement: " << Quoted(finding.requirement) << '\n';
  WriteMember(kIndent, "level", finding.level, out);
  WriteMember(kIndent, "basis", finding.basis, out);
  WriteMember(kIndent, "counts_as", ToString(finding.counts_as), out);
  WriteMember(kIndent, "message", finding.message, out);
  WriteMember(kIndent, "step", finding.step, out);
  if (finding.expected) WriteMember(kIndent, "expected", ValueText(*finding.expected), out);
  if (finding.actual) WriteMember(kIndent, "actual", ValueText(*finding.actual), out);
  WriteMember(kIndent, "link", finding.link, out);
  WriteMember(kIndent, "known", finding.baseline_reason, out);
  WriteLines(kIndent, "exchange", ExchangeOf(finding, result), out);
}

void WriteDiagnostic(const Result& result, const Report& report, std::ostream& out) {
  out << "  ---\n";
  WriteMember("  ", "title", Unwrapped(result.title), out);
  WriteMember("  ", "severity", ToString(result.verdict), out);
  WriteMember("  ", "error", result.error, out);
  WriteMember("  ", "at", result.place, out);
  if (!result.findings.empty()) out << "  findings:\n";
  for (const ReportedFinding& finding : result.findings) WriteFinding(finding, result, out);
  WriteMember("  ", "reproduce", ReproduceCommand(result, report), out);
  out << "  ...\n";
}

void WritePoint(std::size_t number, const Result& result, const Report& report, std::ostream& out) {
  const bool known = result.baseline == "expected";
  const bool failed = result.verdict == Verdict::kError || known || Counts(result, report);
  out << (failed ? "not ok " : "ok ") << number << " - " << Escaped(ResultName(result));
  if (result.verdict == Verdict::kSkip) {
    out << " # SKIP " << Escaped(SkipText(result));
  } else if (known) {
    out << " # TODO " << Escaped(KnownReason(result));
  }
  out << '\n';
  if (result.verdict != Verdict::kPass && result.verdict != Verdict::kSkip) {
    WriteDiagnostic(result, report, out);
  }
}

}  // namespace

void WriteTap(const Report& report, std::ostream& out) {
  out << "TAP version 14\n1.." << report.results.size() + report.stale.size() << '\n';
  for (const Cause& cause : report.causes) {
    const std::vector<Instance> instances = InstancesOf(cause, report);
    if (instances.empty()) continue;
    out << "# " << ToString(cause.counts_as) << " ×" << instances.size() << ": "
        << Visible(cause.requirement + ": " + cause.message) << '\n';
  }
  std::size_t number = 0;
  for (const Result& result : report.results) WritePoint(++number, result, report, out);
  for (const StaleBaseline& stale : report.stale) {
    out << "not ok " << ++number << " - "
        << Escaped("baseline: " + stale.case_id + " did not fail for " + stale.requirement) << '\n'
        << "  ---\n";
    WriteMember("  ", "at", stale.place, out);
    out << "  ...\n";
  }
  if (report.partial) out << "Bail out! interrupted\n";
}

}  // namespace assay
