// The steps of a case, one after another (or side by side), over a dialogue.

#include "exchange/exchange.h"

#include <signal.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "exchange/dialogue.h"
#include "exchange/judgement.h"
#include "exchange/variables.h"
#include "message/balancer_fields.h"
#include "message/base64.h"
#include "oracle/memory.h"

namespace assay {
namespace {

using Verb = Step::Verb;

// Something that must not be answered, or not be followed by anything: judged at the next fence,
// and again when all output is read.
struct Stillness {
  std::string session;
  std::size_t from = 0;        // entry behind which nothing may come
  const Step* step = nullptr;  // of `silence`: what may come all the same
  const Expectation* expectation =
      nullptr;  // says which requirement; of an answer also what may come
  std::string path;
  bool of_answer = false;  // the answer to entry `from`, and nothing else, is unwanted
  bool judged = false;     // at a fence
  std::optional<std::size_t>
      until;  // silence: later steps cause messages of their own from here on
};

class Exchange {
 public:
  Exchange(Loop& loop, const Case& test_case, const ExchangeSettings& settings, bool alone)
      : loop_(loop),
        case_(test_case),
        settings_(settings),
        alone_(alone),
        dialogue_(
            outcome_.transcript,
            {test_case.client_capabilities, test_case.client_info.value_or(DefaultClientInfo())},
            settings.timeout, settings.start_within),
        variables_(test_case.variables, settings.facts) {
    outcome_.transcript.era = test_case.era;
    outcome_.transcript.revision = settings.revision;
    outcome_.transcript.client_capabilities = test_case.client_capabilities;
    outcome_.transcript.shared = !alone;
    if (settings.facts != nullptr) {
      dialogue_.tools = &settings.facts->modern.tools;
      dialogue_.heads_come_late = settings.facts->legacy.heads_come_late;
      outcome_.transcript.legacy_only =
          settings.facts->legacy.served && !settings.facts->modern.served;
      outcome_.transcript.legacy_tools = &settings.facts->legacy.tools;
      outcome_.transcript.modern_tools = &settings.facts->modern.tools;
    }
    dialogue_.on_arrival = [this](std::size_t entry) {
      if (!taken_down_.empty()) ExcuseWhatWeBroke(entry);
      AnswerServerRequest(entry);
    };
    for (const Step& step : test_case.steps) NoteResponded(step);
    lookup_ = [this](std::string_view name) { return variables_.Find(name); };
    context_.saved = [this](std::string_view name) { return variables_.Saved(name); };
    context_.shape = [this](std::string_view name, const Json& value) -> std::optional<Mismatch> {
      const std::string revision =
          settings_.revision.empty() ? std::string(kNewestModern) : settings_.revision;
      if (!settings_.shapes->Has(revision, name)) {
        return Mismatch{"", "there is no shape " + std::string(name) + " in " + revision};
      }
      const auto mismatches = settings_.shapes->Check(revision, name, value);
      if (mismatches.empty()) return std::nullopt;
      return Mismatch{mismatches.front().pointer, mismatches.front().reason};
    };
  }

  Task<ExchangeOutcome> Run(std::shared_ptr<Connection> connection) {
    bool open = true;
    if (settings_.fleet == nullptr) {
      Session& main = dialogue_.Attach("main", std::move(connection), alone_);
      main.spoke = case_.era;
      outcome_.lane = main.lane;
      if (alone_ && case_.era == Era::kLegacy) open = co_await Open(main);
    }
    if (open) co_await RunSteps(case_.steps, "steps");
    co_await Finish();
    co_return std::move(outcome_);
  }

 private:
  // --- the course of a case -------------------------------------------------------------------

  Task<bool> Open(Session& session) {
    const std::string why = co_await dialogue_.Handshake(session, settings_.revision);
    if (why.empty()) {
      if (session.connection->over_http() && ExpectsToBeSpokenTo(case_)) {
        co_await dialogue_.OpenStream(session);
      }
      co_return true;
    }
    const bool silent = std::none_of(dialogue_.transcript().entries.begin(),
                                     dialogue_.transcript().entries.end(), [&](const Entry& entry) {
                                       return entry.direction == Entry::Direction::kIn &&
                                              entry.connection == session.name;
                                     });
    // It has started and answered before, so this tells of the machine, not of the server.
    if (silent && !session.connection->ended()) {
      outcome_.error = "the server did not start within " +
                       std::to_string(std::max(settings_.timeout, settings_.start_within).count()) +
                       " ms: see start_within in the profile";
    } else {
      outcome_.precondition = why;
    }
    co_return false;
  }

  // False: the case ends here (what follows could only repeat what is known to be wrong).
  Task<bool> RunSteps(const std::vector<Step>& steps, std::string path) {
    bool judge_only =
        false;  // after a disagreement only further judgements of the same answer follow
    Verb before = Verb::kExpect;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (judge_only && step.verb != Verb::kExpect) co_return false;
      const std::string place = path + "/" + std::to_string(i);
      dialogue_.step = place;
      const bool goes_on = step.verb == Verb::kNotify && before == Verb::kNotify;
      if (step.verb != Verb::kSilence && step.verb != Verb::kQuiet && !goes_on) {
        quiet_from_[step.on] = dialogue_.transcript().entries.size();
      }
      if (step.verb != Verb::kSilence) EndSilences();
      before = step.verb;
      bool held = false;
      try {
        held = co_await RunStep(step, place);
      } catch (const UnknownVariable& unknown) {
        outcome_.precondition = unknown.what();
      }
      if (!outcome_.precondition.empty() || !outcome_.error.empty() || outcome_.disturbed) {
        co_return false;
      }
      if (!held) {
        if (cannot_go_on_) co_return false;
        judge_only = true;
      }
    }
    co_return !judge_only;
  }

