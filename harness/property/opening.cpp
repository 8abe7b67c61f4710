// Requests of both eras on one connection, in any order: the first one decides, or none does, and
// what was decided stays (2026-07-28, basic § Versioning; DESIGN §8, §9).

#include <string>
#include <utility>
#include <vector>

#include "exchange/envelope.h"
#include "property/lists.h"
#include "property/models.h"
#include "property/scene.h"

namespace assay {
namespace {

struct Opening {
  Era opened = Era::kNone;  // by the first request, where requests decide
  bool initialized = false;
  bool modern_asked = false;  // a request with an envelope went out
  // Something that is no request came first: that it decides nothing is for the contract to say.
  bool noted = false;
  // A request came first of which it is not said whether it decides.
  bool undecided = false;
  // What the connection speaks by now cannot be known, and nothing is expected any more.
  bool unsure = false;
  bool open_end = false;  // nothing that is answered came last
};

// What the server lets be said when, by what is known of its policy.
class Policy {
 public:
  explicit Policy(const ServerFacts& facts) : facts_(facts) {}

  // Enveloped requests must be served: a modern server depends on nothing that came before. That
  // one which was opened by a legacy request serves them too is nobody's duty.
  bool ServesModern(const Opening& at) const {
    if (!facts_.modern.served || at.unsure) return false;
    return facts_.era_policy == "modern-only" || at.opened != Era::kLegacy;
  }
  // And likewise the other way round.
  bool ServesLegacy(const Opening& at) const {
    return facts_.legacy.served && !at.unsure && !at.modern_asked;
  }
  // Whatever has no envelope is malformed.
  bool OnlyModern(const Opening& at) const {
    if (!facts_.modern.served) return false;
    return facts_.era_policy == "modern-only" ||
           (locked() && !at.unsure && at.opened == Era::kModern);
  }
  bool locked() const { return facts_.era_policy == "locked"; }
  // Or may: for one whose policy is not known.
  bool first_request_decides() const { return locked() || facts_.era_policy == "unknown"; }

 private:
  const ServerFacts facts_;
};

// A request of that era went out. `decides`: not if it is refused whatever the connection is, or
// only asks what the server is: a server may wait for what comes after that.
void Opens(Opening& at, Era era, const Policy& policy, bool decides = true) {
  at.open_end = false;
  const bool remembers = policy.first_request_decides();
  if (era == Era::kModern) at.modern_asked = true;
  if (remembers && era == Era::kModern && at.opened == Era::kLegacy && !at.initialized) {
    at.unsure = true;
  }
  if (at.opened != Era::kNone) return;
  if (era == Era::kModern && at.noted) at.unsure = true;
  if (remembers && !decides && era == Era::kModern) {
    at.undecided = true;
    return;
  }
  if (era == Era::kLegacy && at.undecided) at.unsure = true;
  at.opened = era;
  at.undecided = false;
}

// Something went out that is not answered.
void Notes(Opening& at, const Policy& policy) {
  at.open_end = true;
  if (policy.first_request_decides() && at.opened == Era::kNone) at.noted = true;
}

// What an enveloped request proves that must be served.
std::string ServedFor(const Opening& at, const std::string& requirement) {
  const bool undecided = at.noted && at.opened == Era::kNone;
  return undecided ? "C-ERA-NOTIFICATIONS-DO-NOT-DECIDE" : requirement;
}

// What a connection that was opened by a legacy request owes an enveloped one.
std::vector<Alternative> NothingModern() {
  return {ErrorLike(Json::Object()), ResultLike(J(R"({"resultType":"$absent"})"))};
}

Step& Enveloped(Scene& scene, const std::string& method, Json envelope = Json::String("good")) {
  Step& step = scene.Request(method);
  step.envelope = std::move(envelope);
  return step;
}

class Letters {
 public:
  Letters(const ServerFacts& facts) : policy_(facts), served_(facts) {
    const std::vector<ListKind> lists = ListsOf(facts.modern.served ? facts.modern : facts.legacy);
    if (!lists.empty()) list_ = lists.front();
  }

  std::vector<Letter<Opening>> All() const {
    std::vector<Letter<Opening>> all;
    const auto add = [&](const char* name, bool (Letters::*play)(Opening&, Scene&) const) {
      all.push_back({name, [self = *this, play](Opening& at, Scene& scene) {
                       return (self.*play)(at, scene);
                     }});
    };
    add("ping", &Letters::Ping);
    add("cancel", &Letters::Cancel);
    if (served_.modern.served) add("discover", &Letters::Discover);
    if (!list_.name.empty()) add("list", &Letters::List);
    if (!list_.name.empty() && served_.modern.served) add("modern-list", &Letters::ModernList);
    add("initialize", &Letters::Initialize);
    add("initialized", &Letters::Initialized);
    if (served_.modern.served) add("old-version", &Letters::OldVersion);
    if (served_.modern.served) add("modern-unknown", &Letters::ModernUnknown);
    add("stray-response", &Letters::StrayResponse);
    return all;
  }

  void Finish(Opening& at, Scene& scene) const {
    if (!at.open_end) return;
    if (policy_.ServesModern(at)) {
      Discover(at, scene);
    } else {
      Ping(at, scene);
    }
  }

