// A session of the legacy era over Streamable HTTP: one connection, whose messages go out on the
// streams of the POSTs they belong to, or on the stream that a GET opened
// (2025-11-25 basic/transports#streamable-http).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "catalog/scheduler.h"
#include "era/wire.h"
#include "transport/http/event_stream.h"
#include "transport/http/http_message.h"
#include "transport/http/post_body.h"

namespace assay::reference {

class HttpSession : public MessageSink {
 public:
  /// `principal` is whom the session belongs to. The scheduler must outlive the session.
  HttpSession(Scheduler& scheduler, std::string id, std::string principal);
  ~HttpSession() override { connection_.reset(); }  // it may still have something to say
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }

  /// To be called once, before anything else.
  void Connect(std::unique_ptr<LineHandler> connection);

  /// Whether `initialize` was answered with a result.
  bool is_open() const { return is_open_; }

  /// Serves the message or batch. The answer is JSON if it is there at once, with nothing before
  /// it; otherwise an event stream, which goes on when the client goes away.
  void Post(const PostBody& body, std::shared_ptr<HttpReply> reply);

  /// Opens the stream for what belongs to no request. There is one at a time.
  void Get(std::shared_ptr<HttpReply> reply);
  /// Goes on with the stream of that event, whoever opened it.
  void Resume(std::string_view last_event_id, std::shared_ptr<HttpReply> reply);

  /// Ends all streams.
  void End();
  /// The server is about to stop: calls may still end, the stream of the GET has no reason to stay.
  void HandleEnd();

  /// Whether anything is being worked on or listened to.
  bool is_busy() const;

  void Send(OutgoingMessage message) override;

 private:
  /// A POST that has not been answered.
  struct Exchange {
    std::shared_ptr<HttpReply> reply;
    std::set<std::string, std::less<>> open;        // the ids' JSON texts
    std::shared_ptr<EventStream> stream = nullptr;  // as soon as there is one
    bool is_initialize = false;
    bool answered = false;
  };

  std::shared_ptr<Exchange> ExchangeFor(const OutgoingMessage& message) const;
  void Answer(Exchange& exchange, std::string bytes);
  EventStream& StreamOf(Exchange& exchange);
  void Close(Exchange& exchange);
  void ForgetCancelled(const PostBody& body);
  void NoteInitialized(std::string_view answer);
  HttpHeaders IdHeader(const Exchange& exchange) const;

  Scheduler& scheduler_;
  std::string id_;
  std::string principal_;
  std::unique_ptr<LineHandler> connection_;
  bool is_open_ = false;
  bool primes_ = false;
  std::uint64_t last_stream_ = 0;
  std::shared_ptr<EventStream> general_;
  std::unordered_map<std::string, std::shared_ptr<Exchange>> exchanges_;  // by open id
  std::map<std::uint64_t, std::shared_ptr<EventStream>> streams_;         // of exchanges
  std::deque<std::uint64_t> ended_streams_;  // kept for those who come back
  std::shared_ptr<Exchange> current_;        // whose message is being handled
};

}  // namespace assay::reference
