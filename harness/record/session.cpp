// A session is taken in line by line. Messages that were under way at the same time stand in
// branches side by side; when nothing is under way any more, the next one begins a step of its own.

#include "record/session.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>

#include "exchange/envelope.h"
#include "message/message.h"
#include "record/loosen.h"

namespace assay {
namespace {

constexpr char kRequirement[] = "C-RECORDED";
// Short texts come about by chance, too.
constexpr std::size_t kShortestSaved = 4;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool NamesASecret(const std::string& key) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "password", "passwd",  "secret",        "apikey",
      "api_key",  "api-key", "authorization", "credential"};
  const std::string lower = Lower(key);
  // `progressToken` and the like are none.
  return lower == "token" || lower.ends_with("_token") || lower.ends_with("accesstoken") ||
         std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// Where a text of an answer is: which step awaits the answer, and the pointer into it.
struct Origin {
  std::size_t step = 0;
  std::string pointer;
};

class Recording {
 public:
  void Take(const RecordedLine& line) {
    const Message message = ParseMessage(line.text);
    if (line.from_client) {
      TakeFromClient(message, line.text);
    } else {
      TakeFromServer(message);
    }
  }

  // Requests that are cancelled keep their ids.
  void NoteCancelled(const std::vector<RecordedLine>& lines) {
    for (const RecordedLine& line : lines) {
      if (!line.from_client) continue;
      const Message message = ParseMessage(line.text);
      if (message.kind != Message::Kind::kNotification ||
          message.method() != "notifications/cancelled") {
        continue;
      }
      if (const Json* id = message.body.Find("params", "requestId")) cancelled_.push_back(*id);
    }
  }

  std::optional<RecordedCase> Finish(const std::string& suite, const std::string& id) && {
    if (!answered_) return std::nullopt;
    EndGroup();
    case_.suite = suite;
    case_.id = suite + "/" + id;
    case_.requires_ids = {kRequirement};
    case_.session = "fresh";
    for (const auto& group : groups_) {
      if (group.size() == 1) {
        for (const std::size_t number : group.front()) case_.steps.push_back(steps_[number]);
        continue;
      }
      Step parallel;
      parallel.verb = Step::Verb::kParallel;
      for (const auto& branch : group) {
        std::vector<Step>& steps = parallel.branches.emplace_back();
        for (const std::size_t number : branch) steps.push_back(steps_[number]);
      }
      case_.steps.push_back(std::move(parallel));
    }
    return RecordedCase{std::move(case_), std::move(left_out_)};
  }

 private:
  struct Branch {
    std::vector<std::size_t> steps;
    std::optional<Json> awaits;  // the id of its request that is under way
  };

  void TakeFromClient(const Message& message, const std::string& text) {
    const bool opening = std::exchange(opening_, false);
    switch (message.kind) {
      case Message::Kind::kRequest:
        if (opening) DecideEra(message);
        if (message.method() == "initialize" && case_.era == Era::kLegacy && !handshake_) {
          handshake_ = *message.id();
          return;
        }
        TakeRequest(message);
        return;
      case Message::Kind::kNotification:
        // That of the handshake; the harness makes its own.
        if (case_.era == Era::kLegacy && message.method() == "notifications/initialized") return;
        Add(Step::Verb::kNotify, message);
        return;
      case Message::Kind::kResult:
      case Message::Kind::kError:
        TakeClientsAnswer(message);
        return;
      default: {
        Step& step = Begin(Step::Verb::kRaw);
        step.text = Literally(Json::String(text));
        return;
      }
    }
  }

  // The first request tells: `initialize`, an envelope, or neither.
  void DecideEra(const Message& message) {
    const Json* meta = message.body.Find("params", "_meta");
    if (message.method() == "initialize") {
      case_.era = Era::kLegacy;
      TakeClient(message.body.Find("params", "capabilities"),
                 message.body.Find("params", "clientInfo"));
    } else if (meta != nullptr && meta->Find(Envelope("protocolVersion")) != nullptr) {
      case_.era = Era::kModern;
      TakeClient(meta->Find(Envelope("clientCapabilities")), meta->Find(Envelope("clientInfo")));
    }
  }
  void TakeClient(const Json* capabilities, const Json* info) {
    if (capabilities != nullptr && capabilities->is_object()) {
      case_.client_capabilities = Literally(*capabilities);
    }
    if (info != nullptr) case_.client_info = Literally(*info);
  }
  static std::string Envelope(std::string_view key) {
    return std::string(kEnvelopePrefix).append(key);
  }

