#include "oracle/notifications.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

Ids Legacy(const std::string& capabilities, const std::string& text,
           const std::string& revision = "2025-11-25") {
  return Verdicts("open: " + revision + " " + capabilities + "\n" + text);
}
Ids Modern(const std::string& text) { return Verdicts("era: modern\n" + text); }

TEST(NotificationsTest, WhichAnEraHas) {
  EXPECT_EQ(Modern("<- notifications/elicitation/complete {\"elicitationId\":\"e\"}"),
            Ids{"M-ELICIT-NO-ELICITATION-ID"});
  EXPECT_EQ(Modern("<- tools/list_changed"), Ids{"M-RPC-SERVER-NOTIFICATION-SET"});
  EXPECT_EQ(
      Legacy("{}", "<- notifications/elicitation/complete {\"elicitationId\":\"e\"}", "2025-06-18"),
      Ids{"L-INIT-respect-version"});
  EXPECT_EQ(Legacy("{}", "<- notifications/tasks/status {}", "2024-11-05"),
            Ids{"L-INIT-respect-version-weak"});
  EXPECT_EQ(Legacy("{}", "<- tools/list_changed"), Ids{"L-INIT-respect-version?"});
  EXPECT_EQ(Legacy("{\"experimental\":{\"x\":{}}}", "<- notifications/x/y"), Ids{});
}

TEST(NotificationsTest, ModernLogs) {
  const std::string log = "<- notifications/message {\"level\":\"info\",\"data\":1}\n";
  const auto call = [](const std::string& level) {
    return "=> 1 tools/call "
           "{\"name\":\"a\",\"_meta\":{$ENV,\"io.modelcontextprotocol/logLevel\":\"" +
           level + "\"}}\n";
  };
  EXPECT_EQ(Modern("=> 1 tools/call {\"name\":\"a\",\"_meta\":{$ENV}}\n" + log),
            Ids{"M-LOG-OPT-IN"});
  EXPECT_EQ(Modern(call("info") + log), Ids{});
  EXPECT_EQ(Modern(call("warning") + log), Ids{"M-LOG-THRESHOLD"});
  EXPECT_EQ(Modern(call("info") + "<= 1 {$DONE,\"content\":[]}\n" + log + log),
            Ids{"M-LOG-BEFORE-RESPONSE"});
  EXPECT_EQ(
      Modern(
          "=> 0 server/discover $2026\n<= 0 "
          "{$DONE,$KEEP,\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}\n" +
          call("info") + log),
      Ids{"M-LOG-CAPABILITY"});
}

TEST(NotificationsTest, LegacyLogs) {
  const std::string log = "<- notifications/message {\"level\":\"info\",\"data\":1}\n";
  EXPECT_EQ(Legacy("{}", log), Ids{"L-LOG-declare"});
  EXPECT_EQ(Legacy("{\"logging\":{}}", "=> 1 logging/setLevel {\"level\":\"error\"}\n<= 1\n" + log),
            Ids{"L-LOG-level-respected"});
  EXPECT_EQ(
      Legacy("{\"logging\":{}}", "=> 1 logging/setLevel {\"level\":\"error\"}\n" + log + "<= 1\n"),
      Ids{});
}

TEST(NotificationsTest, LegacyChangesAreDeclared) {
  for (const std::string feature : {"tools", "prompts", "resources"}) {
    const std::string note = "<- notifications/" + feature + "/list_changed\n";
    EXPECT_EQ(Legacy("{\"" + feature + "\":{}}", note), Ids{"L-INIT-notifications-only-declared"});
    EXPECT_EQ(Legacy("{\"" + feature + "\":{\"listChanged\":false}}", note),
              Ids{"L-INIT-notifications-only-declared"});
    EXPECT_EQ(Legacy("{\"" + feature + "\":{}}", note, "2024-11-05"),
              Ids{"L-INIT-only-negotiated-weak"});
    EXPECT_EQ(Legacy("{\"" + feature + "\":{\"listChanged\":true}}", note), Ids{});
  }
}

TEST(NotificationsTest, LegacyUpdates) {
  const std::string updated = "<- notifications/resources/updated {\"uri\":\"a:b\"}\n";
  EXPECT_EQ(Legacy("{\"resources\":{\"subscribe\":true}}", updated),
            Ids{"L-RES-updated-only-subscribed"});
  EXPECT_EQ(
      Legacy("{\"resources\":{}}", "=> 1 resources/subscribe {\"uri\":\"a:b\"}\n<= 1\n" + updated),
      Ids{"L-INIT-notifications-only-declared"});
}

TEST(NotificationsTest, LogsHoldNoSecrets) {
  EXPECT_EQ(
      Legacy("{\"logging\":{}}",
             "<- notifications/message {\"level\":\"info\",\"data\":{\"key\":\"-----BEGIN RSA "
             "PRIVATE KEY-----\"}}"),
      Ids{"L-LOG-no-secrets?"});
}

TEST(NotificationsTest, ATaskIsNotCancelledAsARequest) {
  const std::string asked = "<? 1 ping\n";
  const std::string cancelled = "<- notifications/cancelled {\"requestId\":1}";
  EXPECT_EQ(Legacy("{}", asked + "> {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{}}}\n" +
                             cancelled),
            Ids{"L-CANCEL-task-use-tasks-cancel"});
}

TEST(NotificationsTest, Cancellations) {
  EXPECT_EQ(
      Legacy("{\"tools\":{}}",
             "=> 1 tools/call {\"name\":\"a\"}\n<- notifications/cancelled {\"requestId\":1}"),
      Ids{"L-CANCEL-own-requests-only"});
  EXPECT_EQ(Legacy("{\"tools\":{}}", "<? 1 ping\n<- notifications/cancelled {\"requestId\":1}"),
            Ids{});
  EXPECT_EQ(Modern("=> 1 tools/call {\"name\":\"a\",\"_meta\":{$ENV}}\n<- notifications/cancelled "
                   "{\"requestId\":1}"),
            Ids{"M-CANCEL-NO-OTHER-USE"});
}

}  // namespace
}  // namespace assay::oracle
