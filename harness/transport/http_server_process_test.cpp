#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "message/json.h"
#include "testing/processes.h"
#include "transport/containment.h"
#include "transport/http_channel.h"

namespace assay {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Command Shell(const std::string& script) {
  return {.argv = {"sh", "-c", script, "{port}"}, .environment = {}};
}

Command ReferenceServer() {
  return {.argv = {ASSAY_REFERENCE_SERVER, "--transport", "http", "--port", "{port}"},
          .environment = {}};
}

// The messages and heads that a channel told of, by request.
class Conversation {
 public:
  Conversation(Loop& loop, const HttpTarget& target)
      : bell_(loop), channel_(ConnectHttp(loop, target, {})) {
    channel_->Listen([this](const ChannelEvent& event) {
      if (event.direction == Entry::Direction::kIn) {
        messages_[event.exchange].push_back(ParseJson(event.bytes).value.value_or(Json()));
      }
      if (event.head) heads_[event.exchange] = *event.head;
      bell_.Ring();
    });
  }

  int Request(HttpRequest request) { return channel_->Request(std::move(request)); }
  // The first message of the answer.
  Task<Json> Message(int exchange) {
    while (messages_[exchange].empty()) co_await bell_.Wait(Clock::time_point::max());
    co_return messages_[exchange].front();
  }
  Task<HttpHead> Head(int exchange) {
    while (!heads_.contains(exchange)) co_await bell_.Wait(Clock::time_point::max());
    co_return heads_[exchange];
  }
  Task<void> End() { return channel_->Shutdown(milliseconds(0)); }

 private:
  Bell bell_;
  std::map<int, std::vector<Json>> messages_;
  std::map<int, HttpHead> heads_;
  std::unique_ptr<Channel> channel_;
};

HttpRequest Post(const std::vector<HttpField>& fields, const std::string& body) {
  HttpRequest request{.method = "POST", .path = "", .fields = fields, .body = body};
  request.fields.push_back({"Content-Type", "application/json"});
  request.fields.push_back({"Accept", "application/json, text/event-stream"});
  return request;
}

struct HttpServerProcessTest : testing::Test {
  HttpServerProcessTest() {
    ::signal(SIGPIPE, SIG_IGN);
    AdoptOrphans();
  }
  ~HttpServerProcessTest() override { EXPECT_EQ(CountServersAlive(), 0); }

  using Script = std::function<Task<void>(Loop& loop, HttpServerProcess& server)>;

  // Runs `script` with the server, and keeps what is told of it.
  void Run(const Command& command, const Script& script) {
    Loop loop;
    const auto main = [&]() -> Task<void> {
      const auto server = StartHttpServer(loop, command, "/mcp", {});
      server->Listen([&](const ChannelEvent& event) { events.push_back(event); });
      co_await script(loop, *server);
      co_await server->Shutdown(seconds(10));
      EXPECT_TRUE(server->ended());
    };
    loop.Spawn(main());
    loop.Run();
  }

  // Why `command` does not become ready.
  std::string WhyNotReady(const Command& command, milliseconds patience) {
    std::string why;
    Run(command, [&](Loop&, HttpServerProcess& server) -> Task<void> {
      why = co_await server.Ready(Clock::now() + patience);
    });
    return why;
  }

