// Facts -> good requests.

#include "campaign/subject.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "discover/tool_arguments.h"
#include "exchange/envelope.h"

namespace assay {
namespace {

// Tools in these roles answer at once, and change nothing that matters.
constexpr std::array<std::string_view, 20> kQuickRoles = {
    "callable",   "echo",           "echo-unicode", "echo-lines", "no-arguments",
    "fails",      "strict",         "image",        "structured", "link",
    "embedded",   "audio",          "mirrors",      "asks-user",  "asks-model",
    "asks-roots", "mirrors-values", "asks-all",     "asks-twice", "protects-state"};

Json Parsed(std::string_view text) { return ParseJson(text).value.value(); }

Json Request(std::string_view method, Json params = Json::Object()) {
  return Json::Object(
      {{"method", Json::String(std::string(method))}, {"params", std::move(params)}});
}

Json Call(const std::string& tool, const Json& arguments) {
  return Request("tools/call",
                 Json::Object({{"name", Json::String(tool)}, {"arguments", arguments}}));
}

Json With(std::string_view key, Json value) {
  return Json::Object({{std::string(key), std::move(value)}});
}

class SubjectBuilder {
 public:
  SubjectBuilder(const ServerFacts& facts, Subject& subject, bool allow_tool_calls)
      : facts_(facts),
        subject_(subject),
        allow_tool_calls_(allow_tool_calls),
        legacy_(subject.manner.era != Era::kModern),
        era_(subject.manner.era == Era::kNone ? (facts.modern.served ? facts.modern : facts.legacy)
             : legacy_                        ? facts.legacy
                                              : facts.modern) {}

  void Build() {
    Openings();
    Lists();
    Tools();
    PromptsAndResources();
    Others();
    Tasks();
    Words();
  }

 private:
  void Add(Json request) { subject_.requests.push_back(std::move(request)); }

  void Openings() {
    Add(Request("ping"));
    Add(Request("server/discover"));
    if (subject_.manner.era == Era::kModern) return;
    for (const std::string& revision : facts_.legacy.revisions) {
      Add(Request("initialize", InitializeParams(revision, {Json::Object(), DefaultClientInfo()})));
    }
    Add(Request("initialize", InitializeParams(std::string(kNewestLegacy),
                                               {Json::Object(), DefaultClientInfo()})));
  }

