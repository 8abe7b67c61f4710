// Sessions of servers that do everything right: the oracle has nothing to say of them.

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

TEST(CleanTest, NothingHappened) {
  EXPECT_EQ(Verdicts(""), Ids{});
  EXPECT_EQ(Verdicts("! started\n! closed\n! exited 0\n"), Ids{});
}

TEST(CleanTest, LegacySessionWithEverything) {
  for (const std::string revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    EXPECT_EQ(
        Verdicts(
            "! started\nopen: " + revision +
            R"( {"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true,"listChanged":true},"logging":{},"completions":{}} {"sampling":{},"roots":{}}
      => 1 ping
      <= 1
      => "two" tools/list {}
      <= "two" {"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","description":"B","inputSchema":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}],"nextCursor":"p2"}
      => 3 tools/list {"cursor":"p2"}
      <= 3 {"tools":[{"name":"c","inputSchema":{"type":"object"}}]}
      => 4 tools/call {"name":"b","arguments":{"x":"y"},"_meta":{"progressToken":"t"}}
      <- notifications/progress {"progressToken":"t","progress":0.5}
      <- notifications/message {"level":"info","data":"working"}
      <- notifications/progress {"progressToken":"t","progress":1,"total":1}
      <= 4 {"content":[{"type":"text","text":"ok"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"isError":false}
      => 5 tools/call {"name":"nope"}
      <! 5 -32602
      => 6 prompts/list
      <= 6 {"prompts":[{"name":"p","arguments":[{"name":"a","required":true}]}]}
      => 7 prompts/get {"name":"p","arguments":{"a":"1"}}
      <= 7 {"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]}
      => 8 resources/list
      <= 8 {"resources":[{"uri":"test://a","name":"a"}]}
      => 9 resources/read {"uri":"test://a"}
      <= 9 {"contents":[{"uri":"test://a","text":"A"},{"uri":"test://a/b","blob":"AAAA"}]}
      => 10 resources/read {"uri":"test://none"}
      <! 10 -32002
      => 11 resources/subscribe {"uri":"test://a"}
      <= 11
      <- notifications/resources/updated {"uri":"test://a/b"}
      <- notifications/tools/list_changed
      => 12 logging/setLevel {"level":"error"}
      <= 12
      => 13 completion/complete {"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}
      <= 13 {"completion":{"values":["1","2"],"total":2,"hasMore":false}}
      => 14 tools/call {"name":"ask","arguments":{}}
      <? 1 sampling/createMessage {"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":10}
      >= 1 {"role":"assistant","content":{"type":"text","text":"!"},"model":"m"}
      <? 2 roots/list
      >= 2 {"roots":[]}
      <? 3 ping
      >= 3
      <= 14 {"content":[]}
      => 15 no/such/method
      <! 15 -32601
      ! closed
      ! exited 0
    )"),
        Ids{})
        << revision;
  }
}

TEST(CleanTest, LegacyCancellation) {
  EXPECT_EQ(Verdicts(R"(
    open: 2025-11-25 {"tools":{}}
    => 1 tools/call {"name":"slow","_meta":{"progressToken":1}}
    <- notifications/progress {"progressToken":1,"progress":1}
    -> notifications/cancelled {"requestId":1}
    => 2 ping
    <= 2
    ! closed
    ! exited 0
  )"),
            Ids{});
  // One that crossed the response.
  EXPECT_EQ(Verdicts(R"(
    open: 2025-11-25 {"tools":{}}
    => 1 tools/call {"name":"fast"}
    -> notifications/cancelled {"requestId":1}
    <= 1 {"content":[]}
  )"),
            Ids{});
}

