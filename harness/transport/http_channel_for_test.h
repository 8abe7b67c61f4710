// A channel over HTTP and the server that plays opposite, for tests of what the channel tells.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testing/scripted_server.h"
#include "transport/http_channel.h"

namespace assay {

inline constexpr char kResponse[] = R"({"jsonrpc":"2.0","id":1,"result":{}})";
inline constexpr char kNotification[] = R"({"jsonrpc":"2.0","method":"notifications/x"})";

using Told = std::vector<std::string>;

inline HttpRequest Post(const std::string& body = "{}") {
  return {.method = "POST",
          .path = "",
          .fields = {{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}},
          .body = body};
}

inline HttpRequest PostThatResumes() {
  HttpRequest request = Post();
  request.resumes = true;
  return request;
}

// A channel, and what it tells of each request: "head STATUS LINE", "in MESSAGE", "body TEXT", "cut
// WORDS", "flood" and "end WORDS". The server's authority reads SERVER.
class HttpClient {
 public:
  HttpClient(Loop& loop, const HttpTarget& target, const ChannelLimits& limits)
      : server_(target.Authority()), bell_(loop), channel_(ConnectHttp(loop, target, limits)) {
    channel_->Listen([this](const ChannelEvent& event) {
      told_[event.exchange].push_back(InWords(event));
      if (event.head) status_ = event.head->status;
      bell_.Ring();
    });
  }

  Channel& channel() { return *channel_; }
  const Told& told(int exchange) { return told_[exchange]; }
  int status() const { return status_; }  // of the last answer

  // Waits until something was told that starts like this.
  Task<void> Until(int exchange, std::string start) {
    while (std::ranges::none_of(
        told_[exchange], [&](const std::string& words) { return words.starts_with(start); })) {
      co_await bell_.Wait(Clock::time_point::max());
    }
  }

  // All that is told of a request.
  Task<Told> Ask(HttpRequest request) {
    const int exchange = channel_->Request(std::move(request));
    co_await Until(exchange, "end");
    co_return told_[exchange];
  }

 private:
  std::string InWords(const ChannelEvent& event) const {
    std::string bytes = event.bytes;
    const std::size_t server = bytes.find(server_);
    if (server != std::string::npos) bytes.replace(server, server_.size(), "SERVER");
    if (event.direction == Entry::Direction::kIn) return "in " + bytes;
    switch (event.event) {
      case Entry::Event::kHttpHead:
        return "head " + bytes;
      case Entry::Event::kHttpBody:
        return "body " + bytes;
      case Entry::Event::kHttpNoData:
        return "no data";
      case Entry::Event::kHttpEventId:
        return "id " + bytes;
      case Entry::Event::kHttpRetry:
        return bytes;
      case Entry::Event::kHttpEnd:
        return "end " + bytes;
      case Entry::Event::kOverlongLine:
        return "cut " + bytes;
      case Entry::Event::kFlood:
        return "flood";
      default:
        return "? " + bytes;
    }
  }

  const std::string server_;
  Bell bell_;
  std::map<int, Told> told_;
  int status_ = 0;
  std::unique_ptr<Channel> channel_;
};

using ClientScript = std::function<Task<void>(HttpClient& client)>;

struct HttpChannelTest : testing::Test {
  // Runs `script` with a client of a server that plays `play`.
  void Run(const ScriptedPlay& play, const ClientScript& script,
           const Certificate* certificate = nullptr) {
    Loop loop;
    const auto main = [&]() -> Task<void> {
      const ScriptedServer server(loop, play, certificate);
      HttpTarget target = server.target();
      if (change_target) change_target(target);
      HttpClient client(loop, target, limits);
      co_await script(client);
      co_await client.channel().Shutdown(std::chrono::milliseconds(0));
      EXPECT_TRUE(client.channel().ended());
      connections = server.connections();
    };
    loop.Spawn(main());
    loop.Run();
  }

  // What is told of a request that gets `bytes` for an answer, after which the server closes.
  Told AnswerWith(const std::string& bytes, const HttpRequest& request = Post()) {
    Told told;
    Run(
        [&](ScriptedConnection& connection, int) -> Task<void> {
          co_await connection.Read();
          co_await connection.Write(bytes);
        },
        [&](HttpClient& client) -> Task<void> { told = co_await client.Ask(request); });
    return told;
  }

  // Answers each request of a connection with a response.
  static Task<void> AnswerAll(ScriptedConnection& connection, int /*number*/) {
    for (;;) {
      const std::string request = co_await connection.Read();
      if (request.empty()) co_return;
      co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
    }
  }

  ChannelLimits limits;
  std::function<void(HttpTarget&)> change_target;
  int connections = 0;  // that the server saw
};

inline const std::string kHead = "head HTTP/1.1 200 Whatever";
inline const std::string kIn = std::string("in ") + kResponse;
inline const Told kAnswered = {kHead, kIn, "end "};

}  // namespace assay
