// Each question is put to a process of its own, all at once, so that no answer colours another.

#include "discover/discover.h"

#include <algorithm>

#include "case/glob.h"
#include "discover/roles.h"
#include "exchange/dialogue.h"

namespace assay {
namespace {

constexpr int kMaxPages = 100;

class Discoverer {
 public:
  Discoverer(Loop& loop, DiscoverSettings settings) : loop_(loop), settings_(std::move(settings)) {}

  Task<Discovery> Run() {
    std::vector<Task<void>> first;
    first.push_back(ProbeModern());
    first.push_back(ProbeLegacy());
    co_await loop_.All(std::move(first));
    std::vector<Task<void>> second;
    for (const std::string& revision : settings_.legacy_revisions) {
      if (facts().legacy.served && !Contains(facts().legacy.revisions, revision)) {
        second.push_back(ProbeRevision(revision));
      }
    }
    if (facts().legacy.served && facts().modern.served) {
      second.push_back(ProbeModernAfterLegacy());
      second.push_back(ProbeLegacyAfterModern());
    }
    co_await loop_.All(std::move(second));
    std::sort(facts().legacy.revisions.rbegin(), facts().legacy.revisions.rend());
    Conclude();
    co_return std::move(discovery_);
  }

 private:
  ServerFacts& facts() { return discovery_.facts; }

  static bool Contains(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
  }

  // One server and a dialogue with it.
  struct Probe {
    Probe(const DiscoverSettings& settings, std::shared_ptr<Connection> connection)
        : dialogue(transcript, {Json::Object(), DefaultClientInfo()}, settings.timeout,
                   settings.start_within),
          session(dialogue.Attach("main", std::move(connection), true)) {}

    Transcript transcript;
    Dialogue dialogue;
    Session& session;
  };

  static Task<void> End(Probe& probe) {
    co_await probe.dialogue.EndSession(probe.session);
    co_await probe.session.connection->channel().Shutdown(std::chrono::milliseconds(1000));
  }

  void KeepRefusal(Probe& probe, Era era, std::string_view revision) {
    KeepLastWords(probe);
    probe.transcript.era = era;
    probe.transcript.revision = revision;
    probe.transcript.client_capabilities = Json::Object();
    discovery_.refusals.push_back(std::move(probe.transcript));
  }

  void KeepLastWords(const Probe& probe) {
    std::string words;
    for (const Entry& entry : probe.transcript.entries) {
      const bool outside_protocol =
          entry.direction == Entry::Direction::kIn && entry.message.kind == Message::Kind::kNotJson;
      const bool tells_why =
          entry.event == Entry::Event::kNotStarted || entry.event == Entry::Event::kExited ||
          entry.event == Entry::Event::kOverlongLine || entry.event == Entry::Event::kFlood ||
          entry.event == Entry::Event::kOutputClosed || entry.event == Entry::Event::kHttpEnd;
      if (entry.direction == Entry::Direction::kError || outside_protocol || tells_why) {
        words += entry.bytes;
        if (words.empty() || words.back() != '\n') words += '\n';
      }
    }
    if (words.size() > 4000) words = "...\n" + words.substr(words.size() - 4000);
    if (discovery_.last_words.size() < words.size()) discovery_.last_words = words;
  }

  static std::string Refusal(const Message* answer, const std::string& method) {
    if (answer == nullptr) return method + " was not answered";
    return method + " was answered with " + answer->body.Dump().substr(0, 300);
  }

  void KeepName(const Json* info) {
    if (info == nullptr || !facts().name.empty()) return;
    facts().name = info->FindString("name").value_or("");
    facts().version = info->FindString("version").value_or("");
  }

  Task<void> ProbeModern() {
    Probe probe(settings_, co_await settings_.connect());
    const std::string revision(kNewestModern);
    const Message* answer = co_await probe.dialogue.Ask(probe.session, "server/discover", nullptr,
                                                        Era::kModern, revision);
    EraFacts& modern = facts().modern;
    if (answer != nullptr && answer->kind == Message::Kind::kResult &&
        answer->result()->Find("supportedVersions") != nullptr) {
      modern.served = true;
      for (const Json& version : answer->result()->Find("supportedVersions")->items()) {
        // Only what is modern: a list may name legacy versions too (modern-notes A11).
        if (version.is_string() && version.text() >= kNewestModern) {
          modern.revisions.push_back(version.text());
        }
      }
      if (const Json* capabilities = answer->result()->Find("capabilities")) {
        modern.capabilities = *capabilities;
      }
      KeepName(answer->result()->Find("_meta", "io.modelcontextprotocol/serverInfo"));
    } else {
      modern.refusal = Refusal(answer, "server/discover");
      // A server that forgot server/discover may be modern all the same.
      if (answer != nullptr && !probe.dialogue.Over(probe.session)) {
        const Message* list = co_await probe.dialogue.Ask(probe.session, "tools/list", nullptr,
                                                          Era::kModern, revision);
        modern.served = list != nullptr && list->kind == Message::Kind::kResult &&
                        list->result()->Find("resultType") != nullptr;
        if (modern.served) {
          modern.capabilities = Json::Object({{"tools", Json::Object()}});
        }
      }
    }
    if (modern.served && modern.revisions.empty()) modern.revisions.push_back(revision);
    if (modern.served) {
      co_await List(probe, modern, Era::kModern, revision);
      co_await AskForTaskHandles(probe, revision);
      const Json id = probe.session.connection->NextId();
      Json request = MakeMessage(&id, "server/discover", nullptr);
      AddEnvelope(request, GoodEnvelope(revision, probe.dialogue.client()));
      co_await AskWithoutToken(probe, request);
    }
    co_await End(probe);
    if (!modern.served) KeepRefusal(probe, Era::kModern, kNewestModern);
  }

