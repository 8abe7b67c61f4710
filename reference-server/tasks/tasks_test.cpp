// The three dialects of tasks, each on a whole server.
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "era/loopback_for_test.h"

namespace assay::reference {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr std::string_view kTasks =
    R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
constexpr std::string_view kYes = R"({"action":"accept","content":{"confirm":true}})";

int Code(const json::value& answer) { return answer.at("error").at("code").to_number<int>(); }
const json::object& Result(const json::value& answer) { return answer.at("result").as_object(); }
std::string Status(const json::value& answer) {
  return std::string(Result(answer).at("status").as_string());
}

// --- the extension

class Extension : public testing::Test {
 protected:
  json::value Ask(std::string_view method, const std::string& members,
                  std::string_view capabilities = kTasks) {
    return server_.Ask(Enveloped("7", method, members, {}, capabilities));
  }

  json::value Call(std::string_view tool, std::string_view arguments = "{}",
                   std::string_view capabilities = kTasks) {
    return Ask("tools/call",
               R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments),
               capabilities);
  }

  /// The params member that names the task.
  std::string Make(std::string_view tool, std::string_view arguments = "{}") {
    const json::value created = Call(tool, arguments);
    EXPECT_EQ(Result(created).at("resultType"), "task") << created;
    return R"("taskId":)" + json::serialize(Result(created).at("taskId"));
  }

  json::value Get(const std::string& task) { return Ask("tasks/get", task); }
  json::value Update(const std::string& task, const std::string& responses) {
    return Ask("tasks/update", task + R"(,"inputResponses":{)" + responses + "}");
  }

  Loopback server_;
};

TEST_F(Extension, IsAdvertisedWithEmptySettings) {
  const json::value discovered = Ask("server/discover", "");
  EXPECT_TRUE(Result(discovered)
                  .at("capabilities")
                  .at("extensions")
                  .at("io.modelcontextprotocol/tasks")
                  .as_object()
                  .empty());
}

TEST_F(Extension, ACallBecomesATaskThatCanBeAskedForAtOnce) {
  const json::value created = Call("slow_compute", R"({"seconds":1,"label":"x"})");
  const json::object& task = Result(created);
  EXPECT_EQ(task.at("resultType"), "task");
  EXPECT_EQ(task.at("status"), "working");
  EXPECT_TRUE(task.at("ttlMs").is_number());
  EXPECT_FALSE(task.contains("task"));
  const std::string id = R"("taskId":)" + json::serialize(task.at("taskId"));
  const json::value got = Get(id);
  EXPECT_EQ(Status(got), "working");
  EXPECT_EQ(Result(got).at("resultType"), "complete");
  EXPECT_EQ(Result(got).at("createdAt"), task.at("createdAt"));
  server_.Advance(milliseconds(1000));
  const json::value done = Get(id);
  EXPECT_EQ(Status(done), "completed");
  EXPECT_EQ(Result(done).at("result").at("content").at(0).at("text"), "Computed x in 1000 ms.");
}

TEST_F(Extension, IdsAreLongAndDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) ids.insert(Make("failing_job"));
  EXPECT_EQ(ids.size(), 50U);
  for (const std::string& id : ids) EXPECT_GE(id.size(), 32U);
}

TEST_F(Extension, WithoutADeclarationNothingBecomesATask) {
  const std::string task = Make("slow_compute", R"({"seconds":60})");
  const json::value refused = Call("failing_job", "{}", "{}");
  EXPECT_EQ(Code(refused), -32021);
  EXPECT_TRUE(refused.at("error")
                  .at("data")
                  .at("requiredCapabilities")
                  .at("extensions")
                  .at("io.modelcontextprotocol/tasks")
                  .is_object());
  EXPECT_EQ(Code(Call("protocol_error_job", "{}", "{}")), -32603);  // served at once
  for (const std::string_view method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(Code(Ask(method, task, "{}")), -32021) << method;
  }
}