  void TakeRequest(const Message& message) {
    Step& step = Add(Step::Verb::kRequest, message);
    const Json& id = *message.id();
    const auto same = [&](const Json& cancelled) { return SameId(cancelled, id); };
    if (std::any_of(cancelled_.begin(), cancelled_.end(), same)) step.id = Literally(id);
    // Until its answer comes. One that never gets any may do so again.
    step.expect.emplace();
    step.expect->set_up = true;
    step.expect->any_of.emplace_back().nothing = true;
    step.expect->any_of.emplace_back().result = Json::Object();
    step.expect->any_of.emplace_back().error = Json::Object();
    branch_->awaits = id;
  }

  // An answer to a request of the server, unless the harness gives it of its own accord.
  void TakeClientsAnswer(const Message& message) {
    const auto asked = std::find_if(asked_.begin(), asked_.end(), [&](const auto& one) {
      return message.id() != nullptr && SameId(one.first, *message.id());
    });
    if (asked == asked_.end()) return;
    const std::string method = asked->second;
    asked_.erase(asked);
    if (method == "ping") return;
    Step& step = Begin(Step::Verb::kRespond);
    step.message = Json::Object({{"method", Json::String(method)}});
    const bool refused = message.kind == Message::Kind::kError;
    const char* member = refused ? "error" : "result";
    step.message.Set(member, Prepared(refused ? *message.error() : *message.result(), member));
  }

  void TakeFromServer(const Message& message) {
    if (message.kind == Message::Kind::kRequest) {
      asked_.emplace_back(*message.id(), message.method());
      return;
    }
    if (!message.is_response() || message.id() == nullptr) return;
    if (handshake_ && SameId(*handshake_, *message.id())) {
      if (message.result() == nullptr) return;
      if (const auto version = message.result()->FindString("protocolVersion")) {
        case_.revisions = {*version};
      }
      return;
    }
    for (Branch& branch : group_) {
      if (!branch.awaits || !SameId(*branch.awaits, *message.id())) continue;
      branch.awaits.reset();
      answered_ = true;
      const std::size_t number = branch.steps.back();
      Expectation& expectation = *steps_[number].expect;
      expectation = {};
      expectation.requirements = {kRequirement};
      Alternative& wanted = expectation.any_of.emplace_back();
      if (message.kind == Message::Kind::kError) {
        const Json* code = message.error()->Find("code");
        wanted.error = code == nullptr ? Json::Object() : Json::Object({{"code", *code}});
      } else {
        wanted.result = Loosened(*message.result());
        Remember(*message.result(), "", "/result", number);
      }
      return;
    }
  }

  // What the client may take from an answer.
  void Remember(const Json& value, const std::string& key, const std::string& pointer,
                std::size_t step) {
    if (value.is_string() && value.text().size() >= kShortestSaved &&
        IsServersChoice(key, value.text())) {
      origins_.insert_or_assign(value.text(), Origin{step, pointer});
    }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      Remember(value.items()[i], key, pointer + "/" + std::to_string(i), step);
    }
    for (const JsonMember& member : value.members()) {
      Remember(member.value, member.key, pointer + "/" + PointerToken(member.key), step);
    }
  }

  // A step with the method and the params of `message`.
  Step& Add(Step::Verb verb, const Message& message) {
    Step& step = Begin(verb);
    step.message = Json::Object({{"method", Literally(Json::String(message.method()))}});
    Json params = message.params() == nullptr ? Json::Object() : *message.params();
    if (case_.era == Era::kModern) step.envelope = TakeEnvelope(params);
    const bool has_content = !params.is_object() || !params.members().empty();
    if (has_content) step.message.Set("params", Prepared(params, "params"));
    return step;
  }

