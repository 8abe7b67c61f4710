#include "transport/http_answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace assay {
namespace {

// What is read of an answer, in pieces of `piece` bytes; `ends`: the connection is closed then.
struct Reading {
  std::string status_line;
  HttpHead head;
  std::string body;
  bool done = false;
  bool keeps_alive = false;
  std::size_t surplus = 0;
  std::string error;
};

Reading Read(const std::string& bytes, bool ends = false, std::size_t piece = std::string::npos,
             bool bodiless = false) {
  Reading reading;
  HttpAnswer answer(bodiless, {[&](HttpHead head, const std::string& status_line) {
                                 reading.head = std::move(head);
                                 reading.status_line += status_line;
                               },
                               [&](std::string_view part) { reading.body += part; }});
  for (std::size_t at = 0; at < bytes.size(); at += std::min(piece, bytes.size())) {
    answer.Feed(std::string_view(bytes).substr(at, piece));
  }
  if (ends) answer.End();
  reading.done = answer.done();
  reading.keeps_alive = answer.keeps_alive();
  reading.surplus = answer.surplus();
  reading.error = answer.error();
  return reading;
}

TEST(HttpAnswer, ReadsTheSameWhereverThePiecesEnd) {
  const std::string head = "HTTP/1.1 200 All right\r\nX-One:  1 \r\nx-two: a\r\n";
  for (const char* rest : {"Content-Length: 5\r\n\r\nhello",
                           "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\n"
                           "X-Trailer: t\r\n\r\n"}) {
    const std::string bytes =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nA: b\r\n\r\n" + head + rest;
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
      const Reading reading = Read(bytes, false, piece);
      EXPECT_EQ(reading.error, "") << piece;
      EXPECT_TRUE(reading.done) << piece;
      EXPECT_TRUE(reading.keeps_alive) << piece;
      EXPECT_EQ(reading.status_line, "HTTP/1.1 200 All right") << piece;
      EXPECT_EQ(reading.body, "hello") << piece;
      ASSERT_EQ(reading.head.fields.size(), 3U) << piece;
      EXPECT_EQ(*reading.head.Find("X-Two"), "a") << piece;
      EXPECT_EQ(*reading.head.Find("x-one"), "1") << piece;
    }
  }
}

TEST(HttpAnswer, WithoutALengthTheEndOfTheConnectionIsItsEnd) {
  const std::string bytes = "HTTP/1.1 200 OK\r\n\r\nhello";
  EXPECT_FALSE(Read(bytes).done);
  EXPECT_TRUE(Read(bytes, true).done);
  EXPECT_FALSE(Read(bytes, true).keeps_alive);
  EXPECT_EQ(Read(bytes, true).body, "hello");
}

TEST(HttpAnswer, AnEndInTheMiddleIsNotItsEnd) {
  for (const char* bytes :
       {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n"}) {
    EXPECT_FALSE(Read(bytes, true).done) << bytes;
  }
}

TEST(HttpAnswer, KnowsWhatHasNoBody) {
  EXPECT_TRUE(Read("HTTP/1.1 204 No Content\r\n\r\n").done);
  EXPECT_TRUE(Read("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n").done);
  EXPECT_TRUE(Read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", false, 100, true).done);
}

TEST(HttpAnswer, AnOldServerKeepsNothingAlive) {
  const Reading reading = Read("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_TRUE(reading.done);
  EXPECT_EQ(reading.status_line, "HTTP/1.0 200 OK");
  EXPECT_FALSE(reading.keeps_alive);
  EXPECT_FALSE(
      Read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi").keeps_alive);
}

TEST(HttpAnswer, CountsWhatComesAfterItsEnd) {
  EXPECT_EQ(Read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello").surplus, 3U);
  EXPECT_EQ(Read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello").body, "he");
}

TEST(HttpAnswer, SaysWhatIsWrong) {
  for (const char* bytes :
       {"{\"jsonrpc\": \"2.0\"}\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"}) {
    const Reading reading = Read(bytes);
    EXPECT_TRUE(reading.error.starts_with("what came is no answer in HTTP (")) << reading.error;
    EXPECT_NE(reading.error.find(std::string("it began: ") + bytes[0]), std::string::npos)
        << reading.error;
    EXPECT_FALSE(reading.done);
  }
}

TEST(HttpAnswer, AHeadHasALimit) {
  EXPECT_NE(
      Read("HTTP/1.1 200 OK\r\nX: " + std::string(std::size_t{70} << 10, 'x'), false, 4096).error,
      "");
  EXPECT_EQ(Read("HTTP/1.1 200 OK\r\nX: " + std::string(std::size_t{60} << 10, 'x') +
                     "\r\nContent-Length: 0\r\n\r\n",
                 false, 4096)
                .error,
            "");
}

}  // namespace
}  // namespace assay