TEST_F(Extension, AToolsErrorCompletesAndAProtocolErrorFails) {
  const std::string failing = Make("failing_job");
  const std::string breaking = Make("protocol_error_job");
  server_.Advance(milliseconds(0));
  EXPECT_EQ(Status(Get(failing)), "completed");
  EXPECT_EQ(Result(Get(failing)).at("result").at("isError"), true);
  const json::value failed = Get(breaking);
  EXPECT_EQ(Status(failed), "failed");
  EXPECT_EQ(Result(failed).at("error").at("code"), -32603);
  EXPECT_TRUE(Result(failed).contains("statusMessage"));
  EXPECT_FALSE(Result(failed).contains("result"));
}

TEST_F(Extension, InputIsTakenPieceByPiece) {
  const std::string task = Make("multi_input");
  server_.Advance(milliseconds(0));
  EXPECT_EQ(Status(Get(task)), "input_required");
  EXPECT_EQ(Result(Get(task)).at("inputRequests").as_object().size(), 2U);
  const json::value acknowledged =
      Update(task, R"("first":)" + std::string(kYes) + R"(,"never asked":{})");
  EXPECT_EQ(Result(acknowledged).at("resultType"), "complete");
  EXPECT_FALSE(Result(acknowledged).contains("status"));
  const json::value half = Get(task);
  EXPECT_EQ(Status(half), "input_required");
  EXPECT_TRUE(Result(half).at("inputRequests").as_object().contains("second"));
  EXPECT_FALSE(Result(half).at("inputRequests").as_object().contains("first"));
  Update(task, R"("second":{"action":"decline"})");
  EXPECT_EQ(Result(Get(task)).at("result").at("content").at(0).at("text"), "Confirmed 1 of 2.");
  EXPECT_EQ(Result(Update(task, R"("second":)" + std::string(kYes))).at("resultType"), "complete");
  EXPECT_EQ(Result(Get(task)).at("result").at("content").at(0).at("text"), "Confirmed 1 of 2.");
}

TEST_F(Extension, AnswersThatDoNotFitChangeNothing) {
  const std::string task = Make("confirm_delete", R"({"filename":"a"})");
  server_.Advance(milliseconds(0));
  EXPECT_EQ(Code(Update(task, R"("confirmation":7)")), -32602);
  EXPECT_EQ(Code(Ask("tasks/update", task)), -32602);
  EXPECT_EQ(Status(Get(task)), "input_required");
}

TEST_F(Extension, QuestionsComeBeforeTheTask) {
  const json::value question = Call("test_tool_with_task");
  ASSERT_EQ(Result(question).at("resultType"), "input_required");
  const json::value created = Ask(
      "tools/call", R"("name":"test_tool_with_task","arguments":{},"inputResponses":{"user_name":)"
                    R"({"action":"accept","content":{"name":"Alice"}}},"requestState":)" +
                        json::serialize(Result(question).at("requestState")));
  ASSERT_EQ(Result(created).at("resultType"), "task");
  server_.Advance(milliseconds(0));
  const json::value done = Get(R"("taskId":)" + json::serialize(Result(created).at("taskId")));
  EXPECT_NE(json::serialize(Result(done).at("result")).find("Alice"), std::string::npos);
}

TEST_F(Extension, CancelIsAcknowledgedEveryTimeAndNeverRewrites) {
  const std::string running = Make("slow_compute", R"({"seconds":60})");
  const std::string ended = Make("failing_job");
  server_.Advance(milliseconds(0));
  for (int i = 0; i < 3; ++i) {
    for (const std::string& task : {running, ended}) {
      const json::value acknowledged = Ask("tasks/cancel", task);
      EXPECT_EQ(Result(acknowledged).at("resultType"), "complete");
      EXPECT_FALSE(Result(acknowledged).contains("taskId"));
    }
    EXPECT_EQ(Status(Get(running)), "cancelled");
    EXPECT_EQ(Status(Get(ended)), "completed");
  }
  server_.Advance(std::chrono::seconds(61));
  EXPECT_EQ(Status(Get(running)), "cancelled");
}

