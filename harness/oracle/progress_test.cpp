#include "oracle/progress.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

// A call with token "t", then `text`.
Ids Legacy(const std::string& text) {
  return Verdicts(
      "open: 2025-11-25 {\"tools\":{}}\n=> 1 tools/call "
      "{\"name\":\"a\",\"_meta\":{\"progressToken\":\"7\"}}\n" +
      text);
}
Ids Modern(const std::string& text) {
  return Verdicts(
      "era: modern\n=> 1 tools/call {\"name\":\"a\",\"_meta\":{$ENV,\"progressToken\":\"7\"}}\n" +
      text);
}
std::string Progress(const std::string& token, const std::string& value) {
  return "<- notifications/progress {\"progressToken\":" + token + ",\"progress\":" + value + "}\n";
}

TEST(ProgressTest, StrictlyUpwards) {
  EXPECT_EQ(Legacy(Progress("\"7\"", "1") + Progress("\"7\"", "1")), Ids{"L-PROGRESS-increasing"});
  EXPECT_EQ(Modern(Progress("\"7\"", "2") + Progress("\"7\"", "1.5")), Ids{"M-PROG-INCREASES"});
  EXPECT_EQ(Modern(Progress("\"7\"", "9007199254740992") + Progress("\"7\"", "9007199254740993")),
            Ids{});
}

TEST(ProgressTest, OnlyKnownTokens) {
  EXPECT_EQ(Legacy(Progress("\"8\"", "1")), Ids{"L-PROGRESS-known-token"});
  EXPECT_EQ(Modern(Progress("\"8\"", "1")), Ids{"M-PROG-ACTIVE-TOKEN-ONLY"});
  EXPECT_EQ(Legacy(Progress("7", "1")), Ids{"L-PROGRESS-known-token"});
  EXPECT_EQ(Modern(Progress("7", "1")), Ids{"M-PROG-TOKEN-IDENTITY"});
  EXPECT_EQ(Verdicts("open: 2025-11-25\n=> 1 ping\n" + Progress("1", "1")),
            Ids{"L-PROGRESS-none-without-token"});
  EXPECT_EQ(Legacy("> {\"x\n" + Progress("\"8\"", "1")), Ids{"L-PROGRESS-known-token?"});
}

TEST(ProgressTest, StopsWithTheResponse) {
  EXPECT_EQ(Legacy("<= 1 {\"content\":[]}\n" + Progress("\"7\"", "1")), Ids{"L-PROGRESS-stops"});
  EXPECT_EQ(Modern("<= 1 {$DONE,\"content\":[]}\n" + Progress("\"7\"", "1")), Ids{"M-PROG-STOPS"});
}

TEST(ProgressTest, LateAfterCancellation) {
  const std::string cancel = "-> notifications/cancelled {\"requestId\":1}\n";
  EXPECT_EQ(Modern(cancel + Progress("\"7\"", "1")), Ids{});
  EXPECT_EQ(Modern(cancel + "=> 2 x $2026\n<! 2 -32601\n" + Progress("\"7\"", "1")),
            Ids{"M-STDIO-CANCEL-NO-FURTHER-MESSAGES?"});
}

TEST(ProgressTest, TaskGoesOnUntilItEnds) {
  const std::string caps = R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}})";
  const std::string task =
      R"("createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null)";
  const auto progress = [](const std::string& amount) {
    return R"(<- notifications/progress {"progressToken":"7","progress":)" + amount +
           R"(,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}})" + "\n";
  };
  EXPECT_EQ(Verdicts("open: 2025-11-25 " + caps + R"(
    => 1 tools/call {"name":"a","task":{},"_meta":{"progressToken":"7"}}
    <= 1 {"task":{"taskId":"a","status":"working",)" +
                     task + "}}\n" + progress("1") + R"(
    => 2 tasks/get {"taskId":"a"}
    <= 2 {"taskId":"a","status":"completed",)" +
                     task + "}\n" + progress("2")),
            Ids{"L-PROGRESS-task-stops-terminal"});
}

