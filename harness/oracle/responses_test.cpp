#include "oracle/responses.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

Ids Legacy(const std::string& text) { return Verdicts("open: 2025-11-25\n" + text); }
Ids Modern(const std::string& text) { return Verdicts("era: modern\n" + text); }

TEST(ResponsesTest, IdsAreComparedByValue) {
  EXPECT_EQ(Legacy("=> 7 ping\n<= 7.0"), Ids{});
  EXPECT_EQ(Legacy("=> 70 ping\n<= 7e1"), Ids{});
  EXPECT_EQ(Legacy("=> \"\\u0041\" ping\n<= \"A\""), Ids{});
  EXPECT_EQ(Legacy("=> -1 ping\n<= -1"), Ids{});
  EXPECT_EQ(Legacy("=> 9007199254740993 ping\n<= 9007199254740993"), Ids{});
}

TEST(ResponsesTest, WrongIds) {
  EXPECT_EQ(Legacy("=> 1 ping\n<= \"1\""), Ids{"L-BASE-response-id-echo"});
  EXPECT_EQ(Legacy("=> \"1\" ping\n<= 1"), Ids{"L-BASE-response-id-echo"});
  EXPECT_EQ(Modern("=> \"1\" x $2026\n<! 1 -32601"), Ids{"M-RPC-ERROR-ID-ECHO"});
  EXPECT_EQ(Legacy("=> 1 ping\n<= 1\n<= 2"), Ids{"L-BASE-response-id-echo"});
  EXPECT_EQ(Modern("=> 1 x $2026\n<! 1 -32601\n<= 2 {}"), Ids{"M-RPC-RESULT-ID-ECHO"});
  EXPECT_EQ(Modern("=> 1 x $2026\n<! 1 -32601\n<! {} -32601"), Ids{"M-RPC-RESPONSE-ID-TYPE"});
}

TEST(ResponsesTest, PrecisionLostIsWorthAWarning) {
  EXPECT_EQ(Legacy("=> 9007199254740993 ping\n<= 9007199254740992"),
            Ids{"L-BASE-response-id-echo?"});
}

TEST(ResponsesTest, FractionCutOff) {
  EXPECT_EQ(Legacy("=> 1.5 ping\n<= 1"),
            (Ids{"L-BASE-response-id-echo?", "L-BASE-invalid-request?"}));
}

TEST(ResponsesTest, WhatNotEveryParserReadsMayLoseItsId) {
  // Half a surrogate pair, a key twice.
  const std::string half = "=> 1 ping {\"a\":\"\\ud800\"}\n";
  EXPECT_EQ(Legacy(half + "<! null -32700"), Ids{});
  EXPECT_EQ(Legacy(half + "<= 1"), Ids{});
  EXPECT_EQ(Legacy("=> 1 ping {\"a\":1,\"a\":2}\n<! null -32600"), Ids{});
  const std::string note = "-> notifications/x {\"a\":\"\\udc00\"}\n";
  EXPECT_EQ(Legacy(note + "<! null -32700\n=> 1 ping\n<= 1"), Ids{});
  // Once each.
  EXPECT_EQ(Legacy("=> 1 ping\n" + note + "<! null -32700\n<! null -32700"),
            Ids{"L-BASE-unknown-notification-no-response"});
}

TEST(ResponsesTest, AnErrorWithoutAnIdIsNotTakenFromWhoIsAnsweredByItsId) {
  const std::string note = "-> notifications/x {\"a\":\"\\udc00\"}\n";
  const std::string broken = "> {\"id\":1,\"method\":\"tools/call\"}\n";
  EXPECT_EQ(Legacy(note + broken + "<! null -32700\n<! 1 -32600"), Ids{});
  // Which of two it was shows when one is answered by its id.
  EXPECT_EQ(Legacy(broken + "> {\"id\":1.5,\"method\":\"ping\"}\n<! null -32600\n<! 1 -32600"),
            Ids{});
}

