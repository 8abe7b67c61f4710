// Recording, matching answers to what was asked, and telling silence from death.

#include "exchange/dialogue.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

// Whether a request is one that every server must be able to read.
bool IsProperRequest(const Message& message) {
  if (message.kind != Message::Kind::kRequest || message.method().empty()) return false;
  if (message.body.FindString("jsonrpc") != "2.0" || message.result() || message.error()) {
    return false;
  }
  const Json* params = message.params();
  return (message.id()->is_string() || message.id()->is_integer()) &&
         (params == nullptr || params->is_object());
}

// Whether a server may have been unable to read the id of what was sent, if there was one.
bool MayBeAnsweredWithoutId(const Message& message) {
  return message.kind != Message::Kind::kNotification && !IsProperRequest(message);
}

}  // namespace

Dialogue::Dialogue(Transcript& transcript, ClientIdentity client, std::chrono::milliseconds timeout,
                   std::chrono::milliseconds start_within)
    : transcript_(transcript),
      client_(std::move(client)),
      timeout_(timeout),
      start_within_(std::max(timeout, start_within)) {}

Dialogue::~Dialogue() {
  for (auto& [name, session] : sessions_) session.connection->Close(*session.lane);
}

Session& Dialogue::Attach(const std::string& name, std::shared_ptr<Connection> connection,
                          bool alone) {
  if (Session* old = Find(name)) old->connection->Close(*old->lane);
  if (connection->over_http()) {
    transcript_.over_http.insert(name);
  } else {
    transcript_.over_http.erase(name);
  }
  Session& session = sessions_[name];
  session = Session{.name = name, .connection = std::move(connection), .lane = nullptr};
  auto observer = [this, name](const ChannelEvent& event, const Message* message) {
    Entry entry;
    entry.connection = name;
    entry.direction = event.direction;
    entry.event = event.event;
    entry.bytes = event.bytes;
    entry.exit_code = event.exit_code;
    entry.signal = event.signal;
    if (message != nullptr) entry.message = *message;
    entry.exchange = event.exchange;
    entry.head = event.head;
    if (event.direction == Entry::Direction::kIn && !event.terminated) {
      entry.unterminated = true;
    }
    const std::size_t index = Record(std::move(entry));
    if (event.exchange != 0) NoteSession(sessions_.at(name), transcript_.entries[index]);
    if (on_arrival) on_arrival(index);
  };
  session.lane = alone ? session.connection->OpenAlone(std::move(observer))
                       : session.connection->OpenShared(std::move(observer));
  return session;
}

Session* Dialogue::Find(const std::string& name) {
  const auto found = sessions_.find(name);
  return found == sessions_.end() ? nullptr : &found->second;
}

std::size_t Dialogue::Record(Entry entry) {
  entry.at = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began_);
  if (entry.step.empty()) entry.step = step;
  claimed_.push_back(AnswersStrayFence(entry));
  transcript_.entries.push_back(std::move(entry));
  return transcript_.entries.size() - 1;
}

std::size_t Dialogue::Send(Session& session, const Json& message, bool by_harness,
                           const Json* http) {
  Entry entry;
  entry.connection = session.name;
  entry.bytes = message.Dump();
  entry.message = ParseMessage(entry.bytes);
  entry.by_harness = by_harness;
  if (session.connection->over_http()) {
    HttpRequest request =
        PostOf(entry.bytes, entry.message, session.spoke, session.connection->http_session, tools);
    if (http != nullptr) ChangeHttp(request, *http);
    return Post(session, std::move(entry), std::move(request));
  }
  // A response of ours is not answered at all.
  if (MayBeAnsweredWithoutId(entry.message) && !entry.message.is_response()) {
    ++unnamed_[session.name];
  }
  const std::size_t index = Record(std::move(entry));
  const Entry& sent = transcript_.entries[index];
  session.connection->Send(session.lane, sent.bytes + "\n", sent.message);
  return index;
}

