// What goes out over HTTP, and what is told of what comes back.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "transport/http_channel_for_test.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

TEST_F(HttpChannelTest, SendsFieldsInOrderAndAsTheyAre) {
  change_target = [](HttpTarget& target) {
    target.fields = {{"Authorization", "Bearer t"}, {"x-mine", "of the target"}};
  };
  std::string wire;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        wire = co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(202, "text/plain", ""));
      },
      [&](HttpClient& client) -> Task<void> {
        HttpRequest request{.method = "POST", .path = "/other?a=b", .fields = {}, .body = "{}"};
        request.fields = {{"X-Mine", " a\t\xC3\xA4\x01 "}, {"X-Mine", "again"}};
        co_await client.Ask(std::move(request));
      });
  const std::size_t at = wire.find("127.0.0.1:");
  ASSERT_NE(at, std::string::npos);
  wire.erase(at, wire.find("\r\n", at) - at);
  EXPECT_EQ(wire,
            "POST /other?a=b HTTP/1.1\r\nHost: \r\nX-Mine:  a\t\xC3\xA4\x01 \r\nX-Mine: again\r\n"
            "Authorization: Bearer t\r\nContent-Length: 2\r\n\r\n{}");
}

TEST_F(HttpChannelTest, ARequestMayGoWithoutAFieldOfTheTarget) {
  change_target = [](HttpTarget& target) { target.fields = {{"Authorization", "Bearer t"}}; };
  std::string wire;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        wire = co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(202, "text/plain", ""));
      },
      [&](HttpClient& client) -> Task<void> {
        HttpRequest request = Post();
        request.without = {"authorization"};
        co_await client.Ask(std::move(request));
      });
  EXPECT_NE(wire.find("POST "), std::string::npos);
  EXPECT_EQ(wire.find("Bearer t"), std::string::npos);
}

TEST_F(HttpChannelTest, ARequestMayNameAnotherHostAndLength) {
  std::string wire;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        wire = co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(403, "text/plain", ""));
      },
      [&](HttpClient& client) -> Task<void> {
        HttpRequest request{.method = "POST", .path = "", .fields = {}, .body = "{}"};
        request.fields = {{"Host", "evil.example"}, {"Content-Length", "1"}};
        co_await client.Ask(std::move(request));
      });
  EXPECT_EQ(wire, "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1\r\n\r\n{");
}

TEST_F(HttpChannelTest, APostAlwaysHasALengthAndAGetHasNone) {
  std::vector<std::string> wires;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        for (;;) {
          const std::string wire = co_await connection.Read();
          if (wire.empty()) co_return;
          wires.push_back(wire);
          co_await connection.Write(HttpAnswerOf(202, "text/plain", ""));
        }
      },
      [&](HttpClient& client) -> Task<void> {
        co_await client.Ask(Post(""));
        HttpRequest get{.method = "GET", .path = "", .fields = {}, .body = ""};
        co_await client.Ask(std::move(get));
      });
  ASSERT_EQ(wires.size(), 2U);
  EXPECT_NE(wires[0].find("\r\nContent-Length: 0\r\n"), std::string::npos);
  EXPECT_EQ(wires[1].find("Content-Length"), std::string::npos);
}

// What comes back.

TEST_F(HttpChannelTest, ABodyThatIsJsonIsAMessageWhateverItsTypeAndStatus) {
  EXPECT_EQ(AnswerWith(HttpAnswerOf(200, "application/json", kResponse)), kAnswered);
  EXPECT_EQ(AnswerWith(HttpAnswerOf(404, "text/plain", kResponse)),
            (Told{"head HTTP/1.1 404 Whatever", kIn, "end "}));
}

TEST_F(HttpChannelTest, AnyOtherBodyIsTold) {
  limits.stderr_head = 4;
  EXPECT_EQ(AnswerWith(HttpAnswerOf(500, "application/json", "<html>")),
            (Told{"head HTTP/1.1 500 Whatever", "body <htm", "end "}));
}

TEST_F(HttpChannelTest, JsonBesideAnErrorStatusNeedsNotBeAMessage) {
  const std::string body = R"({"error":"no such session"})";
  EXPECT_EQ(AnswerWith(HttpAnswerOf(404, "application/json", body)),
            (Told{"head HTTP/1.1 404 Whatever", "body " + body, "end "}));
  EXPECT_EQ(AnswerWith(HttpAnswerOf(200, "application/json", body)),
            (Told{"head HTTP/1.1 200 Whatever", "in " + body, "end "}));
}

TEST_F(HttpChannelTest, AnEmptyBodyIsNothing) {
  EXPECT_EQ(AnswerWith(HttpAnswerOf(202, "text/plain", "")),
            (Told{"head HTTP/1.1 202 Whatever", "end "}));
  EXPECT_EQ(AnswerWith("HTTP/1.1 204 No Content\r\n\r\n"),
            (Told{"head HTTP/1.1 204 No Content", "end "}));
}

