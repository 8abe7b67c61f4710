#include "transport/balancer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "message/balancer_fields.h"
#include "testing/scripted_server.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

// What a client of the balancer sees of its requests.
class Client {
 public:
  Client(Loop& loop, const HttpTarget& target)
      : bell_(loop), channel_(ConnectHttp(loop, target, {})) {
    channel_->Listen([this](const ChannelEvent& event) {
      Seen& seen = seen_[event.exchange];
      if (event.head) seen.head = event.head;
      if (event.direction == Entry::Direction::kIn) seen.messages.push_back(event.bytes);
      seen.ended = seen.ended || event.event == Entry::Event::kHttpEnd;
      bell_.Ring();
    });
  }

  int Send(const std::string& body = "{}") {
    return channel_->Request({.method = "POST",
                              .path = "",
                              .fields = {{"Content-Type", "application/json"}},
                              .body = body});
  }
  void Drop(int request) { channel_->Drop(request); }
  Task<void> End(int request) {
    while (!seen_[request].ended) co_await bell_.Wait(Clock::time_point::max());
  }
  Task<void> Message(int request) {
    while (seen_[request].messages.empty()) co_await bell_.Wait(Clock::time_point::max());
  }
  // Sends, and awaits the end.
  Task<int> Ask() {
    const int request = Send();
    co_await End(request);
    co_return request;
  }
  Task<void> Close() { return channel_->Shutdown(milliseconds(0)); }

  int Status(int request) { return seen_[request].head ? seen_[request].head->status : 0; }
  bool Ended(int request) { return seen_[request].ended; }
  std::string Field(int request, std::string_view name) {
    const auto& head = seen_[request].head;
    const std::string* value = head ? head->Find(name) : nullptr;
    return value == nullptr ? "" : *value;
  }
  std::string Instance(int request) { return Field(request, kInstanceField); }

 private:
  struct Seen {
    std::shared_ptr<const HttpHead> head;
    std::vector<std::string> messages;
    bool ended = false;
  };
  Bell bell_;
  std::map<int, Seen> seen_;
  std::unique_ptr<Channel> channel_;
};

constexpr char kResponse[] = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr char kEvent[] = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n";

Task<void> AnswerAll(ScriptedConnection& connection, int /*number*/) {
  for (;;) {
    const std::string request = co_await connection.Read();
    if (request.empty()) co_return;
    co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
  }
}

// Runs `script` with a client of a balancer before two servers, of which a plays `a`.
void Play(const ScriptedPlay& a,
          const std::function<Task<void>(Loop& loop, Client& client, Balancer& balancer)>& script) {
  Loop loop;
  const auto main = [&]() -> Task<void> {
    const ScriptedServer first(loop, a);
    const ScriptedServer second(loop, AnswerAll);
    const auto balancer = StartBalancer(loop, {{"a", first.target()}, {"b", second.target()}});
    Client client(loop, balancer->target());
    co_await script(loop, client, *balancer);
    co_await client.Close();
    co_await balancer->Close();
  };
  loop.Spawn(main());
  loop.Run();
}

TEST(Balancer, TakesInstancesInTurnWhateverConnectionARequestComesOn) {
  std::string order;
  Play(AnswerAll, [&](Loop& loop, Client& client, Balancer& balancer) -> Task<void> {
    for (int i = 0; i < 3; ++i) order += client.Instance(co_await client.Ask());
    Client other(loop, balancer.target());
    for (int i = 0; i < 2; ++i) order += other.Instance(co_await other.Ask());
    order += client.Instance(co_await client.Ask());
    co_await other.Close();
  });
  EXPECT_EQ(order, "ababab");
}

