#include "oracle/jsonrpc.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

// What the oracle says when `answer` comes for a request with id 1.
Ids Legacy(const std::string& answer) {
  return Verdicts("open: 2025-11-25 {\"logging\":{}} {\"sampling\":{}}\n=> 1 ping\n" + answer);
}
Ids Modern(const std::string& answer) {
  return Verdicts("era: modern\n=> 1 no/such $2026\n" + answer);
}

TEST(JsonRpcTest, VersionMember) {
  EXPECT_EQ(Legacy(R"(< {"id":1,"result":{}})"), Ids{"L-BASE-jsonrpc-version"});
  EXPECT_EQ(Legacy(R"(< {"jsonrpc":"1.0","id":1,"result":{}})"), Ids{"L-BASE-jsonrpc-version"});
  EXPECT_EQ(Legacy(R"(< {"jsonrpc":2.0,"id":1,"result":{}})"), Ids{"L-BASE-jsonrpc-version"});
  EXPECT_EQ(Modern(R"(< {"id":1,"error":{"code":-32601,"message":"no"}})"),
            Ids{"M-RPC-VERSION-MEMBER"});
  EXPECT_EQ(Legacy(R"(< {"method":"notifications/message","params":{"level":"info","data":1}})"),
            Ids{"L-BASE-jsonrpc-version"});
}

TEST(JsonRpcTest, ResultOrError) {
  EXPECT_EQ(Legacy(R"(< {"jsonrpc":"2.0","id":1,"result":{},"error":null})"),
            Ids{"L-BASE-result-xor-error"});
  EXPECT_EQ(
      Modern(R"(< {"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32601,"message":"no"}})"),
      Ids{"M-RPC-RESULT-XOR-ERROR"});
  EXPECT_EQ(Legacy(R"(< {"jsonrpc":"2.0","id":1})"), Ids{"L-BASE-result-xor-error"});
  EXPECT_EQ(Modern(R"(< {"jsonrpc":"2.0","id":1})"), Ids{"M-RPC-RESULT-MEMBER"});
}

TEST(JsonRpcTest, ResultIsAnObject) {
  for (const std::string result : {"null", "[]", "\"ok\"", "1", "true"}) {
    EXPECT_EQ(Legacy("<= 1 " + result), Ids{"L-BASE-result-is-object"}) << result;
    EXPECT_EQ(Modern("<= 1 " + result), Ids{"M-RPC-RESULT-IS-OBJECT"}) << result;
  }
}

TEST(JsonRpcTest, ErrorMembers) {
  EXPECT_EQ(Modern(R"(<! 1 {"message":"no"})"), Ids{"M-RPC-ERROR-MEMBERS"});
  EXPECT_EQ(Modern(R"(<! 1 {"code":-32601})"), Ids{"M-RPC-ERROR-MEMBERS"});
  EXPECT_EQ(Modern(R"(<! 1 {"code":-32601,"message":null})"), Ids{"M-RPC-ERROR-MEMBERS"});
  EXPECT_EQ(Modern(R"(< {"jsonrpc":"2.0","id":1,"error":"no"})"), Ids{"M-RPC-ERROR-MEMBERS"});
  EXPECT_EQ(Legacy(R"(<! 1 {"code":-1})"), Ids{"L-BASE-error-shape"});
  EXPECT_EQ(Legacy(R"(<! 1 {"code":"-1","message":"no"})"), Ids{"L-BASE-error-code-integer"});
  EXPECT_EQ(Modern(R"(<! 1 {"code":-32601.5,"message":"no"})"), Ids{"M-RPC-ERROR-CODE-INTEGER"});
  EXPECT_EQ(Modern(R"(<! 1 {"code":-3.2601e4,"message":"no"})"), Ids{});
}

TEST(JsonRpcTest, ErrorMessageIsConcise) {
  EXPECT_EQ(Modern(R"(<! 1 {"code":-32601,"message":""})"), Ids{"M-RPC-ERROR-MESSAGE-CONCISE"});
  EXPECT_EQ(Modern(R"(<! 1 {"code":-32601,"message":"a\nb"})"), Ids{"M-RPC-ERROR-MESSAGE-CONCISE"});
  EXPECT_EQ(Legacy(R"(<! 1 {"code":-1,"message":")" + std::string(301, 'x') + "\"}"),
            Ids{"L-BASE-error-message-concise"});
}

TEST(JsonRpcTest, AServerOfOneEraIsNotJudgedByTheOther) {
  Transcript transcript = ParseTranscript(
      "era: none\n=> 1 tools/list {\"_meta\":{$ENV}}\n<! 1 "
      "{\"code\":-32601,\"message\":\"a\\nb\"}");
  ASSERT_EQ(FindingsOf(transcript).size(), 1U);
  EXPECT_EQ(FindingsOf(transcript)[0].requirement, "M-RPC-ERROR-MESSAGE-CONCISE");
  transcript.legacy_only = true;
  ASSERT_EQ(FindingsOf(transcript).size(), 1U);
  EXPECT_EQ(FindingsOf(transcript)[0].requirement, "L-BASE-error-message-concise");
}

TEST(JsonRpcTest, WhatAnErrorMessageRepeatsIsTheClientsDoing) {
  EXPECT_EQ(Verdicts("open: 2025-11-25\n=> 1 tools/call {\"name\":\"a\\nb\"}\n"
                     "<! 1 {\"code\":-32602,\"message\":\"no tool a\\nb\"}"),
            Ids{});
}

TEST(JsonRpcTest, ResponseWithAMethod) {
  EXPECT_EQ(Legacy(R"(< {"jsonrpc":"2.0","id":1,"method":"ping","result":{}})"),
            Ids{"L-STDIO-stdout-clean?"});
  EXPECT_EQ(
      Modern(R"(< {"jsonrpc":"2.0","id":1,"method":"x","error":{"code":-32601,"message":"no"}})"),
      Ids{"M-RPC-MESSAGE-KINDS?"});
}

TEST(JsonRpcTest, Notifications) {
  EXPECT_EQ(Legacy("<= 1\n<? 2 notifications/message {\"level\":\"info\",\"data\":1}"),
            Ids{"L-BASE-notification-no-id"});
  EXPECT_EQ(Modern("<! 1 -32601\n<? 2 notifications/message"), Ids{"M-RPC-NOTIFICATION-NO-ID"});
  EXPECT_EQ(Modern("<! 1 -32601\n< {\"jsonrpc\":\"2.0\",\"method\":5}"),
            Ids{"M-RPC-NOTIFICATION-SHAPE"});
  EXPECT_EQ(Legacy("<= 1\n<- notifications/tools/list_changed []"),
            (Ids{"L-STDIO-stdout-clean", "L-INIT-notifications-only-declared"}));
}

TEST(JsonRpcTest, SameKeyTwice) {
  EXPECT_EQ(Legacy(R"(< {"jsonrpc":"2.0","id":1,"result":{},"id":1})"),
            Ids{"L-STDIO-stdout-clean?"});
}

}  // namespace
}  // namespace assay::oracle
