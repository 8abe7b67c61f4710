#include "transport/http_channel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testing/scripted_server.h"

namespace assay {
namespace {

using std::chrono::milliseconds;

constexpr char kResponse[] = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr char kNotification[] = R"({"jsonrpc":"2.0","method":"notifications/x"})";

using Told = std::vector<std::string>;

HttpRequest Post(const std::string& body = "{}") {
  return {.method = "POST",
          .path = "",
          .fields = {{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}},
          .body = body};
}

HttpRequest PostThatResumes() {
  HttpRequest request = Post();
  request.resumes = true;
  return request;
}

// A channel, and what it tells of each request: "head STATUS LINE", "in MESSAGE", "body TEXT", "cut
// WORDS", "flood" and "end WORDS". The server's authority reads SERVER.
class Client {
 public:
  Client(Loop& loop, const HttpTarget& target, const ChannelLimits& limits)
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

using ClientScript = std::function<Task<void>(Client& client)>;

struct HttpChannelTest : testing::Test {
  // Runs `script` with a client of a server that plays `play`.
  void Run(const ScriptedPlay& play, const ClientScript& script,
           const Certificate* certificate = nullptr) {
    Loop loop;
    const auto main = [&]() -> Task<void> {
      const ScriptedServer server(loop, play, certificate);
      HttpTarget target = server.target();
      if (change_target) change_target(target);
      Client client(loop, target, limits);
      co_await script(client);
      co_await client.channel().Shutdown(milliseconds(0));
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
        [&](Client& client) -> Task<void> { told = co_await client.Ask(request); });
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

const std::string kHead = "head HTTP/1.1 200 Whatever";
const std::string kIn = std::string("in ") + kResponse;
const Told kAnswered = {kHead, kIn, "end "};

// What goes out.

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
      [&](Client& client) -> Task<void> {
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
      [&](Client& client) -> Task<void> {
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
      [&](Client& client) -> Task<void> {
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
      [&](Client& client) -> Task<void> {
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
      [&](Client& client) -> Task<void> {
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
      [&](Client& client) -> Task<void> {
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
      [&](Client& client) -> Task<void> {
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
      [&](Client& client) -> Task<void> { told = co_await client.Ask(Post()); });
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
    Client client(loop, target, limits);
    told = co_await client.Ask(Post());
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_EQ(told, (Told{"end cannot connect to SERVER: Connection refused"}));
}

TEST_F(HttpChannelTest, AHostThatDoesNotExistSaysSo) {
  change_target = [](HttpTarget& target) { target.host = "no-such-host.invalid"; };
  Told told;
  Run(AnswerAll, [&](Client& client) -> Task<void> { told = co_await client.Ask(Post()); });
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: Host not found")) << told[0];
}

TEST_F(HttpChannelTest, FindsAServerByName) {
  change_target = [](HttpTarget& target) { target.host = "localhost"; };
  Told told;
  Run(AnswerAll, [&](Client& client) -> Task<void> { told = co_await client.Ask(Post()); });
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
        [&](Client& client) -> Task<void> { told = co_await client.Ask(Post()); });
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
      [&](Client& client) -> Task<void> {
        for (int i = 0; i < 10; ++i) {
          const Told told = co_await client.Ask(Post());
          EXPECT_EQ(told.back(), "end ");
        }
      });
}

// Connections.

TEST_F(HttpChannelTest, AConnectionIsUsedAgain) {
  Run(AnswerAll, [&](Client& client) -> Task<void> {
    for (int i = 0; i < 5; ++i) {
      const Told told = co_await client.Ask(Post());
      EXPECT_EQ(told, kAnswered);
    }
  });
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpChannelTest, RequestsGoSideBySide) {
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
      [&](Client& client) -> Task<void> {
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

TEST_F(HttpChannelTest, AFurtherRequestMayBeWrittenBeforeTheAnswer) {
  const std::string behind = "OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n";
  std::string second;
  Run(
      [&](ScriptedConnection& connection, int number) -> Task<void> {
        co_await connection.Read();
        if (number == 1) second = co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
        if (number == 1) co_await connection.Write(HttpAnswerOf(200, "application/json", "{}"));
      },
      [&](Client& client) -> Task<void> {
        const Told told = co_await client.Ask(PostBefore(behind));
        EXPECT_EQ(told, kAnswered);
        const Told next = co_await client.Ask(Post());
        EXPECT_EQ(next, kAnswered);
      });
  EXPECT_EQ(second, behind);
  EXPECT_EQ(connections, 2) << "what was written behind a request may be answered at any time";
}

TEST_F(HttpChannelTest, TheServerSeesThatNothingMoreWillBeWritten) {
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        const std::string rest = co_await connection.Read();
        EXPECT_EQ(rest, "") << "the end of what the client writes";
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
      },
      [&](Client& client) -> Task<void> {
        HttpRequest request = Post();
        request.half_closes = true;
        const Told told = co_await client.Ask(std::move(request));
        EXPECT_EQ(told, kAnswered);
      });
}

TEST_F(HttpChannelTest, AServerMayLeaveWhoMisusesAConnection) {
  const std::string words = "end broken off by us: the connection was used in an unusual way";
  EXPECT_EQ(AnswerWith("", PostBefore("GET")), Told{words});
  HttpRequest request = Post();
  request.half_closes = true;
  EXPECT_EQ(AnswerWith("", request), Told{words});
}

TEST_F(HttpChannelTest, AConnectionThatIsNotKeptIsNotUsedAgain) {
  for (const char* head : {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"}) {
    Run(
        [&](ScriptedConnection& connection, int) -> Task<void> {
          co_await connection.Read();
          co_await connection.Write(std::string(head) + "{}");
          const std::string rest = co_await connection.Read();
          EXPECT_EQ(rest, "");
        },
        [&](Client& client) -> Task<void> {
          co_await client.Ask(Post());
          co_await client.Ask(Post());
        });
    EXPECT_EQ(connections, 2) << head;
  }
}

TEST_F(HttpChannelTest, ARequestThatMeetsAClosedConnectionIsSentAgainOnANewOne) {
  Run(
      [&](ScriptedConnection& connection, int number) -> Task<void> {
        if (number > 2) {
          co_await AnswerAll(connection, number);
          co_return;
        }
        co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
      },
      [&](Client& client) -> Task<void> {
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

TEST_F(HttpChannelTest, ARequestWhoseAnswerBeganIsNotSentAgain) {
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(HttpAnswerOf(200, "application/json", kResponse));
        co_await connection.Read();
        co_await connection.Write("HTTP/1.1 ");
      },
      [&](Client& client) -> Task<void> {
        co_await client.Ask(Post());
        told = co_await client.Ask(Post());
      });
  EXPECT_EQ(told, (Told{"end SERVER closed the connection in mid answer"}));
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpChannelTest, AnEarlyAnswerToALargeRequestIsRead) {
  // The server answers and closes without having read the whole body.
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Write(HttpAnswerOf(413, "application/json", kResponse));
      },
      [&](Client& client) -> Task<void> {
        told = co_await client.Ask(Post(std::string(std::size_t{8} << 20, ' ')));
      });
  EXPECT_EQ(told, (Told{"head HTTP/1.1 413 Whatever", kIn, "end "}));
}

// Ends.

TEST_F(HttpChannelTest, OfADroppedRequestOnlyItsEndIsToldAndTheServerSeesIt) {
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
      [&](Client& client) -> Task<void> {
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

TEST_F(HttpChannelTest, ARequestDroppedAtOnceIsNeverSent) {
  Run(AnswerAll, [&](Client& client) -> Task<void> {
    const int exchange = client.channel().Request(Post());
    client.channel().Drop(exchange);
    EXPECT_EQ(client.told(exchange), Told{});
    co_await client.Until(exchange, "end");
    EXPECT_EQ(client.told(exchange), (Told{"end broken off by us"}));
  });
  EXPECT_EQ(connections, 0);
}

TEST_F(HttpChannelTest, ShutdownEndsAllThatIsUnderWay) {
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(EventStreamHead() + "data: 1\n\n");
        co_await connection.Read();
      },
      [&](Client& client) -> Task<void> {
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

TEST_F(HttpChannelTest, AChannelThatGoesLeavesNothingRunning) {
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
      Client client(loop, server.target(), limits);
      const int stream = client.channel().Request(Post());
      co_await client.Until(stream, "in 1");
    }
    while (!gone) co_await bell.Wait(Clock::time_point::max());
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_TRUE(gone);
}

TEST_F(HttpChannelTest, WhatCameBeforeSomebodyListensIsNotLost) {
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

// Streams that are taken up again.

struct Resuming : HttpChannelTest {
  // Plays one answer a connection, the last one again and again, and keeps the requests.
  Told AskFor(const std::vector<std::string>& answers, const HttpRequest& request) {
    Told told;
    Run(
        [&](ScriptedConnection& connection, int number) -> Task<void> {
          const std::string wire = co_await connection.Read();
          requests.push_back(wire);
          const std::size_t index = std::min(static_cast<std::size_t>(number), answers.size());
          co_await connection.Write(answers[index - 1]);
          if (resets) connection.Reset();
        },
        [&](Client& client) -> Task<void> { told = co_await client.Ask(request); });
    return told;
  }

  std::vector<std::string> requests;
  bool resets = false;
};

const std::string kStream = EventStreamHead();
const std::string kAnswer = std::string("id: 9\ndata: ") + kResponse + "\n\n";
const std::string kHeadOk = "head HTTP/1.1 200 OK";

TEST_F(Resuming, AStreamThatEndsBeforeItsAnswerIsTakenUpByGet) {
  change_target = [](HttpTarget& target) { target.fields = {{"Authorization", "Bearer t"}}; };
  HttpRequest request = PostThatResumes();
  request.fields.push_back({"Mcp-Session-Id", "s"});
  const std::string first =
      kStream + "id: 1\nretry: 1\ndata:\n\nid: 2\ndata: " + kNotification + "\n\n";
  EXPECT_EQ(AskFor({first, kStream + kAnswer}, request),
            (Told{kHeadOk, "no data", "id 1", std::string("in ") + kNotification, "id 2",
                  "retry: 1 ms", kHeadOk + ", after event 2", kIn, "id 9", "end "}));
  ASSERT_EQ(requests.size(), 2U);
  const std::string& again = requests[1];
  EXPECT_TRUE(again.starts_with("GET /mcp HTTP/1.1\r\n")) << again;
  EXPECT_NE(again.find("\r\nAccept: text/event-stream\r\n"), std::string::npos) << again;
  EXPECT_NE(again.find("\r\nLast-Event-ID: 2\r\n"), std::string::npos) << again;
  EXPECT_NE(again.find("\r\nMcp-Session-Id: s\r\n"), std::string::npos) << again;
  EXPECT_NE(again.find("\r\nAuthorization: Bearer t\r\n"), std::string::npos) << again;
  EXPECT_EQ(again.find("Content-"), std::string::npos) << again;
}

TEST_F(Resuming, ABrokenConnectionIsAnEndToo) {
  const std::string first =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
      "Transfer-Encoding: chunked\r\n\r\n"
      "d\r\nid: 1\ndata:\n\n\r\n5\r\ndata:\r\n";
  EXPECT_EQ(AskFor({first, kStream + kAnswer}, PostThatResumes()).back(), "end ");
  EXPECT_EQ(requests.size(), 2U);
}

TEST_F(Resuming, TheIdOfAnUnfinishedEventDoesNotCount) {
  AskFor({kStream + "id: 1\ndata:\n\nid: 2\ndata: x", kStream + kAnswer}, PostThatResumes());
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_NE(requests[1].find("Last-Event-ID: 1\r\n"), std::string::npos);
}

TEST_F(Resuming, WithItsAnswerAStreamIsOver) {
  AskFor({kStream + kAnswer}, PostThatResumes());
  AskFor({kStream + "id: 1\ndata: {\"id\":1,\"error\":{}}\n\n"}, PostThatResumes());
  EXPECT_EQ(requests.size(), 2U);
}

TEST_F(Resuming, WithoutAnIdAStreamCannotBeTakenUp) {
  EXPECT_EQ(AskFor({kStream + "data: 1\n\n"}, PostThatResumes()).back(), "end ");
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(Resuming, OnlyWhoWantsItGetsIt) {
  EXPECT_EQ(AskFor({kStream + "id: 1\ndata: 1\n\n"}, Post()).back(), "end ");
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(Resuming, GivesUpWhenThereIsNoStream) {
  EXPECT_EQ(AskFor({kStream + "id: 1\ndata: 1\n\n", HttpAnswerOf(405, "text/plain", "no")},
                   PostThatResumes()),
            (Told{kHeadOk, "in 1", "id 1",
                  "end the stream broke off, and could not be taken up after event 1: it was "
                  "answered with HTTP/1.1 405 Whatever"}));
  EXPECT_EQ(requests.size(), 2U);
}

TEST_F(Resuming, GivesUpWhenTheServerAnswersNothing) {
  EXPECT_EQ(AskFor({kStream + "id: 1\ndata: 1\n\n", ""}, PostThatResumes()).back(),
            "end the stream broke off, and could not be taken up after event 1: SERVER closed the "
            "connection without an answer");
}

TEST_F(Resuming, GivesUpAfterTenTimes) {
  EXPECT_EQ(AskFor({kStream + "id: 1\ndata: 1\n\n"}, PostThatResumes()).back(),
            "end the stream broke off again, after it was taken up 10 times");
  EXPECT_EQ(requests.size(), 11U);
}

TEST_F(Resuming, MayBeDroppedWhileItWaits) {
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Read();
        co_await connection.Write(kStream + "retry: 3600000\nid: 1\ndata: 1\n\n");
      },
      [&](Client& client) -> Task<void> {
        const int stream = client.channel().Request(PostThatResumes());
        co_await client.Until(stream, "in 1");
        client.channel().Drop(stream);
        co_await client.Until(stream, "end");
        told = client.told(stream);
      });
  EXPECT_EQ(told.back(), "end broken off by us");
}

// TLS.

struct HttpsChannelTest : HttpChannelTest {
  // What is told of a request to a server with a certificate for `name`. `trusts`: that one is
  // given as the only authority.
  Told AskOverTls(const std::string& name, bool trusts) {
    const Certificate certificate = MakeCertificate(name);
    const std::string file = testing::TempDir() + "assay-ca-" + std::to_string(::getpid()) + ".pem";
    std::ofstream(file) << certificate.pem;
    const auto change = change_target;
    change_target = [&](HttpTarget& target) {
      if (change) change(target);
      if (trusts) target.ca_file = file;
    };
    Told told;
    Run(
        [&](ScriptedConnection& connection, int number) -> Task<void> {
          server_name = connection.server_name();
          co_await AnswerAll(connection, number);
        },
        [&](Client& client) -> Task<void> {
          told = co_await client.Ask(Post());
          if (told.size() == 3) {
            const Told second = co_await client.Ask(Post());
            EXPECT_EQ(second, told);
          }
        },
        &certificate);
    ::unlink(file.c_str());
    return told;
  }

  std::string server_name;
};

TEST_F(HttpsChannelTest, SpeaksTlsAndNamesTheServer) {
  change_target = [](HttpTarget& target) { target.host = "localhost"; };
  EXPECT_EQ(AskOverTls("DNS:localhost", true), kAnswered);
  EXPECT_EQ(server_name, "localhost");
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpsChannelTest, AnAddressIsVerifiedButNotNamed) {
  EXPECT_EQ(AskOverTls("IP:127.0.0.1", true), kAnswered);
  EXPECT_EQ(server_name, "");
}

TEST_F(HttpsChannelTest, AnUnknownAuthorityIsRefused) {
  const Told told = AskOverTls("IP:127.0.0.1", false);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: TLS failed: ")) << told[0];
  EXPECT_TRUE(told[0].ends_with(": self-signed certificate")) << told[0];
}

TEST_F(HttpsChannelTest, ACertificateForAnotherNameIsRefused) {
  const Told other_address = AskOverTls("IP:127.0.0.2", true);
  ASSERT_EQ(other_address.size(), 1U);
  EXPECT_TRUE(other_address[0].ends_with(": IP address mismatch")) << other_address[0];
  change_target = [](HttpTarget& target) { target.host = "localhost"; };
  const Told other_name = AskOverTls("DNS:example.org", true);
  ASSERT_EQ(other_name.size(), 1U);
  EXPECT_TRUE(other_name[0].ends_with(": hostname mismatch")) << other_name[0];
}

TEST_F(HttpsChannelTest, InsecureTakesAnyCertificate) {
  change_target = [](HttpTarget& target) { target.insecure = true; };
  EXPECT_EQ(AskOverTls("DNS:example.org", false), kAnswered);
}

TEST_F(HttpsChannelTest, AFileWithoutCertificatesSaysSo) {
  change_target = [](HttpTarget& target) { target.ca_file = "/no/such/file"; };
  const Told told = AskOverTls("IP:127.0.0.1", false);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: no certificates in /no/such/file"))
      << told[0];
}

TEST_F(HttpsChannelTest, AServerWithoutTlsIsNoHttpsServer) {
  change_target = [](HttpTarget& target) { target.tls = true; };
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Write(HttpAnswerOf(400, "text/plain", "TLS?"));
      },
      [&](Client& client) -> Task<void> { told = co_await client.Ask(Post()); });
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: TLS failed: ")) << told[0];
}

}  // namespace
}  // namespace assay
