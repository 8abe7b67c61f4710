#include "oracle/tasks.h"

#include <gtest/gtest.h>

#include "oracle/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

std::string Task(const std::string& id, const std::string& status,
                 const std::string& created = "2026-01-01T00:00:00Z") {
  return R"("taskId":")" + id + R"(","status":")" + status + R"(","createdAt":")" + created +
         R"(","lastUpdatedAt":"2026-01-01T00:00:00Z")";
}

Ids Legacy(const std::string& text,
           const std::string& capabilities =
               R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}})") {
  return Verdicts("open: 2025-11-25 " + capabilities + R"(
    => 1 tools/call {"name":"a","task":{}}
    <= 1 {"task":{)" +
                  Task("a", "working") + R"(,"ttl":null}}
  )" + text);
}
std::string Get(const std::string& id, const std::string& task, const std::string& more = "") {
  return "=> " + id + " tasks/get {\"taskId\":\"a\"}\n<= " + id + " {" + task + ",\"ttl\":null" +
         more + "}\n";
}

TEST(TasksTest, EndedTasksStayAsTheyAre) {
  EXPECT_EQ(Legacy(Get("2", Task("a", "completed")) + Get("3", Task("a", "completed"))), Ids{});
  EXPECT_EQ(Legacy(Get("2", Task("a", "completed")) + Get("3", Task("a", "working"))),
            Ids{"L-TASK-terminal-final"});
}

TEST(TasksTest, AnswersThatCrossAreForgiven) {
  EXPECT_EQ(Legacy(R"(
    => 2 tasks/get {"taskId":"a"}
    => 3 tasks/get {"taskId":"a"}
    <= 3 {)" + Task("a", "completed") +
                   R"(,"ttl":null}
    <= 2 {)" + Task("a", "working") +
                   R"(,"ttl":null})"),
            Ids{"L-TASK-terminal-final?"});
}

TEST(TasksTest, Creation) {
  EXPECT_EQ(
      Verdicts(
          "open: 2025-11-25 {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}\n=> "
          "1 tools/call {\"name\":\"a\",\"task\":{}}\n<= 1 {\"task\":{" +
          Task("a", "completed") + ",\"ttl\":1}}"),
      Ids{"L-TASK-initial-working"});
  EXPECT_EQ(Legacy("", "{\"tools\":{}}"), Ids{"L-TASK-undeclared-ignored"});
  EXPECT_EQ(Legacy("", "{\"tools\":{},\"tasks\":{}}"), Ids{"L-TASK-declare"});
  EXPECT_EQ(Legacy("=> 2 tools/call {\"name\":\"a\",\"task\":{}}\n<= 2 {\"task\":{" +
                   Task("a", "working") + ",\"ttl\":1}}"),
            Ids{"L-TASK-id-unique"});
}

TEST(TasksTest, Times) {
  EXPECT_EQ(Legacy(Get("2", Task("a", "working", "yesterday"))),
            (Ids{"L-TASK-created-at", "L-TASK-created-at?"}));
  EXPECT_EQ(Legacy(Get("2", Task("a", "working", "2026-01-02T00:00:00Z"))),
            Ids{"L-TASK-created-at?"});
}

TEST(TasksTest, AskedForOneGivenAnother) {
  EXPECT_EQ(Legacy(Get("2", Task("b", "working"))), Ids{"L-TASK-param-over-meta"});
}

TEST(TasksTest, Failure) {
  EXPECT_EQ(Legacy(Get("2", Task("a", "failed"))), Ids{"L-TASK-failed-status-message"});
  EXPECT_EQ(Legacy(Get("2", Task("a", "failed"), ",\"statusMessage\":\"disk full\"")), Ids{});
}

TEST(TasksTest, Cancellation) {
  EXPECT_EQ(Legacy("=> 2 tasks/cancel {\"taskId\":\"a\"}\n<= 2 {" + Task("a", "working") +
                   ",\"ttl\":null}"),
            Ids{"L-TASK-cancel-transition"});
}

TEST(TasksTest, RelatedTask) {
  const std::string related = R"("_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}})";
  EXPECT_EQ(Legacy("=> 2 tasks/result {\"taskId\":\"a\"}\n<= 2 {\"content\":[]}"),
            Ids{"L-TASK-result-related-task"});
  EXPECT_EQ(Legacy(Get("2", Task("a", "working"), "," + related)),
            Ids{"L-TASK-related-task-not-in-get"});
  EXPECT_EQ(Legacy("<- notifications/tasks/status {" + Task("a", "working") + ",\"ttl\":null," +
                   related + "}"),
            Ids{"L-TASK-status-notification-no-related"});
}

TEST(TasksTest, Modern) {
  const std::string meta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}})";
  const auto get = [&](const std::string& id, const std::string& task) {
    return "=> " + id + " tasks/get {\"taskId\":\"a\"," + meta + "\n<= " + id +
           " {$DONE,\"ttlMs\":null," + task + "}\n";
  };
  EXPECT_EQ(
      Verdicts("era: modern\n" + get("1", Task("a", "cancelled")) + get("2", Task("a", "working"))),
      Ids{"T-STATUS-TRANSITIONS"});
  EXPECT_EQ(Verdicts("era: modern\n" + get("1", Task("b", "working"))), Ids{"T-TASK-ID-STABLE"});
  EXPECT_EQ(Verdicts("era: modern\n" + get("1", Task("a", "working", "now"))),
            Ids{"T-TASK-TIMESTAMPS"});
}

}  // namespace
}  // namespace assay::oracle