TEST(CleanTest, LegacyBatch) {
  EXPECT_EQ(Verdicts(R"(
    open: 2025-03-26
    > [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/roots/list_changed"},{"jsonrpc":"2.0","id":2,"method":"x/y"}]
    < [{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":1,"result":{}}]
    > [{"jsonrpc":"2.0","id":3,"method":"ping"}]
    <= 3
    > []
    <! null -32600
  )"),
            Ids{});
}

TEST(CleanTest, LegacyBeforeInitialize) {
  EXPECT_EQ(Verdicts(R"(
    => 1 tools/list
    <! 1 -32600
    => 2 ping
    <= 2
    => 3 initialize {"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"a","version":"1"}}
    <= 3 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
    -> notifications/initialized
    => 4 ping
    <= 4
  )"),
            Ids{});
}

TEST(CleanTest, GarbageAnsweredWithOrWithoutIdOrNotAtAll) {
  for (const std::string answer :
       {R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}})",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})",
        R"({"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"no"}})"}) {
    for (const std::string open : {"open: 2025-11-25\n", "open: 2024-11-05\n", "era: modern\n"}) {
      EXPECT_EQ(Verdicts(open + "> {\"jsonrpc\":\"2.0\",\"id\":7,\n< " + answer + "\n"), Ids{});
    }
  }
  EXPECT_EQ(Verdicts("open: 2025-11-25\n> hello\n> {}\n> 5\n> [1]\n> \xff\n=> 1 ping\n<= 1\n"),
            Ids{});
}

TEST(CleanTest, OneAnswerForEachBrokenLine) {
  EXPECT_EQ(Verdicts(R"(
    open: 2025-11-25
    > hello
    > {"jsonrpc":"2.0","id":null,"method":"ping"}
    > {"jsonrpc":"2.0","id":1.5,"method":"ping"}
    > {"jsonrpc":"1.0","id":"x","method":"ping"}
    <! null -32700
    <! null -32600
    <! 1.5 -32600
    <! "x" -32600
  )"),
            Ids{});
}

TEST(CleanTest, ModernConversation) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 server/discover $2026
    <= 1 {$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"logging":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}
    => "1" tools/list $2026
    <= "1" {$DONE,$KEEP,"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"integer"}}}],"nextCursor":""}
    => 2 tools/list {"cursor":"","_meta":{$ENV}}
    <= 2 {$DONE,$KEEP,"tools":[]}
    => 3 tools/call {"name":"a","_meta":{$ENV,"progressToken":7,"io.modelcontextprotocol/logLevel":"warning"}}
    <- notifications/progress {"progressToken":7,"progress":1}
    <- notifications/message {"level":"error","data":{"x":1}}
    <- notifications/progress {"progressToken":7,"progress":2.5}
    <= 3 {$DONE,"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}
    => 4 resources/read {"uri":"test://none","_meta":{$ENV}}
    <! 4 -32602
    => 5 resources/read {"uri":"test://a","_meta":{$ENV}}
    <= 5 {$DONE,$KEEP,"contents":[{"uri":"test://a","blob":"AAAA"}]}
    => 6 prompts/get {"name":"p","_meta":{$ENV}}
    <= 6 {$DONE,"messages":[{"role":"assistant","content":{"type":"resource","resource":{"uri":"test://a","mimeType":"text/plain","text":"A"}}}]}
    => 7 completion/complete {"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""},"_meta":{$ENV}}
    <= 7 {$DONE,"completion":{"values":[]}}
    => 8 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
    <! 8 {"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}
    => 9 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}
    <! 9 -32602
    => 10 tools/list
    <! 10 -32602
    => 11 no/such/method $2026
    <! 11 -32601
    => 12 tools/call {"name":"asks","_meta":{$ENV}}
    <! 12 {"code":-32021,"message":"no","data":{"requiredCapabilities":{"elicitation":{}}}}
    => 13 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}
    <! 13 {"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}
    => 14 ping $2026
    <! 14 -32601
    ! closed
    ! exited 0
  )"),
            Ids{});
}

TEST(CleanTest, ModernInput) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 tools/call {"name":"ask","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}
    <= 1 {"resultType":"input_required","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"requestState":"s","inputRequests":{"name":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}
    => 2 tools/call {"name":"ask","requestState":"s","inputResponses":{"name":{"action":"decline"}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}
    <= 2 {$DONE,"content":[],"isError":true}
  )"),
            Ids{});
}

TEST(CleanTest, ModernSubscription) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 subscriptions/listen {"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://a"]},"_meta":{$ENV}}
    <- notifications/subscriptions/acknowledged {"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://a"]},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}
    <- notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}
    => "1" subscriptions/listen {"notifications":{},"_meta":{$ENV}}
    <- notifications/subscriptions/acknowledged {"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}
    <- notifications/resources/updated {"uri":"test://a/b","_meta":{"io.modelcontextprotocol/subscriptionId":1}}
    -> notifications/cancelled {"requestId":"1"}
    ! closed
    <- notifications/cancelled {"requestId":1}
    <= 1 {"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"io.modelcontextprotocol/subscriptionId":1}}
    ! exited 0
  )"),
            Ids{});
}