std::size_t Dialogue::SendRaw(Session& session, const std::string& line, const std::string& end,
                              const std::vector<std::size_t>& split, const Json* http) {
  Entry entry;
  entry.connection = session.name;
  entry.bytes = line;
  entry.unterminated = end.find('\n') == std::string::npos;
  entry.message = ParseMessage(line);
  if (session.connection->over_http()) {
    entry.unterminated = false;
    HttpRequest request =
        PostOf(line, entry.message, session.spoke, session.connection->http_session, tools);
    if (http != nullptr) ChangeHttp(request, *http);
    return Post(session, std::move(entry), std::move(request));
  }
  if (MayBeAnsweredWithoutId(entry.message)) ++unnamed_[session.name];
  const std::size_t index = Record(std::move(entry));
  const std::string bytes = line + end;
  const Message& message = transcript_.entries[index].message;
  std::size_t at = 0;
  for (const std::size_t next : split) {
    if (next <= at || next >= bytes.size()) continue;
    session.connection->Send(session.lane, bytes.substr(at, next - at), message);
    at = next;
  }
  session.connection->Send(session.lane, bytes.substr(at), message);
  return index;
}

std::size_t Dialogue::Post(Session& session, Entry entry, HttpRequest request) {
  AddHeaders(request, session.headers);
  entry.request = std::make_shared<const HttpRequest>(request);
  const std::size_t index = Record(std::move(entry));
  // Nothing can come back before the number is noted: a channel tells what happens later.
  transcript_.entries[index].exchange =
      session.connection->Request(session.lane, std::move(request));
  return index;
}

std::size_t Dialogue::SendHttp(Session& session, HttpRequest request, bool by_harness) {
  Entry entry;
  entry.connection = session.name;
  entry.bytes = request.body;
  if (!request.body.empty()) entry.message = ParseMessage(request.body);
  entry.by_harness = by_harness;
  return Post(session, std::move(entry), std::move(request));
}

// An InitializeResult opens a session: from then on our requests name it.
void Dialogue::NoteSession(Session& session, const Entry& arrived) {
  if (arrived.message.kind != Message::Kind::kResult || arrived.head == nullptr) return;
  const auto version = arrived.message.result()->FindString("protocolVersion");
  if (!version) return;
  const auto asked =
      std::find_if(transcript_.entries.begin(), transcript_.entries.end(), [&](const Entry& entry) {
        return entry.direction == Entry::Direction::kOut && entry.exchange == arrived.exchange &&
               entry.connection == arrived.connection;
      });
  if (asked == transcript_.entries.end() || asked->message.method() != "initialize") return;
  const std::string* id = arrived.head->Find("Mcp-Session-Id");
  session.connection->http_session = {id == nullptr ? "" : *id, *version};
}

bool Dialogue::Drop(Session& session, const Json& id) {
  for (std::size_t i = transcript_.entries.size(); i-- > 0;) {
    const Entry& entry = transcript_.entries[i];
    if (entry.direction != Entry::Direction::kOut || entry.connection != session.name ||
        entry.message.kind != Message::Kind::kRequest || !SameId(*entry.message.id(), id) ||
        transcript_.HttpEnd(i)) {
      continue;
    }
    const int exchange = entry.exchange;
    Note(session, Entry::Event::kNone, "we broke the connection that carries request " + id.Dump());
    session.connection->channel().Drop(exchange);
    return true;
  }
  return false;
}

std::size_t Dialogue::AskForStream(Session& session) {
  return SendHttp(session, SessionRequest("GET", session.connection->http_session), true);
}

Task<void> Dialogue::OpenStream(Session& session) {
  const std::size_t entry = AskForStream(session);
  const auto answered = [this, entry] {
    return HttpAnswerTo(entry).head != nullptr || transcript_.HttpEnd(entry).has_value();
  };
  const Clock::time_point deadline = Clock::now() + timeout_;
  if (!heads_come_late) {
    while (!answered() && !Over(session) && Clock::now() < deadline) {
      co_await session.lane->bell().Wait(deadline);
    }
    co_return;
  }
  // What was asked after the stream tells that the server has come to it. The first question may
  // overtake, for it needs no new connection; the second one does not.
  co_await AwaitAllTaken(session, answered);
  for (int question = 0; question < 2; ++question) {
    if (answered() || Over(session)) co_return;
    const std::size_t fence = SendFence(session);
    const auto fence_answered = [&] {
      return TakeAnswer(session, fence, Likeness::kAlike) || transcript_.HttpEnd(fence);
    };
    bool was_answered = false;
    while (!(was_answered = fence_answered()) && !answered() && !Over(session) &&
           Clock::now() < deadline) {
      co_await session.lane->bell().Wait(deadline);
    }
    if (was_answered) continue;
    stray_fences_.push_back(fence);
    co_return;
  }
}