  void Lists() {
    for (const char* method :
         {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
      Add(Request(method));
      const auto& paged = era_.paged;
      if (std::find(paged.begin(), paged.end(), method) == paged.end()) continue;
      const Json next = Request(method, With("cursor", Json::String(std::string(kMadePlace))));
      subject_.producers.push_back({Request(method), "/result/nextCursor", {next}});
    }
  }

  bool Permits(const std::string& tool) const {
    if (allow_tool_calls_) return true;
    if (std::any_of(facts_.roles.begin(), facts_.roles.end(),
                    [&](const auto& role) { return role.second.tool == tool; })) {
      return true;
    }
    // Under one name there is one tool, whatever the era.
    bool read_only = false;
    for (const Json* tools : {&facts_.legacy.tools, &facts_.modern.tools}) {
      for (const Json& listed : tools->items()) {
        if (listed.FindString("name") != tool) continue;
        if (!SaysReadOnly(listed)) return false;
        read_only = true;
      }
    }
    return read_only;
  }

  void Tools() {
    std::set<std::string> named;  // by roles, which know arguments that work
    for (const std::string_view name : kQuickRoles) {
      const auto role = facts_.roles.find(std::string(name));
      if (role == facts_.roles.end() || role->second.tool.empty()) continue;
      named.insert(role->second.tool);
      Add(Call(role->second.tool, role->second.arguments));
    }
    for (const auto& [name, role] : facts_.roles) named.insert(role.tool);
    for (const Json* tools : {&facts_.legacy.tools, &facts_.modern.tools}) {
      for (const Json& tool : tools->items()) {
        const std::string name = tool.FindString("name").value_or("");
        if (!Permits(name)) {
          subject_.forbidden_tools.push_back(name);
          continue;
        }
        const Json* schema = tool.Find("inputSchema");
        if (tools != &era_.tools || schema == nullptr || named.contains(name)) continue;
        if (const auto arguments = MakeArguments(*schema)) Add(Call(name, *arguments));
      }
    }
    const auto asks = facts_.roles.find("asks-user");
    if (legacy_ || asks == facts_.roles.end()) return;
    Json call = Call(asks->second.tool, asks->second.arguments);
    Json retry = call;
    Json& params = retry.members().back().value;
    params.Set("requestState", Json::String(std::string(kMadePlace)));
    if (const Json* answer = asks->second.extra.Find("answer")) {
      const std::string key = asks->second.extra.FindString("key").value_or("");
      params.Set(
          "inputResponses",
          With(key, Json::Object({{"action", Json::String("accept")}, {"content", *answer}})));
    }
    call.members().back().value.Set(
        "_meta",
        With(std::string(kEnvelopePrefix) + "clientCapabilities", Parsed(R"({"elicitation":{}})")));
    subject_.producers.push_back({std::move(call), "/result/requestState", {std::move(retry)}});
  }

  void PromptsAndResources() {
    for (const Json& prompt : era_.prompts.items()) {
      Json arguments = Json::Object();
      if (const Json* listed = prompt.Find("arguments")) {
        for (const Json& argument : listed->items()) {
          arguments.Set(argument.FindString("name").value_or(""), Json::String("assay"));
        }
      }
      Add(Request("prompts/get",
                  Json::Object({{"name", Json::String(prompt.FindString("name").value_or(""))},
                                {"arguments", std::move(arguments)}})));
    }
    for (const Json& resource : era_.resources.items()) {
      Add(Request("resources/read",
                  With("uri", Json::String(resource.FindString("uri").value_or("")))));
    }
    for (const Json& pattern : era_.resource_templates.items()) {
      Add(Request("resources/read",
                  With("uri", Json::String(pattern.FindString("uriTemplate").value_or("")))));
    }
    const auto completion = facts_.roles.find("completion");
    if (completion != facts_.roles.end()) {
      Json params = Json::Object();
      for (const char* key : {"ref", "argument"}) {
        if (const Json* value = completion->second.extra.Find(key)) params.Set(key, *value);
      }
      Add(Request("completion/complete", std::move(params)));
    }
  }

  void Others() {
    if (legacy_) {
      Add(Request("logging/setLevel", With("level", Json::String("error"))));
      if (!era_.resources.items().empty()) {
        const Json uri = With(
            "uri", Json::String(era_.resources.items().front().FindString("uri").value_or("")));
        Add(Request("resources/subscribe", uri));
        Add(Request("resources/unsubscribe", uri));
      }
      return;
    }
    Add(Request(
        "subscriptions/listen",
        Parsed(R"({"notifications":{"toolsListChanged":true,"promptsListChanged":true}})")));
  }

  bool Has(const std::string& dialect) const {
    const auto& tasks = facts_.tasks;
    return std::find(tasks.begin(), tasks.end(), dialect) != tasks.end();
  }

  void Tasks() {
    const Json id = With("taskId", Json::String(std::string(kMadePlace)));
    for (const char* method : {"tasks/get", "tasks/cancel", "tasks/result", "tasks/update"}) {
      Add(Request(method, With("taskId", Json::String("assay-none"))));
    }
    if (legacy_) Add(Request("tasks/list"));
    const auto task = facts_.roles.find("task");
    if (task == facts_.roles.end()) return;
    Json call = Call(task->second.tool, task->second.arguments);
    Json& params = call.members().back().value;
    if (subject_.manner.era == Era::kLegacy && Has("legacy")) {
      params.Set("task", Json::Object());
      subject_.producers.push_back({std::move(call),
                                    "/result/task/taskId",
                                    {Request("tasks/get", id), Request("tasks/cancel", id),
                                     Request("tasks/result", id), Request("tasks/list")}});
    } else if (subject_.manner.era == Era::kModern && Has("extension")) {
      params.Set("_meta", With(std::string(kEnvelopePrefix) + "clientCapabilities",
                               Parsed(R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})")));
      subject_.producers.push_back(
          {std::move(call),
           "/result/taskId",
           {Request("tasks/get", id), Request("tasks/cancel", id), Request("tasks/update", id)}});
    }
  }

  void Words() {
    std::set<std::string> words = {"2026-07-28",   "2025-11-25", "2024-11-05", "ref/prompt",
                                   "ref/resource", "error",      "debug"};
    for (const Json* list : {&era_.prompts, &era_.resources}) {
      for (const Json& item : list->items()) {
        for (const char* key : {"name", "uri"}) {
          if (const auto word = item.FindString(key)) words.insert(*word);
        }
      }
    }
    for (const Json& request : subject_.requests) {
      words.insert(request.FindString("method").value_or(""));
      if (const auto* name = request.Find("params", "name")) words.insert(name->text());
    }
    subject_.words.assign(words.begin(), words.end());
  }

  const ServerFacts& facts_;
  Subject& subject_;
  const bool allow_tool_calls_;
  const bool legacy_;
  const EraFacts& era_;
};

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return LowerCase(c); });
  return lower;
}

// With every \uXXXX of an ASCII character read, in lower case: no spelling hides a name.
std::string Unspelled(std::string_view bytes) {
  std::string plain;
  plain.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] != '\\') {
      plain += LowerCase(bytes[at]);
      continue;
    }
    const bool unicode = at + 5 < bytes.size() && bytes[at + 1] == 'u' && bytes[at + 2] == '0' &&
                         bytes[at + 3] == '0';
    if (unicode) {
      plain += LowerCase(static_cast<char>(
          std::strtol(std::string(bytes.substr(at + 4, 2)).c_str(), nullptr, 16)));
      at += 5;
    }  // of \/ and others the second character stands for itself
  }
  return plain;
}

}  // namespace

Subject MakeSubject(const ServerFacts& facts, const Manner& manner, bool allow_tool_calls) {
  Subject subject;
  subject.manner = manner;
  SubjectBuilder(facts, subject, allow_tool_calls).Build();
  return subject;
}

bool IsHarmless(const Subject& subject, std::string_view bytes) {
  if (subject.forbidden_tools.empty()) return true;
  const std::string plain = Unspelled(bytes);
  if (plain.find("call") == std::string::npos) return true;
  return std::none_of(subject.forbidden_tools.begin(), subject.forbidden_tools.end(),
                      [&](const std::string& tool) {
                        return !tool.empty() && plain.find(LowerCase(tool)) != std::string::npos;
                      });
}

}  // namespace assay
