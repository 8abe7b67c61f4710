#include "oracle/http.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

const std::string kModern = "http:\nera: modern\n";
const std::string kLegacy = "http:\nopen: 2025-11-25\n";
const std::string kStream = "! head 200 Content-Type: text/event-stream | X-Accel-Buffering: no\n";
const std::string kEventStream = "! head 200 Content-Type: text/event-stream\n";
const std::string kJson = "! head 200 Content-Type: application/json\n";
const std::string kPing = "=> 7 ping\n";

// A legacy request that is answered by a stream.
std::string Streamed(const std::string& number, const std::string& id) {
  return number + ": => " + id + " ping {\"_meta\":{\"progressToken\":" + id + "}}\n" + number +
         ": " + kEventStream;
}
std::string Progress(const std::string& number, const std::string& token) {
  return number + ": <- notifications/progress {\"progress\":1,\"progressToken\":" + token + "}\n";
}

TEST(HttpRules, AnswersAreJsonOrStreams) {
  EXPECT_EQ(Verdicts(kLegacy + "1: " + kPing + "1: " + kJson + "1: <= 7\n1: ! end"), Ids{});
  EXPECT_EQ(Verdicts(kLegacy + "1: " + kPing +
                     "1: ! head 200 Content-Type: text/plain\n1: <= 7\n1: ! end"),
            Ids{"L-HTTP-request-content-type"});
  EXPECT_EQ(Verdicts(kLegacy + "1: " + kPing + "1: " + kJson +
                     "1: < [{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}]\n1: ! end")
                .front(),
            "L-HTTP-json-single-object");
}

TEST(HttpRules, NotificationsAreAcceptedWith202AndNothingElse) {
  const std::string told = kLegacy + "1: -> notifications/roots/list_changed\n";
  EXPECT_EQ(Verdicts(told + "1: ! head 202\n1: ! end"), Ids{});
  EXPECT_EQ(Verdicts(told + "1: ! head 400\n1: ! end"), Ids{});
  EXPECT_EQ(Verdicts(told + "1: ! head 200\n1: ! end"), Ids{"L-HTTP-notification-202"});
  EXPECT_EQ(Verdicts(told + "1: ! head 202\n1: ! body ok\n1: ! end"),
            Ids{"L-HTTP-notification-202"});
}

TEST(HttpRules, StatusesOfModernErrors) {
  const std::string asked = kModern + "1: => 1 assay/no-such $2026\n";
  EXPECT_EQ(
      Verdicts(asked + "1: ! head 404 Content-Type: application/json\n1: <! 1 -32601\n1: ! end"),
      Ids{});
  EXPECT_EQ(Verdicts(asked + "1: " + kJson + "1: <! 1 -32601\n1: ! end"),
            Ids{"M-HTTP-UNKNOWN-METHOD-404"});
}

TEST(HttpRules, AStreamHasItsResponseBeforeItEnds) {
  const std::string asked = kLegacy + Streamed("1", "7") + "1: ! no-data\n1: ! id 1\n";
  EXPECT_EQ(Verdicts(asked + "1: <= 7\n1: ! end"), Ids{});
  EXPECT_EQ(Verdicts(asked + "1: ! end"),
            (Ids{"L-HTTP-sse-response-eventually", "L-BASE-one-response-per-request"}));
  EXPECT_EQ(Verdicts(asked + "1: ! end the stream ended in mid event"),
            (Ids{"L-HTTP-sse-response-eventually", "L-BASE-one-response-per-request"}));
  // What we broke off ourselves had no chance.
  EXPECT_EQ(Verdicts(asked + "1: ! end broken off by us"), Ids{});
}

TEST(HttpRules, WhatABalancerOfOursSaysNoServerHasSaid) {
  const std::string asked = kLegacy + "1: " + kPing;
  const std::string instead = "1: ! head 502 Content-Type: text/plain | Assay-Balancer: gone\n";
  EXPECT_EQ(Verdicts(asked + instead + "1: ! body gone\n1: ! end broken off by us"), Ids{});
  EXPECT_EQ(Verdicts(asked + instead + "1: ! body gone\n1: ! end"),
            Ids{"L-BASE-one-response-per-request?"});
  EXPECT_EQ(Verdicts(kLegacy + "1: GET Accept: text/event-stream\n" + instead + "1: ! end"), Ids{});
}

TEST(HttpRules, ARequestIsAnswered) {
  const std::string asked = kLegacy + "1: " + kPing;
  EXPECT_EQ(Verdicts(asked + "1: ! head 500\n1: ! end"), Ids{"L-BASE-one-response-per-request?"});
  EXPECT_EQ(Verdicts(asked + "1: ! end closed the connection"),
            Ids{"L-BASE-one-response-per-request?"});
  EXPECT_EQ(Verdicts(asked + "1: ! head 403\n1: ! end"), Ids{});
}

