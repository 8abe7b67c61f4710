// An HTTP/1 connection of the reference server, from its bytes to its answers. The first character
// chooses the settings, the second how large the pieces are in which the rest arrives, the third
// what the client does with streams. Session ids are counted: the first is 31 zeros and a 1.

#include <boost/json.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "era/connection.h"
#include "fuzz/expect.h"
#include "fuzz/input.h"
#include "fuzz/reference/server.h"
#include "transport/http/endpoint.h"
#include "transport/http/origin_guard.h"
#include "transport/http_reader.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

namespace json = boost::json;
using reference::HttpReader;
using reference::HttpRequest;
using reference::HttpResponse;

constexpr reference::HttpLimits kLimits{.header = 4096, .body = 65'536};

struct Received {
  bool answered = false;
  bool is_stream = false;
  bool ended = false;
  std::string pending;  // of an event
  std::function<void()> gone;
};

std::string_view HeaderOf(const HttpResponse& response, std::string_view name) {
  for (const reference::HttpHeader& header : response.headers) {
    if (reference::EqualsIgnoringCase(header.name, name)) return header.value;
  }
  return {};
}

void JudgeMessage(std::string_view text) {
  boost::system::error_code failed;
  const json::value message = json::parse(text, failed);
  Expect(!failed && (message.is_object() || message.is_array()), "a body is a message", text);
  if (!message.is_object()) return;
  const json::object& object = message.get_object();
  Expect(object.contains("jsonrpc") && object.at("jsonrpc") == "2.0",
         "the version of JSON-RPC is told", text);
}

// Header values must not end a header.
void JudgeHeaders(const HttpResponse& response) {
  for (const reference::HttpHeader& header : response.headers) {
    Expect(header.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos,
           "a header is one line", header.value);
  }
}

class Reply : public reference::HttpReply {
 public:
  explicit Reply(std::shared_ptr<Received> received) : received_(std::move(received)) {}

  void Respond(HttpResponse response) override {
    static const std::set<int> kStatuses{200, 202, 204, 400, 403, 404, 405, 406, 409, 415};
    Expect(!std::exchange(received_->answered, true), "a request is answered once", response.body);
    Expect(kStatuses.contains(response.status), "the status is one of those that are meant",
           response.body);
    JudgeHeaders(response);
    received_->ended = true;
    if (response.body.empty()) return;
    Expect(HeaderOf(response, "Content-Type") == "application/json", "a body is JSON",
           response.body);
    JudgeMessage(response.body);
  }
  void Start(HttpResponse head) override {
    Expect(!std::exchange(received_->answered, true), "a request is answered once");
    Expect(head.status == 200 && HeaderOf(head, "Content-Type") == "text/event-stream",
           "a stream is one of events");
    JudgeHeaders(head);
    received_->is_stream = true;
  }
  void Write(std::string bytes) override {
    Expect(received_->is_stream && !received_->ended, "events come between begin and end", bytes);
    std::string_view rest = received_->pending += bytes;
    while (rest.find('\n') != std::string_view::npos) {
      const std::string_view line = TakeLine(rest);
      constexpr std::string_view kData = "data: ";
      if (line.starts_with(kData) && line.size() > kData.size()) {
        JudgeMessage(line.substr(kData.size()));
      }
    }
    received_->pending = std::string(rest);
  }
  void End() override {
    Expect(received_->is_stream && !std::exchange(received_->ended, true), "a stream ends once");
  }
  void OnGone(std::function<void()> gone) override { received_->gone = std::move(gone); }

 private:
  std::shared_ptr<Received> received_;
};

std::string Described(const HttpReader::Complete& complete) {
  std::string text = complete.request.method + ' ' + complete.request.target + '\n';
  for (const reference::HttpHeader& header : complete.request.headers) {
    text += header.name + ':' + header.value + '\n';
  }
  return text + '\n' + complete.request.body;
}

// Gives each request of `text` to `take`, and returns whether the connection can go on.
template <class Take>
bool Read(std::string_view text, std::size_t piece, Take take) {
  static const std::set<int> kStatuses{400, 413, 431, 505};
  HttpReader reader(kLimits);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    reader.Feed(text.substr(at, piece));
    while (true) {
      auto next = reader.Next();
      if (const auto* broken = std::get_if<HttpReader::Broken>(&next)) {
        Expect(kStatuses.contains(broken->status), "what is broken has a status for it");
        return false;
      }
      if (std::holds_alternative<HttpReader::NeedsMore>(next)) break;
      take(std::move(std::get<HttpReader::Complete>(next)));
    }
    reader.TakeExpectation();
  }
  return true;
}

void Serve(Server& server, std::string_view text, std::size_t piece, std::size_t habit) {
  using namespace std::chrono_literals;
  reference::Endpoint endpoint(
      server.settings(), server.catalog(), server.scheduler(),
      [&](const reference::Settings& settings, reference::MessageSink& sink) {
        return std::make_unique<reference::Connection>(settings, server.services(), sink);
      });
  reference::OriginGuard guard(endpoint);
  std::vector<std::string> whole;
  std::vector<std::shared_ptr<Received>> all;
  const bool goes_on = Read(text, piece, [&](HttpReader::Complete complete) {
    whole.push_back(Described(complete));
    const auto received = all.emplace_back(std::make_shared<Received>());
    guard.Handle(std::move(complete.request), std::make_shared<Reply>(received));
    if (habit == 1) server.Advance(500ms);
    if (habit == 2 && !received->ended && received->gone) {
      received->gone();
      received->gone = nullptr;
    }
  });
  // However the bytes arrive, the requests are the same.
  std::size_t count = 0;
  const bool whole_goes_on = Read(text, text.size() + 1, [&](const HttpReader::Complete& other) {
    Expect(count < whole.size() && whole[count] == Described(other),
           "a request is the same in pieces and as a whole", Described(other));
    ++count;
  });
  Expect(count == whole.size(), "a connection has the same requests in pieces", text);
  // In pieces the reader may wait for the rest of what is broken already.
  Expect(goes_on || !whole_goes_on, "what is broken in pieces is broken as a whole", text);

  server.Advance(2h);
  guard.HandleEnd();
  for (const auto& received : all) Expect(received->answered, "every request gets an answer");
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::fuzz;
  std::string_view text = Text(data, size);
  Server& server = ServerWith(TakeChoice(text, kSettings));
  const std::size_t piece = TakeChoice(text, 256) + 1;
  const std::size_t habit = TakeChoice(text, 3);
  Serve(server, text, piece, habit);
  server.Reset();
  return 0;
}