TEST(ResponsesTest, ALineThatWeBrokeMayHaveBeenReadAllTheSame) {
  const std::string broken = "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}\n";
  EXPECT_EQ(Legacy(broken + "=> 1 ping\n<= 1\n<= 1"), Ids{});
  EXPECT_EQ(Legacy("=> 1 ping\n" + broken + "<! 1 -32600\n<= 1"), Ids{});
  EXPECT_EQ(Legacy("> {\"id\":0.5,\"method\":\"ping\"}\n" + broken + "<! 1 -32600\n<! null -32600"),
            Ids{});
  EXPECT_EQ(Legacy("> {\"id\":\"a\\/b\",}\n<! \"a/b\" -32600"), Ids{});
  EXPECT_EQ(Legacy(broken + "=> 2 ping\n<= 2\n<= 2"), Ids{"L-BASE-one-response-per-request"});
}

TEST(ResponsesTest, ACancellationThatCannotBeReadIsNone) {
  EXPECT_EQ(Legacy("=> 1 tools/list\n-> notifications/cancelled {\"requestId\":1,\"reason\":"
                   "\"\\ud800\"}\n=> 2 ping\n<! null -32700\n<= 2\n<! 1 -32601"),
            Ids{});
}

TEST(ResponsesTest, IdLost) {
  EXPECT_EQ(Legacy("=> 1 ping\n<! null -32603"), Ids{"L-BASE-response-id-echo"});
  EXPECT_EQ(
      Modern(
          "=> 1 x $2026\n< {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\"}}"),
      Ids{"M-RPC-ERROR-ID-ECHO"});
  // Where the message itself was broken, not every reader would find the id.
  EXPECT_EQ(Legacy("> {\"id\":1,\"method\":\"ping\"}\n<! null -32600"),
            Ids{"L-BASE-response-id-echo?"});
}

TEST(ResponsesTest, WhatSeemedAnAnswerWasNone) {
  // Only the real answer, which comes later, shows that the error was for the notification.
  EXPECT_EQ(Legacy("-> notifications/x\n=> 1 ping\n<! null -32601\n<= 1"),
            Ids{"L-BASE-notification-no-response"});
  EXPECT_EQ(Legacy("=> 1 ping\n<! null -32601\n! dropped {\"id\":1}"),
            Ids{"L-BASE-response-id-echo"});
  // Nor when there were several notifications, or several requests waited.
  EXPECT_EQ(Legacy("-> notifications/x\n-> notifications/x\n=> 1 ping\n<! null -32601\n"
                   "<! null -32601\n<= 1"),
            Ids{"L-BASE-notification-no-response"});
  EXPECT_EQ(Legacy("-> notifications/x\n=> 1 ping\n=> 2 ping\n<! null -32601\n<= 1\n<= 2"),
            Ids{"L-BASE-notification-no-response"});
}

TEST(ResponsesTest, BatchRefused) {
  EXPECT_EQ(Verdicts("open: 2025-03-26\n> [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
                     "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n<! null -32600\n"
                     "=> 3 ping\n<= 3"),
            Ids{"L-BATCH-receive"});
  EXPECT_EQ(Verdicts("http:\nopen: 2025-03-26\n"
                     "1: > [{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
                     "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n"
                     "1: ! head 200 Content-Type: application/json\n1: <! null -32700\n1: ! end"),
            Ids{"L-BATCH-receive"});
}

TEST(ResponsesTest, AnsweredTwice) {
  EXPECT_EQ(Legacy("=> 1 ping\n<= 1\n<= 1"), Ids{"L-BASE-one-response-per-request"});
  EXPECT_EQ(Modern("=> 1 x $2026\n<! 1 -32601\n<! 1 -32601"), Ids{"M-RPC-DUPLICATE-RESPONSE"});
  // With one id on two requests, two answers are right.
  EXPECT_EQ(Legacy("=> 1 ping\n=> 1 ping\n<= 1\n<= 1"), Ids{});
  EXPECT_EQ(Legacy("=> 1 ping\n=> 1 ping\n<= 1\n<= 1\n<= 1"),
            Ids{"L-BASE-one-response-per-request?"});
}

