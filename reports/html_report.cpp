#include "reports/html_report.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/area.h"
#include "reports/evidence.h"
#include "reports/exit_code.h"
#include "reports/html/assets.h"
#include "reports/html_page.h"
#include "reports/measured.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

// Of one value or line of the wire; and of the wires of all results together.
constexpr std::size_t kLineBytes = 20'000;
constexpr std::size_t kWireBytes = 48'000'000;

Json Text(std::string_view text) { return Json::String(Visible(text)); }

template <typename Strings>
Json Texts(const Strings& texts) {
  Json list = Json::Array();
  for (const auto& text : texts) list.items().push_back(Text(text));
  return list;
}

// Several lines of text, each made safe.
Json Lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += Visible(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return Json::String(lines);
}

void SetUnlessEmpty(Json& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.Set(key, Text(text));
}

void SetCut(Json& json, std::string_view key, std::string_view text) {
  json.Set(key, Json::String(Excerpt(text, kLineBytes)));
  if (text.size() > kLineBytes) {
    json.Set("bytes", Json::Integer(static_cast<std::int64_t>(text.size())));
  }
}

Json Counts(const Report& report) {
  Json json = Json::Object();
  for (const auto& [verdict, count] : report.counts) {
    json.Set(ToString(verdict), Json::Integer(count));
  }
  return json;
}

// Names of what an era's capabilities declare: "tools", "resources: subscribe, listChanged".
Json Capabilities(const Json& eras) {
  Json json = Json::Object();
  for (const JsonMember& era : eras.members()) {
    Json list = Json::Array();
    for (const JsonMember& capability : era.value.members()) {
      std::string text = Excerpt(capability.key, 80);
      std::string details;
      for (const JsonMember& detail : capability.value.members()) {
        details += (details.empty() ? "" : ", ") + Excerpt(detail.key, 80);
      }
      list.items().push_back(Json::String(text + (details.empty() ? "" : ": ") + details));
    }
    json.Set(era.key, std::move(list));
  }
  return json;
}

Json Describe(const Target& target) {
  std::string command;
  for (const std::string& word : target.command) {
    command += (command.empty() ? "" : " ") + ShellWord(word);
  }
  Json refusals = Json::Object();
  for (const auto& [era, words] : target.refusals) {
    refusals.Set(era, Json::String(Excerpt(words, kLineBytes)));
  }
  return Json::Object({{"name", Json::String(Excerpt(target.server_name, 200))},
                       {"version", Json::String(Excerpt(target.server_version, 100))},
                       {"command", Text(command)},
                       {"url", Text(target.url)},
                       {"transport", Text(target.transport)},
                       {"eras", Texts(target.eras)},
                       {"refusals", std::move(refusals)},
                       {"revisions", Texts(target.revisions)},
                       {"policy", Text(target.era_policy)},
                       {"tasks", Texts(target.tasks)},
                       {"capabilities", Capabilities(target.capabilities)},
                       {"profile", Text(target.profile)}});
}

Json Describe(const RequirementState& requirement) {
  Json json = Json::Object({{"id", Text(requirement.id)},
                            {"level", Text(requirement.level)},
                            {"area", Text(AreaOf(requirement.id))},
                            {"state", Text(requirement.state)}});
  SetUnlessEmpty(json, "why", requirement.why);
  SetUnlessEmpty(json, "text", Unwrapped(requirement.text));
  SetUnlessEmpty(json, "link", requirement.link);
  return json;
}

