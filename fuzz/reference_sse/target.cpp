// A stream of events of the reference server's legacy era, and a client that loses its connection
// again and again. The input is what happens, one character each; whatever happens, the client gets
// every message once, in order.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/manual_scheduler_for_test.h"
#include "fuzz/expect.h"
#include "fuzz/input.h"
#include "transport/http/event_stream.h"
#include "transport/http/sse.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

using reference::EventStream;
using reference::HttpReply;
using reference::HttpResponse;

struct Received {
  std::string bytes;
  bool started = false;
  bool ended = false;
  bool lost = false;
  std::function<void()> gone;
};

class Reply : public HttpReply {
 public:
  explicit Reply(std::shared_ptr<Received> received) : received_(std::move(received)) {}

  void Respond(HttpResponse /*response*/) override {
    Expect(false, "a stream is no answer as a whole");
  }
  void Start(HttpResponse head) override {
    Expect(!std::exchange(received_->started, true), "a stream begins once");
    Expect(head.status == 200, "a stream begins well");
  }
  void Write(std::string bytes) override {
    Expect(received_->started && !received_->ended, "events come between begin and end", bytes);
    received_->bytes += bytes;
  }
  void End() override {
    Expect(!std::exchange(received_->ended, true) || received_->lost, "a stream ends once");
  }
  void OnGone(std::function<void()> gone) override { received_->gone = std::move(gone); }

 private:
  std::shared_ptr<Received> received_;
};

struct Event {
  std::string id;
  std::string data;
};

// The whole events in `bytes`, by the HTML Standard §9.2.6, as far as this server uses it.
std::vector<Event> EventsIn(std::string_view bytes) {
  std::vector<Event> events;
  Event event;
  bool has_data = false;
  while (bytes.find('\n') != std::string_view::npos) {
    const std::string_view line = TakeLine(bytes);
    if (line.starts_with("data: ")) {
      if (std::exchange(has_data, true)) event.data += '\n';
      event.data += line.substr(6);
    } else if (line.starts_with("id: ")) {
      event.id = line.substr(4);
    } else if (line.empty()) {
      if (has_data || !event.id.empty()) events.push_back(std::exchange(event, {}));
      has_data = false;
    } else {
      Expect(line == ":" || line.starts_with("retry: "), "a line is a field", line);
    }
  }
  Expect(bytes.empty(), "an event is sent as a whole", bytes);
  return events;
}

std::uint64_t NumberOf(const std::string& id) {
  const auto place = reference::EventId::Parse(id);
  Expect(place && place->text() == id, "an event's id is the place of it", id);
  return place->number;
}

class Client {
 public:
  explicit Client(std::uint64_t number)
      : is_general_(number == 0), stream_(std::make_shared<EventStream>(scheduler_, number)) {}

  void Send() {
    // Only the general stream of a session is there before anybody asks for it.
    if (ended_ || (!is_general_ && !opened_)) return;
    sent_.push_back("message " + std::to_string(sent_.size()));
    stream_->Send(sent_.back() + "\n");
  }

  void Connect() {
    if (connection_ && !connection_->lost && !connection_->ended) return;
    Look();
    connection_ = std::make_shared<Received>();
    if (!opened_) {
      stream_->Open(std::make_shared<Reply>(connection_), true);
      opened_ = true;
    } else {
      stream_->Resume(std::make_shared<Reply>(connection_), NumberOf(last_id_));
    }
    Look();
  }

  // Another connection takes the stream over while the old one still seems to be there.
  void TakeOver() {
    if (!opened_) return Connect();
    Look();
    const std::shared_ptr<Received> old = std::exchange(connection_, nullptr);
    Connect();
    Expect(old->ended || old->lost, "the old carrier is cut off");
  }

  void Lose() {
    if (!connection_ || connection_->ended || connection_->lost) return;
    Look();
    connection_->lost = true;
    if (connection_->gone) connection_->gone();
  }

  void BreakOff() { stream_->BreakOff(); }
  void End() {
    ended_ = true;
    stream_->End();
  }
  void Wait() { scheduler_.Advance(std::chrono::seconds(20)); }

  void Finish() {
    End();
    Connect();
    if (connection_) Expect(connection_->ended, "after its end a stream ends for everyone");
    Expect(taken_ == sent_.size(), "the client gets every message");
  }

 private:
  // Reads what has arrived.
  void Look() {
    if (!connection_) return;
    for (const Event& event : EventsIn(std::exchange(connection_->bytes, {}))) {
      last_id_ = event.id;
      if (event.data.empty()) continue;
      Expect(taken_ < sent_.size() && event.data == sent_[taken_],
             "messages come once and in order", event.data);
      ++taken_;
    }
  }

  reference::ManualScheduler scheduler_;
  const bool is_general_;
  std::shared_ptr<EventStream> stream_;
  std::shared_ptr<Received> connection_;
  bool opened_ = false;
  bool ended_ = false;
  std::string last_id_;
  std::vector<std::string> sent_;
  std::size_t taken_ = 0;
};

void Run(std::string_view text) {
  // More than this many messages are not kept for one who is away.
  constexpr std::size_t kMostSteps = 250;
  Client client(TakeChoice(text, 2));
  for (const char step : text.substr(0, kMostSteps)) {
    switch (static_cast<unsigned char>(step) % 7) {
      case 0:
        client.Send();
        break;
      case 1:
        client.Connect();
        break;
      case 2:
        client.Lose();
        break;
      case 3:
        client.BreakOff();
        break;
      case 4:
        client.TakeOver();
        break;
      case 5:
        client.Wait();
        break;
      default:
        client.End();
    }
  }
  client.Finish();
}

// Any data goes through an event unharmed; a message never has a carriage return, for JSON escapes
// it.
void Judge(std::string_view data) {
  if (data.find('\r') != std::string_view::npos) return;
  const std::vector<Event> events = EventsIn(reference::SseEvent(data, "1-2"));
  if (data.ends_with('\n')) data.remove_suffix(1);
  Expect(events.size() == 1 && events.front().id == "1-2" && events.front().data == data,
         "an event has the data that was put into it", data);
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = assay::fuzz::Text(data, size);
  assay::fuzz::Judge(text);
  assay::fuzz::Run(text);
  return 0;
}
