#include "oracle/tasks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/transcript_text.h"

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

TEST(TasksTest, ANotificationMayOvertakeTheAnswerThatItIsAbout) {
  const auto made = [](const std::string& before) {
    return Legacy(before + R"(
      => 2 tools/call {"name":"a","task":{}}
      <- notifications/tasks/status {)" +
                  Task("b", "completed") + R"(,"ttl":null}
      <= 2 {"task":{)" +
                  Task("b", "working") + R"(,"ttl":null}})");
  };
  EXPECT_EQ(made(""), Ids{});
  // Once an answer has told of it, the id is taken.
  EXPECT_EQ(made(R"(
      => 3 tasks/get {"taskId":"b"}
      <= 3 {)" + Task("b", "working") +
                 R"(,"ttl":null})"),
            (Ids{"L-TASK-id-unique"}));
}

TEST(TasksTest, AnswersMayCross) {
  const std::string crossed = R"(
    => 2 tasks/get {"taskId":"a"}
    => 3 tasks/get {"taskId":"a"}
    <= 3 {)" + Task("a", "completed") +
                              R"(,"ttl":null}
    <= 2 {)" + Task("a", "working") +
                              ",\"ttl\":null}\n";
  EXPECT_EQ(Legacy(crossed), Ids{});
  EXPECT_EQ(Legacy(crossed + Get("4", Task("a", "completed"))), Ids{});
  EXPECT_EQ(Legacy(crossed + Get("4", Task("a", "working"))), Ids{"L-TASK-terminal-final"});
}

TEST(TasksTest, StreamsOweEachOtherNoOrder) {
  const auto tell = [](const std::string& stream, const std::string& status) {
    return stream + ": <- notifications/tasks/status {" + Task("a", status) + ",\"ttl\":null}\n";
  };
  const auto answer = [](const std::string& status) {
    return "2: <= 2 {" + Task("a", status) + ",\"ttl\":null}\n2: ! end\n";
  };
  const auto verdicts = [](const std::string& text) {
    return Verdicts(
        "http:\nopen: 2025-11-25 {\"tasks\":{}}\n"
        "1: GET Accept: text/event-stream\n"
        "1: ! head 200 Content-Type: text/event-stream\n"
        "2: => 2 tasks/get {\"taskId\":\"a\"}\n"
        "2: ! head 200 Content-Type: application/json\n" +
        text);
  };
  const Ids changed{"L-TASK-terminal-final"};
  EXPECT_EQ(verdicts(tell("1", "completed") + answer("working")), Ids{});
  EXPECT_EQ(verdicts(answer("completed") + tell("1", "working")), Ids{});
  EXPECT_EQ(verdicts(tell("1", "completed") + tell("1", "working") + answer("working")), changed);
  // Whatever comes between, in one stream the order stands.
  EXPECT_EQ(verdicts(tell("1", "completed") + answer("completed") + tell("1", "working")), changed);
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

std::string Extension(const std::string& text) {
  static const std::string kTail =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}})";
  std::string filled = text;
  for (std::size_t at = 0; (at = filled.find("$TAIL", at)) != std::string::npos;) {
    filled.replace(at, 5, kTail);
  }
  return "era: modern\n" + filled;
}

// A tasks/get whose answer asks for a name under each of `keys`, with that message.
std::string AskingGet(const std::string& id,
                      const std::vector<std::pair<std::string, std::string>>& keys) {
  std::string requests;
  for (const auto& [key, message] : keys) {
    requests += (requests.empty() ? "\"" : ",\"") + key +
                R"(":{"method":"elicitation/create","params":{"message":")" + message +
                R"(","requestedSchema":{"type":"object","properties":{}}}})";
  }
  return "=> " + id + " tasks/get {\"taskId\":\"a\",$TAIL\n<= " + id + " {$DONE,\"ttlMs\":null," +
         (keys.empty() ? Task("a", "working")
                       : Task("a", "input_required") + ",\"inputRequests\":{" + requests + "}") +
         "}\n";
}

TEST(TasksTest, AKeyStandsForOneQuestion) {
  EXPECT_EQ(Verdicts(Extension(AskingGet("1", {{"k", "one"}}) + AskingGet("2", {{"k", "one"}}))),
            Ids{});
  EXPECT_EQ(Verdicts(Extension(AskingGet("1", {{"k", "one"}}) + AskingGet("2", {{"k", "two"}}))),
            Ids{"T-INPUT-KEYS-UNIQUE"});
}

TEST(TasksTest, AnAnsweredKeyIsNotUsedAgain) {
  const std::string update =
      "=> 2 tasks/update {\"taskId\":\"a\",\"inputResponses\":{\"k\":{\"action\":\"cancel\"}},"
      "$TAIL\n<= 2 {$DONE}\n";
  const std::string asked = AskingGet("1", {{"k", "one"}}) + update;
  // The acknowledgement may come before the change shows.
  EXPECT_EQ(Verdicts(Extension(asked + AskingGet("3", {{"k", "one"}}) + AskingGet("4", {}))),
            Ids{});
  EXPECT_EQ(Verdicts(Extension(asked + AskingGet("3", {}) + AskingGet("4", {{"k", "one"}}))),
            Ids{"T-INPUT-KEYS-NOT-REUSED"});
  EXPECT_EQ(Verdicts(Extension(asked + AskingGet("3", {}) + AskingGet("4", {{"l", "one"}}))),
            Ids{});
}

