#include "oracle/process.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

Ids Legacy(const std::string& text) { return Verdicts("open: 2025-11-25\n" + text); }
Ids Modern(const std::string& text) { return Verdicts("era: modern\n" + text); }

const std::string kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

TEST(ProcessTest, WhatIsWrongByItsSchemaMayBePassedOver) {
  EXPECT_EQ(Legacy("=> 1 tools/list {\"_meta\":\"x\"}\n! dropped {\"id\":1}"),
            Ids{"L-BASE-one-response-per-request?"});
}

TEST(ProcessTest, Dropped) {
  EXPECT_EQ(Legacy("> " + kPing + "\n! dropped " + kPing), Ids{"L-PING-respond"});
  EXPECT_EQ(Legacy("=> 1 tools/list\n! dropped {\"id\":1}"),
            Ids{"L-BASE-one-response-per-request"});
  EXPECT_EQ(Modern("=> 1 tools/list $2026\n! dropped {\"id\":1}"),
            Ids{"M-BASE-MANDATORY-COMPONENTS"});
  EXPECT_EQ(Modern("=> 1 server/discover $2026\n! dropped {\"id\":1}"),
            Ids{"M-DISCOVER-IMPLEMENTED"});
  EXPECT_EQ(Modern("=> 1 subscriptions/listen {\"notifications\":{},\"_meta\":{$ENV}}\n! dropped "
                   "{\"id\":1}"),
            Ids{"M-SUB-ACK-SENT"});
}

TEST(ProcessTest, NotOwedBeyondDoubt) {
  // Before initialize a legacy server may keep silent, but for ping.
  EXPECT_EQ(Verdicts("=> 1 tools/list\n! dropped {\"id\":1}"),
            Ids{"L-BASE-one-response-per-request?"});
  EXPECT_EQ(Verdicts("=> 1 ping\n! dropped {\"id\":1}"), Ids{"L-PING-respond"});
  EXPECT_EQ(Legacy("> {\"id\":1,\"method\":\"ping\"}\n! dropped {\"id\":1}"),
            Ids{"L-BASE-invalid-request?"});
  // A server that may not know the envelope.
  EXPECT_EQ(Verdicts("=> 1 tools/list $2026\n! dropped {\"id\":1}"),
            Ids{"M-BASE-MANDATORY-COMPONENTS?"});
  EXPECT_EQ(Legacy("=> 9007199254740993 ping\n! dropped {\"id\":9007199254740993}"),
            Ids{"L-PING-respond?"});
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_EQ(Legacy("=> 1 ping {\"x\":" + deep + "}\n! dropped {\"id\":1}"), Ids{"L-PING-respond?"});
  EXPECT_EQ(Legacy("> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"result\":{}}\n"
                   "! dropped {\"id\":1}"),
            Ids{"L-BASE-invalid-request?"});
  // Cancelled, so nothing is owed.
  EXPECT_EQ(
      Legacy("=> 1 tools/list\n-> notifications/cancelled {\"requestId\":1}\n! dropped {\"id\":1}"),
      Ids{});
}

TEST(ProcessTest, Hang) {
  EXPECT_EQ(Legacy("=> 1 ping\n! hang"), Ids{"L-PING-respond"});
  EXPECT_EQ(Modern("=> 1 tools/list $2026\n! hang"), Ids{"M-BASE-MANDATORY-COMPONENTS"});
  EXPECT_EQ(Legacy("> garbage\n=> 1 ping\n! hang"), Ids{"L-PING-respond?"});
  EXPECT_EQ(Legacy("! hang"), Ids{"L-BASE-support-base-and-lifecycle"});
}

TEST(ProcessTest, Death) {
  EXPECT_EQ(Legacy("=> 1 ping\n! died 11"), Ids{"L-BASE-support-base-and-lifecycle"});
  EXPECT_EQ(Modern("=> 1 x $2026\n<! 1 -32601\n! died 6"), Ids{"M-BASE-MANDATORY-COMPONENTS"});
  EXPECT_EQ(Legacy("=> 1 ping\n! exited 1"), Ids{"L-PING-respond"});
  EXPECT_EQ(Legacy("=> 1 tools/list\n! output-closed\n! exited 0"),
            Ids{"L-BASE-one-response-per-request"});
}

TEST(ProcessTest, DeathThatWasCourted) {
  for (const std::string bad :
       {"> {\"jsonrpc\":\"2.0\",\"id\":1\n", "> [[[\n", "> {\"a\":1,\"a\":2}\n", "> 5\n",
        "=> 5 tools/call {}\n", "=> 0 ping\n", "=> 5 initialize {}\n", "=> 5 tools/list $2026\n",
        "-> notifications/cancelled {\"requestId\":77}\n",
        "> [{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}]\n", "=> 1.5 ping\n", ">= 3\n",
        "=> 5 ping []\n"}) {
    EXPECT_EQ(Legacy(bad + "=> 1 ping\n! died 11"), Ids{"L-BASE-support-base-and-lifecycle?"})
        << bad;
  }
  for (const std::string bad :
       {"=> 5 tools/list\n",
        "=> 5 tools/list "
        "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}\n",
        "=> 5 tools/call $2026\n", "=> 1 x $2026\n"}) {
    EXPECT_EQ(Modern(bad + "=> 1 x $2026\n! died 11"), Ids{"M-BASE-MANDATORY-COMPONENTS?"}) << bad;
  }
}

TEST(ProcessTest, DeathThatWasNot) {
  EXPECT_EQ(Legacy("=> 5 tools/call {\"name\":\"nope\",\"arguments\":{\"a\":[{}]}}\n! died 11"),
            Ids{"L-BASE-support-base-and-lifecycle"});
  EXPECT_EQ(Legacy("=> 5 ping\n-> notifications/cancelled {\"requestId\":5}\n! died 11"),
            Ids{"L-BASE-support-base-and-lifecycle"});
  EXPECT_EQ(
      Verdicts(
          "open: 2025-03-26\n> [{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}]\n! died 11"),
      Ids{"L-BASE-support-base-and-lifecycle"});
}

TEST(ProcessTest, PermittedEnds) {
  EXPECT_EQ(Legacy("! exited 0"), Ids{});
  EXPECT_EQ(Legacy("! output-closed\n! exited 3"), Ids{});
  EXPECT_EQ(Legacy("=> 1 ping\n! closed\n! exited 1"), Ids{});
  EXPECT_EQ(Legacy("=> 1 ping\n! signal\n! died 15"), Ids{});
  EXPECT_EQ(Legacy("=> 1 ping\n! killed\n! died 9"), Ids{});
  EXPECT_EQ(Modern("=> 1 subscriptions/listen {\"notifications\":{},\"_meta\":{$ENV}}\n! exited 0"),
            Ids{});
}

TEST(ProcessTest, KilledFromOutsideOrAtTheEnd) {
  EXPECT_EQ(Legacy("! died 9"), Ids{"L-BASE-support-base-and-lifecycle?"});
  EXPECT_EQ(Legacy("! closed\n! died 11"), Ids{"L-BASE-support-base-and-lifecycle?"});
}

TEST(ProcessTest, Orphans) {
  EXPECT_EQ(Legacy("! closed\n! exited 0\n! orphans"), Ids{"L-INIT-stdio-exit-on-eof?"});
  EXPECT_EQ(Modern("! closed\n! exited 0\n! orphans"), Ids{"M-STDIO-EXIT-ON-EOF?"});
}

}  // namespace
}  // namespace assay::oracle
