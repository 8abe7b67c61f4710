#include "client/client.h"

#include <memory>
#include <utility>

#include "exchange/dialogue.h"
#include "runner/reach.h"
#include "transport/containment.h"
#include "transport/loop.h"

namespace assay {
namespace {

// A server that asks more often than this asks for ever.
constexpr int kMostRounds = 20;
constexpr int kMostPages = 100;

ClientIdentity Identity() {
  return {Json::Object({{"elicitation", Json::Object({{"form", Json::Object()}})}}),
          DefaultClientInfo()};
}

class Caller {
 public:
  Caller(const CallSettings& settings, Called& called)
      : settings_(settings),
        called_(called),
        servers_(MakeServers(loop_, SourceOf(settings.run), 0)),
        dialogue_(called.transcript, Identity(), settings.run.timeout, settings.run.start_within) {}

  void Run() {
    auto guard = loop_.OnInterrupt([this] { servers_->Abort(); });
    loop_.Spawn(Main(std::move(guard)));
    loop_.Run();
  }

 private:
  // The guard keeps the loop at work, so it goes with the task.
  Task<void> Main(std::shared_ptr<void> guard) {
    if (settings_.era != Era::kLegacy) co_await TryModern();
    if (called_.era == Era::kNone && settings_.era != Era::kModern) co_await TryLegacy();
    for (auto& [name, session] : dialogue_.sessions()) {
      co_await dialogue_.EndSession(session);
      co_await session.connection->channel().Shutdown(settings_.run.timeout);
    }
    co_await servers_->Close();
    guard.reset();
  }

  Task<void> TryModern() {
    Session& session = dialogue_.Attach("modern", co_await servers_->Take(), true);
    Json none = Json::Object();
    const Message* answer = co_await Ask(session, "server/discover", none, Era::kModern);
    if (answer == nullptr || answer->result() == nullptr ||
        answer->result()->Find("supportedVersions") == nullptr) {
      called_.why_not = "modern: " + Refusal(answer, "server/discover");
      co_return;
    }
    co_await Serve(session, Era::kModern);
  }

  Task<void> TryLegacy() {
    Session& session = dialogue_.Attach("legacy", co_await servers_->Take(), true);
    dialogue_.on_arrival = [this, &session](std::size_t entry) { AnswerQuestion(session, entry); };
    const std::string why = co_await dialogue_.Handshake(session, std::string(kNewestLegacy));
    // It may have negotiated an older revision, which is as good here.
    if (!why.empty() && !Negotiated()) {
      called_.why_not += (called_.why_not.empty() ? "" : "; ") + ("legacy: " + why);
      co_return;
    }
    if (!why.empty()) {
      dialogue_.Send(session, MakeMessage(nullptr, "notifications/initialized", nullptr), true);
    }
    co_await Serve(session, Era::kLegacy);
  }

  bool Negotiated() const {
    for (const Entry& entry : called_.transcript.entries) {
      if (entry.direction == Entry::Direction::kIn && entry.message.result() != nullptr &&
          entry.message.result()->FindString("protocolVersion")) {
        return true;
      }
    }
    return false;
  }

  Task<void> Serve(Session& session, Era era) {
    called_.era = era;
    called_.why_not.clear();
    // Over HTTP some arguments are mirrored in fields, as their schemas say.
    const bool mirrors = era == Era::kModern && session.connection->over_http();
    if (settings_.tool.empty() || mirrors) co_await List(session, era);
    if (settings_.tool.empty()) co_return;
    if (called_.result) tools_ = *std::exchange(called_.result, std::nullopt);
    dialogue_.tools = &tools_;
    called_.why_not.clear();
    co_await Call(session, era);
  }

  Task<void> List(Session& session, Era era) {
    Json tools = Json::Array();
    Json params = Json::Object();
    for (int page = 0; page < kMostPages; ++page) {
      const Message* answer = co_await Ask(session, "tools/list", params, era);
      if (answer == nullptr || answer->result() == nullptr) {
        called_.why_not = Refusal(answer, "tools/list");
        co_return;
      }
      if (const Json* listed = answer->result()->Find("tools")) {
        for (const Json& tool : listed->items()) tools.items().push_back(tool);
      }
      const auto cursor = answer->result()->FindString("nextCursor");
      if (!cursor) break;
      params.Set("cursor", Json::String(*cursor));
    }
    called_.result = std::move(tools);
  }

  Task<void> Call(Session& session, Era era) {
    Json params =
        Json::Object({{"name", Json::String(settings_.tool)}, {"arguments", settings_.arguments}});
    for (int round = 0; round < kMostRounds; ++round) {
      const Message* answer = co_await Ask(session, "tools/call", params, era);
      if (answer == nullptr || answer->result() == nullptr) {
        called_.why_not = Refusal(answer, "tools/call");
        co_return;
      }
      const Json& result = *answer->result();
      if (result.FindString("resultType") != "input_required") {
        called_.result = result;
        co_return;
      }
      if (!Answer(result, params)) co_return;
    }
    called_.why_not = "the server asked " + std::to_string(kMostRounds) + " times";
  }

  // Puts the answers to what an `input_required` result asks into the next call.
  bool Answer(const Json& result, Json& params) {
    Json responses = Json::Object();
    if (const Json* asked = result.Find("inputRequests")) {
      for (const JsonMember& question : asked->members()) {
        const std::string method = question.value.FindString("method").value_or("");
        const std::optional<Json> answer = AnswerTo(method);
        if (!answer) {
          called_.why_not = "the server asks for " + method + ", which is not answered here";
          return false;
        }
        responses.Set(question.key, *answer);
      }
    }
    params.Set("inputResponses", std::move(responses));
    params.Remove("requestState");
    if (const Json* state = result.Find("requestState")) params.Set("requestState", *state);
    return true;
  }

  // What a legacy server asks while a call is open.
  void AnswerQuestion(Session& session, std::size_t entry) {
    const Message& question = called_.transcript.entries[entry].message;
    if (question.kind != Message::Kind::kRequest) return;
    Json answer = Json::Object({{"jsonrpc", Json::String("2.0")}, {"id", *question.id()}});
    if (const auto result = AnswerTo(question.method())) {
      answer.Set("result", *result);
    } else {
      answer.Set("error", Json::Object({{"code", Json::Integer(-32601)},
                                        {"message", Json::String("Method not found")}}));
    }
    dialogue_.Send(session, answer, true);
  }

  std::optional<Json> AnswerTo(const std::string& method) const {
    if (method == "elicitation/create") return settings_.elicited;
    if (method == "roots/list") return Json::Object({{"roots", Json::Array()}});
    if (method == "ping") return Json::Object();
    return std::nullopt;
  }

  Task<const Message*> Ask(Session& session, std::string method, const Json& params, Era era) {
    const std::string revision(era == Era::kModern ? kNewestModern : kNewestLegacy);
    co_return co_await dialogue_.Ask(session, std::move(method), &params, era, revision);
  }

  static std::string Refusal(const Message* answer, const std::string& method) {
    if (answer == nullptr) return method + " was not answered";
    return method + " was answered with " + answer->body.Dump();
  }

  const CallSettings& settings_;
  Called& called_;
  Loop loop_;
  std::unique_ptr<Servers> servers_;
  Dialogue dialogue_;
  Json tools_ = Json::Array();  // as listed
};

}  // namespace

Called CallTool(const CallSettings& settings) {
  AdoptOrphans();
  Called called;
  Caller(settings, called).Run();
  return called;
}

}  // namespace assay