TEST(TasksTest, AnOlderNotificationIsNoReturnOfItsKeys) {
  const auto tell = [](const std::string& status, const std::string& more) {
    return "1: <- notifications/tasks {\"ttlMs\":null," + Task("a", status) + more + "}\n";
  };
  const auto numbered = [](const std::string& number, const std::string& text) {
    const std::size_t answer = text.find("<=");
    return number + ": " + text.substr(0, answer) + number +
           ": ! head 200 Content-Type: application/json\n" + number + ": " + text.substr(answer) +
           number + ": ! end\n";
  };
  const std::string asks =
      R"(,"inputRequests":{"k":{"method":"elicitation/create","params":{"message":"one",)"
      R"("requestedSchema":{"type":"object","properties":{}}}}})";
  const std::string listens =
      "1: => 1 subscriptions/listen {\"notifications\":{},$TAIL\n"
      "1: ! head 200 Content-Type: text/event-stream | X-Accel-Buffering: no\n"
      "1: <- notifications/subscriptions/acknowledged {\"notifications\":{},"
      "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}\n";
  const std::string answered =
      listens + numbered("2", AskingGet("2", {{"k", "one"}})) +
      numbered("3",
               "=> 3 tasks/update {\"taskId\":\"a\",\"inputResponses\":{\"k\":{\"action\":"
               "\"cancel\"}},$TAIL\n<= 3 {$DONE}\n");
  const auto reused = [](const std::string& text) {
    const Ids found = Verdicts("http:\n" + Extension(text));
    return std::count(found.begin(), found.end(), "T-INPUT-KEYS-NOT-REUSED");
  };
  EXPECT_EQ(reused(answered + numbered("4", AskingGet("4", {})) + tell("input_required", asks)), 0);
  EXPECT_EQ(reused(answered + tell("working", "") + numbered("4", AskingGet("4", {{"k", "one"}}))),
            0);
  EXPECT_EQ(reused(answered + numbered("4", AskingGet("4", {})) +
                   numbered("5", AskingGet("5", {{"k", "one"}}))),
            1);
}

TEST(TasksTest, ProgressOfATaskSaysSo) {
  const std::string created =
      "open: 2025-11-25 {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}\n"
      "=> 1 tools/call {\"name\":\"a\",\"task\":{},\"_meta\":{\"progressToken\":\"p\"}}\n"
      "<= 1 {\"task\":{" +
      Task("a", "working") + ",\"ttl\":null}}\n";
  const auto progress = [](const std::string& meta) {
    return "<- notifications/progress {\"progressToken\":\"p\",\"progress\":1" + meta + "}\n";
  };
  EXPECT_EQ(Verdicts(created + progress("")), Ids{"L-TASK-related-task-everywhere"});
  EXPECT_EQ(Verdicts(created + progress(R"(,"_meta":{"io.modelcontextprotocol/related-task":)"
                                        R"({"taskId":"b"}})")),
            Ids{"L-TASK-related-task-everywhere"});
  EXPECT_EQ(Verdicts(created + progress(R"(,"_meta":{"io.modelcontextprotocol/related-task":)"
                                        R"({"taskId":"a"}})")),
            Ids{});
}

TEST(TasksTest, TheServerMakesTasksOnlyOfWhatIsDeclared) {
  const std::string ask = R"(<? 1 sampling/createMessage {"messages":[],"maxTokens":1,"task":{}})";
  EXPECT_EQ(Verdicts("open: 2025-11-25 {} {\"sampling\":{}}\n" + ask),
            Ids{"L-TASK-requestor-capability"});
  EXPECT_EQ(Verdicts("open: 2025-11-25 {} {\"sampling\":{},\"tasks\":{\"requests\":{"
                     "\"sampling\":{\"createMessage\":{}}}}}\n" +
                     ask),
            Ids{});
  EXPECT_EQ(Verdicts("open: 2025-11-25 {} {}\n<? 1 tasks/get {\"taskId\":\"x\",\"_meta\":{"
                     "\"io.modelcontextprotocol/related-task\":{\"taskId\":\"x\"}}}"),
            Ids{"L-TASK-requestor-no-related-in-ops"});
}

TEST(TasksTest, TheServerSendsCursorsBackAsTheyWere) {
  const std::string open = "open: 2025-11-25 {} {\"tasks\":{\"list\":{}}}\n";
  const std::string first = "<? 1 tasks/list {}\n>= 1 {\"tasks\":[],\"nextCursor\":\"c\"}\n";
  EXPECT_EQ(Verdicts(open + first + R"(<? 2 tasks/list {"cursor":"c"})"), Ids{});
  EXPECT_EQ(Verdicts(open + first + R"(<? 2 tasks/list {"cursor":"d"})"),
            Ids{"L-TASK-requestor-opaque-cursor"});
}

}  // namespace
}  // namespace assay::oracle