  std::vector<ChannelEvent> events;
};

TEST_F(HttpServerProcessTest, AModernServerAnswers) {
  Json answer;
  Run(ReferenceServer(), [&](Loop& loop, HttpServerProcess& server) -> Task<void> {
    const std::string why_not = co_await server.Ready(Clock::now() + seconds(30));
    EXPECT_EQ(why_not, "");
    Conversation conversation(loop, server.target());
    const std::vector<HttpField> fields = {{"MCP-Protocol-Version", "2026-07-28"},
                                           {"Mcp-Method", "server/discover"}};
    const std::string body =
        R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    const int exchange = conversation.Request(Post(fields, body));
    answer = co_await conversation.Message(exchange);
    co_await conversation.End();
  });
  ASSERT_NE(answer.Find("result", "supportedVersions"), nullptr) << answer.Dump();
  EXPECT_EQ(answer.Find("result", "supportedVersions")->items().front().text(), "2026-07-28");
}

TEST_F(HttpServerProcessTest, ALegacySessionHasAStreamOfItsOwn) {
  Json change;
  Run(ReferenceServer(), [&](Loop& loop, HttpServerProcess& server) -> Task<void> {
    const std::string why_not = co_await server.Ready(Clock::now() + seconds(30));
    EXPECT_EQ(why_not, "");
    Conversation conversation(loop, server.target());
    const std::vector<HttpField> none;
    const int initialize = conversation.Request(
        Post(none, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{)"
                   R"("protocolVersion":"2025-11-25","capabilities":{},)"
                   R"("clientInfo":{"name":"test","version":"1"}}})"));
    co_await conversation.Message(initialize);
    const HttpHead head = co_await conversation.Head(initialize);
    const std::string* const session = head.Find("Mcp-Session-Id");
    if (session == nullptr) co_return;
    const std::vector<HttpField> fields = {{"Mcp-Session-Id", *session},
                                           {"MCP-Protocol-Version", "2025-11-25"}};
    HttpRequest listen{.method = "GET", .path = "", .fields = fields, .body = ""};
    listen.fields.push_back({"Accept", "text/event-stream"});
    const int stream = conversation.Request(std::move(listen));
    const HttpHead stream_head = co_await conversation.Head(stream);
    EXPECT_EQ(stream_head.MediaType(), "text/event-stream");
    const int call = conversation.Request(
        Post(fields, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{)"
                     R"("name":"test_trigger_tool_change","arguments":{}}})"));
    co_await conversation.Message(call);
    change = co_await conversation.Message(stream);
    co_await conversation.End();
  });
  EXPECT_EQ(change.FindString("method"), "notifications/tools/list_changed") << change.Dump();
}

TEST_F(HttpServerProcessTest, TheServerIsToldItsPortTwice) {
  const std::string why = WhyNotReady(Shell("echo port $0 $PORT; exit 3"), seconds(30));
  const std::size_t at = why.find("; its last words: port ");
  ASSERT_NE(at, std::string::npos) << why;
  std::string words = why.substr(why.rfind("port ") + 5);
  words = words.substr(0, words.find('\n'));
  const std::string port = words.substr(0, words.find(' '));
  EXPECT_EQ(words, port + " " + port);
  EXPECT_GT(std::stoi(port), 0);
}

TEST_F(HttpServerProcessTest, AServerThatEndsIsNotWaitedFor) {
  const std::string why = WhyNotReady(Shell("echo no config >&2; exit 3"), seconds(30));
  EXPECT_EQ(why,
            "the server ended before it answered over HTTP: exited with code 3; its last words: no "
            "config\n");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].direction, Entry::Direction::kError);
  EXPECT_EQ(events[1].event, Entry::Event::kExited);
}

TEST_F(HttpServerProcessTest, ACommandThatCannotStartSaysSo) {
  const std::string why =
      WhyNotReady({.argv = {"/no/such/program"}, .environment = {}}, seconds(30));
  EXPECT_NE(why.find("cannot start /no/such/program"), std::string::npos) << why;
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].event, Entry::Event::kNotStarted);
}

TEST_F(HttpServerProcessTest, AServerThatDoesNotListenIsWaitedForUntilTheDeadline) {
  const std::string why = WhyNotReady(Shell("read line"), milliseconds(20));
  EXPECT_TRUE(why.starts_with("the server does not answer over HTTP: ")) << why;
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].event, Entry::Event::kKilled);
}

TEST_F(HttpServerProcessTest, MuchOutputIsNoFlood) {
  const std::string why = WhyNotReady(Shell("seq 100000; echo the end; exit 3"), seconds(30));
  EXPECT_TRUE(why.ends_with("100000\nthe end\n")) << why;
  EXPECT_LT(why.size(), 2000U);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].event, Entry::Event::kExited);
}

TEST_F(HttpServerProcessTest, ACrashIsToldToAllWhoListen) {
  int late = 0;
  Run(ReferenceServer(), [&](Loop& loop, HttpServerProcess& server) -> Task<void> {
    const std::string why_not = co_await server.Ready(Clock::now() + seconds(30));
    EXPECT_EQ(why_not, "");
    Bell bell(loop);
    server.Listen([&](const ChannelEvent&) { bell.Ring(); });
    server.Signal(SIGKILL);
    while (!server.ended()) co_await bell.Wait(Clock::time_point::max());
    server.Listen([&](const ChannelEvent& event) { late = event.signal; });
  });
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().event, Entry::Event::kExited);
  EXPECT_EQ(events.back().signal, SIGKILL);
  EXPECT_EQ(late, SIGKILL);
}

TEST_F(HttpServerProcessTest, AServerThatGoesAwayWithItsOwnerLeavesNothing) {
  Loop loop;
  { const auto server = StartHttpServer(loop, Shell("read line"), "/mcp", {}); }
  loop.Run();
  EXPECT_EQ(CountServersAlive(), 0);
}

}  // namespace
}  // namespace assay
