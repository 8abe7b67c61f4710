// A dialogue: one transcript being made. Sends messages over named connections, records all that
// comes back, and finds the answers in it. Exchanges and discovery are both built on it.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/connection.h"
#include "exchange/envelope.h"
#include "transcript/transcript.h"

namespace assay {

// What became of something that wanted an answer.
struct Answer {
  enum class State {
    kAnswered,  // entry
    kDropped,   // no answer, though a later request was answered
    kEmpty,     // over HTTP: the answer ended without a message; entry is that end
    kHang,      // no answer to a later request either
    kGone,      // the server ended, or closed its output
    kDisturbed  // on a shared connection: nothing can be said
  };
  State state = State::kAnswered;
  std::size_t entry = 0;  // index into the transcript
};

// One connection as a dialogue sees it.
struct Session {
  std::string name;
  std::shared_ptr<Connection> connection;
  std::shared_ptr<Lane> lane;
  // The era of what was last asked on it: decides what a fence is.
  Era spoke = Era::kNone;
  // Over HTTP: headers of every request that does not say them itself; null leaves one out.
  Json headers = Json::Object();
  bool over = false;  // ended, stuck, or its output closed
};

class Dialogue {
 public:
  // `timeout` is for each answer; the first one of a server may take `start_within`, if that is
  // longer.
  Dialogue(Transcript& transcript, ClientIdentity client, std::chrono::milliseconds timeout,
           std::chrono::milliseconds start_within);
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  Session& Attach(const std::string& name, std::shared_ptr<Connection> connection, bool alone);
  Session* Find(const std::string& name);
  std::map<std::string, Session>& sessions() { return sessions_; }
  const ClientIdentity& client() const { return client_; }
  std::chrono::milliseconds timeout() const { return timeout_; }
  Transcript& transcript() { return transcript_; }

  // Called for every entry that came in, after it was recorded.
  std::function<void(std::size_t entry)> on_arrival;
  // Which step is at work: stamped on the entries.
  std::string step;
  // The server's modern tools, if they are known: some of their arguments are mirrored in HTTP
  // fields. Must outlive the dialogue.
  const Json* tools = nullptr;
  // Over HTTP: the server keeps the head of a stream back until there is an event to send
  // (EraFacts::heads_come_late). What it does not send is then not waited for.
  bool heads_come_late = false;

  // Sends a message, with a newline; over HTTP as a POST of its own, changed as `http` says.
  // Returns its entry.
  std::size_t Send(Session& session, const Json& message, bool by_harness = false,
                   const Json* http = nullptr);
  // Over HTTP: sends any request. Returns its entry.
  std::size_t SendHttp(Session& session, HttpRequest request, bool by_harness = false);
  // Over HTTP: breaks the connection on which the request with this id waits for its answer, which
  // is how a modern client cancels. False when there is none.
  bool Drop(Session& session, const Json& id);
  // Over HTTP: opens the stream on which a legacy server may speak unasked. Returns when the server
  // has answered, or, with `heads_come_late`, what was asked after the stream.
  Task<void> OpenStream(Session& session);
  // Over HTTP: asks for that stream and does not wait. Returns its entry.
  std::size_t AskForStream(Session& session);
  // Over HTTP: ends our legacy session, if there is one.
  Task<void> EndSession(Session& session);
  // Over HTTP: the head and the body of the answer that goes with `entry`, the request or any part
  // of its answer; the head is null when there is none.
  struct HttpAnswer {
    std::shared_ptr<const HttpHead> head;
    std::string body;
  };
  HttpAnswer HttpAnswerTo(std::size_t entry) const;
  // Writes `line` and `end` in pieces that begin at `split`. Returns its entry.
  std::size_t SendRaw(Session& session, const std::string& line, const std::string& end,
                      const std::vector<std::size_t>& split, const Json* http = nullptr);
  void Note(const Session& session, Entry::Event event, std::string words);
  void NoteMemory(const Session& session, std::size_t bytes);
  // What happened to `connection`, which may be none of ours: an instance. Returns its entry.
  std::size_t Note(const std::string& connection, Entry::Event event, std::string words);

