// Event streams that end before their answer, and are taken up again.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "transport/http_channel_for_test.h"

namespace assay {
namespace {

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
        [&](HttpClient& client) -> Task<void> { told = co_await client.Ask(request); });
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
      [&](HttpClient& client) -> Task<void> {
        const int stream = client.channel().Request(PostThatResumes());
        co_await client.Until(stream, "in 1");
        client.channel().Drop(stream);
        co_await client.Until(stream, "end");
        told = client.told(stream);
      });
  EXPECT_EQ(told.back(), "end broken off by us");
}

}  // namespace
}  // namespace assay