TEST_F(Extension, UnknownTasksAndMethodsAreRefused) {
  for (const std::string_view method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(Code(Ask(method, R"("taskId":"nothing","inputResponses":{})")), -32602) << method;
    EXPECT_EQ(Code(Ask(method, R"("taskId":7)")), -32602) << method;
  }
  EXPECT_EQ(Code(Ask("tasks/list", "")), -32601);
  EXPECT_EQ(Code(Ask("tasks/result", Make("failing_job"))), -32601);
}

TEST_F(Extension, ATaskGoesWhenItsTimeIsOver) {
  const std::string task = Make("slow_compute", R"({"seconds":3600})");
  server_.Advance(kDefaultTtl - milliseconds(1));
  EXPECT_EQ(Status(Get(task)), "working");
  server_.Advance(milliseconds(1));
  EXPECT_EQ(Code(Get(task)), -32602);
}

TEST_F(Extension, SubscribersHearWhatTasksGetWouldSay) {
  const std::string task = Make("slow_compute", R"({"seconds":60})");
  const std::string id = task.substr(task.find(':') + 1);
  const json::value acknowledged = server_.Ask(
      Enveloped("9", "subscriptions/listen",
                R"("notifications":{"taskIds":[)" + id + R"(,"unknown"]})", {}, kTasks));
  EXPECT_EQ(acknowledged.at("params").at("notifications").at("taskIds"),
            json::parse("[" + id + "]"));
  Make("failing_job");
  EXPECT_EQ(server_.Advance(milliseconds(0)), "");  // nobody asked for that one
  const auto messages = Messages(server_.Send(Enveloped("8", "tasks/cancel", task, {}, kTasks)));
  ASSERT_EQ(messages.size(), 2U);
  json::object told = messages[0].at("params").as_object();
  EXPECT_EQ(messages[0].at("method"), "notifications/tasks");
  EXPECT_EQ(told.at("_meta").at("io.modelcontextprotocol/subscriptionId"), 9);
  json::object got = Result(Get(task));
  for (const std::string_view other : {"_meta", "resultType"}) {
    told.stable_erase(other);
    got.stable_erase(other);
  }
  EXPECT_EQ(told, got);
  EXPECT_EQ(Code(server_.Ask(
                Enveloped("10", "subscriptions/listen", R"("notifications":{"taskIds":[]})"))),
            -32021);
}

TEST_F(Extension, NoProgressIsReportedOfATask) {
  server_.Send(Enveloped("7", "tools/call", R"("name":"slow_compute","arguments":{"seconds":1})",
                         R"("progressToken":"p")", kTasks));
  EXPECT_EQ(server_.Advance(std::chrono::seconds(2)), "");
}

TEST_F(Extension, OneOwnerCannotHaveTooMany) {
  for (std::size_t i = 0; i < kMostTasks; ++i) Make("slow_compute", R"({"seconds":60})");
  EXPECT_EQ(Code(Call("slow_compute", R"({"seconds":60})")), -32603);
}

TEST(TasksOff, TheExtensionDoesNotExist) {
  Settings settings;
  settings.tasks = TaskDialect::kOff;
  Loopback server(settings);
  const auto ask = [&server](std::string_view method, std::string_view members) {
    return server.Ask(Enveloped("1", method, members, {}, kTasks));
  };
  EXPECT_FALSE(
      Result(ask("server/discover", "")).at("capabilities").as_object().contains("extensions"));
  EXPECT_EQ(Code(ask("tasks/get", R"("taskId":"x")")), -32601);
  EXPECT_EQ(Result(ask("tools/call", R"("name":"failing_job","arguments":{})")).at("resultType"),
            "complete");
}