  // Whether the server wants the token that our requests carry.
  Task<void> AskWithoutToken(Probe& probe, const Json& request) {
    if (!settings_.carries_token || probe.dialogue.Over(probe.session)) co_return;
    const Json bare = Json::Object({{"headers", Json::Object({{"Authorization", Json()}})}});
    const std::size_t entry = probe.dialogue.Send(probe.session, request, true, &bare);
    co_await probe.dialogue.AwaitAnswer(probe.session, entry);
    const auto head = probe.dialogue.HttpAnswerTo(entry).head;
    if (head != nullptr && head->status >= 400) facts().asks_for_token = true;
  }

  bool DeclaresTasksExtension() {
    return facts().modern.capabilities.Find("extensions", "io.modelcontextprotocol/tasks") !=
           nullptr;
  }

  // The handle dialect declares nothing: it shows in tools that can be tasks, and in tasks/get.
  Task<void> AskForTaskHandles(Probe& probe, std::string revision) {
    const auto& tools = facts().modern.tools.items();
    const bool can_be_tasks = std::any_of(tools.begin(), tools.end(), [](const Json& tool) {
      const Json* support = tool.Find("execution", "taskSupport");
      return support != nullptr && (support->text() == "optional" || support->text() == "required");
    });
    if (!can_be_tasks || DeclaresTasksExtension() || probe.dialogue.Over(probe.session)) co_return;
    const Json params = Json::Object({{"taskId", Json::String("assay-no-such-task")}});
    const Message* answer =
        co_await probe.dialogue.Ask(probe.session, "tasks/get", &params, Era::kModern, revision);
    const Json* code = answer == nullptr ? nullptr : answer->body.Find("error", "code");
    if (code != nullptr && code->AsInteger() == -32602) facts().tasks.emplace_back("handle");
  }

  Task<void> ProbeLegacy() {
    Probe probe(settings_, co_await settings_.connect());
    const Json params = InitializeParams(std::string(kNewestLegacy), probe.dialogue.client());
    const Message* answer = co_await probe.dialogue.Ask(probe.session, "initialize", &params,
                                                        Era::kLegacy, std::string(kNewestLegacy));
    EraFacts& legacy = facts().legacy;
    if (answer != nullptr && answer->kind == Message::Kind::kResult &&
        answer->result()->FindString("protocolVersion")) {
      const Json result = *answer->result();
      const std::string revision = *result.FindString("protocolVersion");
      legacy.served = Contains(LegacyRevisions(), revision);
      if (!legacy.served) legacy.refusal = "initialize negotiated an unknown revision " + revision;
      if (const Json* capabilities = result.Find("capabilities"))
        legacy.capabilities = *capabilities;
      KeepName(result.Find("serverInfo"));
      if (legacy.served) {
        legacy.revisions.push_back(revision);
        probe.dialogue.Send(probe.session,
                            MakeMessage(nullptr, "notifications/initialized", nullptr), true);
        std::optional<std::size_t> stream;
        if (probe.session.connection->over_http()) {
          stream = probe.dialogue.AskForStream(probe.session);
        }
        co_await List(probe, legacy, Era::kLegacy, revision);
        if (stream) legacy.heads_come_late = co_await ComesLate(probe, *stream);
        const Json id = probe.session.connection->NextId();
        co_await AskWithoutToken(probe, MakeMessage(&id, "ping", nullptr));
      }
    } else {
      legacy.refusal = Refusal(answer, "initialize");
    }
    co_await End(probe);
    if (!legacy.served) KeepRefusal(probe, Era::kLegacy, kNewestLegacy);
  }

  // Whether the server has sent nothing of the stream, though all that was asked after it is
  // answered.
  Task<bool> ComesLate(Probe& probe, std::size_t stream) {
    const bool answers = co_await probe.dialogue.Fence(probe.session);
    co_return answers&& probe.dialogue.HttpAnswerTo(stream).head == nullptr &&
        !probe.dialogue.transcript().HttpEnd(stream);
  }