TEST(HttpRules, WhoIsNotLetInGetsAnErrorWithoutAnId) {
  const std::string refused =
      " Content-Type: application/json\n1: < {\"jsonrpc\":\"2.0\",\"error\":"
      "{\"code\":-32000,\"message\":\"no\"}}\n1: ! end";
  const std::string asked = kLegacy + "1: " + kPing;
  EXPECT_EQ(Verdicts(asked + "1: ! head 403" + refused), Ids{});
  EXPECT_EQ(Verdicts(asked + "1: ! head 400" + refused), Ids{"L-BASE-response-id-echo?"});
}

TEST(HttpRules, WhatBreaksOffHadAnId) {
  EXPECT_EQ(Verdicts(kLegacy + Streamed("1", "7") + "1: ! end"),
            (Ids{"L-HTTP-sse-response-eventually", "L-HTTP-sse-polling-needs-id",
                 "L-BASE-one-response-per-request"}));
}

TEST(HttpRules, ARetryFieldComesBeforeAStreamBreaksOff) {
  const std::string begun = kLegacy + Streamed("1", "7") + "1: ! no-data\n1: ! id 1\n";
  const std::string resumed = "1: " + kEventStream + "1: <= 7\n1: ! end";
  EXPECT_EQ(Verdicts(begun + "1: ! retry\n" + resumed), Ids{});
  EXPECT_EQ(Verdicts(begun + resumed), Ids{"L-HTTP-sse-retry-before-close"});
}

TEST(HttpRules, AStreamBeginsWithAnIdAndNoData) {
  EXPECT_EQ(Verdicts(kLegacy + Streamed("1", "7") +
                     "1: ! no-data\n1: ! id 1\n1: <= 7\n1: ! id 2\n1: ! end"),
            Ids{});
  EXPECT_EQ(Verdicts(kLegacy + Streamed("1", "7") + "1: <= 7\n1: ! id 1\n1: ! end"),
            Ids{"L-HTTP-sse-prime-event"});
  // Older revisions know no such thing, and their clients take it for a message.
  EXPECT_EQ(Verdicts("http:\nopen: 2025-06-18\n" + Streamed("1", "7") +
                     "1: ! no-data\n1: <= 7\n1: ! end"),
            Ids{"L-HTTP-sse-format?"});
  EXPECT_EQ(Verdicts("http:\nopen: 2025-06-18\n" + Streamed("1", "7") + "1: <= 7\n1: ! end"),
            Ids{});
}

TEST(HttpRules, AStreamEndsAfterItsResponse) {
  const std::string answered = kLegacy + Streamed("1", "7") + "1: ! no-data\n1: ! id 1\n1: <= 7\n";
  const std::string later = "2: => 8 ping\n2: " + kJson + "2: <= 8\n2: ! end\n";
  EXPECT_EQ(Verdicts(answered + later + "1: ! end broken off by us"),
            Ids{"L-HTTP-sse-close-after-response"});
  EXPECT_EQ(Verdicts(answered + "1: ! end\n" + later), Ids{});
  // It may just not have come to it.
  EXPECT_EQ(Verdicts(answered + "1: ! end broken off by us"), Ids{});
  EXPECT_EQ(Verdicts(answered + later), Ids{});
  // Or its end may be on its way.
  Transcript hasty = ParseTranscript(answered + later + "1: ! end broken off by us");
  for (Entry& entry : hasty.entries) entry.at /= 1000;
  EXPECT_TRUE(FindingsOf(hasty).empty());
}

TEST(HttpRules, ProgressComesOnTheStreamOfItsRequest) {
  const std::string both = kLegacy + Streamed("1", "7") + "1: ! no-data\n1: ! id 1\n" +
                           Streamed("2", "8") + "2: ! no-data\n2: ! id 2\n";
  const std::string ends = "1: <= 7\n1: ! end\n2: <= 8\n2: ! end";
  EXPECT_EQ(Verdicts(both + Progress("1", "7") + Progress("2", "8") + ends), Ids{});
  EXPECT_EQ(Verdicts(both + Progress("1", "8") + ends), Ids{"L-HTTP-sse-messages-related"});
}

TEST(HttpRules, AGetStreamHasNothingOfARequest) {
  const std::string get = kLegacy + "1: GET Accept: text/event-stream\n1: " + kEventStream;
  EXPECT_EQ(Verdicts(get + Streamed("2", "7") + "2: ! no-data\n2: ! id 1\n" + Progress("1", "7") +
                     "2: <= 7\n2: ! end"),
            Ids{"L-HTTP-get-unrelated"});
  EXPECT_EQ(
      Verdicts(get + "2: " + kPing + "2: ! head 202\n1: <= 7\n2: ! end broken off by us").front(),
      "L-HTTP-get-no-response");
}

TEST(HttpRules, GetOpensAStreamOrIsNotAllowed) {
  const std::string get = kLegacy + "1: GET Accept: text/event-stream\n";
  EXPECT_EQ(Verdicts(get + "1: ! head 405\n1: ! end"), Ids{});
  EXPECT_EQ(Verdicts(get + "1: ! head 400\n1: ! end"), Ids{"L-HTTP-get-sse-or-405"});
  // When the head of a stream must come is not said.
  EXPECT_EQ(Verdicts(get + "2: " + kPing + "2: " + kJson +
                     "2: <= 7\n2: ! end\n1: ! end broken off by us"),
            Ids{});
}