  // What comes from here on may be a later step's doing.
  void EndSilences() {
    for (Stillness& stillness : stillnesses_) {
      if (stillness.judged && !stillness.of_answer && !stillness.until) {
        stillness.until = dialogue_.transcript().entries.size();
      }
    }
  }

  Task<bool> RunStep(const Step& step, std::string path) {
    if (step.verb == Verb::kConnect) co_return co_await Connect(step);
    if (step.verb == Verb::kParallel) co_return co_await RunParallel(step, path);
    if (step.verb == Verb::kRepeat) co_return co_await Repeat(step, path);
    if (step.verb == Verb::kThink) co_return co_await Think(step, path);
    if (settings_.fleet != nullptr && settings_.fleet->Has(step.on)) {
      if (step.verb == Verb::kRestart) co_return co_await RestartInstance(step.on);
      if (step.verb == Verb::kKill) co_return co_await Kill(step.on);
      if (step.verb == Verb::kPause) co_return PauseInstance(step.on);
    }
    Session* session = dialogue_.Find(step.on);
    if (session == nullptr && settings_.fleet != nullptr) {
      session = &dialogue_.Attach(step.on, settings_.fleet->Connect(step.on), true);
      session->spoke = case_.era;
      if (case_.era == Era::kLegacy && !co_await Open(*session)) co_return false;
    }
    if (session == nullptr) {
      outcome_.error = "no connection called " + step.on;
      co_return false;
    }
    switch (step.verb) {
      case Verb::kRequest:
        co_return co_await Request(step, *session, path);
      case Verb::kNotify:
        co_return co_await Notify(step, *session, path);
      case Verb::kRespond:
        co_return co_await Respond(step, *session, path);
      case Verb::kRaw:
      case Verb::kBytes:
        co_return co_await SendLine(step, *session, path);
      case Verb::kExpect:
        co_return JudgeLatest(step, path);
      case Verb::kAwait:
        co_return co_await Await(step, *session, path);
      case Verb::kSilence:
        co_return co_await Silence(step, *session, path);
      case Verb::kPoll:
        co_return co_await Poll(step, *session, path);
      case Verb::kClose:
        session->connection->channel().CloseInput();
        dialogue_.Note(*session, Entry::Event::kInputClosed, "we closed the server's stdin");
        co_return true;
      case Verb::kExit:
        co_return co_await Exit(step, *session, path);
      case Verb::kSignal:
        Signal(step, *session);
        co_return true;
      case Verb::kRestart:
        co_return co_await Restart(*session);
      case Verb::kQuiet:
        co_await Pause(loop_, step.within.value_or(std::chrono::milliseconds(0)));
        co_return true;
      case Verb::kHttp:
        if (!session->connection->over_http()) {
          outcome_.error = "a raw HTTP request needs an HTTP server";
          co_return false;
        }
        co_return co_await RawHttp(step, *session, path);
      case Verb::kConnect:
      case Verb::kParallel:
      case Verb::kRepeat:
      case Verb::kKill:
      case Verb::kPause:
      case Verb::kThink:
        break;
    }
    co_return true;
  }

  Task<bool> Repeat(const Step& step, std::string path) {
    const auto marks_by = [&](std::size_t round) {
      return round * oracle::kMemoryMarks / step.count;
    };
    for (std::size_t i = 0; i < step.count; ++i) {
      if (!co_await RunSteps(step.branches.front(), path + "/steps")) co_return Stop();
      if (step.memory_settles && marks_by(i) != marks_by(i + 1) && !co_await MarkMemory()) {
        co_return Stop();
      }
    }
    co_return true;
  }

  // All that was sent has been worked off then.
  Task<bool> MarkMemory() {
    Session& session = *dialogue_.Find("main");
    if (!co_await dialogue_.Fence(session)) co_return false;
    const std::size_t memory = session.connection->ResidentBytes();
    if (memory == 0) {
      outcome_.precondition = "the memory of a server that Assay has not started is not to be seen";
      co_return false;
    }
    dialogue_.NoteMemory(session, memory);
    co_return true;
  }

  Task<bool> RunParallel(const Step& step, std::string path) {
    std::vector<char> held(step.branches.size(), 1);
    std::vector<Task<void>> branches;
    for (std::size_t i = 0; i < step.branches.size(); ++i) {
      branches.push_back(
          RunBranch(step.branches[i], path + "/parallel/" + std::to_string(i), held[i]));
    }
    co_await loop_.All(std::move(branches));
    co_return std::all_of(held.begin(), held.end(), [](char branch) { return branch != 0; }) ||
        Stop();
  }

  Task<void> RunBranch(const std::vector<Step>& steps, std::string path, char& held) {
    held = co_await RunSteps(steps, std::move(path)) ? 1 : 0;
  }

  // --- steps that ask -------------------------------------------------------------------------

