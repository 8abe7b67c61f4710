// Recording, matching answers to what was asked, and telling silence from death.

#include "exchange/dialogue.h"

#include <utility>

namespace assay {

Dialogue::Dialogue(Loop& loop, Transcript& transcript, ClientIdentity client,
                   std::chrono::milliseconds timeout)
    : loop_(loop), transcript_(transcript), client_(std::move(client)), timeout_(timeout) {}

Dialogue::~Dialogue() {
  for (auto& [name, session] : sessions_) session.connection->Close(*session.lane);
}

Session& Dialogue::Attach(const std::string& name, std::shared_ptr<Connection> connection,
                          bool alone) {
  if (Session* old = Find(name)) old->connection->Close(*old->lane);
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
    if (event.direction == Entry::Direction::kIn && !event.terminated) {
      entry.unterminated = true;
    }
    const std::size_t index = Record(std::move(entry));
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
  transcript_.entries.push_back(std::move(entry));
  claimed_.push_back(false);
  return transcript_.entries.size() - 1;
}

std::size_t Dialogue::Send(Session& session, const Json& message, bool by_harness) {
  Entry entry;
  entry.connection = session.name;
  entry.bytes = message.Dump();
  entry.message = ParseMessage(entry.bytes);
  entry.by_harness = by_harness;
  const std::size_t index = Record(std::move(entry));
  const Entry& sent = transcript_.entries[index];
  session.connection->Send(session.lane, sent.bytes + "\n", sent.message);
  return index;
}

std::size_t Dialogue::SendRaw(Session& session, const std::string& line, const std::string& end,
                              const std::vector<std::size_t>& split) {
  Entry entry;
  entry.connection = session.name;
  entry.bytes = line;
  entry.message = ParseMessage(line);
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

void Dialogue::Note(const Session& session, Entry::Event event, std::string words) {
  Entry entry;
  entry.connection = session.name;
  entry.direction = Entry::Direction::kEvent;
  entry.event = event;
  entry.bytes = std::move(words);
  Record(std::move(entry));
}

bool Dialogue::Arrived(const Session& session, std::size_t entry) const {
  const Entry& candidate = transcript_.entries[entry];
  return candidate.direction == Entry::Direction::kIn && candidate.connection == session.name;
}

bool Dialogue::Over(const Session& session) const {
  return session.over || session.connection->ended();
}

bool Dialogue::Answers(std::size_t request, const Entry& entry, bool exactly) const {
  const Entry& asked = transcript_.entries[request];
  const Message& message = entry.message;
  const bool raw = asked.message.kind != Message::Kind::kRequest;
  if (raw && (message.kind == Message::Kind::kBatch || message.kind == Message::Kind::kOther)) {
    return true;
  }
  if (!message.is_response()) return false;
  const Json* id = message.id();
  const Json* asked_id = asked.message.id();
  if (exactly) return id != nullptr && asked_id != nullptr && SameId(*id, *asked_id);
  if (id == nullptr || id->is_null() || asked_id == nullptr) {
    // An answer that names no request answers this one, unless it can be another's.
    return id == nullptr || id->is_null() || raw;
  }
  // A number that came back as a string, or rounded: the oracle tells, but it is the answer.
  const auto as_text = [](const Json& value) {
    return value.is_string() ? value.text() : value.Dump();
  };
  return as_text(*id) == as_text(*asked_id) ||
         (id->is_number() && asked_id->is_number() && id->AsDouble() == asked_id->AsDouble());
}

std::optional<std::size_t> Dialogue::TakeAnswer(const Session& session, std::size_t entry) {
  for (const bool exactly : {true, false}) {
    for (std::size_t i = entry + 1; i < transcript_.entries.size(); ++i) {
      if (claimed_[i] || !Arrived(session, i)) continue;
      if (Answers(entry, transcript_.entries[i], exactly)) {
        Claim(i);
        return i;
      }
    }
  }
  return std::nullopt;
}

Task<Answer> Dialogue::AwaitAnswer(Session& session, std::size_t entry) {
  Answer answer;
  for (const bool after_fence : {false, true}) {
    const Clock::time_point deadline = Clock::now() + timeout_;
    for (;;) {
      if (const auto found = TakeAnswer(session, entry)) {
        answer.entry = *found;
        co_return answer;
      }
      if (session.lane->disturbed()) {
        answer.state = Answer::State::kDisturbed;
        co_return answer;
      }
      if (Over(session)) {
        answer.state = Answer::State::kGone;
        co_return answer;
      }
      if (Clock::now() >= deadline) break;
      co_await session.lane->bell().Wait(deadline);
    }
    if (after_fence) break;
    Note(session, Entry::Event::kTimeout,
         "no answer within " + std::to_string(timeout_.count()) + " ms");
    if (!co_await Fence(session)) {
      // The fence may have been answered late, or the answer have come meanwhile.
      if (const auto found = TakeAnswer(session, entry)) {
        answer.entry = *found;
        co_return answer;
      }
      answer.state = Over(session) && session.connection->ended() ? Answer::State::kGone
                                                                  : Answer::State::kHang;
      if (answer.state == Answer::State::kHang) {
        Note(session, Entry::Event::kHang, "a further request was not answered either");
        session.over = true;
      }
      co_return answer;
    }
  }
  Note(session, Entry::Event::kDropped, "a later request was answered, this one was not");
  transcript_.entries.back().message = transcript_.entries[entry].message;
  transcript_.entries.back().step = transcript_.entries[entry].step;
  answer.state = Answer::State::kDropped;
  co_return answer;
}

Task<bool> Dialogue::Fence(Session& session) {
  const Json id = session.connection->NextId();
  Json fence =
      MakeMessage(&id, session.spoke == Era::kModern ? "server/discover" : "ping", nullptr);
  if (session.spoke == Era::kModern) {
    AddEnvelope(fence, GoodEnvelope(std::string(kNewestModern), client_));
  }
  const std::size_t entry = Send(session, fence, true);
  const Clock::time_point deadline = Clock::now() + timeout_;
  for (;;) {
    if (TakeAnswer(session, entry)) co_return true;
    if (session.lane->disturbed() || Over(session) || Clock::now() >= deadline) co_return false;
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

Task<const Message*> Dialogue::Ask(Session& session, const std::string& method, const Json* params,
                                   Era era, const std::string& revision) {
  const Json id = session.connection->NextId();
  Json request = MakeMessage(&id, method, params);
  if (era == Era::kModern) AddEnvelope(request, GoodEnvelope(revision, client_));
  session.spoke = era;
  const std::size_t entry = Send(session, request, true);
  const Answer answer = co_await AwaitAnswer(session, entry);
  if (answer.state != Answer::State::kAnswered) co_return nullptr;
  co_return &transcript_.entries[answer.entry].message;
}

Task<std::string> Dialogue::Handshake(Session& session, const std::string& revision) {
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
