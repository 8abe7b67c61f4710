#include "oracle/subscriptions.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

const std::string kListen = R"(
  era: modern
  => 1 subscriptions/listen {"notifications":{"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["test://a"]},"_meta":{$ENV}}
)";
std::string Tagged(const std::string& method, const std::string& members = "",
                   const std::string& id = "1") {
  return "<- notifications/" + method + " {" + members +
         "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" + id + "}}\n";
}
const std::string kAck =
    Tagged("subscriptions/acknowledged", R"("notifications":{"toolsListChanged":true},)");
const std::string kTools = "tools/list_changed";

TEST(SubscriptionsOfOneId, WhichOfThemIsAcknowledgedIsOpen) {
  EXPECT_EQ(Verdicts("era: modern\n=> \"\" subscriptions/listen "
                     "{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{$ENV}}\n"
                     "> {\"id\":\"\",\"method\":\"subscriptions/listen\"}\n"
                     "<- notifications/subscriptions/acknowledged {\"notifications\":"
                     "{\"toolsListChanged\":true},\"_meta\":{"
                     "\"io.modelcontextprotocol/subscriptionId\":\"\"}}\n<! \"\" -32600"),
            std::vector<std::string>{});
}

TEST(SubscriptionsTest, Acknowledgment) {
  EXPECT_EQ(Verdicts(kListen + kAck + kAck), Ids{"M-SUB-ACK-ONCE"});
  EXPECT_EQ(Verdicts(kListen + Tagged(kTools) + kAck), Ids{"M-SUB-NOTHING-BEFORE-ACK"});
  EXPECT_EQ(Verdicts(kListen + "<= 1 "
                               "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/"
                               "serverInfo\":{\"name\":\"s\",\"version\":\"1\"},\"io."
                               "modelcontextprotocol/subscriptionId\":1}}"),
            Ids{"M-SUB-ACK-SENT"});
  EXPECT_EQ(Verdicts(kListen + "<! 1 -32601"), Ids{});
  EXPECT_EQ(
      Verdicts(kListen + "<- notifications/subscriptions/acknowledged {\"notifications\":{}}"),
      Ids{"M-SUB-ID-ON-EVERY-NOTIFICATION"});
}

// Which of two requests of one id was answered is open, and so may be whether the other era was.
TEST(SubscriptionsTest, AcknowledgmentBesideWhatMayHaveBeenAnInitialize) {
  const auto end = [](const std::string& id) {
    return "<= " + id +
           " {\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"
           "{\"name\":\"s\",\"version\":\"1\"},\"io.modelcontextprotocol/subscriptionId\":" +
           id + "}}\n";
  };
  EXPECT_EQ(
      Verdicts(kListen + kAck +
               "=> 28 subscriptions/listen {\"notifications\":{},\"_meta\":{$ENV}}\n" +
               Tagged("subscriptions/acknowledged", "\"notifications\":{},", "28") +
               "> {\"id\":1,\"method\":\"initialize\"}\n<! 1 -32600\n" + end("1") + end("28")),
      Ids{});
}

TEST(SubscriptionsTest, GrantedFilter) {
  const auto ack = [](const std::string& filter) {
    return Verdicts(kListen +
                    Tagged("subscriptions/acknowledged", "\"notifications\":" + filter + ","));
  };
  EXPECT_EQ(ack(R"({"toolsListChanged":true,"resourceSubscriptions":["test://a"]})"), Ids{});
  EXPECT_EQ(ack(R"({"promptsListChanged":true})"), Ids{"M-SUB-ACK-SUBSET"});
  EXPECT_EQ(ack(R"({"resourceSubscriptions":["test://b"]})"), Ids{"M-SUB-ACK-SUBSET"});
  EXPECT_EQ(ack(R"({"taskIds":["t"]})"), Ids{"T-NOTIF-ACK-TASKIDS"});
}

TEST(SubscriptionsTest, UnsupportedTypesAreLeftOut) {
  const std::string discover = R"(
    => 0 server/discover $2026
    <= 0 {$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
  )";
  EXPECT_EQ(Verdicts("era: modern\n" + discover + kListen + kAck),
            Ids{"M-SUB-ACK-OMITS-UNSUPPORTED"});
  EXPECT_EQ(Verdicts("era: modern\n" + discover + kListen +
                     Tagged("subscriptions/acknowledged",
                            R"("notifications":{"toolsListChanged":false},)")),
            Ids{"M-SUB-ACK-OMITS-UNSUPPORTED?"});
}

TEST(SubscriptionsTest, OnlyWhatWasAskedFor) {
  EXPECT_EQ(Verdicts(kListen + kAck + Tagged("prompts/list_changed")), Ids{"M-SUB-OPT-IN-ONLY"});
  EXPECT_EQ(Verdicts(kListen + kAck + Tagged("resources/list_changed")), Ids{"M-SUB-OPT-IN-ONLY"});
  EXPECT_EQ(Verdicts(kListen + kAck + Tagged("resources/updated", "\"uri\":\"test://b\",")),
            Ids{"M-SUB-URI-OPT-IN-ONLY"});
  EXPECT_EQ(Verdicts(kListen + kAck + Tagged("resources/updated", "\"uri\":\"test://a/x\",")),
            Ids{});
  EXPECT_EQ(
      Verdicts(
          kListen + kAck +
          Tagged(
              "tasks",
              R"("taskId":"t","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null,)")),
      Ids{"T-NOTIF-ONLY-SUBSCRIBED"});
}

TEST(SubscriptionsTest, Tags) {
  EXPECT_EQ(Verdicts(kListen + kAck + "<- notifications/tools/list_changed"),
            Ids{"M-SUB-ID-ON-EVERY-NOTIFICATION"});
  EXPECT_EQ(Verdicts(kListen + kAck + Tagged(kTools, "", "\"1\"")), Ids{"M-SUB-ID-VALUE"});
  EXPECT_EQ(Verdicts(kListen + kAck + Tagged(kTools, "", "2")), Ids{"M-SUB-ID-VALUE"});
  EXPECT_EQ(Verdicts("era: modern\n<- notifications/tools/list_changed"),
            Ids{"M-SUB-ONLY-VIA-LISTEN"});
  EXPECT_EQ(Verdicts("era: modern\n" + Tagged(kTools)), Ids{"M-SUB-ONLY-VIA-LISTEN"});
  EXPECT_EQ(Verdicts(kListen + kAck +
                     "=> 2 tools/call {\"name\":\"a\",\"_meta\":{$ENV,\"progressToken\":1}}\n" +
                     Tagged("progress", "\"progressToken\":1,\"progress\":1,")),
            Ids{"M-SUB-ID-NOT-ELSEWHERE"});
  EXPECT_EQ(
      Verdicts(
          kListen + kAck +
          "=> 2 tools/call "
          "{\"name\":\"a\",\"_meta\":{$ENV,\"io.modelcontextprotocol/logLevel\":\"debug\"}}\n" +
          Tagged("message", "\"level\":\"info\",\"data\":1,")),
      Ids{"M-LOG-NOT-ON-LISTEN"});
}

TEST(SubscriptionsTest, AfterTheEnd) {
  EXPECT_EQ(Verdicts(kListen + kAck +
                     "<= 1 "
                     "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/"
                     "serverInfo\":{\"name\":\"s\",\"version\":\"1\"},\"io.modelcontextprotocol/"
                     "subscriptionId\":1}}\n" +
                     Tagged(kTools)),
            Ids{"M-SUB-CLOSE-AFTER-RESULT"});
  EXPECT_EQ(Verdicts(kListen + kAck +
                     "<= 1 "
                     "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/"
                     "serverInfo\":{\"name\":\"s\",\"version\":\"1\"},\"io.modelcontextprotocol/"
                     "subscriptionId\":\"1\"}}"),
            Ids{"M-SUB-GRACEFUL-SHAPE"});
  const std::string cancel = "-> notifications/cancelled {\"requestId\":1}\n";
  EXPECT_EQ(Verdicts(kListen + kAck + cancel + Tagged(kTools)), Ids{});
  EXPECT_EQ(Verdicts(kListen + kAck + cancel + "=> 2 x $2026\n<! 2 -32601\n" + Tagged(kTools)),
            Ids{"M-SUB-CLIENT-CANCEL?"});
}

}  // namespace
}  // namespace assay::oracle