Task<void> Dialogue::EndSession(Session& session) {
  const HttpSession ended = std::exchange(session.connection->http_session, {});
  if (ended.id.empty() || Over(session)) co_return;
  // A stream that has not begun could be asked for after its session has ended.
  for (std::size_t i = 0; i < transcript_.entries.size(); ++i) {
    const Entry& entry = transcript_.entries[i];
    if (entry.request != nullptr && entry.request->method == "GET" && entry.by_harness &&
        entry.connection == session.name && HttpAnswerTo(i).head == nullptr &&
        !transcript_.HttpEnd(i)) {
      session.connection->channel().Drop(entry.exchange);
    }
  }
  const std::size_t entry = SendHttp(session, SessionRequest("DELETE", ended), true);
  co_await AwaitHttpEnd(session, entry, Clock::now() + timeout_);
}

std::optional<std::size_t> Dialogue::HttpAnswered(std::size_t entry) const {
  const Entry& sent = transcript_.entries[entry];
  if (sent.request->method != "GET") return transcript_.HttpEnd(entry);
  for (std::size_t i = entry + 1; i < transcript_.entries.size(); ++i) {
    const Entry& candidate = transcript_.entries[i];
    if (candidate.exchange != sent.exchange || candidate.connection != sent.connection) continue;
    const bool streams = candidate.event == Entry::Event::kHttpHead &&
                         candidate.head->MediaType() == "text/event-stream";
    if (streams || candidate.event == Entry::Event::kHttpEnd) return i;
  }
  return std::nullopt;
}

Task<void> Dialogue::AwaitHttpEnd(Session& session, std::size_t entry, Clock::time_point deadline) {
  while (!transcript_.HttpEnd(entry) && !Over(session) && Clock::now() < deadline) {
    co_await session.lane->bell().Wait(deadline);
  }
}

Dialogue::HttpAnswer Dialogue::HttpAnswerTo(std::size_t entry) const {
  HttpAnswer answer;
  const Entry& part = transcript_.entries[entry];
  for (const Entry& candidate : transcript_.entries) {
    if (candidate.exchange != part.exchange || candidate.connection != part.connection ||
        candidate.direction == Entry::Direction::kOut) {
      continue;
    }
    if (candidate.head != nullptr) answer.head = candidate.head;
    if (candidate.direction == Entry::Direction::kIn ||
        candidate.event == Entry::Event::kHttpBody) {
      answer.body += candidate.bytes;
    }
  }
  return answer;
}

// What came on the same exchange is its answer, whatever its id: that is the oracle's to judge.
std::optional<std::size_t> Dialogue::TakeHttpAnswer(const Session& session, std::size_t entry) {
  const Entry& sent = transcript_.entries[entry];
  const bool is_request = sent.message.kind == Message::Kind::kRequest;
  for (std::size_t i = entry + 1; i < transcript_.entries.size(); ++i) {
    const Entry& candidate = transcript_.entries[i];
    if (claimed_[i] || !Arrived(session, i) || candidate.exchange != sent.exchange) continue;
    if (is_request && !candidate.message.is_response()) continue;
    Claim(i);
    return i;
  }
  return std::nullopt;
}

void Dialogue::Note(const Session& session, Entry::Event event, std::string words) {
  Note(session.name, event, std::move(words));
}

std::size_t Dialogue::Note(const std::string& connection, Entry::Event event, std::string words) {
  Entry entry;
  entry.connection = connection;
  entry.direction = Entry::Direction::kEvent;
  entry.event = event;
  entry.bytes = std::move(words);
  return Record(std::move(entry));
}

