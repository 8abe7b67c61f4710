// Each request is a coroutine: it takes an idle connection or opens one, and gives it back when the
// answer is whole.

#include "transport/http_channel.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <map>
#include <utility>

#include "message/json.h"
#include "transport/event_outlet.h"
#include "transport/http_answer.h"
#include "transport/http_socket.h"
#include "transport/output_allowance.h"
#include "transport/sse_parser.h"

namespace assay {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;

constexpr milliseconds kConnectTime{5000};
// A server's `retry` is kept to, up to this.
constexpr milliseconds kLongestRetry{2000};
constexpr int kMostResumptions = 10;
constexpr char kEventStream[] = "text/event-stream";
// How much of something that was cut, or is no message, goes into words.
constexpr std::size_t kShown = 200;

// The bytes of a request: what it says itself comes before what the target adds. Values go out as
// they are, whatever is in them.
std::string Serialize(const HttpRequest& request, const HttpTarget& target) {
  std::string bytes =
      request.method + " " + (request.path.empty() ? target.path : request.path) + " HTTP/1.1\r\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    bytes.append(name).append(": ").append(value).append("\r\n");
  };
  const auto targets_own = [&](std::string_view name) {
    return std::ranges::any_of(
        target.fields, [&](const HttpField& field) { return SameFieldName(field.name, name); });
  };
  const auto left_out = [&](std::string_view name) {
    return std::ranges::any_of(request.without, [&](const std::string& unwanted) {
      return SameFieldName(unwanted, name);
    });
  };
  if (request.Find("Host") == nullptr && !targets_own("Host") && !left_out("Host")) {
    add("Host", target.Authority());
  }
  for (const HttpField& field : request.fields) add(field.name, field.value);
  for (const HttpField& field : target.fields) {
    if (request.Find(field.name) == nullptr && !left_out(field.name)) add(field.name, field.value);
  }
  const bool has_body = request.method == "POST" || !request.body.empty();
  if (has_body && request.Find("Content-Length") == nullptr &&
      request.Find("Transfer-Encoding") == nullptr) {
    add("Content-Length", std::to_string(request.body.size()));
  }
  return bytes + "\r\n" + request.body;
}

// The request that takes up the stream that answered `request` after the event `id`.
HttpRequest Resumption(const HttpRequest& request, const std::string& id) {
  HttpRequest again{.method = "GET",
                    .path = request.path,
                    .fields = request.fields,
                    .body = "",
                    .without = request.without};
  std::erase_if(again.fields, [](const HttpField& field) {
    return SameFieldName(field.name, "Content-Type") || SameFieldName(field.name, "Accept") ||
           SameFieldName(field.name, "Content-Length") ||
           SameFieldName(field.name, "Transfer-Encoding") ||
           SameFieldName(field.name, "Last-Event-ID");
  });
  again.fields.push_back({"Accept", kEventStream});
  again.fields.push_back({"Last-Event-ID", id});
  return again;
}

bool IsResponse(const Json& message) {
  if (message.is_array()) return std::ranges::any_of(message.items(), IsResponse);
  return message.is_object() &&
         (message.Find("result") != nullptr || message.Find("error") != nullptr);
}

// What comes with an error status may be a response (2025-11-25 transports § Sending Messages), or
// whatever else the server has to say.
bool IsMessage(const Json& body, int status) {
  return status < 400 || body.is_array() || body.Find("jsonrpc") != nullptr;
}

// One request that is under way, until its kHttpEnd.
struct Exchange {
  Exchange(Loop& loop, int its_number, HttpRequest its_request)
      : number(its_number), request(std::move(its_request)), broken_off(loop) {}

  const int number;
  const HttpRequest request;
  std::shared_ptr<HttpSocket> socket;  // the connection that carries it
  std::shared_ptr<const HttpHead> head;
  std::string why_broken_off;  // by us
  Bell broken_off;

  // Of the event streams that answered it, the first one and those that went on with it.
  bool answered = false;  // a response came in one of them
  std::string last_event_id;
  milliseconds retry{0};
};