TEST(Balancer, PassesARequestOnAsItIsButForWhomItIsAddressedTo) {
  std::string wire;
  std::string authority;
  Play(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        wire = co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
      },
      [&](Loop& loop, Client&, Balancer& balancer) -> Task<void> {
        authority = balancer.target().Authority();
        const auto channel = ConnectHttp(loop, balancer.target(), {});
        Bell ended(loop);
        bool over = false;
        channel->Listen([&](const ChannelEvent& event) {
          over = over || event.event == Entry::Event::kHttpEnd;
          ended.Ring();
        });
        channel->Request({.method = "POST",
                          .path = "/mcp?x=y",
                          .fields = {{"Mcp-Name", "a b"}, {"X-Twice", "1"}, {"X-Twice", "2"}},
                          .body = "{\"n\":1.0}"});
        while (!over) co_await ended.Wait(Clock::time_point::max());
        co_await channel->Shutdown(milliseconds(0));
      });
  EXPECT_TRUE(wire.starts_with("POST /mcp?x=y HTTP/1.1\r\n")) << wire;
  EXPECT_NE(wire.find("\r\nMcp-Name: a b\r\nX-Twice: 1\r\nX-Twice: 2\r\n"), std::string::npos)
      << wire;
  EXPECT_TRUE(wire.ends_with("\r\n\r\n{\"n\":1.0}")) << wire;
  EXPECT_EQ(wire.find(authority), std::string::npos) << wire;
}

TEST(Balancer, PassesOnAStatusWithoutAReason) {
  Play(
      [](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n");
      },
      [](Loop&, Client& client, Balancer&) -> Task<void> {
        EXPECT_EQ(client.Status(co_await client.Ask()), 200);
      });
}

TEST(Balancer, PassesEventsOnAsTheyCome) {
  bool ended_early = true;
  Play(
      [](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(EventStreamHead() + kEvent);
        co_await connection.Read();  // until the client has gone
      },
      [&](Loop&, Client& client, Balancer&) -> Task<void> {
        const int request = client.Send();
        co_await client.Message(request);
        ended_early = client.Ended(request);
        EXPECT_EQ(client.Instance(request), "a");
      });
  EXPECT_FALSE(ended_early);
}

TEST(Balancer, AClientThatGoesAwayTakesItsRequestWithIt) {
  bool gone = false;
  std::function<void()> tell;
  Play(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(EventStreamHead() + kEvent);
        gone = (co_await connection.Read()).empty();
        tell();
      },
      [&](Loop& loop, Client& client, Balancer&) -> Task<void> {
        Bell bell(loop);
        tell = [&] { bell.Ring(); };
        const int request = client.Send();
        co_await client.Message(request);
        client.Drop(request);
        while (!gone) co_await bell.Wait(Clock::time_point::max());
      });
  EXPECT_TRUE(gone);
}

TEST(Balancer, WhatBreaksOffThereBreaksOffHere) {
  Play(
      [](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: "
            "chunked\r\n\r\n5\r\ndata:\r\n");
        connection.Close();
      },
      [](Loop&, Client& client, Balancer&) -> Task<void> {
        const int request = co_await client.Ask();
        EXPECT_EQ(client.Status(request), 200);
        EXPECT_EQ(client.Instance(co_await client.Ask()), "b") << "and the next goes on";
      });
}

TEST(Balancer, AnInstanceThatIsNotThereGivesA502ThatSaysSo) {
  Play(
      [](ScriptedConnection& connection, int) -> Task<void> {
        connection.Close();
        co_return;
      },
      [](Loop&, Client& client, Balancer&) -> Task<void> {
        const int failed = co_await client.Ask();
        EXPECT_EQ(client.Status(failed), 502);
        EXPECT_EQ(client.Instance(failed), "a");
        EXPECT_NE(client.Field(failed, kBalancerField).find("instance a gave no answer"),
                  std::string::npos);
        const int served = co_await client.Ask();
        EXPECT_EQ(client.Status(served), 200) << "nothing is tried again, and nothing else fails";
        EXPECT_EQ(client.Instance(served), "b");
      });
}

TEST(Balancer, AnInstanceMayMove) {
  Play(AnswerAll, [](Loop& loop, Client& client, Balancer& balancer) -> Task<void> {
    int asked = 0;
    const ScriptedServer elsewhere(loop,
                                   [&](ScriptedConnection& connection, int number) -> Task<void> {
                                     ++asked;
                                     co_await AnswerAll(connection, number);
                                   });
    balancer.Move("a", elsewhere.target());
    EXPECT_EQ(client.Instance(co_await client.Ask()), "a");
    EXPECT_EQ(client.Instance(co_await client.Ask()), "b");
    EXPECT_EQ(asked, 1);
  });
}

}  // namespace
}  // namespace assay