void Dialogue::NoteMemory(const Session& session, std::size_t bytes) {
  const std::size_t entry = Note(session.name, Entry::Event::kMemory,
                                 "the server takes " + std::to_string(bytes >> 10U) + " KiB");
  transcript_.entries[entry].memory = bytes;
}

bool Dialogue::Arrived(const Session& session, std::size_t entry) const {
  const Entry& candidate = transcript_.entries[entry];
  return candidate.direction == Entry::Direction::kIn && candidate.connection == session.name;
}

bool Dialogue::Over(const Session& session) const {
  return session.over || session.connection->ended();
}

// Whether an answer with this id is owed to another request than the one at `request`.
bool Dialogue::IsIdOfAnother(const Session& session, std::size_t request, const Json& id) const {
  for (std::size_t i = 0; i < transcript_.entries.size(); ++i) {
    const Entry& entry = transcript_.entries[i];
    if (i == request || entry.direction != Entry::Direction::kOut ||
        entry.connection != session.name || entry.message.kind != Message::Kind::kRequest) {
      continue;
    }
    if (SameId(*entry.message.id(), id)) return true;
  }
  return false;
}

bool Dialogue::Answers(std::size_t request, const Entry& entry, Likeness likeness) const {
  const Entry& asked = transcript_.entries[request];
  const Message& message = entry.message;
  const bool raw = asked.message.kind != Message::Kind::kRequest;
  if (raw && (message.kind == Message::Kind::kBatch || message.kind == Message::Kind::kOther)) {
    return true;
  }
  if (!message.is_response()) return false;
  const Json* id = message.id();
  const Json* asked_id = asked.message.id();
  if (likeness == Likeness::kExact) {
    return id != nullptr && asked_id != nullptr && SameId(*id, *asked_id);
  }
  if (id == nullptr || id->is_null()) {
    if (likeness == Likeness::kAlike) return false;
    // An error that names no request may be this one's, unless a line whose id nobody can read
    // still waits for it. A result that names none is more likely the answer to what wants no
    // answer.
    if (MayBeAnsweredWithoutId(asked.message) || likeness == Likeness::kUnlikely) return true;
    return message.kind == Message::Kind::kError && !OwesUnnamedAnswer(asked.connection);
  }
  // A line whose id could not be read may have been readable to the server.
  if (asked_id == nullptr) return true;
  // A number that came back as a string, or rounded: the oracle tells, but it is the answer.
  const auto as_text = [](const Json& value) {
    return value.is_string() ? value.text() : value.Dump();
  };
  return as_text(*id) == as_text(*asked_id) ||
         (id->is_number() && asked_id->is_number() && id->AsDouble() == asked_id->AsDouble());
}