TEST_F(HttpChannelTest, TheHeadComesWithAllThatIsTold) {
  Loop loop;
  std::vector<int> statuses;
  const auto main = [&]() -> Task<void> {
    const ScriptedServer server(loop, AnswerAll);
    const auto channel = ConnectHttp(loop, server.target(), limits);
    Bell bell(loop);
    channel->Listen([&](const ChannelEvent& event) {
      EXPECT_EQ(event.exchange, 1);
      statuses.push_back(event.head ? event.head->status : 0);
      bell.Ring();
    });
    EXPECT_TRUE(channel->speaks_http());
    EXPECT_EQ(channel->Request(Post()), 1);
    while (statuses.size() < 3) co_await bell.Wait(Clock::time_point::max());
    co_await channel->Shutdown(milliseconds(0));
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_EQ(statuses, (std::vector<int>{200, 200, 200}));
}

TEST_F(HttpChannelTest, InterimAnswersAreSkipped) {
  EXPECT_EQ(AnswerWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" +
                       HttpAnswerOf(200, "application/json", kResponse)),
            kAnswered);
}

TEST_F(HttpChannelTest, ReadsChunksAndBodiesUntilTheConnectionCloses) {
  const std::string body = "1\r\n{\r\n1;x=y\r\n}\r\n0\r\nTrailer: t\r\n\r\n";
  EXPECT_EQ(AnswerWith("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n" + body),
            (Told{"head HTTP/1.1 200 OK", "in {}", "end "}));
  EXPECT_EQ(AnswerWith("HTTP/1.1 200 OK\r\n\r\n{}"),
            (Told{"head HTTP/1.1 200 OK", "in {}", "end "}));
  EXPECT_EQ(AnswerWith("HTTP/1.0 200 OK\r\n\r\n{}"),
            (Told{"head HTTP/1.0 200 OK", "in {}", "end "}));
}

TEST_F(HttpChannelTest, AnAnswerToHeadHasNoBody) {
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
        co_await connection.Read();
      },
      [&](HttpClient& client) -> Task<void> {
        HttpRequest head{.method = "HEAD", .path = "", .fields = {}, .body = ""};
        told = co_await client.Ask(std::move(head));
      });
  EXPECT_EQ(told, (Told{"head HTTP/1.1 200 OK", "end "}));
}

TEST_F(HttpChannelTest, ARedirectIsNotFollowed) {
  EXPECT_EQ(AnswerWith("HTTP/1.1 307 Elsewhere\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
            (Told{"head HTTP/1.1 307 Elsewhere", "end "}));
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpChannelTest, EachEventOfAStreamIsAMessage) {
  const std::string events = ": hello\n\nid: 1\ndata:\n\ndata: {\ndata: }\n\nevent: message\r\n" +
                             std::string("data: ") + kResponse + "\r\n\r\n";
  for (const char* type :
       {"text/event-stream", "Text/Event-Stream;charset=UTF-8", "TEXT/EVENT-STREAM ; a=\"b\""}) {
    EXPECT_EQ(AnswerWith(HttpAnswerOf(200, type, events)),
              (Told{kHead, "no data", "id 1", "in {\n}", kIn, "end "}))
        << type;
  }
}

TEST_F(HttpChannelTest, AnEventOfAnotherTypeIsNoMessage) {
  EXPECT_EQ(AnswerWith(HttpAnswerOf(200, "text/event-stream", "event: endpoint\ndata: /x\n\n")),
            (Told{kHead, "body an event of type endpoint: /x", "end "}));
}

TEST_F(HttpChannelTest, AStreamIsReadTheSameWhereverItIsSplit) {
  const std::string answer =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      "a\r\ndata: {}\r\n\r\n2\r\n\r\n\r\n0\r\n\r\n";
  std::size_t split = 0;
  std::map<Told, int> outcomes;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        for (;;) {
          const std::string request = co_await connection.Read();
          if (request.empty()) co_return;
          co_await connection.Write(answer.substr(0, split));
          co_await connection.Write(answer.substr(split));
        }
      },
      [&](HttpClient& client) -> Task<void> {
        for (; split <= answer.size(); ++split) {
          const Told told = co_await client.Ask(Post());
          ++outcomes[told];
        }
      });
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes.begin()->first, (Told{"head HTTP/1.1 200 OK", "in {}", "end "}));
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpChannelTest, AnEventIsToldWhileTheStreamGoesOn) {
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(EventStreamHead() + "data: 1\n\n");
        // It goes on for as long as the client listens.
        const std::string rest = co_await connection.Read();
        EXPECT_EQ(rest, "");
      },
      [&](HttpClient& client) -> Task<void> {
        const int stream = client.channel().Request(Post());
        co_await client.Until(stream, "in 1");
        EXPECT_EQ(client.told(stream), (Told{"head HTTP/1.1 200 OK", "in 1"}));
        client.channel().Drop(stream);
        co_await client.Until(stream, "end");
      });
}

TEST_F(HttpChannelTest, AStreamThatEndsInMidEventSaysSo) {
  EXPECT_EQ(AnswerWith(EventStreamHead() + "data: 1\n\ndata: 2\n"),
            (Told{"head HTTP/1.1 200 OK", "in 1", "end the stream ended in mid event"}));
}