// The part of the channel that its coroutines keep alive.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Loop& loop, HttpTarget target, const ChannelLimits& limits)
      : loop_(loop),
        target_(std::move(target)),
        limits_(limits),
        dialer_(loop, target_),
        allowance_(limits.output),
        changed_(loop) {}

  void Listen(std::function<void(ChannelEvent)> listener) { outlet_.Listen(std::move(listener)); }

  int Request(HttpRequest request) {
    const int number = ++requests_;
    auto exchange = std::make_shared<Exchange>(loop_, number, std::move(request));
    if (shut_down_) exchange->why_broken_off = "broken off by us: the channel was shut down before";
    under_way_.emplace(number, exchange);
    allowance_.Ask();
    asio::co_spawn(loop_.context(), Carry(shared_from_this(), std::move(exchange)), asio::detached);
    return number;
  }

  void Drop(int number) {
    const auto found = under_way_.find(number);
    if (found != under_way_.end()) BreakOff(*found->second, "broken off by us");
  }

  const std::string& path() const { return target_.path; }
  bool ended() const { return shut_down_ && under_way_.empty(); }

  Task<bool> Ended(Clock::time_point deadline) {
    const auto self = shared_from_this();
    while (!ended() && Clock::now() < deadline) co_await changed_.Wait(deadline);
    co_return ended();
  }

  Task<void> Shutdown() {
    const auto self = shared_from_this();
    ShutDown();
    co_await Ended(Clock::time_point::max());
  }

  // At once, and nothing more is told: the owner goes.
  void Abandon() {
    outlet_.Close();
    ShutDown();
  }

 private:
  // How one request over the wire went.
  struct Outcome {
    std::string error;      // in words, "" if it went well
    bool streamed = false;  // the answer was an event stream
  };

  void ShutDown() {
    shut_down_ = true;
    for (const auto& socket : std::exchange(idle_, {})) socket->Close();
    for (const auto& [number, exchange] : under_way_) {
      BreakOff(*exchange, "broken off by us: the channel was shut down");
    }
    changed_.Ring();
  }

  static void BreakOff(Exchange& exchange, const std::string& why) {
    if (!exchange.why_broken_off.empty()) return;
    exchange.why_broken_off = why;
    if (exchange.socket) exchange.socket->Close();
    exchange.broken_off.Ring();
  }

  // What comes of `exchange`. Nothing does once it is broken off.
  void Tell(const Exchange& exchange, Entry::Event event, std::string bytes) {
    if (!exchange.why_broken_off.empty()) return;
    Deliver(exchange, {.event = event, .bytes = std::move(bytes)});
  }
  void TellMessage(const Exchange& exchange, std::string bytes) {
    if (!exchange.why_broken_off.empty()) return;
    Deliver(exchange, {.direction = Entry::Direction::kIn, .bytes = std::move(bytes)});
  }
  void Deliver(const Exchange& exchange, ChannelEvent event) {
    event.exchange = exchange.number;
    event.head = exchange.head;
    outlet_.Deliver(std::move(event));
  }

  // A request from its beginning to its kHttpEnd.
  static Task<void> Carry(std::shared_ptr<Client> self, std::shared_ptr<Exchange> exchange) {
    co_await asio::post(self->loop_.context(), asio::use_awaitable);  // Request returns first
    const std::string not_resumed;
    Outcome outcome = co_await self->Ask(*exchange, exchange->request, not_resumed);
    if (outcome.streamed && exchange->request.resumes) {
      outcome.error = co_await self->Resume(*exchange, std::move(outcome.error));
    }
    const bool by_us = !exchange->why_broken_off.empty();
    self->under_way_.erase(exchange->number);
    self->Deliver(*exchange, {.event = Entry::Event::kHttpEnd,
                              .bytes = by_us ? exchange->why_broken_off : outcome.error});
    self->changed_.Ring();
  }

  // Asks for the rest of an event stream that ended, with `error` or without, until the answer is
  // there. Returns how that went in the end.
  Task<std::string> Resume(Exchange& exchange, std::string error) {
    for (int count = 0; !exchange.answered && !exchange.last_event_id.empty(); ++count) {
      if (count == kMostResumptions) {
        co_return "the stream broke off again, after it was taken up " + std::to_string(count) +
            " times" + (error.empty() ? "" : ": " + error);
      }
      const Clock::time_point then = Clock::now() + std::min(exchange.retry, kLongestRetry);
      while (exchange.why_broken_off.empty() && Clock::now() < then) {
        co_await exchange.broken_off.Wait(then);
      }
      const std::string id = exchange.last_event_id;
      const HttpRequest request = Resumption(exchange.request, id);
      Outcome outcome = co_await Ask(exchange, request, id);
      error = std::move(outcome.error);
      if (!outcome.streamed) {
        co_return "the stream broke off, and could not be taken up after event " + id + ": " +
            error;
      }
    }
    co_return error;
  }

  // Sends `request` and tells what comes. With `resumed_after`, the id of an event, only an event
  // stream will do for an answer.
  Task<Outcome> Ask(Exchange& exchange, const HttpRequest& request,
                    const std::string& resumed_after) {
    const std::string bytes = Serialize(request, target_);
    Outcome outcome;
    for (bool may_reuse = true; exchange.why_broken_off.empty(); may_reuse = false) {
      const bool reused = may_reuse && !idle_.empty() && !request.misuses_connection();
      if (reused) {
        exchange.socket = std::move(idle_.back());
        idle_.pop_back();
      } else {
        exchange.socket = dialer_.Dial();
        outcome.error = co_await exchange.socket->Connect(Clock::now() + kConnectTime);
        if (!outcome.error.empty()) break;
      }
      const bool begun = co_await Converse(exchange, request, bytes, resumed_after, outcome);
      // The server may have closed an idle connection before it saw the request.
      if (begun || !reused) break;
    }
    exchange.socket = nullptr;
    co_return outcome;
  }

  // Sends `bytes` over the connection and reads the answer. Returns whether any of it came.
  Task<bool> Converse(Exchange& exchange, const HttpRequest& request, const std::string& bytes,
                      const std::string& resumed_after, Outcome& outcome) {
    const std::shared_ptr<HttpSocket> socket = exchange.socket;
    outcome = {};
    Reading reading(*this, exchange, resumed_after);
    HttpAnswer answer(request.method == "HEAD",
                      {[&](HttpHead head, const std::string& status_line) {
                         reading.TakeHead(std::move(head), status_line);
                       },
                       [&](std::string_view piece) { reading.TakeBody(piece); }});
    error_code write_error;
    co_await socket->Write(bytes + request.behind, write_error);
    if (request.half_closes) socket->CloseWriting();
    // A server may well answer, and close, before it has read all of a request.
    error_code error;
    std::vector<char> buffer(std::size_t{16} << 10);
    while (!answer.done() && answer.error().empty() && !reading.refused()) {
      const std::size_t size = co_await socket->Read(buffer.data(), buffer.size(), error);
      if (size == 0) {
        answer.End();
        break;
      }
      answer.Feed({buffer.data(), size});
      if (allowance_.exceeded()) {
        Tell(exchange, Entry::Event::kFlood,
             "far more output than was asked for: the connection was closed");
        BreakOff(exchange, "broken off by us: a flood");
      }
      if (!exchange.why_broken_off.empty()) break;
    }
    const std::string why = request.misuses_connection()
                                ? WhyMisused(answer)
                                : WhyBroken(answer, write_error ? write_error : error);
    outcome.error = reading.End(why);
    outcome.streamed = reading.streams();
    if (answer.keeps_alive() && answer.surplus() == 0 && !write_error &&
        exchange.why_broken_off.empty() && !request.misuses_connection()) {
      idle_.push_back(socket);
    } else {
      socket->Close();
    }
    co_return answer.begun();
  }

  // A server may take a client that writes no more, or writes out of turn, for one that has gone.
  static std::string WhyMisused(const HttpAnswer& answer) {
    if (!answer.error().empty()) return answer.error();
    return answer.done() ? "" : "broken off by us: the connection was used in an unusual way";
  }

  std::string WhyBroken(const HttpAnswer& answer, const error_code& error) const {
    if (!answer.error().empty()) return answer.error();
    if (answer.done()) {
      return answer.surplus() == 0
                 ? ""
                 : std::to_string(answer.surplus()) + " bytes came after the end of the answer";
    }
    const std::string where =
        error ? "the connection to " + target_.Authority() + " broke (" + error.message() + ")"
              : target_.Authority() + " closed the connection";
    return where + (answer.begun() ? " in mid answer" : " without an answer");
  }

  // What is made of one answer.
  class Reading {
   public:
    Reading(Client& client, Exchange& exchange, const std::string& resumed_after)
        : client_(client),
          exchange_(exchange),
          resumed_after_(resumed_after),
          events_(client.limits_.line,
                  {[this](SseParser::Event event) { TakeEvent(std::move(event)); },
                   [this](const std::string& head) { TellCut("an event", head); }}) {}

    void TakeHead(HttpHead head, const std::string& status_line) {
      streams_ = head.MediaType() == kEventStream;
      status_line_ = status_line;
      if (refused()) return;
      exchange_.head = std::make_shared<const HttpHead>(std::move(head));
      client_.Tell(
          exchange_, Entry::Event::kHttpHead,
          resumed_after_.empty() ? status_line : status_line + ", after event " + resumed_after_);
    }

    void TakeBody(std::string_view piece) {
      if (refused()) return;
      client_.allowance_.Take(piece.size(), 0);
      if (streams_) {
        events_.Feed(piece);
        exchange_.last_event_id =
            events_.last_event_id().empty() ? exchange_.last_event_id : events_.last_event_id();
        if (events_.retry() && !std::exchange(told_retry_, true)) {
          client_.Tell(exchange_, Entry::Event::kHttpRetry,
                       "retry: " + std::to_string(events_.retry()->count()) + " ms");
        }
        exchange_.retry = events_.retry().value_or(exchange_.retry);
      } else if (!cut_) {
        body_.append(piece);
        cut_ = body_.size() > client_.limits_.line;
        if (cut_) TellCut("a body", std::exchange(body_, {}));
      }
    }

    // The answer has ended, badly if `why` is not empty. Returns what is wrong with it.
    std::string End(const std::string& why) {
      if (refused()) return "it was answered with " + status_line_;
      if (streams_) {
        if (!events_.EndsInMidEvent()) return why;
        return "the stream ended in mid event" + (why.empty() ? "" : ": " + why);
      }
      if (body_.empty()) return why;
      const JsonParse parsed = ParseJson(body_);
      if (parsed.value && IsMessage(*parsed.value, exchange_.head->status)) {
        client_.TellMessage(exchange_, std::move(body_));
      } else {
        client_.Tell(exchange_, Entry::Event::kHttpBody,
                     body_.substr(0, client_.limits_.stderr_head));
      }
      return why;
    }

    bool streams() const { return streams_; }
    // It was to go on with a stream, and does not.
    bool refused() const { return !resumed_after_.empty() && !status_line_.empty() && !streams_; }

   private:
    void TakeEvent(SseParser::Event event) {
      client_.allowance_.Take(0, 1);
      if (!event.type.empty() && event.type != "message") {
        client_.Tell(exchange_, Entry::Event::kHttpBody,
                     "an event of type " + event.type.substr(0, kShown) + ": " +
                         event.data.substr(0, client_.limits_.stderr_head));
      } else if (event.data.empty()) {
        client_.Tell(exchange_, Entry::Event::kHttpNoData, "an event without data");
      } else {
        if (exchange_.request.resumes) {
          const JsonParse message = ParseJson(event.data);
          exchange_.answered = exchange_.answered || (message.value && IsResponse(*message.value));
        }
        client_.TellMessage(exchange_, std::move(event.data));
      }
      if (event.id) client_.Tell(exchange_, Entry::Event::kHttpEventId, *event.id);
    }

    void TellCut(const std::string& what, const std::string& head) {
      client_.Tell(exchange_, Entry::Event::kOverlongLine,
                   what + " passed " + std::to_string(client_.limits_.line) +
                       " bytes and was cut; it began: " + head.substr(0, kShown));
    }

    Client& client_;
    Exchange& exchange_;
    const std::string& resumed_after_;
    SseParser events_;
    std::string status_line_;
    std::string body_;
    bool streams_ = false;
    bool cut_ = false;
    bool told_retry_ = false;
  };

  Loop& loop_;
  const HttpTarget target_;
  const ChannelLimits limits_;
  HttpDialer dialer_;
  EventOutlet outlet_;
  OutputAllowance allowance_;
  Bell changed_;
  std::map<int, std::shared_ptr<Exchange>> under_way_;
  std::vector<std::shared_ptr<HttpSocket>> idle_;
  int requests_ = 0;
  bool shut_down_ = false;
};