std::optional<std::size_t> Dialogue::TakeAnswer(const Session& session, std::size_t entry,
                                                Likeness worst) {
  if (session.connection->over_http()) return TakeHttpAnswer(session, entry);
  for (const Likeness likeness :
       {Likeness::kExact, Likeness::kAlike, Likeness::kLoose, Likeness::kUnlikely}) {
    if (likeness > worst) break;
    for (std::size_t i = entry + 1; i < transcript_.entries.size(); ++i) {
      if (claimed_[i] || !Arrived(session, i)) continue;
      const Entry& candidate = transcript_.entries[i];
      if (!Answers(entry, candidate, likeness)) continue;
      const Json* id = candidate.message.id();
      if (likeness != Likeness::kExact && id != nullptr && IsIdOfAnother(session, entry, *id)) {
        continue;
      }
      const bool unnamed = id == nullptr || id->is_null();
      if (unnamed && MayBeAnsweredWithoutId(transcript_.entries[entry].message)) {
        --unnamed_[session.name];
      }
      Claim(i);
      return i;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Dialogue::TakeAnswer(const Session& session, std::size_t entry) {
  return TakeAnswer(session, entry, Likeness::kLoose);
}

Task<Answer> Dialogue::AwaitAnswer(Session& session, std::size_t entry) {
  Answer answer;
  const Clock::time_point began = Clock::now();
  // What is no proper request is often passed over in silence: that need not be waited for long,
  // once the server has shown that it is up.
  const bool proper = IsProperRequest(transcript_.entries[entry].message);
  // A server that has said nothing yet may still be starting.
  const bool is_up = HasSpoken(session);
  const HttpRequest* request = transcript_.entries[entry].request.get();
  const bool comes_late = heads_come_late && request != nullptr && request->method == "GET";
  const auto patience = comes_late         ? std::chrono::milliseconds(0)
                        : is_up && !proper ? timeout_ / 5
                        : is_up || !proper ? timeout_
                                           : start_within_;
  Clock::time_point deadline = began + patience;
  std::optional<std::size_t> fence;
  bool fence_answered = false;
  bool overdue = false;
  for (;;) {
    // Only when an answer is overdue, one that is hardly one will do: what has no id may be meant
    // for something else, and the real answer still come.
    const bool behind_fence = fence_answered && !OwesUnnamedAnswer(session.name);
    const Likeness worst = overdue || behind_fence ? Likeness::kUnlikely
                           : proper                ? Likeness::kAlike
                                                   : Likeness::kLoose;
    if (const auto found = TakeAnswer(session, entry, worst)) {
      if (fence && !fence_answered) stray_fences_.push_back(*fence);
      answer.entry = *found;
      co_return answer;
    }
    if (session.connection->over_http()) {
      if (const auto end = HttpAnswered(entry)) {
        if (fence && !fence_answered) stray_fences_.push_back(*fence);
        answer.state = Answer::State::kEmpty;
        answer.entry = *end;
        co_return answer;
      }
    }
    if (fence && !fence_answered && TakeAnswer(session, *fence, Likeness::kAlike)) {
      fence_answered = true;
      deadline = Clock::now() + patience;
      continue;
    }
    if (session.lane->disturbed()) {
      answer.state = Answer::State::kDisturbed;
      co_return answer;
    }
    if (Over(session)) {
      answer.state = Answer::State::kGone;
      co_return answer;
    }
    if (!fence && proper && !session.connection->over_http() && HasUnnamedAnswer(session, entry)) {
      fence = SendFence(session);  // what is answered in order will have been answered before it
    }
    if (Clock::now() < deadline) {
      co_await session.lane->bell().Wait(deadline);
    } else if (!overdue) {
      overdue = true;
      if (!fence) fence = SendFence(session);
      deadline = began + (is_up ? timeout_ : start_within_) + timeout_;
    } else {
      break;
    }
  }
  if (fence_answered) {
    Note(session, Entry::Event::kDropped, "a later request was answered, this one was not");
    transcript_.entries.back().message = transcript_.entries[entry].message;
    transcript_.entries.back().step = transcript_.entries[entry].step;
    answer.state = Answer::State::kDropped;
  } else {
    Note(session, Entry::Event::kHang, "a further request was not answered either");
    answer.state = Answer::State::kHang;
    session.over = true;
  }
  co_return answer;
}

bool Dialogue::OwesUnnamedAnswer(const std::string& session) const {
  const auto unnamed = unnamed_.find(session);
  return unnamed != unnamed_.end() && unnamed->second > 0;
}

bool Dialogue::HasUnnamedAnswer(const Session& session, std::size_t request) const {
  for (std::size_t i = request + 1; i < transcript_.entries.size(); ++i) {
    if (claimed_[i] || !Arrived(session, i)) continue;
    const Message& message = transcript_.entries[i].message;
    if (!message.is_response()) continue;
    if (message.id() == nullptr || message.id()->is_null()) return true;
  }
  return false;
}

bool Dialogue::HasSpoken(const Session& session) const {
  return std::any_of(
      transcript_.entries.begin(), transcript_.entries.end(), [&](const Entry& entry) {
        return entry.direction == Entry::Direction::kIn && entry.connection == session.name;
      });
}

// The answer to a fence that nobody waits for any more is nothing the server said of itself.
bool Dialogue::AnswersStrayFence(const Entry& entry) const {
  if (!entry.message.is_response() || entry.message.id() == nullptr) return false;
  return std::any_of(stray_fences_.begin(), stray_fences_.end(), [&](std::size_t fence) {
    const Entry& sent = transcript_.entries[fence];
    return sent.connection == entry.connection && SameId(*sent.message.id(), *entry.message.id());
  });
}

std::size_t Dialogue::SendFence(Session& session) {
  const Json id = session.connection->NextId();
  Json fence =
      MakeMessage(&id, session.spoke == Era::kModern ? "server/discover" : "ping", nullptr);
  if (session.spoke == Era::kModern) {
    AddEnvelope(fence, GoodEnvelope(std::string(kNewestModern), client_));
  }
  return Send(session, fence, true);
}

Task<void> Dialogue::AwaitAllTaken(Session& session, std::function<bool()> enough) {
  const Clock::time_point deadline = Clock::now() + timeout_;
  for (std::size_t i = 0; i < transcript_.entries.size(); ++i) {
    const Entry& entry = transcript_.entries[i];
    const Message::Kind kind = entry.message.kind;
    if (entry.direction != Entry::Direction::kOut || entry.connection != session.name ||
        kind == Message::Kind::kRequest || kind == Message::Kind::kBatch ||
        (entry.request != nullptr && entry.request->method != "POST")) {
      continue;
    }
    while (!transcript_.HttpEnd(i) && !enough() && !Over(session) && Clock::now() < deadline) {
      co_await session.lane->bell().Wait(deadline);
    }
  }
}

Task<bool> Dialogue::Fence(Session& session) {
  // The HTTP answer to what wants no other is the first fence.
  if (session.connection->over_http()) co_await AwaitAllTaken(session, [] { return false; });
  const std::size_t fence = SendFence(session);
  const Clock::time_point deadline = Clock::now() + (HasSpoken(session) ? timeout_ : start_within_);
  for (;;) {
    // What has no id is rather the answer to something before it, or to what wants none.
    if (TakeAnswer(session, fence, Likeness::kAlike)) co_return true;
    if (session.connection->over_http() && transcript_.HttpEnd(fence)) co_return true;
    if (session.lane->disturbed() || Over(session)) co_return false;
    if (Clock::now() >= deadline)
      co_return TakeAnswer(session, fence, Likeness::kUnlikely).has_value();
    co_await session.lane->bell().Wait(deadline);
  }
}

Task<std::optional<std::size_t>> Dialogue::AwaitEntry(Session& session, Clock::time_point deadline,
                                                      std::function<bool(const Entry&)> wanted) {
  std::size_t seen = 0;
  for (;;) {
    for (; seen < transcript_.entries.size(); ++seen) {
      if (claimed_[seen] || !Arrived(session, seen) || !wanted(transcript_.entries[seen])) continue;
      Claim(seen);
      co_return seen;
    }
    if (session.lane->disturbed() || Over(session) || Clock::now() >= deadline) {
      co_return std::nullopt;
    }
    co_await session.lane->bell().Wait(deadline);
  }
}

Task<const Message*> Dialogue::Ask(Session& session, std::string method, const Json* params,
                                   Era era, std::string revision) {
  const Json id = session.connection->NextId();
  Json request = MakeMessage(&id, method, params);
  if (era == Era::kModern) AddEnvelope(request, GoodEnvelope(revision, client_));
  session.spoke = era;
  const std::size_t entry = Send(session, request, true);
  const Answer answer = co_await AwaitAnswer(session, entry);
  if (answer.state != Answer::State::kAnswered) co_return nullptr;
  co_return &transcript_.entries[answer.entry].message;
}

Task<std::string> Dialogue::Handshake(Session& session, std::string revision) {
  const Json params = InitializeParams(revision, client_);
  const Message* answer = co_await Ask(session, "initialize", &params, Era::kLegacy, revision);
  if (answer == nullptr) co_return "initialize was not answered";
  if (answer->kind != Message::Kind::kResult) {
    co_return "initialize was refused: " + answer->body.Dump();
  }
  const auto negotiated = answer->result()->FindString("protocolVersion");
  if (negotiated != revision) {
    co_return "asked for " + revision + ", the server speaks " + negotiated.value_or("no version");
  }
  Send(session, MakeMessage(nullptr, "notifications/initialized", nullptr), true);
  co_return "";
}

}  // namespace assay
