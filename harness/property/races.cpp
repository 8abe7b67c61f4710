// Calls under way while others are started, cancelled and answered (basic § Cancellation,
// Progress).

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "property/lists.h"
#include "property/models.h"
#include "property/scene.h"

namespace assay {
namespace {

// A call that takes some hundred milliseconds.
struct Call {
  std::size_t held = 0;  // its number in the scene
  Json id;
  bool cancelled = false;
};

struct Calls {
  std::vector<Call> calls;
  int others = 0;  // requests with an id of their own
};

// What is answered at once, and leaves no doubt about the era of the connection: after a
// server/discover alone, some servers still wait for what decides.
struct Quick {
  std::string letter;
  std::string method;
  std::string requirement;  // that it is answered
};

Quick QuickOf(Era era, const std::vector<ListKind>& lists) {
  if (era == Era::kLegacy) return {"ping", "ping", "L-PING-respond"};
  if (lists.empty()) return {"discover", "server/discover", "M-DISCOVER-IMPLEMENTED"};
  return {lists.front().name, lists.front().method, lists.front().modern};
}

class Races {
 public:
  Races(Era era, Quick quick) : modern_(era == Era::kModern), quick_(std::move(quick)) {}

  bool Start(Calls& at, Scene& scene, bool with_text_id) const {
    const std::string number = std::to_string(301 + at.calls.size());
    const Json id = with_text_id ? Json::String("assay-" + number) : Json::Number(number);
    Json params = J(R"({"name":"${role.slow.tool}","arguments":"${role.slow.arguments}"})");
    params.Set("_meta", Json::Object({{"progressToken", id}}));
    Step call = RequestStep("tools/call", std::move(params));
    call.id = id;
    Expect(call, modern_ ? "M-TOOLS-CALL-SHAPE" : "L-TOOLS-shape-call-result",
           {ResultLike(J(R"({"content":"$array"})"))});
    at.calls.push_back({.held = scene.Hold(std::move(call)), .id = id});
    return true;
  }

  // The last call that is not cancelled, or the first. The only one is both (tasks.cpp).
  bool Cancel(Calls& at, Scene& scene, bool older) const {
    std::vector<Call*> live;
    for (Call& call : at.calls) {
      if (!call.cancelled) live.push_back(&call);
    }
    if (live.empty()) return false;
    Call& call = older ? *live.front() : *live.back();
    scene.Notify("notifications/cancelled", Json::Object({{"requestId", call.id}}));
    Expect(scene.Held(call.held), "", {NoAnswer(), AnyAnswer()});
    call.cancelled = true;
    return true;
  }

  bool Alive(Calls& at, Scene& scene) const {
    Judge(at, scene.Request(quick_.method));
    return true;
  }

  // Answered, and cancelled after that: too late, and no harm.
  bool CancelLate(Calls& at, Scene& scene) const {
    const Json id = Json::Integer(401 + at.others++);
    Step& step = scene.Request(quick_.method);
    step.id = id;
    Judge(at, step);
    scene.Notify("notifications/cancelled", Json::Object({{"requestId", id}}));
    return true;
  }

  void Finish(Calls& at, Scene& scene) const {
    const bool cancelled = std::any_of(at.calls.begin(), at.calls.end(),
                                       [](const Call& call) { return call.cancelled; });
    if (cancelled) {
      // While this one runs, a cancelled one would have come to its end.
      Step& step = scene.Request(
          "tools/call", J(R"({"name":"${role.slow.tool}","arguments":"${role.slow.arguments}"})"));
      Expect(step, "", {ResultLike(J(R"({"content":"$array"})"))});
    }
    if (cancelled || at.others > 0) Judge(at, scene.Request(quick_.method));
  }

 private:
  // A server that a late cancellation harms no longer answers as it did.
  void Judge(const Calls& at, Step& step) const {
    const std::string unharmed = modern_ ? "M-CANCEL-RACE" : "L-CANCEL-race";
    const bool cancelled_late = at.others > (step.id ? 1 : 0);
    Expect(step, cancelled_late ? unharmed : quick_.requirement, {ResultLike(Json::Object())});
  }

  bool modern_;
  Quick quick_;
};

}  // namespace

std::optional<Model> RacesModel(const ServerFacts& facts, Era era) {
  const EraFacts& served = era == Era::kModern ? facts.modern : facts.legacy;
  if (!served.served || !facts.roles.contains("slow")) return std::nullopt;
  const Quick quick = QuickOf(era, ListsOf(served));
  const Races races(era, quick);
  std::vector<Letter<Calls>> letters;
  const auto add = [&](std::string name, auto play) {
    letters.push_back({std::move(name), std::move(play)});
  };
  add(quick.letter, [races](Calls& at, Scene& scene) { return races.Alive(at, scene); });
  add("start", [races](Calls& at, Scene& scene) { return races.Start(at, scene, false); });
  add("cancel", [races](Calls& at, Scene& scene) { return races.Cancel(at, scene, false); });
  add("start-text", [races](Calls& at, Scene& scene) { return races.Start(at, scene, true); });
  add("cancel-older", [races](Calls& at, Scene& scene) { return races.Cancel(at, scene, true); });
  add("cancel-late", [races](Calls& at, Scene& scene) { return races.CancelLate(at, scene); });
  return MakeModel<Calls>({.name = era == Era::kModern ? "races-modern" : "races-legacy",
                           .title = "calls that are cancelled, or report progress, side by side",
                           .era = era,
                           .revision = served.revisions.front(),
                           .is_slow = true},
                          {}, std::move(letters),
                          [races](Calls& at, Scene& scene) { races.Finish(at, scene); });
}

}  // namespace assay
