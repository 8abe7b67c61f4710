// When a channel opens a connection, uses it again, sends again, and lets go.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "transport/http_channel_for_test.h"

namespace assay {
namespace {

using HttpConnectionsTest = HttpChannelTest;

using std::chrono::milliseconds;

TEST_F(HttpConnectionsTest, AConnectionIsUsedAgain) {
  Run(AnswerAll, [&](HttpClient& client) -> Task<void> {
    for (int i = 0; i < 5; ++i) {
      const Told told = co_await client.Ask(Post());
      EXPECT_EQ(told, kAnswered);
    }
  });
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpConnectionsTest, RequestsGoSideBySide) {
  // The first is answered only when the second has come.
  ScriptedConnection* first = nullptr;
  Run(
      [&](ScriptedConnection& connection, int number) -> Task<void> {
        co_await connection.Read();
        if (number == 1) {
          first = &connection;
        } else {
          co_await first->Write(HttpAnswerOf(200, "application/json", kResponse));
          co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
        }
        co_await AnswerAll(connection, number);
      },
      [&](HttpClient& client) -> Task<void> {
        const int one = client.channel().Request(Post());
        const int two = client.channel().Request(Post());
        EXPECT_EQ(std::make_pair(one, two), std::make_pair(1, 2));
        co_await client.Until(one, "end");
        co_await client.Until(two, "end");
        const Told third = co_await client.Ask(Post());
        EXPECT_EQ(third, kAnswered);
      });
  EXPECT_EQ(connections, 2);
}

HttpRequest PostBefore(const std::string& behind) {
  HttpRequest request = Post();
  request.behind = behind;
  return request;
}

TEST_F(HttpConnectionsTest, AFurtherRequestMayBeWrittenBeforeTheAnswer) {
  const std::string behind = "OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n";
  std::string second;
  Run(
      [&](ScriptedConnection& connection, int number) -> Task<void> {
        co_await connection.Read();
        if (number == 1) second = co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
        if (number == 1) co_await connection.Write(HttpAnswerOf(200, "application/json", "{}"));
      },
      [&](HttpClient& client) -> Task<void> {
        const Told told = co_await client.Ask(PostBefore(behind));
        EXPECT_EQ(told, kAnswered);
        const Told next = co_await client.Ask(Post());
        EXPECT_EQ(next, kAnswered);
      });
  EXPECT_EQ(second, behind);
  EXPECT_EQ(connections, 2) << "what was written behind a request may be answered at any time";
}

TEST_F(HttpConnectionsTest, TheServerSeesThatNothingMoreWillBeWritten) {
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        const std::string rest = co_await connection.Read();
        EXPECT_EQ(rest, "") << "the end of what the client writes";
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
      },
      [&](HttpClient& client) -> Task<void> {
        HttpRequest request = Post();
        request.half_closes = true;
        const Told told = co_await client.Ask(std::move(request));
        EXPECT_EQ(told, kAnswered);
      });
}

TEST_F(HttpConnectionsTest, AServerMayLeaveWhoMisusesAConnection) {
  const std::string words = "end broken off by us: the connection was used in an unusual way";
  EXPECT_EQ(AnswerWith("", PostBefore("GET")), Told{words});
  HttpRequest request = Post();
  request.half_closes = true;
  EXPECT_EQ(AnswerWith("", request), Told{words});
}

TEST_F(HttpConnectionsTest, AConnectionThatIsNotKeptIsNotUsedAgain) {
  for (const char* head : {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"}) {
    Run(
        [&](ScriptedConnection& connection, int) -> Task<void> {
          co_await connection.Read();
          co_await connection.Write(std::string(head) + "{}");
          const std::string rest = co_await connection.Read();
          EXPECT_EQ(rest, "");
        },
        [&](HttpClient& client) -> Task<void> {
          co_await client.Ask(Post());
          co_await client.Ask(Post());
        });
    EXPECT_EQ(connections, 2) << head;
  }
}

TEST_F(HttpConnectionsTest, ARequestThatMeetsAClosedConnectionIsSentAgainOnANewOne) {
  Run(
      [&](ScriptedConnection& connection, int number) -> Task<void> {
        if (number > 2) {
          co_await AnswerAll(connection, number);
          co_return;
        }
        co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
      },
      [&](HttpClient& client) -> Task<void> {
        // Two connections, both closed by the server while they are idle.
        const int one = client.channel().Request(Post());
        const int two = client.channel().Request(Post());
        co_await client.Until(one, "end");
        co_await client.Until(two, "end");
        const Told third = co_await client.Ask(Post());
        EXPECT_EQ(third, kAnswered);
      });
  EXPECT_EQ(connections, 3);
}

TEST_F(HttpConnectionsTest, ARequestWhoseAnswerBeganIsNotSentAgain) {
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
        co_await connection.Read();
        co_await connection.Write("HTTP/1.1 ");
      },
      [&](HttpClient& client) -> Task<void> {
        co_await client.Ask(Post());
        told = co_await client.Ask(Post());
      });
  EXPECT_EQ(told, (Told{"end SERVER closed the connection in mid answer"}));
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpConnectionsTest, AnEarlyAnswerToALargeRequestIsRead) {
  // The server answers and closes without having read the whole body.
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Write(HttpAnswerOf(413, "application/json", kResponse));
      },
      [&](HttpClient& client) -> Task<void> {
        told = co_await client.Ask(Post(std::string(std::size_t{8} << 20, ' ')));
      });
  EXPECT_EQ(told, (Told{"head HTTP/1.1 413 Whatever", kIn, "end "}));
}