TEST(TasksOfAPrincipal, ArePrivate) {
  Settings settings;
  settings.principal = "alice";
  Loopback server(settings);
  const json::value created = server.Ask(
      Enveloped("1", "tools/call", R"("name":"failing_job","arguments":{})", {}, kTasks));
  const std::string task = R"("taskId":)" + json::serialize(Result(created).at("taskId"));
  EXPECT_EQ(Status(server.Ask(Enveloped("2", "tasks/get", task, {}, kTasks))), "working");
  settings.principal = "bob";
  Loopback::Other other(server, settings);
  EXPECT_EQ(Code(other.Ask(Enveloped("2", "tasks/get", task, {}, kTasks))), -32602);
}

// --- the core of 2025-11-25

class Core : public testing::Test {
 protected:
  Core() {
    const json::value opened = server_.Ask(Initialize("2025-11-25", "0", R"({"elicitation":{}})"));
    EXPECT_TRUE(Result(opened)
                    .at("capabilities")
                    .at("tasks")
                    .at("requests")
                    .at("tools")
                    .at("call")
                    .is_object());
  }

  json::value Ask(std::string_view method, std::string_view params) {
    return server_.Ask(Bare("7", method, params));
  }

  json::value Call(std::string_view tool, std::string_view arguments = "{}",
                   std::string_view task = R"(,"task":{})") {
    return Ask("tools/call", R"({"name":")" + std::string(tool) + R"(","arguments":)" +
                                 std::string(arguments) + std::string(task) + "}");
  }

  std::string Make(std::string_view tool, std::string_view arguments = "{}") {
    return R"({"taskId":)" +
           json::serialize(Result(Call(tool, arguments)).at("task").at("taskId")) + "}";
  }

  Loopback server_;
};

TEST_F(Core, ACallBecomesATaskWhenTheClientWantsIt) {
  const json::value created = Call("slow_compute", R"({"seconds":1})", R"(,"task":{"ttl":60000})");
  const json::object& task = Result(created).at("task").as_object();
  EXPECT_EQ(task.at("status"), "working");
  EXPECT_EQ(task.at("ttl"), 60000);
  EXPECT_FALSE(Result(created).contains("content"));
  const json::value at_once = Call("protocol_error_job", "{}", "");
  EXPECT_EQ(Code(at_once), -32603);
}

TEST_F(Core, TheToolDecidesWhetherItMayOrMust) {
  EXPECT_EQ(Code(Call("greet", R"({"name":"Ada"})")), -32601);
  EXPECT_EQ(Code(Call("test_simple_text")), -32601);
  EXPECT_EQ(Code(Call("failing_job", "{}", "")), -32601);
  EXPECT_EQ(Code(Call("slow_compute", "{}", R"(,"task":7)")), -32602);
  EXPECT_EQ(Code(Call("slow_compute", "{}", R"(,"task":{"ttl":-1})")), -32602);
}

TEST_F(Core, TheTimeToLiveIsBounded) {
  const json::value created = Call("slow_compute", "{}", R"(,"task":{"ttl":1e300})");
  EXPECT_EQ(Result(created).at("task").at("ttl"), kLongestTtl.count());
}

TEST_F(Core, ResultWaitsForTheEnd) {
  const std::string task = Make("slow_compute", R"({"seconds":1})");
  EXPECT_EQ(server_.Send(Bare("8", "tasks/result", task)), "");
  const auto told = Messages(server_.Advance(std::chrono::seconds(2)));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].at("method"), "notifications/tasks/status");
  EXPECT_EQ(told[0].at("params").at("status"), "completed");
  EXPECT_EQ(told[1].at("id"), 8);
  const json::value id = json::parse(task).at("taskId");
  EXPECT_EQ(Result(told[1]).at("_meta").at("io.modelcontextprotocol/related-task").at("taskId"),
            id);
  EXPECT_EQ(Result(Ask("tasks/result", task)), Result(told[1]));
}