TEST(CleanTest, ModernTasks) {
  const std::string tasks =
      R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})";
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 tools/call {"name":"long","_meta":)" +
                     tasks + R"(}
    <= 1 {"resultType":"task","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"taskId":"a","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null}
    => 2 tasks/get {"taskId":"a","_meta":)" +
                     tasks + R"(}
    <= 2 {$DONE,"taskId":"a","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:01Z","ttlMs":1000,"result":{"content":[]}}
    => 3 tasks/cancel {"taskId":"a","_meta":)" +
                     tasks + R"(}
    <= 3 {$DONE}
    => 4 tasks/get {"taskId":"b","_meta":)" +
                     tasks + R"(}
    <! 4 -32602
  )"),
            Ids{});
}

TEST(CleanTest, HandleDialectOfTasks) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 tools/call {"name":"long","_meta":{$ENV,"progressToken":"p"}}
    <- notifications/progress {"progressToken":"p","progress":0,"_meta":{"taskHandle":"h"}}
    => 2 tasks/get {"taskId":"h","_meta":{$ENV}}
    <= 2 {$DONE,"status":"working"}
    => 3 tasks/cancel {"taskId":"h","_meta":{$ENV}}
    <= 3 {$DONE}
    <= 1 {"resultType":"complete","_meta":{"taskHandle":"h","io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"content":[],"isError":true}
  )"),
            Ids{});
}

TEST(CleanTest, LegacyTasks) {
  EXPECT_EQ(Verdicts(R"(
    open: 2025-11-25 {"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    => 1 tools/call {"name":"long","task":{"ttl":60000},"_meta":{"progressToken":"p"}}
    <= 1 {"task":{"taskId":"a","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":60000}}
    <- notifications/progress {"progressToken":"p","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}
    <- notifications/tasks/status {"taskId":"a","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:01Z","ttl":60000}
    => 2 tasks/result {"taskId":"a"}
    <= 2 {"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}
    => 3 tasks/cancel {"taskId":"a"}
    <! 3 -32602
  )"),
            Ids{});
}

TEST(CleanTest, BothErasOnOneConnection) {
  EXPECT_EQ(Verdicts(R"(
    open: 2025-11-25 {"tools":{"listChanged":true}}
    => 1 tools/list $2026
    <= 1 {$DONE,$KEEP,"tools":[]}
    => 2 tools/list
    <= 2 {"tools":[]}
    <- notifications/tools/list_changed
    => 3 tools/list $2026
    <! 3 -32600
    => 4 tools/list $2026
    <= 4 {"tools":[]}
  )"),
            Ids{});
  EXPECT_EQ(Verdicts(R"(
    => 1 tools/list $2026
    <= 1 {$DONE,$KEEP,"tools":[]}
    => 2 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}
    <= 2 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
    => 3 ping
    <= 3
  )"),
            Ids{});
}

TEST(CleanTest, LegacyOnlyServerMeetsAnEnvelope) {
  EXPECT_EQ(Verdicts(R"(
    => 1 server/discover $2026
    <! 1 -32002
    => 2 tools/list $2026
    <= 2 {"tools":[]}
  )"),
            Ids{});
}

TEST(CleanTest, SharedConnectionHoldsOnlyAPart) {
  EXPECT_EQ(Verdicts(R"(
    era: legacy
    revision: 2025-11-25
    shared: yes
    => 41 tools/call {"name":"a","_meta":{"progressToken":"t"}}
    <- notifications/progress {"progressToken":"other","progress":1}
    <- notifications/message {"level":"info","data":1}
    <= 41 {"content":[]}
    <= 40 {}
  )"),
            Ids{});
}

TEST(CleanTest, RestartBeginsAnew) {
  EXPECT_EQ(Verdicts(R"(
    ! started
    open: 2025-11-25
    => 1 ping
    ! closed
    ! exited 0
    ! started
    open: 2025-11-25
    => 1 ping
    <= 1
  )"),
            Ids{});
}

}  // namespace
}  // namespace assay::oracle
