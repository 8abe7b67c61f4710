#include "reports/sarif.h"

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "message/json.h"
#include "reports/area.h"
#include "reports/evidence.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

Json Text(std::string_view text) { return Json::String(Visible(text)); }
Json Message(std::string text) { return Json::Object({{"text", Json::String(std::move(text))}}); }

std::string_view LevelOf(Verdict verdict) {
  if (verdict == Verdict::kFail) return "error";
  return verdict == Verdict::kWarn ? "warning" : "note";
}

Json RuleOf(const ReportedFinding& finding) {
  const std::string text = Visible(Unwrapped(finding.text));
  Json rule = Json::Object(
      {{"id", Text(finding.requirement)},
       {"shortDescription", Message(text.empty() ? Visible(finding.requirement) : text)}});
  if (!finding.link.empty()) rule.Set("helpUri", Text(finding.link));
  rule.Set("defaultConfiguration", Json::Object({{"level", Text(LevelOf(finding.counts_as))}}));
  rule.Set(
      "properties",
      Json::Object({{"tags", Json::Array({Json::String("mcp"), Text(AreaOf(finding.requirement))})},
                    {"level", Text(finding.level)},
                    {"basis", Text(finding.basis)}}));
  return rule;
}

// Percent-encodes what an URI reference may not hold.
std::string UriOf(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~/@+,=";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += kHex[byte >> 4U];
      uri += kHex[byte & 15U];
    }
  }
  return uri;
}

// Where the case stands (FILE:LINE:COLUMN, or FILE), and its name.
Json LocationOf(const Result& result) {
  std::string_view path = result.place;
  Json region = Json::Object();
  const auto take_number = [&]() -> std::int64_t {
    const std::size_t colon = path.rfind(':');
    std::int64_t number = 0;
    if (colon == std::string_view::npos) return 0;
    const char* end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + colon + 1, end, number);
    if (error != std::errc() || stop != end) return 0;
    path = path.substr(0, colon);
    return number;
  };
  const std::int64_t column = take_number();
  const std::int64_t line = take_number();
  if (line > 0) {
    region.Set("startLine", Json::Integer(line));
    region.Set("startColumn", Json::Integer(column));
  } else if (column > 0) {
    region.Set("startLine", Json::Integer(column));
  }
  if (path.empty()) path = result.case_id;
  Json physical =
      Json::Object({{"artifactLocation", Json::Object({{"uri", Json::String(UriOf(path))}})}});
  if (!region.members().empty()) physical.Set("region", std::move(region));
  return Json::Object(
      {{"physicalLocation", std::move(physical)},
       {"logicalLocations", Json::Array({Json::Object({{"fullyQualifiedName", Text(result.case_id)},
                                                       {"kind", Json::String("member")}})})}});
}

std::string Describe(const ReportedFinding& finding, const Result& result, const Report& report) {
  std::string text = Excerpt(finding.message, 2000);
  text += "\n" + RequirementLine(finding) + " — " + ResultName(result);
  if (finding.expected) text += "\nexpected " + ValueText(*finding.expected);
  if (finding.actual) text += "\nactual   " + ValueText(*finding.actual);
  return text + "\n$ " + ReproduceCommand(result, report);
}

// Numbers the rules in the order in which they are met.
class Rules {
 public:
  std::size_t NumberOf(const ReportedFinding& finding) {
    const auto [rule, is_new] = numbers_.emplace(finding.requirement, numbers_.size());
    if (is_new) rules_.items().push_back(RuleOf(finding));
    return rule->second;
  }
  Json Take() { return std::move(rules_); }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
  Json rules_ = Json::Array();
};

Json ResultOf(const ReportedFinding& finding, const Result& result, const Report& report,
              std::size_t rule) {
  Json json = Json::Object(
      {{"ruleId", Text(finding.requirement)},
       {"ruleIndex", Json::Integer(static_cast<std::int64_t>(rule))},
       {"level", Text(LevelOf(finding.counts_as))},
       {"message", Message(Describe(finding, result, report))},
       {"locations", Json::Array({LocationOf(result)})},
       {"partialFingerprints",
        Json::Object({{"finding/v1", Text(finding.requirement + " " + result.case_id + " " +
                                          result.revision + " " + result.transport)}})}});
  if (finding.baselined) {
    json.Set("suppressions",
             Json::Array({Json::Object({{"kind", Json::String("external")},
                                        {"justification", Text(finding.baseline_reason)}})}));
  }
  return json;
}

Json InvocationOf(const Report& report) {
  Json notifications = Json::Array();
  for (const Result& result : report.results) {
    if (result.verdict != Verdict::kError) continue;
    notifications.items().push_back(
        Json::Object({{"level", Json::String("error")},
                      {"message", Message(ResultName(result) + ": " + Visible(result.error))}}));
  }
  const bool successful = notifications.items().empty() && !report.partial && report.exit_code < 2;
  Json json = Json::Object({{"executionSuccessful", Json::Boolean(successful)},
                            {"exitCode", Json::Integer(report.exit_code)},
                            {"toolExecutionNotifications", std::move(notifications)}});
  if (!report.started.empty()) json.Set("startTimeUtc", Text(report.started));
  return json;
}

}  // namespace

void WriteSarif(const Report& report, std::ostream& out) {
  Rules rules;
  Json results = Json::Array();
  for (const Result& result : report.results) {
    for (const ReportedFinding& finding : result.findings) {
      results.items().push_back(ResultOf(finding, result, report, rules.NumberOf(finding)));
    }
  }
  Json driver = Json::Object({{"name", Json::String("Assay")}, {"rules", rules.Take()}});
  if (!report.version.empty()) driver.Set("version", Text(report.version));
  const Json run =
      Json::Object({{"tool", Json::Object({{"driver", std::move(driver)}})},
                    {"automationDetails",
                     Json::Object({{"id", Text("assay/" + report.target.transport + "/")}})},
                    {"columnKind", Json::String("unicodeCodePoints")},
                    {"invocations", Json::Array({InvocationOf(report)})},
                    {"results", std::move(results)}});
  out << Json::Object({{"$schema", Json::String("https://json.schemastore.org/sarif-2.1.0.json")},
                       {"version", Json::String("2.1.0")},
                       {"runs", Json::Array({run})}})
             .Dump()
      << '\n';
}

}  // namespace assay