TEST(ProgressTest, NothingIsInProgressAfterAnError) {
  EXPECT_EQ(Legacy("<! 1 -32602\n" + Progress("\"7\"", "1")), Ids{"L-PROGRESS-in-progress-only"});
  EXPECT_EQ(Modern("<! 1 -32602\n" + Progress("\"7\"", "1")), Ids{"M-PROG-STOPS"});
}

TEST(ProgressTest, ATaskThatWasLookedAtGoesOn) {
  const std::string caps = R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}})";
  const std::string task = R"("taskId":"a","status":"working","createdAt":"2026-01-01T00:00:00Z",)"
                           R"("lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null)";
  EXPECT_EQ(Verdicts("open: 2025-11-25 " + caps + R"(
    => 1 tools/call {"name":"a","task":{},"_meta":{"progressToken":"7"}}
    <= 1 {"task":{)" +
                     task + R"(}}
    => 2 tasks/get {"taskId":"a"}
    <= 2 {)" + task + R"(}
    <- notifications/progress {"progressToken":"7","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}})"),
            Ids{});
}

TEST(ProgressTest, ATaskKeepsItsToken) {
  const std::string caps = R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}})";
  EXPECT_EQ(Verdicts("open: 2025-11-25 " + caps + R"(
    => 1 tools/call {"name":"a","task":{},"_meta":{"progressToken":"7"}}
    <= 1 {"task":{"taskId":"a","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}
    <- notifications/progress {"progressToken":"a","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}})"),
            Ids{"L-PROGRESS-task-token-continues"});
}

TEST(ProgressTest, MessagesHaveWords) {
  EXPECT_EQ(
      Legacy(
          "<- notifications/progress {\"progressToken\":\"7\",\"progress\":1,\"message\":\" \"}"),
      Ids{"L-PROGRESS-message"});
}

TEST(ProgressTest, StreamsOweEachOtherNoOrder) {
  const auto task = [](const std::string& status) {
    return R"("taskId":"a","status":")" + status +
           R"(","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z",)"
           R"("ttl":null})";
  };
  const auto progress = [](const std::string& stream, const std::string& amount) {
    return stream + R"(: <- notifications/progress {"progressToken":"7","progress":)" + amount +
           R"(,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}})" + "\n";
  };
  const auto verdicts = [&](const std::string& text) {
    return Verdicts(
        "http:\nopen: 2025-11-25 {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{"
        "\"call\":{}}}}}\n"
        "1: GET Accept: text/event-stream\n"
        "1: ! head 200 Content-Type: text/event-stream\n"
        "2: => 1 tools/call {\"name\":\"a\",\"task\":{},\"_meta\":{\"progressToken\":"
        "\"7\"}}\n" +
        text);
  };
  const std::string made = "2: ! head 200 Content-Type: application/json\n2: <= 1 {\"task\":{" +
                           task("working") + "}\n2: ! end\n";
  const std::string ended =
      "3: => 2 tasks/get {\"taskId\":\"a\"}\n"
      "3: ! head 200 Content-Type: application/json\n3: <= 2 {" +
      task("completed") + "\n3: ! end\n";
  EXPECT_EQ(verdicts(made + ended + progress("1", "1")), Ids{});
  // Nor is it another's progress when it overtakes the answer that makes the task.
  EXPECT_EQ(verdicts(progress("1", "1") + made + ended), Ids{});
  EXPECT_EQ(verdicts(made + progress("1", "2") + progress("1", "1") + ended),
            Ids{"L-PROGRESS-increasing"});
}

TEST(ProgressTest, TokenOfTwoRequestsSaysNothing) {
  EXPECT_EQ(Modern("=> 2 tools/call {\"name\":\"a\",\"_meta\":{$ENV,\"progressToken\":\"7\"}}\n" +
                   Progress("\"7\"", "1") + Progress("\"7\"", "1")),
            Ids{});
}

}  // namespace
}  // namespace assay::oracle