class HttpChannel final : public Channel {
 public:
  explicit HttpChannel(std::shared_ptr<Client> client) : client_(std::move(client)) {}
  ~HttpChannel() override { client_->Abandon(); }
  HttpChannel(const HttpChannel&) = delete;
  HttpChannel& operator=(const HttpChannel&) = delete;

  void Listen(std::function<void(ChannelEvent)> listener) override {
    client_->Listen(std::move(listener));
  }
  bool speaks_http() const override { return true; }
  std::string path() const override { return client_->path(); }
  int Request(HttpRequest request) override { return client_->Request(std::move(request)); }
  void Drop(int exchange) override { client_->Drop(exchange); }
  void Signal(int /*signal*/) override {}  // the process, if it is ours, is somebody else's
  bool ended() const override { return client_->ended(); }
  Task<bool> Ended(Clock::time_point deadline) override { return client_->Ended(deadline); }
  Task<void> Shutdown(milliseconds /*grace*/) override { return client_->Shutdown(); }

 private:
  std::shared_ptr<Client> client_;
};

}  // namespace

std::unique_ptr<Channel> ConnectHttp(Loop& loop, const HttpTarget& target,
                                     const ChannelLimits& limits) {
  return std::make_unique<HttpChannel>(std::make_shared<Client>(loop, target, limits));
}

}  // namespace assay
