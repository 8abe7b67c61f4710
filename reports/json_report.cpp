#include "reports/json_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "message/base64.h"
#include "reports/visible_text.h"

namespace assay {
namespace {

Json Text(std::string_view text) { return Json::String(ValidUtf8(text)); }

Json Texts(const std::vector<std::string>& texts) {
  Json list = Json::Array();
  for (const std::string& text : texts) list.items().push_back(Text(text));
  return list;
}

Json Milliseconds(std::chrono::microseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (const auto rest = time.count() % 1000; rest != 0) {
    const std::string digits = std::to_string(rest);
    text += "." + std::string(3 - digits.size(), '0') + digits;
  }
  return Json::Number(std::move(text));
}

// Common JSON readers give up at 64 levels; the report itself takes six.
constexpr std::size_t kMaxDepth = 50;

bool IsDeeperThan(const Json& value, std::size_t levels) {
  if (!value.is_array() && !value.is_object()) return false;
  if (levels == 0) return true;
  const auto deeper = [&](const Json& child) { return IsDeeperThan(child, levels - 1); };
  return std::any_of(value.items().begin(), value.items().end(), deeper) ||
         std::any_of(value.members().begin(), value.members().end(),
                     [&](const JsonMember& member) { return deeper(member.value); });
}

Json Value(const Json& value) {
  std::string text = value.Dump();
  if (IsDeeperThan(value, kMaxDepth) || !ParseJson(text).value) return Text(text);
  return Json::Raw(std::move(text));
}

Json ToJson(const TranscriptLine& line) {
  Json json = Json::Object();
  json.Set("t_us", Json::Integer(line.at.count()));
  json.Set("conn", Text(line.connection));
  json.Set("dir", Text(line.direction));
  if (!line.step.empty()) json.Set("step", Text(line.step));
  if (line.by_harness) json.Set("by_harness", Json::Boolean(true));
  if (FindInvalidUtf8(line.bytes) == std::string_view::npos) {
    json.Set("text", Json::String(line.bytes));
  } else {
    json.Set("base64", Json::String(EncodeBase64(line.bytes)));
  }
  return json;
}

Json ToJson(const ReportedFinding& finding) {
  Json json = Json::Object();
  json.Set("requirement", Text(finding.requirement));
  json.Set("level", Text(finding.level));
  json.Set("basis", Text(finding.basis));
  json.Set("counts_as", Text(ToString(finding.counts_as)));
  json.Set("message", Text(finding.message));
  json.Set("step", Text(finding.step));
  if (finding.expected) json.Set("expected", Value(*finding.expected));
  if (finding.actual) json.Set("actual", Value(*finding.actual));
  json.Set("link", Text(finding.link));
  json.Set("text", Text(finding.text));
  json.Set("baselined", Json::Boolean(finding.baselined));
  if (!finding.baseline_reason.empty()) json.Set("baseline_reason", Text(finding.baseline_reason));
  return json;
}

Json ToJson(const ReportedUnjudged& unjudged) {
  Json json = Json::Object();
  json.Set("requirement", Text(unjudged.requirement));
  json.Set("why", Text(unjudged.why));
  return json;
}

Json ToJson(const Measured& measured) {
  Json json = Json::Object();
  json.Set("name", Text(measured.name));
  json.Set("requests", Json::Integer(measured.requests));
  json.Set("held_ms", Milliseconds(measured.held));
  json.Set("thought_ms", Milliseconds(measured.thought));
  json.Set("held_while_thinking_ms", Milliseconds(measured.held_while_thinking));
  json.Set("began_on", Text(measured.began_on));
  json.Set("finished_on", Text(measured.finished_on));
  json.Set("bytes", Json::Integer(static_cast<std::int64_t>(measured.bytes)));
  return json;
}

Json ToJson(const Result& result) {
  Json json = Json::Object();
  json.Set("case", Text(result.case_id));
  json.Set("title", Text(result.title));
  json.Set("era", Text(result.era));
  json.Set("revision", Text(result.revision));
  json.Set("transport", Text(result.transport));
  json.Set("source", Text(result.source));
  json.Set("place", Text(result.place));
  json.Set("verdict", Text(ToString(result.verdict)));
  json.Set("requires", Texts(result.requires_ids));
  json.Set("skip_reason", Text(result.skip_reason));
  if (!result.skip_detail.empty()) json.Set("skip_detail", Text(result.skip_detail));
  if (!result.error.empty()) json.Set("error", Text(result.error));
  json.Set("baseline", Text(result.baseline));
  json.Set("repeat_differs", Json::Boolean(result.repeat_differs));
  json.Set("duration_ms", Milliseconds(result.duration));
  Json findings = Json::Array();
  for (const ReportedFinding& finding : result.findings) {
    findings.items().push_back(ToJson(finding));
  }
  json.Set("findings", std::move(findings));
  if (!result.unjudged.empty()) {
    Json unjudged = Json::Array();
    for (const ReportedUnjudged& one : result.unjudged) unjudged.items().push_back(ToJson(one));
    json.Set("unjudged", std::move(unjudged));
  }
  if (!result.measured.empty()) {
    Json measured = Json::Array();
    for (const Measured& one : result.measured) measured.items().push_back(ToJson(one));
    json.Set("measured", std::move(measured));
  }
  Json transcript = Json::Array();
  for (const TranscriptLine& line : result.transcript) transcript.items().push_back(ToJson(line));
  json.Set("transcript", std::move(transcript));
  if (!result.case_file.empty()) json.Set("case_file", Text(result.case_file));
  return json;
}

Json ToJson(const RequirementState& requirement) {
  Json json = Json::Object();
  json.Set("id", Text(requirement.id));
  json.Set("level", Text(requirement.level));
  json.Set("basis", Text(requirement.basis));
  json.Set("state", Text(requirement.state));
  json.Set("why", Text(requirement.why));
  json.Set("text", Text(requirement.text));
  json.Set("link", Text(requirement.link));
  json.Set("cases", Texts(requirement.cases));
  return json;
}

Json ToJson(const Cause& cause) {
  Json json = Json::Object();
  json.Set("requirement", Text(cause.requirement));
  json.Set("counts_as", Text(ToString(cause.counts_as)));
  json.Set("message", Text(cause.message));
  json.Set("cases", Texts(cause.cases));
  return json;
}

Json ToJson(const StaleBaseline& stale) {
  Json json = Json::Object();
  json.Set("case", Text(stale.case_id));
  json.Set("requirement", Text(stale.requirement));
  json.Set("place", Text(stale.place));
  return json;
}

Json ToJson(const Target& target) {
  Json server = Json::Object();
  server.Set("name", Text(target.server_name));
  server.Set("version", Text(target.server_version));
  Json json = Json::Object();
  if (target.url.empty()) {
    json.Set("command", Texts(target.command));
  } else {
    json.Set("url", Text(target.url));
  }
  json.Set("server", std::move(server));
  json.Set("transport", Text(target.transport));
  json.Set("eras", Texts(target.eras));
  Json refusals = Json::Object();
  for (const auto& [era, words] : target.refusals) refusals.Set(era, Text(words));
  json.Set("refusals", std::move(refusals));
  json.Set("revisions", Texts(target.revisions));
  json.Set("era_policy", Text(target.era_policy));
  json.Set("tasks", Texts(target.tasks));
  json.Set("capabilities", Value(target.capabilities));
  json.Set("profile", Text(target.profile));
  return json;
}

Json Tool(const Report& report) {
  Json json = Json::Object();
  json.Set("name", Json::String("assay"));
  json.Set("version", Text(report.version));
  return json;
}

constexpr std::array kVerdicts{Verdict::kPass,    Verdict::kFail, Verdict::kWarn,
                               Verdict::kDiffers, Verdict::kSkip, Verdict::kError};

Json Counts(const Report& report) {
  Json json = Json::Object();
  for (const Verdict verdict : kVerdicts) {
    const auto count = report.counts.find(verdict);
    json.Set(ToString(verdict), Json::Integer(count == report.counts.end() ? 0 : count->second));
  }
  return json;
}

// The outermost object, written member by member, the long lists item by item.
class Document {
 public:
  explicit Document(std::ostream& out) : out_(out) { out_ << '{'; }

