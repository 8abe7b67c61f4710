#include "transport/http_reader.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "transport/hostile_http_for_test.h"
#include "transport/http/endpoint_for_test.h"
#include "transport/http/origin_guard.h"

namespace assay::reference {
namespace {

using Complete = HttpReader::Complete;
using Broken = HttpReader::Broken;
using NeedsMore = HttpReader::NeedsMore;

int BrokenBy(std::string_view bytes, const HttpLimits& limits = {}) {
  HttpReader reader(limits);
  reader.Feed(bytes);
  const auto next = reader.Next();
  const Broken* broken = std::get_if<Broken>(&next);
  return broken == nullptr ? 0 : broken->status;
}

TEST(HttpReaderTest, ReadsARequest) {
  HttpReader reader;
  reader.Feed(
      "POST /mcp?x HTTP/1.1\r\nHost: a\r\nMcp-Name:  \t echo \t\r\nContent-Length: 2\r\n\r\n{}");
  const auto next = reader.Next();
  const Complete& complete = std::get<Complete>(next);
  EXPECT_EQ(complete.request.method, "POST");
  EXPECT_EQ(complete.request.path(), "/mcp");
  EXPECT_EQ(complete.request.query(), "x");
  EXPECT_EQ(complete.request.Header("mcp-name"), "echo");
  EXPECT_EQ(complete.request.body, "{}");
  EXPECT_TRUE(complete.keeps_alive);
  EXPECT_TRUE(complete.takes_chunks);
  EXPECT_FALSE(reader.in_request());
}

TEST(HttpReaderTest, BytesMayArriveOneByOne) {
  HttpReader reader;
  const std::string bytes =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  for (const char& byte : bytes) {
    EXPECT_TRUE(std::holds_alternative<NeedsMore>(reader.Next()));
    reader.Feed({&byte, 1});
  }
  const auto next = reader.Next();
  EXPECT_EQ(std::get<Complete>(next).request.body, "abcde");
}

TEST(HttpReaderTest, RequestsMayArriveTogether) {
  HttpReader reader;
  reader.Feed("GET /1 HTTP/1.1\r\n\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\nGET /3 H");
  EXPECT_EQ(std::get<Complete>(reader.Next()).request.target, "/1");
  const auto second = reader.Next();
  EXPECT_EQ(std::get<Complete>(second).request.target, "/2");
  EXPECT_FALSE(std::get<Complete>(second).keeps_alive);
  EXPECT_TRUE(std::holds_alternative<NeedsMore>(reader.Next()));
  EXPECT_TRUE(reader.in_request());
}

TEST(HttpReaderTest, AnEmptyLineBeforeARequestMayArriveInPieces) {
  HttpReader reader;
  reader.Feed("\r");
  EXPECT_TRUE(std::holds_alternative<NeedsMore>(reader.Next()));
  reader.Feed("\nGET /1 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(std::get<Complete>(reader.Next()).request.target, "/1");
}

TEST(HttpReaderTest, RepeatedHeadersAreAllKept) {
  HttpReader reader;
  reader.Feed("GET / HTTP/1.1\r\nMcp-Name: a\r\nmcp-name: b\r\n\r\n");
  const auto next = reader.Next();
  EXPECT_TRUE(std::get<Complete>(next).request.Contradicts("Mcp-Name"));
}

TEST(HttpReaderTest, WhatIsTooLargeIsRefused) {
  const HttpLimits limits{1000, 100};
  EXPECT_EQ(BrokenBy("GET / HTTP/1.1\r\nA: " + std::string(2000, 'a'), limits), 431);
  EXPECT_EQ(BrokenBy("POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", limits), 413);
  EXPECT_EQ(BrokenBy("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" +
                         std::string(101, 'a') + "\r\n",
                     limits),
            413);
}

TEST(HttpReaderTest, WhatIsNoHttpIsRefused) {
  EXPECT_EQ(BrokenBy("\x16\x03\x01\x02\r\n\r\n"), 400);
  EXPECT_EQ(BrokenBy("GET / HTTP/1.1\r\nA b: c\r\n\r\n"), 400);
  EXPECT_EQ(BrokenBy("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
  EXPECT_EQ(BrokenBy("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            400);
  EXPECT_NE(BrokenBy("GET / HTTP/2.0\r\n\r\n"), 0);
}

TEST(HttpReaderTest, AnExpectationIsToldOnce) {
  HttpReader reader;
  reader.Feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_TRUE(std::holds_alternative<NeedsMore>(reader.Next()));
  EXPECT_TRUE(reader.TakeExpectation());
  EXPECT_FALSE(reader.TakeExpectation());
  reader.Feed("{}");
  EXPECT_TRUE(std::holds_alternative<Complete>(reader.Next()));
}

/// Whether everything the reader made of its bytes got an answer that makes sense.
void ExpectSense(HttpReader& reader, HttpHandler& handler, bool client_stays) {
  static const std::set<int> kStatuses{200, 202, 204, 400, 403, 404, 405, 406, 409, 415, 429};
  while (true) {
    auto next = reader.Next();
    if (std::holds_alternative<NeedsMore>(next)) return;
    if (const Broken* broken = std::get_if<Broken>(&next)) {
      EXPECT_TRUE(broken->status == 400 || broken->status == 413 || broken->status == 431 ||
                  broken->status == 505)
          << broken->status;
      return;
    }
    const auto answer = Exchange(handler, std::move(std::get<Complete>(next).request));
    EXPECT_TRUE(kStatuses.contains(answer->status)) << answer->status;
    if (!answer->is_stream && !answer->body.empty()) {
      EXPECT_NO_THROW(answer->Json()) << answer->body;
    }
    if (answer->is_stream && !answer->ended && !client_stays) answer->gone();
  }
}

TEST(HostileHttpTest, RandomAndTruncatedRequestsEndInADefinedAnswer) {
  constexpr int kRequests = 60'000;
  HostileInput hostile(20260728);
  EndpointInMemory server;
  OriginGuard guard(server.endpoint());
  std::string session = server.OpenSession();
  for (int i = 0; i < kRequests; ++i) {
    const std::string bytes = hostile.Request(session);
    HttpReader reader({.header = 16384, .body = 65536});
    const std::size_t cut = hostile.Below(bytes.size());
    reader.Feed(std::string_view(bytes).substr(0, cut));
    ExpectSense(reader, guard, i % 2 == 0);
    reader.Feed(std::string_view(bytes).substr(cut));
    ExpectSense(reader, guard, i % 3 == 0);
    if (i % 100 == 0) {
      server.Advance(std::chrono::milliseconds(500));
      session = server.OpenSession(i % 200 == 0 ? "2025-11-25" : "2025-03-26");
    }
  }
  server.Advance(std::chrono::hours(24));
  server.endpoint().HandleEnd();
  EXPECT_EQ(server.PostModern("tools/list", "", Enveloped("1", "tools/list"))->status, 200);
}

TEST(HostileHttpTest, RandomAndTruncatedLinesEndInADefinedAnswer) {
  constexpr int kLines = 35'000;
  HostileInput hostile(20251125);
  auto server = std::make_unique<Loopback>();
  for (int i = 0; i < kLines; ++i) {
    std::string answers = server->Send(hostile.Line());
    if (i % 50 == 0) answers += server->Advance(std::chrono::milliseconds(500));
    while (!answers.empty()) {
      const std::size_t end = answers.find('\n');
      ASSERT_NE(end, std::string::npos);
      const boost::json::value message = boost::json::parse(answers.substr(0, end));
      EXPECT_TRUE(message.is_object() || message.is_array());
      answers.erase(0, end + 1);
    }
    if (i % 500 == 0) server = std::make_unique<Loopback>();
  }
}

}  // namespace
}  // namespace assay::reference