  Json BuildMessage(const Step& step, const Json* id) {
    Json message = step.message.Find("jsonrpc") == nullptr
                       ? Json::Object({{"jsonrpc", Json::String("2.0")}})
                       : Json::Object();
    if (id != nullptr) message.Set("id", *id);
    const Json filled = FillValue(step.message, lookup_);
    for (const JsonMember& member : filled.members()) {
      if (member.key == "jsonrpc" && member.value.is_null()) continue;  // ~ leaves it out
      message.Set(member.key, member.value);
    }
    if (const auto envelope = EnvelopeOf(step)) AddEnvelope(message, *envelope);
    return message;
  }

  std::optional<Json> EnvelopeOf(const Step& step) {
    const Json good = GoodEnvelope(case_.era == Era::kModern && !settings_.revision.empty()
                                       ? settings_.revision
                                       : std::string(kNewestModern),
                                   dialogue_.client());
    if (!step.envelope) {
      if (step.verb == Verb::kRequest && case_.era == Era::kModern) return good;
      return std::nullopt;
    }
    const Json changes = FillValue(*step.envelope, lookup_);
    if (changes.is_string()) {
      if (changes.text() == "none") return std::nullopt;
      return good;
    }
    return MergeEnvelope(good, changes);
  }

  // Here `session.id` and `session.revision` are those of the connection's legacy session, and
  // `session.path` is that of the server's URL.
  std::optional<Json> HttpOf(const Step& step, const Session& session) {
    if (!step.http) return std::nullopt;
    const HttpSession& known = session.connection->http_session;
    return FillValue(*step.http, [&](std::string_view name) -> std::optional<Json> {
      if (!name.starts_with("session.")) return lookup_(name);
      const std::string value = name == "session.id"         ? known.id
                                : name == "session.revision" ? known.revision
                                                             : session.connection->channel().path();
      if (value.empty()) return std::nullopt;
      return Json::String(value);
    });
  }

  Task<bool> RawHttp(const Step& step, Session& session, std::string path) {
    const std::size_t sent = dialogue_.SendHttp(session, DescribedHttp(*HttpOf(step, session)));
    co_return co_await JudgeAnswer(step, session, sent, false, path);
  }

  // What the connection speaks after `message`: decides how a fence is built.
  static void NoteEra(Session& session, const Json& message) {
    const Json* version =
        message.Find("params", "_meta", "io.modelcontextprotocol/protocolVersion");
    const std::string method = message.FindString("method").value_or("");
    session.spoke = version != nullptr && method != "initialize" ? Era::kModern : Era::kLegacy;
  }

  Task<bool> Request(const Step& step, Session& session, std::string path) {
    const Json id = step.id ? FillValue(*step.id, lookup_) : session.connection->NextId();
    const Json message = BuildMessage(step, &id);
    if (case_.era == Era::kNone) NoteEra(session, message);
    const bool was_over = dialogue_.Over(session);
    const std::optional<Json> http = HttpOf(step, session);
    const std::size_t sent = dialogue_.Send(session, message, false, http ? &*http : nullptr);
    if (!step.measure.empty()) measured_.requests[step.measure].push_back(sent);
    co_return co_await JudgeAnswer(step, session, sent, was_over, path);
  }

  Task<bool> SendLine(const Step& step, Session& session, std::string path) {
    std::string line = FillValue(step.text, lookup_).text();
    std::string end = step.end;
    if (step.verb == Verb::kBytes) {
      line = DecodeBase64(line).value_or("");
      end = "";
    }
    const bool was_over = dialogue_.Over(session);
    const std::optional<Json> http = HttpOf(step, session);
    const std::size_t sent =
        dialogue_.SendRaw(session, line, end, step.split, http ? &*http : nullptr);
    if (!step.expect && step.save.empty()) co_return true;
    co_return co_await JudgeAnswer(step, session, sent, was_over, path);
  }

  // Waits for the answer to what was sent at entry `sent` and judges it. `was_over`: the server had
  // ended before that.
  Task<bool> JudgeAnswer(const Step& step, Session& session, std::size_t sent, bool was_over,
                         std::string path) {
    const Expectation* expectation = step.expect ? &*step.expect : nullptr;
    if (expectation != nullptr && AcceptsNothing(*expectation)) {
      Stillness stillness{.session = session.name,
                          .from = sent,
                          .step = &step,
                          .expectation = expectation,
                          .path = path,
                          .of_answer = true,
                          .until = std::nullopt};
      co_return co_await JudgeStillness(std::move(stillness), session);
    }
    const Answer answer = co_await dialogue_.AwaitAnswer(session, sent);
    if (answer.state == Answer::State::kDisturbed) {
      outcome_.disturbed = true;
      co_return false;
    }
    if (answer.state == Answer::State::kEmpty) {
      latest_ = answer.entry;
      co_return JudgeEntry(step, expectation, answer.entry, path);
    }
    if (answer.state != Answer::State::kAnswered) {
      if (answer.state != Answer::State::kGone) outcome_.timed_out = true;
      // What was sent to a server that had ended says nothing of the server.
      if (!was_over || expectation == nullptr || expectation->set_up) {
        NoAnswer(answer.state, sent, expectation, path);
      }
      co_return Stop();
    }
    latest_ = answer.entry;
    JudgeDeferred(session);
    co_return JudgeEntry(step, expectation, answer.entry, path);
  }