  Task<void> ProbeRevision(std::string revision) {
    Probe probe(settings_, co_await settings_.connect());
    if ((co_await probe.dialogue.Handshake(probe.session, revision)).empty()) {
      facts().legacy.revisions.push_back(revision);
    }
    co_await End(probe);
  }

  Task<void> ProbeModernAfterLegacy() {
    Probe probe(settings_, co_await settings_.connect());
    if ((co_await probe.dialogue.Handshake(probe.session, facts().legacy.revisions.front()))
            .empty()) {
      const Message* answer =
          co_await probe.dialogue.Ask(probe.session, "server/discover", nullptr, Era::kModern,
                                      facts().modern.revisions.front());
      crossings_ += answer != nullptr && answer->kind == Message::Kind::kResult &&
                            answer->result()->Find("resultType") != nullptr
                        ? 1
                        : 0;
      ++crossings_tried_;
    }
    co_await End(probe);
  }

  Task<void> ProbeLegacyAfterModern() {
    Probe probe(settings_, co_await settings_.connect());
    const std::string method =
        facts().modern.capabilities.Find("tools") != nullptr ? "tools/list" : "server/discover";
    const Message* answer = co_await probe.dialogue.Ask(
        probe.session, method, nullptr, Era::kModern, facts().modern.revisions.front());
    if (answer != nullptr) {
      const std::string why =
          co_await probe.dialogue.Handshake(probe.session, facts().legacy.revisions.front());
      crossings_ += why.empty() ? 1 : 0;
      ++crossings_tried_;
    }
    co_await End(probe);
  }

  // All pages of all lists that the capabilities promise.
  Task<void> List(Probe& probe, EraFacts& era, Era which, std::string revision) {
    struct Wanted {
      const char* capability;
      const char* method;
      const char* member;
      Json* into;
    };
    const std::vector<Wanted> lists = {
        {"tools", "tools/list", "tools", &era.tools},
        {"prompts", "prompts/list", "prompts", &era.prompts},
        {"resources", "resources/list", "resources", &era.resources},
        {"resources", "resources/templates/list", "resourceTemplates", &era.resource_templates}};
    for (const Wanted& wanted : lists) {
      if (era.capabilities.Find(wanted.capability) == nullptr) continue;
      Json params = Json::Object();
      for (int page = 0; page < kMaxPages; ++page) {
        if (probe.dialogue.Over(probe.session)) co_return;
        const Message* answer =
            co_await probe.dialogue.Ask(probe.session, wanted.method, &params, which, revision);
        if (answer == nullptr || answer->kind != Message::Kind::kResult) break;
        if (const Json* items = answer->result()->Find(wanted.member)) {
          for (const Json& item : items->items()) wanted.into->items().push_back(item);
        }
        const auto cursor = answer->result()->FindString("nextCursor");
        if (!cursor || params.FindString("cursor") == cursor) break;
        if (page == 0) era.paged.emplace_back(wanted.method);
        params.Set("cursor", Json::String(*cursor));
      }
    }
  }

  void Conclude() {
    ServerFacts& all = facts();
    if (all.legacy.served && all.modern.served) {
      if (crossings_tried_ == 2) all.era_policy = crossings_ == 0 ? "locked" : "per-message";
    } else if (all.legacy.served) {
      all.era_policy = "legacy-only";
    } else if (all.modern.served) {
      all.era_policy = "modern-only";
    }
    if (all.legacy.capabilities.Find("tasks") != nullptr) all.tasks.emplace_back("legacy");
    if (DeclaresTasksExtension()) all.tasks.emplace_back("extension");
    if (!settings_.profile) {
      for (Profile& profile : BuiltinProfiles()) {
        if (!profile.match.empty() && MatchesGlob(profile.match, all.name)) {
          settings_.profile = std::move(profile);
          break;
        }
      }
    }
    const Profile* profile = settings_.profile ? &*settings_.profile : nullptr;
    if (profile != nullptr) {
      discovery_.profile = profile->name;
      all.fleet = profile->fleet;
    }
    AssignRoles(all, profile, settings_.allow_tool_calls);
  }

  Loop& loop_;
  DiscoverSettings settings_;
  Discovery discovery_;
  int crossings_ = 0;  // times the server changed its era in mid connection
  int crossings_tried_ = 0;
};

}  // namespace

Task<Discovery> DiscoverServer(Loop& loop, DiscoverSettings settings) {
  Discoverer discoverer(loop, std::move(settings));
  co_return co_await discoverer.Run();
}

const std::vector<std::string>& LegacyRevisions() {
  static const std::vector<std::string> kRevisions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                      "2024-11-05"};
  return kRevisions;
}

}  // namespace assay
