// Subscriptions that begin, end and begin again while things change.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "property/lists.h"
#include "property/models.h"
#include "property/scene.h"

namespace assay {
namespace {

Json CallOf(const std::string& role) {
  return Json::Object({{"name", Json::String("${role." + role + ".tool}")},
                       {"arguments", Json::String("${role." + role + ".arguments}")}});
}

Step Await(Json pattern) {
  Step step;
  step.verb = Step::Verb::kAwait;
  step.message = std::move(pattern);
  return step;
}

// --- subscriptions/listen (2026-07-28, basic § Subscriptions) ------------------------------------

// What a subscription may be to.
struct Change {
  std::string name;          // tools
  std::string flag;          // toolsListChanged
  std::string role;          // changes-tools
  std::string notification;  // notifications/tools/list_changed
  std::string announced;     // the requirement that it is
};

struct Listening {
  Json id;
  std::string to;
  bool cancelled = false;
};

struct Listens {
  std::vector<Listening> all;
};

Json Tagged(const std::string& method, const Json& id) {
  return Json::Object(
      {{"method", Json::String(method)},
       {"params", Json::Object({{"_meta", Json::Object({{"io.modelcontextprotocol/subscriptionId",
                                                         id}})}})}});
}

bool Listen(const Change& change, Listens& at, Scene& scene) {
  const std::string number = std::to_string(201 + at.all.size());
  // Ids of both types, one after the other.
  const Json id = at.all.size() % 2 == 0 ? Json::Number(number) : Json::String("assay-" + number);
  Step step = RequestStep(
      "subscriptions/listen",
      Json::Object({{"notifications", Json::Object({{change.flag, Json::Boolean(true)}})}}));
  step.id = id;
  Expect(step, "", {NoAnswer(), ResultLike(Json::Object())});
  scene.Hold(std::move(step));
  Step acknowledged = Await(Tagged("notifications/subscriptions/acknowledged", id));
  Expect(acknowledged, "M-SUB-ACK-SENT", {});
  scene.Add(std::move(acknowledged));
  at.all.push_back({.id = id, .to = change.name});
  return true;
}

bool CancelListening(Listens& at, Scene& scene, bool older) {
  std::vector<Listening*> live;
  for (Listening& one : at.all) {
    if (!one.cancelled) live.push_back(&one);
  }
  if (live.empty()) return false;
  Listening& one = older ? *live.front() : *live.back();
  scene.Notify("notifications/cancelled", Json::Object({{"requestId", one.id}}));
  one.cancelled = true;
  return true;
}

// Each subscription to it hears of it, under its own id. Those that ended do not: the oracle sees.
bool ChangeSomething(const Change& change, Listens& at, Scene& scene) {
  Step& call = scene.Request("tools/call", CallOf(change.role));
  Expect(call, "", {ResultLike(J(R"({"isError":{"$not":true}})"))});
  for (const Listening& one : at.all) {
    if (one.cancelled || one.to != change.name) continue;
    Step heard = Await(Tagged(change.notification, one.id));
    Expect(heard, change.announced, {});
    scene.Add(std::move(heard));
  }
  return true;
}

bool Discover(Listens&, Scene& scene) {
  Expect(scene.Request("server/discover"), "M-DISCOVER-IMPLEMENTED",
         {ResultLike(J(R"({"supportedVersions":"$array"})"))});
  return true;
}

// --- resources/subscribe (2025-11-25, server § Resources) ----------------------------------------

struct Subscribed {
  bool subscribed = false;
  bool touched = false;
};

const char kUri[] = R"({"uri":"${role.changes-resource.uri}"})";

bool Subscribe(Subscribed& at, Scene& scene, bool subscribe) {
  Step& step = scene.Request(subscribe ? "resources/subscribe" : "resources/unsubscribe", J(kUri));
  // To end what never began is not said to be right or wrong.
  if (subscribe || at.subscribed) {
    Expect(step, "L-RES-subscribe-empty-result", {ResultLike(Json::Object())});
  }
  at.subscribed = subscribe;
  return true;
}

bool Touch(Subscribed& at, Scene& scene) {
  Step& call = scene.Request("tools/call", CallOf("changes-resource"));
  Expect(call, "", {ResultLike(J(R"({"isError":{"$not":true}})"))});
  // The tool may be a switch: that it changes something is sure of its first call only.
  const bool changes = !std::exchange(at.touched, true);
  if (at.subscribed && !changes) return true;
  if (at.subscribed) {
    Step heard = Await(J(
        R"({"method":"notifications/resources/updated","params":{"uri":"${role.changes-resource.uri}"}})"));
    Expect(heard, "L-RES-updated-after-change", {});
    scene.Add(std::move(heard));
    return true;
  }
  Step silence;
  silence.verb = Step::Verb::kSilence;
  silence.allowed = {J(R"({"method":{"$not":"notifications/resources/updated"}})")};
  Expect(silence, "L-RES-updated-only-subscribed", {});
  scene.Add(std::move(silence));
  return true;
}

bool Read(Subscribed&, Scene& scene) {
  Expect(scene.Request("resources/read", J(kUri)), "L-RES-list-works",
         {ResultLike(J(R"({"contents":"$array"})"))});
  return true;
}

bool Ping(Subscribed&, Scene& scene) {
  Expect(scene.Request("ping"), "L-PING-respond", {ResultLike(Json::Object())});
  return true;
}

}  // namespace

std::optional<Model> ListenModel(const ServerFacts& facts) {
  if (!facts.modern.served) return std::nullopt;
  const std::vector<Change> all = {{"tools", "toolsListChanged", "changes-tools",
                                    "notifications/tools/list_changed", "M-TOOLS-LIST-CHANGED"},
                                   {"prompts", "promptsListChanged", "changes-prompts",
                                    "notifications/prompts/list_changed", "M-PROMPTS-LIST-CHANGED"},
                                   {"resources", "resourcesListChanged", "changes-resources",
                                    "notifications/resources/list_changed", "M-RES-LIST-CHANGED"}};
  std::vector<Change> changes;
  for (const Change& change : all) {
    const Json* declared = facts.modern.capabilities.Find(change.name, "listChanged");
    const bool is_declared = declared != nullptr && declared->is_boolean() && declared->boolean();
    if (is_declared && facts.roles.contains(change.role)) changes.push_back(change);
  }
  if (changes.empty()) return std::nullopt;
  // Two kinds are enough to be taken for each other.
  changes.resize(std::min<std::size_t>(changes.size(), 2));
  std::vector<Letter<Listens>> letters = {{"discover", Discover}};
  for (const Change& change : changes) {
    letters.push_back({"listen-" + change.name,
                       [change](Listens& at, Scene& scene) { return Listen(change, at, scene); }});
    letters.push_back({"change-" + change.name, [change](Listens& at, Scene& scene) {
                         return ChangeSomething(change, at, scene);
                       }});
  }
  for (const bool older : {false, true}) {
    letters.push_back({older ? "cancel-older" : "cancel", [older](Listens& at, Scene& scene) {
                         return CancelListening(at, scene, older);
                       }});
  }
  return MakeModel<Listens>({.name = "listen",
                             .title = "subscriptions that begin, end and begin again",
                             .era = Era::kModern,
                             .revision = facts.modern.revisions.front()},
                            {}, std::move(letters), [](Listens& at, Scene& scene) {
                              // What comes after it shows what was late.
                              Discover(at, scene);
                            });
}

std::optional<Model> SubscribeModel(const ServerFacts& facts) {
  const Json* declared = facts.legacy.capabilities.Find("resources", "subscribe");
  const bool is_declared = declared != nullptr && declared->is_boolean() && declared->boolean();
  if (!facts.legacy.served || !is_declared || !facts.roles.contains("changes-resource")) {
    return std::nullopt;
  }
  std::vector<Letter<Subscribed>> letters = {
      {"ping", Ping},
      {"subscribe", [](Subscribed& at, Scene& scene) { return Subscribe(at, scene, true); }},
      {"touch", Touch},
      {"unsubscribe", [](Subscribed& at, Scene& scene) { return Subscribe(at, scene, false); }},
      {"read", Read}};
  return MakeModel<Subscribed>({.name = "subscribe",
                                .title = "subscriptions to a resource",
                                .era = Era::kLegacy,
                                .revision = facts.legacy.revisions.front(),
                                .when = NeedsCapabilities({"resources.subscribe"})},
                               {}, std::move(letters), [](Subscribed&, Scene&) {});
}

}  // namespace assay