TEST(HttpRules, NoProgressComesTwice) {
  const std::string both = kLegacy + "1: GET Accept: text/event-stream\n1: " + kEventStream +
                           Streamed("2", "7") + "2: ! no-data\n2: ! id 1\n";
  const Ids verdicts =
      Verdicts(both + Progress("1", "7") + Progress("2", "7") + "2: <= 7\n2: ! end");
  EXPECT_NE(std::find(verdicts.begin(), verdicts.end(), "L-HTTP-no-broadcast"), verdicts.end());
}

TEST(HttpRules, EventIdsAreUniqueInASession) {
  const auto asked = [](const std::string& second) {
    return kLegacy + Streamed("1", "7") + "1: ! no-data\n1: ! id a\n1: <= 7\n1: ! end\n" +
           Streamed("2", "8") + "2: ! no-data\n2: ! id " + second + "\n2: <= 8\n2: ! end\n";
  };
  EXPECT_EQ(Verdicts(asked("b")), Ids{});
  EXPECT_EQ(Verdicts(asked("a")), Ids{"L-HTTP-event-id-unique"});
}

TEST(HttpRules, OnlyItsOwnStreamIsTakenUp) {
  const std::string begun = kLegacy + Streamed("1", "7") + "1: ! no-data\n1: ! id 1\n1: ! retry\n" +
                            Streamed("2", "8") + "2: ! no-data\n2: ! id 2\n";
  const Ids verdicts = Verdicts(begun + "1: " + kEventStream + Progress("1", "8") +
                                "1: <= 7\n1: ! end\n2: <= 8\n2: ! end");
  EXPECT_NE(std::find(verdicts.begin(), verdicts.end(), "L-HTTP-replay-same-stream-only"),
            verdicts.end());
}

TEST(HttpRules, AModernStreamHasNoLogThatItDidNotAskFor) {
  const std::string log = "<- notifications/message {\"level\":\"error\",\"data\":1}\n";
  const auto asked = [&](const std::string& number, const std::string& id,
                         const std::string& level) {
    return number + ": => " + id + " tools/call {\"name\":\"t\",\"_meta\":{$ENV" + level + "}}\n" +
           number + ": " + kStream;
  };
  const std::string level = ",\"io.modelcontextprotocol/logLevel\":\"debug\"";
  const std::string done = "{\"content\":[],$DONE}\n";
  const Ids verdicts =
      Verdicts(kModern + asked("1", "1", level) + asked("2", "2", "") + "2: " + log + "1: <= 1 " +
               done + "1: ! end\n2: <= 2 " + done + "2: ! end");
  EXPECT_NE(std::find(verdicts.begin(), verdicts.end(), "M-LOG-SAME-STREAM"), verdicts.end());
}

TEST(HttpRules, EventStreamsAskNotToBeBuffered) {
  const std::string asked = kModern + "1: => 1 tools/call {\"name\":\"t\",\"_meta\":{$ENV}}\n";
  EXPECT_EQ(Verdicts(asked + "1: " + kEventStream + "1: <= 1 {\"content\":[],$DONE}\n1: ! end"),
            Ids{"M-HTTP-SSE-X-ACCEL-BUFFERING"});
}

TEST(HttpRules, ModernAnswersNameNoSession) {
  EXPECT_EQ(Verdicts(kModern + "1: => 1 assay/no-such $2026\n"
                               "1: ! head 404 Content-Type: application/json | Mcp-Session-Id: a\n"
                               "1: <! 1 -32601\n1: ! end"),
            Ids{"M-HTTP-NO-SESSION-ID"});
}

TEST(HttpRules, SessionIdsAreVisible) {
  EXPECT_EQ(Verdicts(kLegacy + "1: " + kPing +
                     "1: ! head 200 Content-Type: application/json | Mcp-Session-Id: a b\n"
                     "1: <= 7\n1: ! end"),
            Ids{"L-HTTP-session-id-charset"});
  // The first and the last one that is.
  EXPECT_EQ(Verdicts(kLegacy + "1: " + kPing +
                     "1: ! head 200 Content-Type: application/json | Mcp-Session-Id: !~\n"
                     "1: <= 7\n1: ! end"),
            Ids{});
}

TEST(HttpRules, SubscriptionsAreStreams) {
  const std::string answer =
      kModern + "1: => 1 subscriptions/listen {\"notifications\":{},\"_meta\":{$ENV}}\n" +
      "1: ! head 200 Content-Type: application/json\n";
  const Ids accepted = Verdicts(answer + "1: <= 1 {$DONE}\n1: ! end");
  EXPECT_NE(std::find(accepted.begin(), accepted.end(), "M-HTTP-LISTEN-IS-SSE"), accepted.end());
  const Ids refused = Verdicts(answer + "1: <! 1 -32603\n1: ! end");
  EXPECT_EQ(std::find(refused.begin(), refused.end(), "M-HTTP-LISTEN-IS-SSE"), refused.end());
}

}  // namespace
}  // namespace assay::oracle