// What the list of cases shows and filters by.
Json Outline(const Result& result, const Report& report) {
  Json json = Json::Object({{"case", Text(result.case_id)},
                            {"title", Text(Unwrapped(result.title))},
                            {"era", Text(result.era)},
                            {"revision", Text(result.revision)},
                            {"transport", Text(result.transport)},
                            {"verdict", Text(ToString(result.verdict))},
                            {"requires", Texts(result.requires_ids)}});
  if (result.source != "case") json.Set("source", Text(result.source));
  if (result.verdict == Verdict::kSkip) json.Set("why", Text(SkipText(result)));
  if (result.verdict == Verdict::kError) json.Set("why", Json::String(Excerpt(result.error, 2000)));
  if (result.baseline == "expected") json.Set("known", Text(KnownReason(result)));
  if (Counts(result, report)) json.Set("counts", Json::Boolean(true));
  Json findings = Json::Array();
  for (const ReportedFinding& finding : result.findings) {
    Json one = Json::Object({{"requirement", Text(finding.requirement)},
                             {"level", Text(finding.level)},
                             {"as", Text(ToString(finding.counts_as))},
                             {"message", Json::String(Excerpt(finding.message, 2000))}});
    if (finding.baselined) one.Set("known", Json::Boolean(true));
    findings.items().push_back(std::move(one));
  }
  if (!result.findings.empty()) json.Set("findings", std::move(findings));
  return json;
}

Json Describe(const Cause& cause) {
  return Json::Object({{"requirement", Text(cause.requirement)},
                       {"message", Text(cause.message)},
                       {"as", Text(ToString(cause.counts_as))}});
}

Json Describe(const StaleBaseline& stale) {
  return Json::Object({{"case", Text(stale.case_id)},
                       {"requirement", Text(stale.requirement)},
                       {"place", Text(stale.place)}});
}

template <typename Item>
Json List(const std::vector<Item>& items) {
  Json list = Json::Array();
  for (const Item& item : items) list.items().push_back(Describe(item));
  return list;
}

Json MeasuredOf(const Report& report) {
  Json rows = Json::Array();
  for (const MeasuredRow& row : MeasuredRows(report)) rows.items().push_back(Texts(row));
  return Json::Object({{"columns", Texts(kMeasuredColumns)},
                       {"rows", std::move(rows)},
                       {"words", Texts(MeasuredInWords(report))}});
}

Json Overview(const Report& report) {
  Json json = Json::Object({{"version", Text(report.version)},
                            {"started", Text(report.started)},
                            {"duration", Text(DurationText(report.duration))},
                            {"partial", Json::Boolean(report.partial)},
                            {"exit", Json::Integer(report.exit_code)},
                            {"meaning", Text(ExitMeaning(report))},
                            {"required", Texts(report.required)},
                            {"areas", Texts(Areas())},
                            {"target", Describe(report.target)},
                            {"counts", Counts(report)},
                            {"causes", List(report.causes)},
                            {"stale", List(report.stale)},
                            {"measured", MeasuredOf(report)},
                            {"requirements", List(report.requirements)}});
  Json results = Json::Array();
  for (const Result& result : report.results) results.items().push_back(Outline(result, report));
  json.Set("results", std::move(results));
  return json;
}

// The wire of one result, as far as there is room; what the findings are about comes in any case.
class Wire {
 public:
  Wire(const Result& result, std::size_t room) {
    std::vector<std::vector<const TranscriptLine*>> about;
    about.reserve(result.findings.size());
    for (const ReportedFinding& finding : result.findings) {
      about.push_back(LinesAbout(finding, result));
      wanted_.insert(wanted_.end(), about.back().begin(), about.back().end());
    }
    std::sort(wanted_.begin(), wanted_.end());
    for (const TranscriptLine& line : result.transcript) Add(line, room);
    for (const auto& lines : about) numbers_.push_back(NumbersOf(lines));
  }

  Json TakeLines() { return std::move(lines_); }
  std::int64_t left_out() const { return left_out_; }
  // Which of the lines finding `i` is about.
  const Json& LinesOfFinding(std::size_t i) const { return numbers_[i]; }