// What goes wrong.

TEST_F(HttpChannelTest, AnAnswerThatBreaksOffSaysHow) {
  EXPECT_EQ(AnswerWith("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a"),
            (Told{"head HTTP/1.1 200 OK", "body {\"a",
                  "end SERVER closed the connection in mid answer"}));
  EXPECT_EQ(AnswerWith("HTTP/1.1 200 O"), (Told{"end SERVER closed the connection in mid answer"}));
  EXPECT_EQ(AnswerWith(""), (Told{"end SERVER closed the connection without an answer"}));
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpChannelTest, AResetSaysSo) {
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        connection.Reset();
      },
      [&](HttpClient& client) -> Task<void> { told = co_await client.Ask(Post()); });
  EXPECT_EQ(told, (Told{"end the connection to SERVER broke (Connection reset by peer) without an "
                        "answer"}));
}

TEST_F(HttpChannelTest, WhatIsNoHttpSaysSo) {
  const Told told = AnswerWith(std::string(kResponse) + "\n");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end what came is no answer in HTTP (")) << told[0];
  EXPECT_TRUE(told[0].ends_with(std::string("it began: ") + kResponse + "\n")) << told[0];
}

TEST_F(HttpChannelTest, BytesAfterTheEndOfAnAnswerAreTold) {
  EXPECT_EQ(
      AnswerWith("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}"),
      (Told{"head HTTP/1.1 200 OK", "in {}", "end 2 bytes came after the end of the answer"}));
}

TEST_F(HttpChannelTest, ARefusedConnectionSaysWhere) {
  Loop loop;
  HttpTarget target;
  { target = ScriptedServer(loop, AnswerAll).target(); }
  Told told;
  const auto main = [&]() -> Task<void> {
    HttpClient client(loop, target, limits);
    told = co_await client.Ask(Post());
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_EQ(told, (Told{"end cannot connect to SERVER: Connection refused"}));
}

TEST_F(HttpChannelTest, AHostThatDoesNotExistSaysSo) {
  change_target = [](HttpTarget& target) { target.host = "no-such-host.invalid"; };
  Told told;
  Run(AnswerAll, [&](HttpClient& client) -> Task<void> { told = co_await client.Ask(Post()); });
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: Host not found")) << told[0];
}

TEST_F(HttpChannelTest, FindsAServerByName) {
  change_target = [](HttpTarget& target) { target.host = "localhost"; };
  Told told;
  Run(AnswerAll, [&](HttpClient& client) -> Task<void> { told = co_await client.Ask(Post()); });
  EXPECT_EQ(told, kAnswered);
}

// Bounds.

TEST_F(HttpChannelTest, AnOverlongBodyIsCut) {
  limits.line = 100;
  const Told told = AnswerWith(HttpAnswerOf(200, "application/json", std::string(200, ' ') + "{}"));
  ASSERT_EQ(told.size(), 3U);
  EXPECT_TRUE(told[1].starts_with("cut a body passed 100 bytes")) << told[1];
  EXPECT_EQ(told[2], "end ");
}

TEST_F(HttpChannelTest, AnOverlongEventIsCutAndTheNextIsRead) {
  limits.line = 100;
  const Told told =
      AnswerWith(EventStreamHead() + "data: " + std::string(200, 'x') + "\n\ndata: 1\n\n");
  ASSERT_EQ(told.size(), 4U);
  EXPECT_TRUE(told[1].starts_with("cut an event passed 100 bytes")) << told[1];
  EXPECT_EQ(told[2], "in 1");
}

TEST_F(HttpChannelTest, AFloodIsStopped) {
  limits.output = std::size_t{1} << 20;
  for (const std::string& piece : {std::string("data: 1\n\n"), std::string(1000, ':')}) {
    Told told;
    Run(
        [&](ScriptedConnection& connection, int) -> Task<void> {
          co_await connection.Read();
          co_await connection.Write(EventStreamHead());
          for (bool there = true; there;) there = co_await connection.Write(piece);
        },
        [&](HttpClient& client) -> Task<void> { told = co_await client.Ask(Post()); });
    ASSERT_GE(told.size(), 3U);
    EXPECT_LT(told.size(), 10'000U);
    EXPECT_EQ(told[told.size() - 2], "flood");
    EXPECT_EQ(told.back(), "end broken off by us: a flood");
  }
}

TEST_F(HttpChannelTest, LongConversationsAreNoFlood) {
  limits.output = 1000;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        for (;;) {
          const std::string request = co_await connection.Read();
          if (request.empty()) co_return;
          co_await connection.Write(
              HttpAnswerOf(200, "application/json", "{" + std::string(100'000, ' ') + "}"));
        }
      },
      [&](HttpClient& client) -> Task<void> {
        for (int i = 0; i < 10; ++i) {
          const Told told = co_await client.Ask(Post());
          EXPECT_EQ(told.back(), "end ");
        }
      });
}

}  // namespace
}  // namespace assay