  void Member(std::string_view key, const Json& value) {
    Key(key);
    Write(value);
  }

  template <typename Items>
  void List(std::string_view key, const Items& items) {
    Key(key);
    out_ << '[';
    bool first = true;
    for (const auto& item : items) {
      out_ << (first ? "\n    " : ",\n    ");
      first = false;
      Write(ToJson(item));
    }
    out_ << (first ? "]" : "\n  ]");
  }

  void End() { out_ << "\n}\n"; }

 private:
  void Key(std::string_view key) {
    out_ << (first_ ? "\n  \"" : ",\n  \"") << key << "\": ";
    first_ = false;
  }

  void Write(const Json& value) {
    text_.clear();
    value.DumpTo(text_);
    out_ << text_;
  }

  std::ostream& out_;
  std::string text_;
  bool first_ = true;
};

}  // namespace

void WriteJsonReport(const Report& report, std::ostream& out) {
  Document document(out);
  document.Member("schema", Json::Integer(1));
  document.Member("tool", Tool(report));
  document.Member("seed", Json::Number(std::to_string(report.seed)));
  document.Member("started", Text(report.started));
  document.Member("duration_ms", Json::Integer(report.duration.count()));
  document.Member("partial", Json::Boolean(report.partial));
  if (report.shards > 1) {
    document.Member("shard", Json::Object({{"number", Json::Integer(report.shard)},
                                           {"of", Json::Integer(report.shards)}}));
  }
  document.Member("exit_code", Json::Integer(report.exit_code));
  document.Member("required", Texts(report.required));
  document.Member("options", Texts(report.options));
  document.Member("target", ToJson(report.target));
  document.Member("counts", Counts(report));
  document.List("causes", report.causes);
  document.List("stale", report.stale);
  document.List("requirements", report.requirements);
  document.List("results", report.results);
  document.End();
}

namespace {

// Reading. An absent member and one of another type both leave the default.

void Read(const Json& json, std::string_view key, std::string& text) {
  if (auto value = json.FindString(key)) text = std::move(*value);
}

void Read(const Json& json, std::string_view key, bool& flag) {
  const Json* value = json.Find(key);
  if (value != nullptr && value->is_boolean()) flag = value->boolean();
}

void Read(const Json& json, std::string_view key, std::vector<std::string>& texts) {
  const Json* value = json.Find(key);
  if (value == nullptr) return;
  for (const Json& item : value->items()) texts.push_back(item.text());
}

void Read(const Json& json, std::string_view key, Verdict& verdict) {
  const std::optional<std::string> name = json.FindString(key);
  const auto found = std::find_if(kVerdicts.begin(), kVerdicts.end(), [&](Verdict candidate) {
    return name && ToString(candidate) == *name;
  });
  if (found != kVerdicts.end()) verdict = *found;
}

void Read(const Json& json, std::string_view key, std::optional<Json>& value) {
  if (const Json* found = json.Find(key)) value = *found;
}

template <typename Integer>
Integer ReadInteger(const Json& json, std::string_view key) {
  Integer integer{};
  if (const Json* value = json.Find(key)) {
    const std::string& text = value->text();
    std::from_chars(text.data(), text.data() + text.size(), integer);
  }
  return integer;
}

void Parse(const Json& json, TranscriptLine& line) {
  line.at = std::chrono::microseconds(ReadInteger<std::int64_t>(json, "t_us"));
  Read(json, "conn", line.connection);
  Read(json, "dir", line.direction);
  Read(json, "step", line.step);
  Read(json, "by_harness", line.by_harness);
  Read(json, "text", line.bytes);
  if (const auto encoded = json.FindString("base64")) {
    line.bytes = DecodeBase64(*encoded).value_or("");
  }
}

void Parse(const Json& json, ReportedFinding& finding) {
  Read(json, "requirement", finding.requirement);
  Read(json, "level", finding.level);
  Read(json, "basis", finding.basis);
  Read(json, "counts_as", finding.counts_as);
  Read(json, "message", finding.message);
  Read(json, "step", finding.step);
  Read(json, "expected", finding.expected);
  Read(json, "actual", finding.actual);
  Read(json, "link", finding.link);
  Read(json, "text", finding.text);
  Read(json, "baselined", finding.baselined);
  Read(json, "baseline_reason", finding.baseline_reason);
}

void Parse(const Json& json, ReportedUnjudged& unjudged) {
  Read(json, "requirement", unjudged.requirement);
  Read(json, "why", unjudged.why);
}

std::chrono::microseconds ReadMilliseconds(const Json& json, std::string_view key) {
  const Json* value = json.Find(key);
  const std::chrono::duration<double, std::milli> time(value == nullptr ? 0 : value->AsDouble());
  return std::chrono::round<std::chrono::microseconds>(time);
}

void Parse(const Json& json, Measured& measured) {
  Read(json, "name", measured.name);
  measured.requests = ReadInteger<int>(json, "requests");
  measured.held = ReadMilliseconds(json, "held_ms");
  measured.thought = ReadMilliseconds(json, "thought_ms");
  measured.held_while_thinking = ReadMilliseconds(json, "held_while_thinking_ms");
  Read(json, "began_on", measured.began_on);
  Read(json, "finished_on", measured.finished_on);
  measured.bytes = ReadInteger<std::size_t>(json, "bytes");
}

void Parse(const Json& json, RequirementState& requirement) {
  Read(json, "id", requirement.id);
  Read(json, "level", requirement.level);
  Read(json, "basis", requirement.basis);
  Read(json, "state", requirement.state);
  Read(json, "why", requirement.why);
  Read(json, "text", requirement.text);
  Read(json, "link", requirement.link);
  Read(json, "cases", requirement.cases);
}

void Parse(const Json& json, Cause& cause) {
  Read(json, "requirement", cause.requirement);
  Read(json, "counts_as", cause.counts_as);
  Read(json, "message", cause.message);
  Read(json, "cases", cause.cases);
}

void Parse(const Json& json, StaleBaseline& stale) {
  Read(json, "case", stale.case_id);
  Read(json, "requirement", stale.requirement);
  Read(json, "place", stale.place);
}

void Parse(const Json& json, Target& target) {
  Read(json, "command", target.command);
  Read(json, "url", target.url);
  if (const Json* server = json.Find("server")) {
    Read(*server, "name", target.server_name);
    Read(*server, "version", target.server_version);
  }
  Read(json, "transport", target.transport);
  Read(json, "eras", target.eras);
  if (const Json* refusals = json.Find("refusals")) {
    for (const JsonMember& member : refusals->members()) {
      target.refusals[member.key] = member.value.text();
    }
  }
  Read(json, "revisions", target.revisions);
  Read(json, "era_policy", target.era_policy);
  Read(json, "tasks", target.tasks);
  if (const Json* capabilities = json.Find("capabilities")) target.capabilities = *capabilities;
  Read(json, "profile", target.profile);
}

void Parse(const Json& json, Result& result);

template <typename Item>
void ReadList(const Json& json, std::string_view key, std::vector<Item>& items) {
  const Json* list = json.Find(key);
  if (list == nullptr) return;
  items.reserve(list->items().size());
  for (const Json& item : list->items()) Parse(item, items.emplace_back());
}

void Parse(const Json& json, Result& result) {
  Read(json, "case", result.case_id);
  Read(json, "title", result.title);
  Read(json, "era", result.era);
  Read(json, "revision", result.revision);
  Read(json, "transport", result.transport);
  Read(json, "source", result.source);
  Read(json, "place", result.place);
  Read(json, "verdict", result.verdict);
  Read(json, "requires", result.requires_ids);
  Read(json, "skip_reason", result.skip_reason);
  Read(json, "skip_detail", result.skip_detail);
  Read(json, "error", result.error);
  Read(json, "baseline", result.baseline);
  Read(json, "repeat_differs", result.repeat_differs);
  result.duration = ReadMilliseconds(json, "duration_ms");
  ReadList(json, "findings", result.findings);
  ReadList(json, "unjudged", result.unjudged);
  ReadList(json, "measured", result.measured);
  ReadList(json, "transcript", result.transcript);
  Read(json, "case_file", result.case_file);
}

}  // namespace

ReportRead ReadReport(std::string_view text) {
  const JsonParse parse = ParseJson(text);
  if (!parse.value) {
    return {std::nullopt, parse.error + " at byte " + std::to_string(parse.offset)};
  }
  const Json& json = *parse.value;
  const Json* schema = json.Find("schema");
  if (schema == nullptr || !Equal(*schema, Json::Integer(1))) {
    return {std::nullopt, "not a report of schema 1"};
  }
  Report report;
  if (const Json* tool = json.Find("tool")) Read(*tool, "version", report.version);
  report.seed = ReadInteger<std::uint64_t>(json, "seed");
  Read(json, "started", report.started);
  report.duration = std::chrono::milliseconds(ReadInteger<std::int64_t>(json, "duration_ms"));
  Read(json, "partial", report.partial);
  if (const Json* shard = json.Find("shard")) {
    report.shard = std::max(1, ReadInteger<int>(*shard, "number"));
    report.shards = std::max(1, ReadInteger<int>(*shard, "of"));
  }
  report.exit_code = ReadInteger<int>(json, "exit_code");
  Read(json, "required", report.required);
  Read(json, "options", report.options);
  if (const Json* target = json.Find("target")) Parse(*target, report.target);
  if (const Json* counts = json.Find("counts")) {
    for (const Verdict verdict : kVerdicts) {
      report.counts[verdict] = ReadInteger<int>(*counts, ToString(verdict));
    }
  }
  ReadList(json, "causes", report.causes);
  ReadList(json, "stale", report.stale);
  ReadList(json, "requirements", report.requirements);
  ReadList(json, "results", report.results);
  return {std::move(report), ""};
}

}  // namespace assay