 private:
  void Add(const TranscriptLine& line, std::size_t& room) {
    const std::size_t size = std::min(line.bytes.size(), kLineBytes) + 100;
    const bool wanted = std::binary_search(wanted_.begin(), wanted_.end(), &line);
    if (!wanted && size > room) {
      ++left_out_;
      return;
    }
    room -= std::min(room, size);
    const std::size_t first = lines_.items().size();
    for (const std::string_view text : LinesOf(line)) {
      Json json =
          Json::Object({{"us", Json::Integer(line.at.count())}, {"dir", Text(line.direction)}});
      if (line.connection != "main") SetUnlessEmpty(json, "conn", line.connection);
      SetUnlessEmpty(json, "step", line.step);
      if (line.by_harness) json.Set("harness", Json::Boolean(true));
      SetCut(json, "text", text);
      lines_.items().push_back(std::move(json));
    }
    places_[&line] = {first, lines_.items().size()};
  }

  Json NumbersOf(const std::vector<const TranscriptLine*>& lines) const {
    Json numbers = Json::Array();
    for (const TranscriptLine* line : lines) {
      const auto place = places_.find(line);
      if (place == places_.end()) continue;
      for (std::size_t i = place->second.first; i < place->second.second; ++i) {
        numbers.items().push_back(Json::Integer(static_cast<std::int64_t>(i)));
      }
    }
    return numbers;
  }

  std::vector<const TranscriptLine*> wanted_;
  std::map<const TranscriptLine*, std::pair<std::size_t, std::size_t>> places_;
  std::vector<Json> numbers_;
  Json lines_ = Json::Array();
  std::int64_t left_out_ = 0;
};

Json Value(const Json& value) {
  Json json = Json::Object();
  SetCut(json, "text", value.Dump());
  return json;
}

Json Details(const Result& result, const Report& report, std::size_t room) {
  Wire wire(result, room);
  Json findings = Json::Array();
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const ReportedFinding& finding = result.findings[i];
    Json json = Json::Object({{"line", Text(RequirementLine(finding))},
                              {"text", Text(Unwrapped(finding.text))},
                              {"link", Text(finding.link)},
                              {"wire", wire.LinesOfFinding(i)}});
    SetUnlessEmpty(json, "step", finding.step);
    SetUnlessEmpty(json, "reason", finding.baseline_reason);
    if (finding.expected) json.Set("expected", Value(*finding.expected));
    if (finding.actual) json.Set("actual", Value(*finding.actual));
    findings.items().push_back(std::move(json));
  }
  Json unjudged = Json::Array();
  for (const ReportedUnjudged& one : result.unjudged) {
    unjudged.items().push_back(Text(one.requirement + ": " + one.why));
  }
  Json json = Json::Object({{"at", Text(result.place)},
                            {"ms", Json::Number(std::to_string(result.duration.count() / 1000))},
                            {"command", Text(ReproduceCommand(result, report))},
                            {"findings", std::move(findings)},
                            {"unjudged", std::move(unjudged)},
                            {"left_out", Json::Integer(wire.left_out())},
                            {"wire", wire.TakeLines()}});
  if (result.repeat_differs) json.Set("repeat_differs", Json::Boolean(true));
  if (!result.case_file.empty()) json.Set("file", Lines(result.case_file));
  return json;
}

std::string TitleOf(const Report& report) {
  const std::string& name = report.target.server_name;
  return (name.empty() ? "A server" : Excerpt(name, 100)) + " · Assay";
}

}  // namespace

void WriteHtmlReport(const Report& report, std::ostream& out) {
  WritePageStart(TitleOf(report), html::kReportScript, out);
  out << html::kReportBody << "<script type=\"application/x-ndjson\" id=\"data\">"
      << JsonForScript(Overview(report).Dump());
  const std::size_t room = kWireBytes / std::max<std::size_t>(1, report.results.size());
  for (const Result& result : report.results) {
    out << '\n' << JsonForScript(Details(result, report, room).Dump());
  }
  out << "</script>\n";
  WritePageEnd(html::kReportScript, out);
}

}  // namespace assay
