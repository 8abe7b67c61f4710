// The legacy handshake out of step: requests before it, between its parts, and a second one
// (2025-11-25, basic § Lifecycle).

#include <string>
#include <utility>
#include <vector>

#include "exchange/envelope.h"
#include "property/lists.h"
#include "property/models.h"
#include "property/scene.h"

namespace assay {
namespace {

struct Handshake {
  bool asked = false;        // an initialize went out; what a second one gets is not said
  bool initialized = false;  // and was answered
  bool open_end = false;
  int texts = 0;  // ids that are texts
};

using Play = std::function<bool(Handshake&, Scene&)>;

Json Params(const std::string& revision) {
  return InitializeParams(revision, {Json::Object(), DefaultClientInfo()});
}

// Over HTTP a server with sessions may refuse whatever belongs to none.
Play Ping(bool over_http, bool with_text_id) {
  return [over_http, with_text_id](Handshake& at, Scene& scene) {
    Step& step = scene.Request("ping");
    if (with_text_id) step.id = Json::String("assay-text-" + std::to_string(++at.texts));
    if (at.initialized) {
      Expect(step, "L-PING-respond", {ResultLike(Json::Object())});
    } else if (!over_http) {
      Expect(step, "L-PING-before-initialize", {ResultLike(Json::Object())});
    }
    at.open_end = false;
    return true;
  };
}

Play Note(const std::string& method, const Json& params) {
  return [=](Handshake& at, Scene& scene) {
    scene.Notify(method, params);
    at.open_end = true;
    return true;
  };
}

Play Initialize(const std::string& revision) {
  return [revision](Handshake& at, Scene& scene) {
    Step& step = scene.Request("initialize", Params(revision));
    if (!at.asked) {
      Expect(step, "L-INIT-respond",
             {ResultLike(J(R"({"protocolVersion":"$string","capabilities":"$object"})"))});
    }
    at.initialized = at.initialized || !at.asked;
    at.asked = true;
    at.open_end = false;
    return true;
  };
}

Play InitializeWithUnknown() {
  return [](Handshake& at, Scene& scene) {
    Step& step = scene.Request("initialize", Params("1900-01-01"));
    // The specification lets the server answer with a version of its own, or refuse.
    if (!at.asked) {
      Expect(step, "L-INIT-version-other",
             {ResultLike(J(R"({"protocolVersion":{"$not":"1900-01-01"}})")),
              ErrorLike(Json::Object())});
    }
    at.asked = true;
    at.open_end = false;
    return true;
  };
}

Play List(const ListKind& list) {
  return [list](Handshake& at, Scene& scene) {
    Step& step = scene.Request(list.method);
    if (at.initialized) {
      Expect(step, list.legacy,
             {ResultLike(Json::Object({{list.member, Json::String("$array")}}))});
    }
    at.open_end = false;
    return true;
  };
}

bool Unknown(Handshake& at, Scene& scene) {
  Step& step = scene.Request("assay/no-such-method");
  if (at.initialized) {
    Expect(step, "L-BASE-method-not-found", {ErrorLike(J(R"({"code":-32601})"))});
  }
  at.open_end = false;
  return true;
}

}  // namespace

std::optional<Model> HandshakeModel(const ServerFacts& facts, bool over_http) {
  if (!facts.legacy.served) return std::nullopt;
  const std::string revision = facts.legacy.revisions.front();
  std::vector<Letter<Handshake>> letters = {
      {"initialize", Initialize(revision)},
      {"initialized", Note("notifications/initialized", {})},
      {"ping", Ping(over_http, false)},
      {"cancel", Note("notifications/cancelled", J(R"({"requestId":424242})"))},
  };
  const std::vector<ListKind> lists = ListsOf(facts.legacy);
  if (!lists.empty()) letters.push_back({"list", List(lists.front())});
  letters.push_back({"unknown", Unknown});
  letters.push_back({"ping-text", Ping(over_http, true)});
  letters.push_back({"initialize-unknown", InitializeWithUnknown()});
  return MakeModel<Handshake>(
      {.name = "handshake", .title = "the legacy handshake, and what comes before and between"}, {},
      std::move(letters), [over_http](Handshake& at, Scene& scene) {
        if (at.open_end) Ping(over_http, false)(at, scene);
      });
}

}  // namespace assay