// Ends.

TEST_F(HttpConnectionsTest, OfADroppedRequestOnlyItsEndIsToldAndTheServerSeesIt) {
  bool gone = false;
  Run(
      [&](ScriptedConnection& connection, int number) -> Task<void> {
        if (number == 2) {
          co_await AnswerAll(connection, number);
          co_return;
        }
        co_await connection.Read();
        co_await connection.Write(EventStreamHead() + "data: 1\n\n");
        const std::string rest = co_await connection.Read();
        gone = rest.empty();
        co_await connection.Write("data: 2\n\n");
      },
      [&](HttpClient& client) -> Task<void> {
        const int stream = client.channel().Request(Post());
        co_await client.Until(stream, "in 1");
        const int other = client.channel().Request(Post());
        client.channel().Drop(stream);
        co_await client.Until(stream, "end");
        EXPECT_EQ(client.told(stream),
                  (Told{"head HTTP/1.1 200 OK", "in 1", "end broken off by us"}));
        co_await client.Until(other, "end");
        EXPECT_EQ(client.told(other), kAnswered);
        client.channel().Drop(stream);  // again, and another that never was
        client.channel().Drop(99);
      });
  EXPECT_TRUE(gone);
}

TEST_F(HttpConnectionsTest, ARequestDroppedAtOnceIsNeverSent) {
  Run(AnswerAll, [&](HttpClient& client) -> Task<void> {
    const int exchange = client.channel().Request(Post());
    client.channel().Drop(exchange);
    EXPECT_EQ(client.told(exchange), Told{});
    co_await client.Until(exchange, "end");
    EXPECT_EQ(client.told(exchange), (Told{"end broken off by us"}));
  });
  EXPECT_EQ(connections, 0);
}

TEST_F(HttpConnectionsTest, ShutdownEndsAllThatIsUnderWay) {
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(EventStreamHead() + "data: 1\n\n");
        co_await connection.Read();
      },
      [&](HttpClient& client) -> Task<void> {
        const int stream = client.channel().Request(Post());
        co_await client.Until(stream, "in 1");
        EXPECT_FALSE(client.channel().ended());
        co_await client.channel().Shutdown(milliseconds(0));
        EXPECT_TRUE(client.channel().ended());
        EXPECT_EQ(client.told(stream).back(), "end broken off by us: the channel was shut down");
        const Told late = co_await client.Ask(Post());
        EXPECT_EQ(late, (Told{"end broken off by us: the channel was shut down before"}));
      });
}

TEST_F(HttpConnectionsTest, AChannelThatGoesLeavesNothingRunning) {
  Loop loop;
  bool gone = false;
  const auto main = [&]() -> Task<void> {
    Bell bell(loop);
    const ScriptedServer server(loop, [&](ScriptedConnection& connection, int) -> Task<void> {
      co_await connection.Read();
      co_await connection.Write(EventStreamHead() + "data: 1\n\n");
      const std::string rest = co_await connection.Read();
      gone = rest.empty();
      bell.Ring();
    });
    {
      HttpClient client(loop, server.target(), limits);
      const int stream = client.channel().Request(Post());
      co_await client.Until(stream, "in 1");
    }
    while (!gone) co_await bell.Wait(Clock::time_point::max());
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_TRUE(gone);
}

TEST_F(HttpConnectionsTest, WhatCameBeforeSomebodyListensIsNotLost) {
  Loop loop;
  int events = 0;
  const auto main = [&]() -> Task<void> {
    const ScriptedServer server(loop, AnswerAll);
    const auto channel = ConnectHttp(loop, server.target(), limits);
    channel->Request(Post());
    co_await channel->Shutdown(milliseconds(0));
    channel->Listen([&](const ChannelEvent&) { ++events; });
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_EQ(events, 1);
}

}  // namespace
}  // namespace assay