TEST_F(Core, AFailedToolMakesAFailedTaskWithAResult) {
  const std::string task = Make("failing_job");
  server_.Advance(milliseconds(0));
  EXPECT_EQ(Status(Ask("tasks/get", task)), "failed");
  EXPECT_TRUE(Result(Ask("tasks/get", task)).contains("statusMessage"));
  EXPECT_EQ(Result(Ask("tasks/result", task)).at("isError"), true);
  const std::string broken = Make("protocol_error_job");
  server_.Advance(milliseconds(0));
  EXPECT_EQ(Status(Ask("tasks/get", broken)), "failed");
  EXPECT_EQ(Code(Ask("tasks/result", broken)), -32603);
}

TEST_F(Core, ASecondCancelIsRefused) {
  const std::string task = Make("slow_compute", R"({"seconds":60})");
  server_.Send(Bare("8", "tasks/result", task));
  const auto told = Messages(server_.Send(Bare("9", "tasks/cancel", task)));
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(Code(told[1]), -32602);  // the tasks/result that waited
  EXPECT_EQ(Status(told[2]), "cancelled");
  EXPECT_EQ(Code(Ask("tasks/cancel", task)), -32602);
  EXPECT_EQ(Status(Ask("tasks/get", task)), "cancelled");
}

TEST_F(Core, TheClientIsAskedOnTheStreamThatWaitsForTheResult) {
  const std::string task = Make("confirm_delete", R"({"filename":"a"})");
  const auto status = Messages(server_.Advance(milliseconds(0)));
  ASSERT_EQ(status.size(), 1U);
  EXPECT_EQ(status[0].at("params").at("status"), "input_required");
  const auto asked = Messages(server_.Send(Bare("8", "tasks/result", task)));
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].at("method"), "elicitation/create");
  EXPECT_EQ(
      asked[0].at("params").at("_meta").at("io.modelcontextprotocol/related-task").at("taskId"),
      json::parse(task).at("taskId"));
  const auto done = Messages(server_.Send(Respond(asked[0], kYes)));
  ASSERT_EQ(done.size(), 3U);  // working, completed, and the result
  EXPECT_EQ(Result(done[2]).at("content").at(0).at("text"), "Deleted a.");
}

TEST_F(Core, ACancelledWaitIsNotAnswered) {
  const std::string task = Make("slow_compute", R"({"seconds":1})");
  server_.Send(Bare("8", "tasks/result", task));
  server_.Send(Notify("notifications/cancelled", R"({"requestId":8})"));
  const auto told = Messages(server_.Advance(std::chrono::seconds(2)));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].at("method"), "notifications/tasks/status");
}

TEST_F(Core, ListHasEveryTaskInPages) {
  std::set<std::string> made;
  for (int i = 0; i < 120; ++i) made.insert(Make("slow_compute", R"({"seconds":60})"));
  std::set<std::string> listed;
  std::string params = "{}";
  for (int pages = 1;; ++pages) {
    const json::value page = Ask("tasks/list", params);
    for (const json::value& task : Result(page).at("tasks").as_array()) {
      listed.insert(R"({"taskId":)" + json::serialize(task.at("taskId")) + "}");
    }
    const json::value* next = Result(page).if_contains("nextCursor");
    if (next == nullptr) {
      EXPECT_EQ(pages, 3);
      break;
    }
    params = R"({"cursor":)" + json::serialize(*next) + "}";
  }
  EXPECT_EQ(listed, made);
  EXPECT_EQ(Code(Ask("tasks/list", R"({"cursor":"x"})")), -32602);
}

TEST_F(Core, ProgressOfATaskSaysWhoseItIs) {
  server_.Send(Bare("7", "tools/call",
                    R"({"name":"slow_compute","arguments":{"seconds":1},"task":{},)"
                    R"("_meta":{"progressToken":5}})"));
  const auto told = Messages(server_.Advance(milliseconds(150)));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].at("params").at("progressToken"), 5);
  EXPECT_TRUE(told[0].at("params").at("_meta").as_object().contains(
      "io.modelcontextprotocol/related-task"));
}