 private:
  bool Ping(Opening& at, Scene& scene) const {
    Step& step = scene.Request("ping");
    if (policy_.ServesLegacy(at)) {
      Expect(step, at.initialized ? "L-PING-respond" : "L-PING-before-initialize",
             {ResultLike(Json::Object())});
    }
    Opens(at, Era::kLegacy, policy_);
    return true;
  }

  bool Cancel(Opening& at, Scene& scene) const {
    scene.Notify("notifications/cancelled", J(R"({"requestId":424242})"));
    Notes(at, policy_);
    return true;
  }

  bool Discover(Opening& at, Scene& scene) const {
    Step& step = Enveloped(scene, "server/discover");
    if (policy_.ServesModern(at)) {
      Expect(step, ServedFor(at, "M-DISCOVER-IMPLEMENTED"),
             {ResultLike(J(R"({"supportedVersions":"$array"})"))});
    } else if (policy_.locked() && !at.unsure) {
      Expect(step, "C-ERA-LOCKED-LEGACY", NothingModern());
    }
    Opens(at, Era::kModern, policy_, /*decides=*/false);
    return true;
  }

  bool List(Opening& at, Scene& scene) const {
    Step& step = scene.Request(list_.method);
    const Json items = Json::Object({{list_.member, Json::String("$array")}});
    if (policy_.OnlyModern(at)) {
      Expect(step, "M-META-MISSING-META", {ErrorLike(Json::Object())});
    } else if (policy_.ServesLegacy(at)) {
      if (at.initialized) {
        Expect(step, "L-INIT-operate-after-initialized", {ResultLike(items)});
      } else {
        Expect(step, "C-INIT-BEFORE-REFUSED", {ErrorLike(Json::Object())});
      }
    }
    Opens(at, Era::kLegacy, policy_);
    return true;
  }

  bool ModernList(Opening& at, Scene& scene) const {
    Step& step = Enveloped(scene, list_.method);
    if (policy_.ServesModern(at)) {
      Expect(step, ServedFor(at, list_.modern),
             {ResultLike(Json::Object({{list_.member, Json::String("$array")}}))});
    } else if (policy_.locked() && !at.unsure) {
      Expect(step, "C-ERA-LOCKED-LEGACY", NothingModern());
    }
    Opens(at, Era::kModern, policy_);
    return true;
  }

  bool Initialize(Opening& at, Scene& scene) const {
    const std::string revision =
        served_.legacy.served ? served_.legacy.revisions.front() : std::string(kNewestLegacy);
    Step& step = scene.Request("initialize",
                               InitializeParams(revision, {Json::Object(), DefaultClientInfo()}));
    const bool served = policy_.ServesLegacy(at);
    if (served && !at.initialized) {
      Expect(
          step, "L-INIT-respond",
          {ResultLike(J(
              R"({"protocolVersion":"$string","capabilities":"$object","serverInfo":"$object"})"))});
    } else if (policy_.locked() && !at.unsure && at.opened == Era::kModern) {
      Expect(step, "C-ERA-LOCKED-MODERN", {ErrorLike(Json::Object())});
    }
    Opens(at, Era::kLegacy, policy_);
    at.initialized = at.initialized || served;
    return true;
  }

  bool Initialized(Opening& at, Scene& scene) const {
    scene.Notify("notifications/initialized");
    Notes(at, policy_);
    return true;
  }

  bool OldVersion(Opening& at, Scene& scene) const {
    Step& step = Enveloped(scene, "server/discover", J(R"({"protocolVersion":"1900-01-01"})"));
    if (policy_.ServesModern(at)) {
      Expect(step, ServedFor(at, "M-VER-UNSUPPORTED-DISCOVER"),
             {ErrorLike(J(R"({"code":-32022})"))});
    }
    Opens(at, Era::kModern, policy_, /*decides=*/false);
    return true;
  }

  bool ModernUnknown(Opening& at, Scene& scene) const {
    Step& step = Enveloped(scene, "assay/no-such-method");
    if (policy_.ServesModern(at)) {
      Expect(step, ServedFor(at, "M-ERR-METHOD-NOT-FOUND"), {ErrorLike(J(R"({"code":-32601})"))});
    }
    Opens(at, Era::kModern, policy_, /*decides=*/false);
    return true;
  }

  bool StrayResponse(Opening& at, Scene& scene) const {
    Step step;
    step.verb = Step::Verb::kRaw;
    step.text = Json::String(R"({"jsonrpc":"2.0","id":"assay-stray","result":{}})");
    scene.Add(std::move(step));
    Notes(at, policy_);
    return true;
  }

  Policy policy_;
  ServerFacts served_;
  ListKind list_;
};

}  // namespace

std::optional<Model> OpeningModel(const ServerFacts& facts) {
  const Letters letters(facts);
  return MakeModel<Opening>({.name = "opening",
                             .title = "how a connection opens, and that it stays what it is",
                             .transport = "stdio"},
                            {}, letters.All(),
                            [letters](Opening& at, Scene& scene) { letters.Finish(at, scene); });
}

}  // namespace assay