  // A request without an answer breaks what the case proves only when the server is otherwise well:
  // a hang or a crash is the oracle's to judge, who weighs what was sent before. Here it is at most
  // a warning that what the case wants to see was not to be seen.
  // The same goes for a GET: a server may keep the head of a stream back until there is an event.
  void NoAnswer(Answer::State state, std::size_t sent, const Expectation* expectation,
                const std::string& path) {
    if (expectation == nullptr) return;
    if (expectation->set_up) {
      outcome_.precondition = path + ": no answer";
      return;
    }
    auto disagreement = Judge(*expectation, nullptr, lookup_, context_);
    if (!disagreement) return;
    const HttpRequest* request = dialogue_.transcript().entries[sent].request.get();
    const bool opens_stream = request != nullptr && request->method == "GET";
    if (state == Answer::State::kDropped && !opens_stream) {
      Report(*expectation, *disagreement, path);
      return;
    }
    if (opens_stream && dialogue_.heads_come_late) {
      outcome_.precondition = path + ": the server sends the head of a stream with its first event";
      return;
    }
    disagreement->message = state == Answer::State::kDropped ? "GET was not answered"
                            : state == Answer::State::kGone
                                ? "the server was gone before it answered"
                                : "the server stopped answering";
    NoteUnmet(*expectation, *disagreement, path);
  }

  bool JudgeLatest(const Step& step, const std::string& path) {
    if (!latest_) {
      outcome_.error = path + ": there is no answer to judge";
      return false;
    }
    return JudgeEntry(step, &*step.expect, *latest_, path);
  }

  bool JudgeEntry(const Step& step, const Expectation* expectation, std::size_t entry,
                  const std::string& path) {
    const Entry& answer = dialogue_.transcript().entries[entry];
    const Message& message = answer.message;
    const bool is_message = answer.direction == Entry::Direction::kIn;
    std::optional<HttpReply> http;
    if (answer.exchange != 0) {
      auto [head, body] = dialogue_.HttpAnswerTo(entry);
      http = ReplyOf(head.get(), std::move(body));
    }
    if (expectation != nullptr) {
      if (const auto disagreement = Judge(*expectation, is_message ? &message : nullptr, lookup_,
                                          context_, http ? &*http : nullptr)) {
        Report(*expectation, *disagreement, path);
        if (disagreement->of_kind) return Stop();
        return false;
      }
      Prove(*expectation);
    }
    for (const Save& save : step.save) {
      const Json* value = At(message.body, save.pointer);
      Json carrier;
      if (http && save.pointer.starts_with("/http/")) {
        carrier = Json::Object({{"http", Json::Object({{"headers", http->headers}})}});
        value = At(carrier, save.pointer);
      }
      if (value == nullptr) {
        outcome_.precondition = path + ": there is no " + save.pointer + " to save";
        return false;
      }
      variables_.Save(save.variable, *value);
    }
    return true;
  }

  void Report(const Expectation& expectation, const Disagreement& disagreement,
              const std::string& path, bool at_most_warn = false) {
    if (expectation.set_up) {
      outcome_.precondition = path + ": " + disagreement.message;
      return;
    }
    for (const std::string& requirement : expectation.requirements) {
      outcome_.findings.push_back({.requirement = requirement,
                                   .message = disagreement.message,
                                   .step = path,
                                   .expected = disagreement.expected,
                                   .actual = disagreement.actual,
                                   .at_most_warn = at_most_warn});
    }
  }

  void NoteUnmet(const Expectation& expectation, const Disagreement& disagreement,
                 const std::string& path) {
    const std::size_t told = outcome_.findings.size();
    Report(expectation, disagreement, path, true);
    std::move(outcome_.findings.begin() + static_cast<std::ptrdiff_t>(told),
              outcome_.findings.end(), std::back_inserter(outcome_.unmet));
    outcome_.findings.resize(told);
  }

  void Prove(const Expectation& expectation) {
    outcome_.proved.insert(expectation.requirements.begin(), expectation.requirements.end());
  }

  // The rest of the case cannot be run.
  bool Stop() {
    cannot_go_on_ = true;
    return false;
  }

  // --- steps that tell ------------------------------------------------------------------------

  // Over HTTP a notification has an answer, if only a status.
  Task<bool> Notify(const Step& step, Session& session, std::string path) {
    const Json message = BuildMessage(step, nullptr);
    if (const Json* id = message.Find("params", "requestId");
        id != nullptr && message.FindString("method") == "notifications/cancelled") {
      cancelled_.push_back(*id);
      // A modern client cancels by going away.
      const bool breaks = session.connection->over_http() && session.spoke == Era::kModern &&
                          !step.expect && !step.http;
      if (breaks && dialogue_.Drop(session, *id)) co_return true;
    }
    const std::optional<Json> http = HttpOf(step, session);
    const std::size_t sent = dialogue_.Send(session, message, false, http ? &*http : nullptr);
    if (!step.expect || !session.connection->over_http()) co_return true;
    co_return co_await JudgeAnswer(step, session, sent, false, path);
  }