  // Takes the envelope out of `params`: what of it is not as in every good request, or `none`.
  std::optional<Json> TakeEnvelope(Json& params) const {
    const Json* present = params.Find("_meta");
    const auto belongs = [](const JsonMember& member) {
      return member.key.starts_with(kEnvelopePrefix);
    };
    if (present == nullptr ||
        std::none_of(present->members().begin(), present->members().end(), belongs)) {
      return Json::String("none");
    }
    Json meta = *present;
    Json changes = Json::Object();
    const std::map<std::string, Json> good = {
        {"protocolVersion", Json::String(std::string(kNewestModern))},
        {"clientInfo", case_.client_info.value_or(Json())},
        {"clientCapabilities", case_.client_capabilities}};
    for (const auto& [key, usual] : good) {
      const Json* value = meta.Find(Envelope(key));
      const Json literal = value == nullptr ? Json() : Literally(*value);
      if (!Equal(literal, usual)) changes.Set(key, literal);
      meta.Remove(Envelope(key));
    }
    if (meta.members().empty()) {
      params.Remove("_meta");
    } else {
      params.Set("_meta", std::move(meta));
    }
    return changes.members().empty() ? std::nullopt : std::optional(changes);
  }

  // `value`, which the client sent, as a template: without secrets, and with what it took from an
  // answer taken from there again.
  Json Prepared(const Json& value, const std::string& place) {
    switch (value.kind()) {
      case Json::Kind::kString: {
        const auto origin = origins_.find(value.text());
        if (origin == origins_.end()) return Literally(value);
        return Json::String("${" + Saved(origin->second) + "}");
      }
      case Json::Kind::kArray: {
        Json all = Json::Array();
        for (const Json& item : value.items()) all.items().push_back(Prepared(item, place));
        return all;
      }
      case Json::Kind::kObject: {
        Json all = Json::Object();
        for (const JsonMember& member : value.members()) {
          const std::string inner = place + "/" + member.key;
          const bool secret = member.value.is_string() && NamesASecret(member.key);
          if (secret) left_out_.push_back(inner);
          all.members().push_back(
              {Literally(Json::String(member.key)).text(),
               secret ? Json::String("left out") : Prepared(member.value, inner)});
        }
        return all;
      }
      default:
        return value;
    }
  }

  // The variable that holds what is at `origin`.
  std::string Saved(const Origin& origin) {
    std::vector<Save>& saves = steps_[origin.step].save;
    for (const Save& save : saves) {
      if (save.pointer == origin.pointer) return save.variable;
    }
    std::string variable = "saved" + std::to_string(++saved_);
    saves.push_back({variable, origin.pointer});
    return variable;
  }

  // A step in the first branch that waits for nothing.
  Step& Begin(Step::Verb verb) {
    const auto idle = [](const Branch& branch) { return !branch.awaits; };
    if (std::all_of(group_.begin(), group_.end(), idle)) EndGroup();
    auto free = std::find_if(group_.begin(), group_.end(), idle);
    if (free == group_.end()) free = group_.emplace(group_.end());
    free->steps.push_back(steps_.size());
    branch_ = &*free;
    Step& step = steps_.emplace_back();
    step.verb = verb;
    return step;
  }

  void EndGroup() {
    if (group_.empty()) return;
    std::vector<std::vector<std::size_t>>& branches = groups_.emplace_back();
    for (Branch& branch : group_) branches.push_back(std::move(branch.steps));
    group_.clear();
  }

  Case case_;
  bool opening_ = true;            // nothing has come from the client
  bool answered_ = false;          // one request at least, besides that of the handshake
  std::optional<Json> handshake_;  // the id of `initialize`
  std::vector<Json> cancelled_;
  std::vector<std::pair<Json, std::string>> asked_;  // by the server: id and method
  std::deque<Step> steps_;
  std::vector<Branch> group_;                                  // what overlaps now
  Branch* branch_ = nullptr;                                   // of the latest step
  std::vector<std::vector<std::vector<std::size_t>>> groups_;  // branches of numbers of steps
  std::map<std::string, Origin> origins_;
  int saved_ = 0;
  std::vector<std::string> left_out_;
};

}  // namespace

std::optional<RecordedCase> CaseOf(const std::vector<RecordedLine>& lines, const std::string& suite,
                                   const std::string& id) {
  Recording recording;
  recording.NoteCancelled(lines);
  for (const RecordedLine& line : lines) recording.Take(line);
  return std::move(recording).Finish(suite, id);
}

}  // namespace assay