TEST(CoreTasks, OlderRevisionsKnowNone) {
  Loopback server;
  const json::value opened = server.Ask(Initialize("2025-06-18"));
  EXPECT_FALSE(Result(opened).at("capabilities").as_object().contains("tasks"));
  EXPECT_EQ(Code(server.Ask(Bare("1", "tasks/list"))), -32601);
  const json::value ignored = server.Ask(
      Bare("2", "tools/call", R"({"name":"test_simple_text","arguments":{},"task":{}})"));
  EXPECT_TRUE(Result(ignored).contains("content"));
}

// --- the handle dialect

class Handle : public testing::Test {
 protected:
  static Settings WithHandles() {
    Settings settings;
    settings.tasks = TaskDialect::kHandle;
    return settings;
  }

  json::value Ask(std::string_view method, const std::string& handle) {
    return server_.Ask(Enveloped("8", method, R"("taskId":)" + handle));
  }

  /// Opens the call with id 7 and returns the handle as JSON text.
  std::string Open(std::string_view tool, std::string_view arguments) {
    const auto first = Messages(server_.Send(
        Enveloped("7", "tools/call",
                  R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments),
                  R"("progressToken":"p")")));
    EXPECT_EQ(first.at(0).at("method"), "notifications/progress");
    return json::serialize(first.at(0).at("params").at("_meta").at("taskHandle"));
  }

  Loopback server_{WithHandles()};
};

TEST_F(Handle, TheCallStaysOpenAndEndsWithContentAndTheHandle) {
  const std::string handle = Open("slow_compute", R"({"seconds":1,"label":"x"})");
  const json::value working = Ask("tasks/get", handle);
  EXPECT_EQ(Status(working), "working");
  const auto told = Messages(server_.Advance(std::chrono::seconds(1)));
  const json::object& result = Result(told.back());
  EXPECT_EQ(told.back().at("id"), 7);
  EXPECT_EQ(result.at("content").at(0).at("text"), "Computed x in 1000 ms.");
  EXPECT_EQ(result.at("isError"), false);
  EXPECT_EQ(json::serialize(result.at("_meta").at("taskHandle")), handle);
  EXPECT_FALSE(result.contains("taskHandle"));
  double last = 0;
  for (std::size_t i = 0; i + 1 < told.size(); ++i) {
    const double progress = told[i].at("params").at("progress").to_number<double>();
    EXPECT_GT(progress, last);
    last = progress;
  }
  const json::value done = Ask("tasks/get", handle);
  EXPECT_EQ(Status(done), "completed");
  EXPECT_FALSE(Result(done).contains("content"));
  EXPECT_FALSE(Result(done).contains("result"));
}

TEST_F(Handle, CancelEndsTheCallAndCanBeRepeated) {
  const std::string handle = Open("slow_compute", R"({"seconds":60})");
  const auto told = Messages(server_.Send(Enveloped("8", "tasks/cancel", R"("taskId":)" + handle)));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].at("id"), 7);
  EXPECT_EQ(Result(told[0]).at("isError"), true);
  EXPECT_EQ(Status(told[1]), "cancelled");
  EXPECT_EQ(Status(Ask("tasks/cancel", handle)), "cancelled");
  EXPECT_EQ(Code(Ask("tasks/cancel", R"("unknown")")), -32602);
}

TEST_F(Handle, ACancelledCallEndsItsTask) {
  const std::string handle = Open("slow_compute", R"({"seconds":60})");
  EXPECT_EQ(server_.Send(Notify("notifications/cancelled", R"({"requestId":7})")), "");
  EXPECT_EQ(Status(Ask("tasks/get", handle)), "cancelled");
}

}  // namespace
}  // namespace assay::reference
