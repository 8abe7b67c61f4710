// What goes wrong with answers that are event streams, and with clients that go away
// (2025-11-25 basic/transports#streamable-http, 2026-07-28 basic/transports/streamable-http).
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "faults/fault_list.h"
#include "faults/http_edit.h"
#include "transport/http/answer_status.h"
#include "transport/http/sse.h"

namespace assay::reference {
namespace {

/// Says nothing of a client that goes away.
class DeafReply : public ForwardingReply {
 public:
  using ForwardingReply::ForwardingReply;
  void OnGone(std::function<void()> /*gone*/) override {}
};

HttpScript DisconnectIgnored() {
  return {.reply = [](const HttpRequest& request,
                      std::shared_ptr<HttpReply> reply) -> std::shared_ptr<HttpReply> {
    if (request.method != "POST") return reply;
    return std::make_shared<DeafReply>(std::move(reply));
  }};
}

/// Makes a JSON answer of the first message on a stream, whatever it is.
class FirstMessageReply : public ForwardingReply {
 public:
  using ForwardingReply::ForwardingReply;
  void Start(HttpResponse /*head*/) override {}
  void Write(std::string event) override {
    const std::string_view data = DataOf(event);
    if (data.empty() || std::exchange(answered_, true)) return;
    outer().Respond(JsonResponse(200, std::string(data)));
  }
  void End() override {
    if (!std::exchange(answered_, true)) outer().Respond({202});
  }

 private:
  bool answered_ = false;
};

HttpScript FirstMessageIsBody() {
  return {.reply = [](const HttpRequest& request,
                      std::shared_ptr<HttpReply> reply) -> std::shared_ptr<HttpReply> {
    if (MethodOf(request) != "tools/call") return reply;
    return std::make_shared<FirstMessageReply>(std::move(reply));
  }};
}

/// Puts a question on a stream, and leaves that open as long as the client does.
class WaitingReply : public ForwardingReply {
 public:
  using Kept = std::vector<std::shared_ptr<HttpReply>>;

  WaitingReply(std::shared_ptr<HttpReply> own, std::shared_ptr<Kept> kept)
      : ForwardingReply(own), own_(std::move(own)), kept_(std::move(kept)) {}
  void Respond(HttpResponse response) override {
    constexpr std::string_view kQuestion = R"("resultType":"input_required")";
    if (response.body.find(kQuestion) == std::string::npos) return own_->Respond(response);
    own_->Start({200, {{"Content-Type", "text/event-stream"}, {"X-Accel-Buffering", "no"}}});
    own_->Write(SseEvent(response.body));
    kept_->push_back(own_);
  }

 private:
  std::shared_ptr<HttpReply> own_;
  std::shared_ptr<Kept> kept_;
};

HttpScript QuestionStaysOpen() {
  return {.reply = [kept = std::make_shared<WaitingReply::Kept>()](
                       const HttpRequest& request,
                       std::shared_ptr<HttpReply> reply) -> std::shared_ptr<HttpReply> {
    if (MethodOf(request) != "tools/call") return reply;
    return std::make_shared<WaitingReply>(std::move(reply), kept);
  }};
}

Script ProgressOnGetStream() {
  return {.notification = [](FaultyMessage& notification) {
    if (notification.method == "notifications/progress") notification.related.clear();
  }};
}

/// A client dispatches an event at the blank line behind it.
HttpScript LastEventUnfinished() {
  return {.event = [](const HttpRequest&, std::string& event) {
    if (IsResponseEvent(event) && event.ends_with("\n\n")) event.pop_back();
  }};
}

/// Begins its stream with the first event.
class LateReply : public ForwardingReply {
 public:
  using ForwardingReply::ForwardingReply;
  void Start(HttpResponse head) override { head_ = std::move(head); }
  void Write(std::string event) override {
    Begin();
    outer().Write(std::move(event));
  }
  void End() override {
    Begin();
    outer().End();
  }

 private:
  void Begin() {
    if (!head_) return;
    outer().Start(*std::move(head_));
    head_.reset();
  }