  // Waits for the answer to the request at `entry`. When it does not come soon, a fence tells a
  // server that is slow or stuck from one that lost the request: dropped is what is still
  // unanswered a timeout after the fence was; stuck is who answers nothing for two timeouts.
  Task<Answer> AwaitAnswer(Session& session, std::size_t entry);
  // The unclaimed answer to what was sent at `entry`, if it is there already; claims it.
  std::optional<std::size_t> TakeAnswer(const Session& session, std::size_t entry);
  // Asks something that must be answered and waits for the answer: true when it came in time.
  Task<bool> Fence(Session& session);
  // Waits for an entry that `wanted` accepts, looking at all unclaimed ones; claims it.
  Task<std::optional<std::size_t>> AwaitEntry(Session& session, Clock::time_point deadline,
                                              std::function<bool(const Entry&)> wanted);

  // A request of our own, e.g. of the handshake. The answer's message, or null.
  Task<const Message*> Ask(Session& session, std::string method, const Json* params, Era era,
                           std::string revision);
  // initialize and notifications/initialized. "" on success, else why not, in words.
  Task<std::string> Handshake(Session& session, std::string revision);

  bool claimed(std::size_t entry) const { return claimed_[entry]; }
  void Claim(std::size_t entry) { claimed_[entry] = true; }
  bool Arrived(const Session& session, std::size_t entry) const;  // an incoming line of `session`
  bool Over(const Session& session) const;

 private:
  std::size_t Record(Entry entry);
  std::size_t Post(Session& session, Entry entry, HttpRequest request);
  void NoteSession(Session& session, const Entry& arrived);
  // Where the answer to `entry` can be judged: at its end, or, of a stream that was opened by GET,
  // at its beginning, because it may never end.
  std::optional<std::size_t> HttpAnswered(std::size_t entry) const;
  // Over HTTP: until the server has taken, or refused, all that was sent so far and asks for
  // nothing, or it is `enough`.
  Task<void> AwaitAllTaken(Session& session, std::function<bool()> enough);
  // Until the HTTP request at `entry` has ended.
  Task<void> AwaitHttpEnd(Session& session, std::size_t entry, Clock::time_point deadline);
  std::optional<std::size_t> TakeHttpAnswer(const Session& session, std::size_t entry);
  // How surely an answer belongs to what was asked.
  enum class Likeness {
    kExact,    // it has the id
    kAlike,    // it has the id in another form
    kLoose,    // it has no id, where that may be
    kUnlikely  // a result without an id
  };
  bool Answers(std::size_t request, const Entry& entry, Likeness likeness) const;
  std::optional<std::size_t> TakeAnswer(const Session& session, std::size_t entry, Likeness worst);
  bool IsIdOfAnother(const Session& session, std::size_t request, const Json& id) const;
  std::size_t SendFence(Session& session);
  // Whether something sent that may be answered without an id was not answered yet.
  bool OwesUnnamedAnswer(const std::string& session) const;
  // Whether a response without an id came after `request` and is nobody's yet.
  bool HasUnnamedAnswer(const Session& session, std::size_t request) const;
  bool HasSpoken(const Session& session) const;
  bool AnswersStrayFence(const Entry& entry) const;

  Transcript& transcript_;
  ClientIdentity client_;
  std::chrono::milliseconds timeout_;
  std::chrono::milliseconds start_within_;
  Clock::time_point began_ = Clock::now();
  std::vector<bool> claimed_;
  std::map<std::string, Session> sessions_;
  std::vector<std::size_t> stray_fences_;  // whose answers are still to come
  // Lines that may be answered without an id, and were not yet, by session.
  std::map<std::string, int> unnamed_;
};

}  // namespace assay
