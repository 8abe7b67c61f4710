#include "oracle/ledger.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

// The requests of a transcript with what answered them: "ping=result tools/list=none".
std::string Pairs(const std::string& text) {
  const Transcript transcript = ParseTranscript(text);
  const Shapes shapes;
  const Ledger ledger(transcript, shapes);
  std::string pairs;
  for (const Moment& moment : ledger.moments()) {
    if (moment.sent == nullptr || moment.sent->kind != Sent::Kind::kRequest) continue;
    const Received* answer = moment.sent->answer;
    pairs += moment.sent->method + "=" +
             (answer == nullptr                         ? "none"
              : answer->kind == Received::Kind::kResult ? "result"
                                                        : "error") +
             " ";
  }
  return pairs;
}

TEST(LedgerTest, PairsAnswersInAnyOrder) {
  EXPECT_EQ(Pairs("=> 1 a\n=> 2 b\n=> 3 c\n<= 3\n<! 1 -1"), "a=error b=none c=result ");
}

TEST(LedgerTest, SameIdTwiceIsAnsweredOldestFirst) {
  EXPECT_EQ(Pairs("=> 1 a\n=> 1 b\n<= 1\n<! 1 -1"), "a=result b=error ");
}

TEST(LedgerTest, ConnectionsAreApart) {
  EXPECT_EQ(Pairs("=> 1 a\n~ => 1 b\n~ <= 1"), "a=none b=result ");
}

TEST(LedgerTest, LinesWrittenInPieces) {
  EXPECT_EQ(Pairs(">| {\"jsonrpc\":\"2.0\",\n> \"id\":1,\"method\":\"a\"}\n<= 1"), "a=result ");
  // Two messages on one line are none.
  EXPECT_EQ(Pairs(">| {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n=> 2 b\n<! null -32700"),
            "");
  EXPECT_EQ(Verdicts("open: 2025-11-25\n>| {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
                     "=> 2 ping\n<! null -32700\n=> 3 ping\n<= 3"),
            Ids{});
}

TEST(LedgerTest, WhatEndsWithinAWriteWasSentWithIt) {
  Transcript transcript = ParseTranscript("open: 2025-11-25\n>| x\n<= 1");
  for (Entry& entry : transcript.entries) {
    if (entry.bytes == "x") entry.bytes = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
  }
  EXPECT_TRUE(FindingsOf(transcript).empty());
}

TEST(LedgerTest, OnlyAPostCarriesAMessage) {
  Transcript transcript = ParseTranscript("http:\nera: modern\n1: => 1 ping $2026");
  HttpRequest request = *transcript.entries.front().request;
  request.method = "DELETE";
  transcript.entries.front().request = std::make_shared<const HttpRequest>(request);
  const Shapes shapes;
  const Ledger ledger(transcript, shapes);
  for (const Moment& moment : ledger.moments()) {
    EXPECT_EQ(moment.sent, nullptr);
  }
}

TEST(LedgerTest, LineEndedByTheEndOfInput) {
  EXPECT_EQ(
      Verdicts("open: 2025-11-25\n>| {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n! closed\n"
               "<= 1\n! exited 0"),
      Ids{});
}

TEST(LedgerTest, OneLineMayBeSeveralToAServer) {
  EXPECT_EQ(Verdicts("open: 2025-11-25\n> a\rb\n<! null -32700\n<! null -32700\n=> 1 ping\n<= 1"),
            Ids{});
}

TEST(LedgerTest, ArrayWhereThereAreNoBatches) {
  const std::string batch =
      "> [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n";
  EXPECT_EQ(Verdicts("open: 2025-11-25\n" + batch + "<! null -32600\n=> 3 ping\n<= 3"), Ids{});
  EXPECT_EQ(Verdicts("open: 2025-11-25\n" + batch + "<= 1\n<= 2"), Ids{});
  EXPECT_EQ(Verdicts("open: 2025-11-25\n" + batch), Ids{});
}

TEST(LedgerTest, JudgesByTheEraOfTheRequest) {
  const auto era = [](const std::string& text) {
    const Transcript transcript = ParseTranscript(text);
    const Shapes shapes;
    const Ledger ledger(transcript, shapes);
    return ledger.moments().back().received->era;
  };
  EXPECT_EQ(era("=> 1 a\n<! 1 -1"), Era::kLegacy);
  EXPECT_EQ(era("=> 1 a $2026\n<! 1 -1"), Era::kModern);
  EXPECT_EQ(era("era: modern\n=> 1 a\n<! 1 -1"), Era::kModern);
  EXPECT_EQ(era("=> 1 a $2026\n<! 1 -1\n=> 2 initialize {}\n<= 2"), Era::kLegacy);
  EXPECT_EQ(era("=> 1 a $2026\n<! 1 -1\n=> 2 initialize {}\n<! 2 -1"), Era::kModern);
  // After a handshake an enveloped request is what its answer says.
  EXPECT_EQ(era("open: 2025-11-25\n=> 1 a $2026\n<= 1 {}"), Era::kLegacy);
  EXPECT_EQ(era("open: 2025-11-25\n=> 1 a $2026\n<= 1 {$DONE}"), Era::kModern);
}

TEST(LedgerTest, RevisionIsTheNegotiatedOne) {
  const auto revision = [](const std::string& answers) {
    const Transcript transcript = ParseTranscript(
        "=> 1 initialize {\"protocolVersion\":\"2025-11-25\"}\n" + answers + "=> 9 ping\n<= 9");
    const Shapes shapes;
    const Ledger ledger(transcript, shapes);
    return ledger.moments().back().received->revision;
  };
  EXPECT_EQ(revision("<= 1 {\"protocolVersion\":\"2025-03-26\"}\n"), "2025-03-26");
  EXPECT_EQ(revision("<= 1 {\"protocolVersion\":\"next\"}\n"), "");
  EXPECT_EQ(revision("<! 1 -1\n"), "");
  EXPECT_EQ(revision("<= 1 {\"protocolVersion\":\"2025-03-26\"}\n=> 2 initialize {}\n"
                     "<= 2 {\"protocolVersion\":\"2024-11-05\"}\n"),
            "");
}

}  // namespace
}  // namespace assay::oracle