  std::optional<HttpResponse> head_;
};

HttpScript GetSilentUntilFirstEvent() {
  return {.reply = [](const HttpRequest& request,
                      std::shared_ptr<HttpReply> reply) -> std::shared_ptr<HttpReply> {
    if (request.method != "GET") return reply;
    return std::make_shared<LateReply>(std::move(reply));
  }};
}

/// Where the responses of all streams go: to the stream that was opened last.
struct Newest {
  std::shared_ptr<HttpReply> reply;
};

class MisdirectedReply : public ForwardingReply {
 public:
  MisdirectedReply(std::shared_ptr<HttpReply> own, std::shared_ptr<Newest> newest)
      : ForwardingReply(own), own_(std::move(own)), newest_(std::move(newest)) {}
  ~MisdirectedReply() override { Forget(); }
  MisdirectedReply(const MisdirectedReply&) = delete;
  MisdirectedReply& operator=(const MisdirectedReply&) = delete;

  void Start(HttpResponse head) override {
    newest_->reply = own_;
    own_->Start(std::move(head));
  }
  void Write(std::string event) override {
    HttpReply& target = IsResponseEvent(event) && newest_->reply ? *newest_->reply : *own_;
    target.Write(std::move(event));
  }
  void End() override {
    Forget();
    own_->End();
  }

 private:
  void Forget() {
    if (newest_->reply == own_) newest_->reply = nullptr;
  }

  std::shared_ptr<HttpReply> own_;
  std::shared_ptr<Newest> newest_;
};

HttpScript ResponseOnNewestStream() {
  return {.reply = [newest = std::make_shared<Newest>()](
                       const HttpRequest& request,
                       std::shared_ptr<HttpReply> reply) -> std::shared_ptr<HttpReply> {
    if (request.method != "POST") return reply;
    return std::make_shared<MisdirectedReply>(std::move(reply), newest);
  }};
}

/// The server primes the streams of the revisions that know it; the first event of any other one
/// has a message.
HttpScript OlderStreamsPrimed() {
  return {.event = [](const HttpRequest&, std::string& event) {
    const std::size_t line_end = event.find('\n');
    const bool is_first = event.starts_with("id: ") && event.substr(0, line_end).ends_with("-0");
    if (is_first && !DataOf(event).empty()) event.insert(0, "data: \n\n");
  }};
}

HttpScript NoAccelBuffering() {
  return {.head = [](const HttpRequest&, HttpResponse& head) {
    EraseHeader(head.headers, "X-Accel-Buffering");
  }};
}

}  // namespace

std::vector<NamedFault> HttpStreamFaults() {
  return {
      {"http-disconnect-ignored", "M-HTTP-DISCONNECT-CANCELS", "BUG-117",
       "goes on with a call whose client went away", DisconnectIgnored},
      {"http-first-message-is-body", "M-HTTP-JSON-SINGLE-OBJECT", "BUG-125",
       "answers a call with its first progress as a JSON body", FirstMessageIsBody},
      {"http-question-stays-open", "C-FLEET-MRTR-HOLDS-NOTHING", "-",
       "keeps the stream open on which it asks in the modern era, while the user thinks",
       QuestionStaysOpen},
      {"http-progress-on-get-stream", "L-HTTP-get-unrelated", "BUG-126",
       "reports progress on the stream of the GET", ProgressOnGetStream},
      {"http-last-event-unfinished", "L-HTTP-sse-response-eventually", "BUG-235",
       "leaves out the blank line behind the last event of a stream", LastEventUnfinished},
      {"http-get-silent", "L-HTTP-get-sse-or-405", "BUG-236",
       "sends nothing on a GET until there is an event", GetSilentUntilFirstEvent},
      {"http-response-on-newest-stream", "L-HTTP-sse-response-eventually", "BUG-241",
       "sends a response on the stream that was opened last", ResponseOnNewestStream},
      {"http-older-streams-primed", "L-HTTP-sse-format", "BUG-243",
       "begins streams with an event without data in revisions that have no such thing",
       OlderStreamsPrimed},
      {"http-no-accel-buffering", "M-HTTP-SSE-X-ACCEL-BUFFERING", "BUG-244",
       "leaves X-Accel-Buffering out of event streams", NoAccelBuffering},
  };
}

}  // namespace assay::reference