  Task<bool> Respond(const Step& step, Session& session, std::string path) {
    const std::string method = step.message.FindString("method").value_or("");
    const auto wanted = [method](const Entry& entry) {
      return entry.message.kind == Message::Kind::kRequest && entry.message.method() == method;
    };
    std::optional<std::size_t> entry = TakeAwaited(session, wanted);
    if (!entry) {
      entry = co_await dialogue_.AwaitEntry(session, Clock::now() + Within(step), wanted);
    }
    if (!entry) {
      outcome_.precondition = path + ": the server did not ask for " + method;
      co_return false;
    }
    const Message& asked = dialogue_.transcript().entries[*entry].message;
    Json answer = Json::Object({{"jsonrpc", Json::String("2.0")}, {"id", *asked.id()}});
    const Json filled = FillValue(step.message, lookup_);
    for (const JsonMember& member : filled.members()) {
      if (member.key != "method") answer.Set(member.key, member.value);
    }
    const std::optional<Json> http = HttpOf(step, session);
    const std::size_t sent = dialogue_.Send(session, answer, false, http ? &*http : nullptr);
    if (!step.measure.empty()) measured_.requests[step.measure].push_back(sent);
    if (!step.expect || !session.connection->over_http()) co_return true;
    co_return co_await JudgeAnswer(step, session, sent, false, path);
  }

  // A request of the server that a step has awaited, and none has answered yet.
  std::optional<std::size_t> TakeAwaited(const Session& session,
                                         const std::function<bool(const Entry&)>& wanted) {
    const auto& entries = dialogue_.transcript().entries;
    const auto found = std::find_if(awaited_.begin(), awaited_.end(), [&](std::size_t entry) {
      return entries[entry].connection == session.name && wanted(entries[entry]);
    });
    if (found == awaited_.end()) return std::nullopt;
    const std::size_t entry = *found;
    awaited_.erase(found);
    return entry;
  }