TEST(ResponsesTest, NotificationAnswered) {
  EXPECT_EQ(Legacy("<! null -32601"), Ids{"L-INIT-initialized-silent"});
  EXPECT_EQ(Legacy("-> notifications/cancelled {\"requestId\":5}\n<! null -32602"),
            Ids{"L-BASE-notification-no-response"});
  EXPECT_EQ(Legacy("-> notifications/unheard-of\n<! null -32601"),
            Ids{"L-BASE-unknown-notification-no-response"});
  EXPECT_EQ(Modern("=> 1 x $2026\n<! 1 -32601\n-> notifications/x\n< "
                   "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\"}}"),
            Ids{"M-RPC-NO-REPLY-TO-NOTIFICATION"});
  // Between requests the notification is still the likely cause.
  EXPECT_EQ(Legacy("-> notifications/unheard-of\n=> 1 ping\n<= 1\n<! null -32601"),
            Ids{"L-BASE-notification-no-response"});
}

TEST(ResponsesTest, NothingWasAsked) {
  EXPECT_EQ(Modern("<! null -32700"), Ids{"M-RPC-ERROR-ID-ECHO"});
}

TEST(ResponsesTest, ResponseAnswered) {
  EXPECT_EQ(
      Verdicts(
          "open: 2025-11-25 {} {\"roots\":{}}\n<? 9 roots/list\n>= 9 {\"roots\":[]}\n<! 9 -32600"),
      Ids{"L-BASE-response-id-echo?"});
}

TEST(ResponsesTest, StrayResponseMayBeCalledInvalid) {
  EXPECT_EQ(Legacy(">= 9\n<! null -32600"), Ids{"L-BASE-response-id-echo?"});
  EXPECT_EQ(Legacy(">= 9\n<! 9 -32600"), Ids{});
}

TEST(ResponsesTest, GarbageWithTheWrongCode) {
  EXPECT_EQ(Legacy("> nonsense\n<! null -32603"), Ids{"L-BASE-parse-error?"});
  EXPECT_EQ(Legacy("> {\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}\n<= 1"),
            Ids{"L-BASE-invalid-request?"});
  EXPECT_EQ(Legacy("> {\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n<= null"),
            (Ids{"L-BASE-response-id-echo?", "L-BASE-invalid-request?"}));
}

TEST(ResponsesTest, AnswerAfterCancellation) {
  const std::string late = R"(
    => 1 tools/call {"name":"a"}
    -> notifications/cancelled {"requestId":1}
    => 2 ping
    <= 2
    <! 1 -1
  )";
  EXPECT_EQ(Verdicts("open: 2025-11-25 {\"tools\":{}}\n" + late), Ids{"L-CANCEL-no-response?"});
  EXPECT_EQ(Modern(R"(
    => 1 tools/call {"name":"a","_meta":{$ENV}}
    -> notifications/cancelled {"requestId":1}
    => 2 x $2026
    <! 2 -32601
    <= 1 {$DONE,"content":[]}
  )"),
            Ids{"M-STDIO-CANCEL-NO-FURTHER-MESSAGES?"});
}

TEST(ResponsesTest, OverHttpACancellationMayOvertakeItsRequest) {
  const std::string head = "1: ! head 200 Content-Type: text/event-stream\n";
  const auto late = [](const std::string& before, const std::string& after) {
    return Verdicts(
        "http:\nopen: 2025-11-25 {\"tools\":{}}\n1: => 1 tools/call {\"name\":\"a\"}\n" + before +
        "2: -> notifications/cancelled {\"requestId\":1}\n2: ! head 202\n2: ! end\n"
        "3: => 2 ping\n3: ! head 200 Content-Type: application/json\n3: <= 2\n"
        "3: ! end\n" +
        after + "1: ! no-data\n1: ! id 1\n1: <= 1 {\"content\":[]}\n1: ! end\n");
  };
  EXPECT_EQ(late(head, ""), Ids{"L-CANCEL-no-response?"});
  EXPECT_EQ(late("", head), Ids{});
}

TEST(ResponsesTest, FindingsNameTheStepOfTheRequest) {
  const auto findings = FindingsOf("open: 2025-11-25\n@ steps/3\n=> 1 ping\n@ steps/4\n<= \"1\"");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].step, "steps/3");
  EXPECT_EQ(findings[0].expected->Dump(), "1");
  EXPECT_EQ(findings[0].actual->Dump(), "\"1\"");
}

}  // namespace
}  // namespace assay::oracle