  void Signal(const Step& step, Session& session) {
    static const std::map<std::string, int> kSignals = {
        {"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP},   {"KILL", SIGKILL},
        {"QUIT", SIGQUIT}, {"STOP", SIGSTOP}, {"CONT", SIGCONT}, {"PIPE", SIGPIPE},
        {"USR1", SIGUSR1}, {"USR2", SIGUSR2}};
    const auto signal = kSignals.find(step.signal);
    if (signal == kSignals.end()) {
      outcome_.error = "no signal called " + step.signal;
      return;
    }
    dialogue_.Note(session, Entry::Event::kNone, "we sent SIG" + step.signal);
    session.connection->channel().Signal(signal->second);
  }

  // --- steps that wait ------------------------------------------------------------------------

  std::chrono::milliseconds Within(const Step& step) const {
    return step.within.value_or(settings_.timeout);
  }

  Task<bool> Await(const Step& step, Session& session, std::string path) {
    const Json pattern = FillPattern(step.message, lookup_);
    const auto wanted = [this, &pattern](const Entry& entry) {
      return !entry.message.is_response() && entry.message.kind != Message::Kind::kNotJson &&
             !Match(pattern, &entry.message.body, context_);
    };
    const auto entry = co_await dialogue_.AwaitEntry(session, Clock::now() + Within(step), wanted);
    if (entry) {
      latest_ = *entry;
      awaited_.push_back(*entry);
      if (step.expect) Prove(*step.expect);
      co_return JudgeEntry(step, nullptr, *entry, path);
    }
    if (session.lane->disturbed()) {
      outcome_.disturbed = true;
      co_return false;
    }
    Disagreement disagreement;
    disagreement.expected = pattern;
    if (dialogue_.Over(session)) {
      disagreement.message = "the server was gone before the expected message came";
      if (step.expect) NoteUnmet(*step.expect, disagreement, path);
      co_return Stop();
    }
    outcome_.timed_out = true;
    disagreement.message =
        "the expected message did not come within " + std::to_string(Within(step).count()) + " ms";
    if (step.expect) Report(*step.expect, disagreement, path);
    co_return Stop();
  }

  // What was set up by the absence of an answer may have got one since: a refusal, say.
  bool SetUpStillHolds() {
    for (Stillness& stillness : stillnesses_) {
      if (stillness.of_answer && stillness.expectation->set_up) CheckStillness(stillness);
    }
    return outcome_.precondition.empty();
  }

  Task<bool> Silence(const Step& step, Session& session, std::string path) {
    const auto from = quiet_from_.find(step.on);
    Stillness stillness{.session = session.name,
                        .from = from == quiet_from_.end() ? 0 : from->second,
                        .step = &step,
                        .expectation = step.expect ? &*step.expect : nullptr,
                        .path = path,
                        .until = std::nullopt};
    co_return co_await JudgeStillness(std::move(stillness), session);
  }

  // Judges behind a fence; where a fence would decide the era, behind the next step's request.
  Task<bool> JudgeStillness(Stillness stillness, Session& session) {
    if (case_.era == Era::kNone && session.spoke == Era::kNone) {
      stillnesses_.push_back(stillness);
      co_return true;
    }
    const std::string step = dialogue_.step;
    bool answered = dialogue_.Over(session);
    if (!answered) answered = co_await dialogue_.Fence(session);
    if (!answered && dialogue_.Over(session) && stillness.expectation != nullptr &&
        !stillness.expectation->set_up) {
      Disagreement disagreement;
      disagreement.message = "the server ended";
      NoteUnmet(*stillness.expectation, disagreement, stillness.path);
    }
    dialogue_.step = step;
    if (session.lane->disturbed()) {
      outcome_.disturbed = true;
      co_return false;
    }
    if (!answered && !dialogue_.Over(session)) {
      dialogue_.Note(session, Entry::Event::kHang, "what was sent after it was not answered");
      session.over = true;
      outcome_.timed_out = true;
      if (stillness.expectation != nullptr && stillness.expectation->set_up) {
        outcome_.precondition = stillness.path + ": no answer to what was sent after it";
      } else if (stillness.expectation != nullptr) {
        Disagreement disagreement;
        disagreement.message = "the server stopped answering";
        NoteUnmet(*stillness.expectation, disagreement, stillness.path);
      }
      co_return Stop();
    }
    stillness.judged = true;
    const bool held = CheckStillness(stillness);
    if (held) stillnesses_.push_back(stillness);
    co_return held;
  }

  // True when nothing unwanted is in the transcript; reports it otherwise.
  bool CheckStillness(Stillness& stillness, bool late = false) {
    Session* session = dialogue_.Find(stillness.session);
    if (session == nullptr) return true;
    if (stillness.of_answer) return CheckUnanswered(stillness, *session, late);
    const auto& entries = dialogue_.transcript().entries;
    const std::size_t end = stillness.until.value_or(entries.size());
    for (std::size_t i = stillness.from; i < end; ++i) {
      if (dialogue_.claimed(i) || !dialogue_.Arrived(*session, i)) continue;
      if (late && EndsSomething(entries[i].message)) continue;
      // A line that is no message is the oracle's to judge, whatever a case is about.
      if (entries[i].message.kind == Message::Kind::kNotJson) continue;
      if (RefusesOverHttp(entries[i])) continue;
      const Json& body = entries[i].message.body;
      const auto& allowed = stillness.step->allowed;
      const bool wanted = std::any_of(allowed.begin(), allowed.end(), [&](const Json& pattern) {
        return !Match(FillPattern(pattern, lookup_), &body, context_);
      });
      if (wanted) continue;
      Disagreement disagreement;
      disagreement.message = "expected nothing to come, got a message";
      disagreement.expected = Json::String("nothing");
      disagreement.actual = body;
      if (stillness.expectation != nullptr) {
        Report(*stillness.expectation, disagreement, stillness.path, late);
      }
      dialogue_.Claim(i);
      return false;
    }
    if (stillness.expectation != nullptr) Prove(*stillness.expectation);
    return true;
  }

  // Over HTTP what is not accepted may be refused with an error that says why, also where nothing
  // may be answered (2026-07-28 streamable-http § Sending Messages).
  static bool RefusesOverHttp(const Entry& entry) {
    const Json* id = entry.message.id();
    return entry.head != nullptr && entry.head->status >= 400 &&
           entry.message.kind == Message::Kind::kError && (id == nullptr || id->is_null());
  }

  // What a server may say when its input ends: the last word on what was still open.
  static bool EndsSomething(const Message& message) {
    return message.is_response() || message.method() == "notifications/cancelled";
  }

  bool CheckUnanswered(Stillness& stillness, const Session& session, bool late) {
    const Expectation& expectation = *stillness.expectation;
    const auto entry = dialogue_.TakeAnswer(session, stillness.from);
    if (!entry) {
      Prove(expectation);
      return true;
    }
    const auto& entries = dialogue_.transcript().entries;
    latest_ = *entry;
    const auto disagreement = Judge(expectation, &entries[*entry].message, lookup_, context_);
    if (!disagreement) {
      Prove(expectation);
      return true;
    }
    const Json* id = entries[stillness.from].message.id();
    const bool was_cancelled =
        id != nullptr && std::any_of(cancelled_.begin(), cancelled_.end(),
                                     [&](const Json& cancelled) { return SameId(cancelled, *id); });
    Report(expectation, *disagreement, stillness.path, late || was_cancelled);
    return false;
  }

  // What could not be judged before this answer came, because nothing was there to be a fence.
  void JudgeDeferred(const Session& session) {
    for (Stillness& stillness : stillnesses_) {
      if (stillness.judged || stillness.session != session.name) continue;
      stillness.judged = true;
      if (!stillness.of_answer) stillness.until = dialogue_.transcript().entries.size();
      CheckStillness(stillness);
    }
  }

  Task<bool> Poll(const Step& step, Session& session, std::string path) {
    const Clock::time_point deadline = Clock::now() + Within(step);
    const Step& request = step.branches.front().front();
    const Json until = step.until ? *step.until : Json::Object();
    for (;;) {
      const Json id = request.id ? FillValue(*request.id, lookup_) : session.connection->NextId();
      const Json message = BuildMessage(request, &id);
      const std::optional<Json> http = HttpOf(request, session);
      const std::size_t sent = dialogue_.Send(session, message, false, http ? &*http : nullptr);
      const Answer answer = co_await dialogue_.AwaitAnswer(session, sent);
      if (answer.state == Answer::State::kDisturbed) {
        outcome_.disturbed = true;
        co_return false;
      }
      if (answer.state == Answer::State::kEmpty) {
        co_return JudgeEntry(step, step.expect ? &*step.expect : nullptr, answer.entry, path);
      }
      if (answer.state != Answer::State::kAnswered) {
        outcome_.timed_out = outcome_.timed_out || answer.state != Answer::State::kGone;
        NoAnswer(answer.state, sent, step.expect ? &*step.expect : nullptr, path);
        co_return Stop();
      }
      latest_ = answer.entry;
      const Message& came = dialogue_.transcript().entries[answer.entry].message;
      if (!Match(FillPattern(until, lookup_), &came.body, context_)) {
        co_return JudgeEntry(step, step.expect ? &*step.expect : nullptr, answer.entry, path);
      }
      auto pause = step.every;
      const Json* interval = came.body.Find("result", "pollIntervalMs");
      if (interval == nullptr) interval = came.body.Find("result", "pollInterval");
      if (interval != nullptr) {
        pause = std::max(pause, std::chrono::milliseconds(interval->AsInteger().value_or(0)));
      }
      if (Clock::now() + pause > deadline) {
        outcome_.timed_out = true;
        Disagreement disagreement;
        disagreement.message =
            "the awaited state did not come within " + std::to_string(Within(step).count()) + " ms";
        disagreement.expected = until;
        disagreement.actual = came.body;
        if (step.expect) {
          Report(*step.expect, disagreement, path);
        } else {
          outcome_.precondition = path + ": " + disagreement.message;
        }
        co_return Stop();
      }
      co_await Pause(loop_, pause);
    }
  }

  Task<bool> Exit(const Step& step, Session& session, std::string path) {
    Channel& channel = session.connection->channel();
    const bool ended = co_await channel.Ended(Clock::now() + Within(step));
    session.over = true;
    Disagreement disagreement;
    if (!ended) {
      disagreement.message =
          "the server had not ended after " + std::to_string(Within(step).count()) + " ms";
      disagreement.expected = Json::String("the server ends");
      if (step.expect) Report(*step.expect, disagreement, path);
      co_return Stop();
    }
    const auto& entries = dialogue_.transcript().entries;
    const auto exit = std::find_if(entries.rbegin(), entries.rend(), [&](const Entry& entry) {
      return entry.connection == session.name && entry.event == Entry::Event::kExited;
    });
    if (exit == entries.rend()) {
      disagreement.message = "the server had to be killed";
      disagreement.expected = Json::String("the server ends");
      if (step.expect) NoteUnmet(*step.expect, disagreement, path);
      co_return Stop();
    }
    if (step.code) {
      const Json code = exit->signal != 0 ? Json::String("signal " + std::to_string(exit->signal))
                                          : Json::Integer(exit->exit_code);
      if (const auto mismatch = Match(FillPattern(*step.code, lookup_), &code, context_)) {
        disagreement.message = "exit code: " + mismatch->reason;
        disagreement.expected = FillPattern(*step.code, lookup_);
        disagreement.actual = code;
        if (step.expect) Report(*step.expect, disagreement, path);
        co_return Stop();
      }
    }
    if (step.expect) Prove(*step.expect);
    co_return true;
  }

  // --- connections ----------------------------------------------------------------------------

  Task<bool> Connect(const Step& step) {
    const std::string name = FillValue(step.text, lookup_).text();
    Session& session = dialogue_.Attach(name, co_await settings_.connect(step.transport), true);
    session.spoke = case_.era;
    if (step.http) session.headers = *FillValue(*step.http, lookup_).Find("headers");
    if (case_.era != Era::kLegacy) co_return true;
    co_return co_await Open(session);
  }

  // Only over stdio, where the connection is the process.
  Task<bool> Restart(Session& session) {
    dialogue_.Note(session, Entry::Event::kInputClosed, "we closed the server's stdin");
    co_await session.connection->channel().Shutdown(settings_.grace);
    const std::string name = session.name;
    Session& again = dialogue_.Attach(name, co_await settings_.connect(""), true);
    again.spoke = case_.era;
    if (case_.era != Era::kLegacy) co_return true;
    co_return co_await Open(again);
  }

  // --- instances of a fleet -------------------------------------------------------------------

  Task<bool> RestartInstance(std::string name) {
    taken_down_.insert(name);
    dialogue_.Note(name, Entry::Event::kNone, "we restart instance " + name);
    const std::string why_not = co_await settings_.fleet->Restart(name);
    if (!why_not.empty()) {
      outcome_.error = "it does not start again: " + why_not;
      co_return false;
    }
    dialogue_.Note(name, Entry::Event::kNone, "instance " + name + " is there again");
    if (const Session* old = dialogue_.Find(name)) {
      const HttpSession known = old->connection->http_session;
      Session& again = dialogue_.Attach(name, settings_.fleet->Connect(name), true);
      again.spoke = case_.era;
      again.connection->http_session = known;
    }
    co_return true;
  }

  Task<bool> Kill(std::string name) {
    taken_down_.insert(name);
    dialogue_.Note(name, Entry::Event::kNone, "we kill instance " + name);
    co_await settings_.fleet->Kill(name);
    co_return true;
  }

  bool PauseInstance(const std::string& name) {
    taken_down_.insert(name);
    dialogue_.Note(name, Entry::Event::kNone, "we stop instance " + name);
    settings_.fleet->Pause(name);
    return true;
  }

  // An answer that broke off, or that the balancer gave instead, because of what we did to an
  // instance.
  void ExcuseWhatWeBroke(std::size_t arrived) {
    Entry& entry = dialogue_.transcript().entries[arrived];
    if (entry.event != Entry::Event::kHttpEnd) return;
    const bool by_balancer = entry.head != nullptr && entry.head->Find(kBalancerField) != nullptr;
    if (entry.bytes.empty() && !by_balancer) return;
    const std::string instance = InstanceOf(dialogue_.transcript(), arrived);
    if (!taken_down_.contains(instance)) return;
    entry.bytes = "broken off by us: instance " + instance + " was taken down" +
                  (entry.bytes.empty() ? "" : "; " + entry.bytes);
  }

  Task<bool> Think(const Step& step, std::string path) {
    const auto time = step.within.value_or(std::chrono::milliseconds(0));
    const std::size_t from =
        dialogue_.Note(step.on, Entry::Event::kNone,
                       "a person thinks for " + std::to_string(time.count()) + " ms");
    co_await assay::Pause(loop_, time);
    const std::size_t to = dialogue_.Note(step.on, Entry::Event::kNone, "the person has thought");
    measured_.thoughts.emplace_back(from, to);
    if (!step.open) co_return true;
    const Json open = Json::Integer(OpenRequests());
    const Json pattern = FillPattern(*step.open, lookup_);
    if (const auto mismatch = Match(pattern, &open, context_)) {
      Disagreement disagreement;
      disagreement.message =
          open.Dump() + " of the requests were under way while the person thought";
      disagreement.expected = pattern;
      disagreement.actual = open;
      Report(*step.expect, disagreement, path);
      co_return false;
    }
    Prove(*step.expect);
    co_return true;
  }

  // Requests of the case that have not been answered to the end.
  std::int64_t OpenRequests() {
    const Transcript& transcript = dialogue_.transcript();
    std::int64_t open = 0;
    for (std::size_t i = 0; i < transcript.entries.size(); ++i) {
      const Entry& entry = transcript.entries[i];
      const bool is_request = entry.direction == Entry::Direction::kOut && !entry.by_harness &&
                              entry.message.kind == Message::Kind::kRequest;
      if (is_request && entry.exchange != 0 && !transcript.HttpEnd(i)) ++open;
    }
    return open;
  }

  // --- what the server asks of us ---------------------------------------------------------------

  void NoteResponded(const Step& step) {
    if (step.verb == Verb::kRespond) {
      responded_.insert(step.message.FindString("method").value_or(""));
    }
    for (const auto& branch : step.branches) {
      for (const Step& inner : branch) NoteResponded(inner);
    }
  }

  // A ping is answered; what a step answers is left to it; anything else is not ours to do.
  void AnswerServerRequest(std::size_t entry) {
    const auto& entries = dialogue_.transcript().entries;
    const Message& message = entries[entry].message;
    if (message.kind != Message::Kind::kRequest || !alone_) return;
    const std::string method = message.method();
    if (responded_.contains(method)) return;
    Session* session = dialogue_.Find(entries[entry].connection);
    if (session == nullptr) return;
    Json answer = Json::Object({{"jsonrpc", Json::String("2.0")}, {"id", *message.id()}});
    if (method == "ping") {
      answer.Set("result", Json::Object());
      dialogue_.Claim(entry);
    } else {
      answer.Set("error", Json::Object({{"code", Json::Integer(-32601)},
                                        {"message", Json::String("Method not found")}}));
    }
    dialogue_.Send(*session, answer, true);
  }

  // --- the end ----------------------------------------------------------------------------------

  Task<void> EndHttp(Session& session) {
    // A fleet goes as a whole, and who of it knows the session is not ours to say.
    if (settings_.fleet == nullptr) co_await dialogue_.EndSession(session);
    co_await session.connection->channel().Shutdown(std::chrono::milliseconds(0));
  }

  // Closes the input, reads the last words, and looks once more for what should not have come.
  Task<void> Finish() {
    dialogue_.step.clear();
    if (alone_) {
      std::vector<Task<void>> endings;
      for (auto& [name, session] : dialogue_.sessions()) {
        if (session.connection->ended()) continue;
        if (session.connection->over_http()) {
          endings.push_back(EndHttp(session));
          continue;
        }
        dialogue_.Note(session, Entry::Event::kInputClosed, "we closed the server's stdin");
        // A server that is stuck gets no time to think about the end of its input.
        const auto grace = session.over ? std::chrono::milliseconds(0) : settings_.grace;
        endings.push_back(session.connection->channel().Shutdown(grace));
      }
      co_await loop_.All(std::move(endings));
    }
    outcome_.measurements = Measure(dialogue_.transcript(), measured_);
    for (const Entry& entry : dialogue_.transcript().entries) {
      if (entry.event == Entry::Event::kNotStarted) outcome_.error = entry.bytes;
    }
    if (!outcome_.precondition.empty() || outcome_.disturbed) co_return;
    for (Stillness& stillness : stillnesses_) {
      const bool first_look = !stillness.judged;
      stillness.judged = true;
      CheckStillness(stillness, !first_look);
    }
    // A set-up that turns out not to have held takes with it what was built upon it.
    if (!outcome_.precondition.empty()) outcome_.findings.clear();
  }

  Loop& loop_;
  const Case& case_;
  const ExchangeSettings& settings_;
  const bool alone_;
  ExchangeOutcome outcome_;
  Dialogue dialogue_;
  Variables variables_;
  Lookup lookup_;
  MatchContext context_;
  std::optional<std::size_t> latest_;  // entry of the latest answer
  std::vector<std::size_t> awaited_;   // entries that `await` steps matched
  std::map<std::string, std::size_t> quiet_from_;
  std::vector<Stillness> stillnesses_;
  std::vector<Json> cancelled_;
  std::set<std::string> responded_;
  ToMeasure measured_;
  std::set<std::string> taken_down_;  // instances
  bool cannot_go_on_ = false;
};

}  // namespace

Task<ExchangeOutcome> RunExchange(Loop& loop, const Case& test_case,
                                  const ExchangeSettings& settings,
                                  std::shared_ptr<Connection> connection, bool alone) {
  Exchange exchange(loop, test_case, settings, alone);
  co_return co_await exchange.Run(std::move(connection));
}

}  // namespace assay
