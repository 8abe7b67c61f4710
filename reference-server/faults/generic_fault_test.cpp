#include "faults/generic_fault.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "era/loopback_for_test.h"
#include "faults/fault_list.h"

namespace assay::reference {
namespace {

std::vector<std::unique_ptr<Fault>> Faults(const std::vector<std::string>& specifications) {
  std::vector<std::unique_ptr<Fault>> faults;
  for (const std::string& specification : specifications) {
    auto fault = MakeFault(specification);
    if (const std::string* problem = std::get_if<std::string>(&fault)) {
      ADD_FAILURE() << *problem;
      continue;
    }
    faults.push_back(std::get<std::unique_ptr<Fault>>(std::get<AnyFault>(std::move(fault))));
  }
  return faults;
}

constexpr std::string_view kPong = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";

TEST(Mutate, PatchesTheNthAnswerAndKeepsTheIdAsItStood) {
  Loopback server({}, Faults({R"(mutate=ping:2:[{"op":"add","path":"/result/a:b","value":1}])"}));
  EXPECT_EQ(server.Send(Bare("1", "ping")), kPong);
  EXPECT_EQ(server.Send(Bare("1e0", "ping")),
            "{\"jsonrpc\":\"2.0\",\"id\":1e0,\"result\":{\"a:b\":1}}\n");
  EXPECT_EQ(server.Send(Bare("1", "ping")), kPong);
}

TEST(Mutate, TakesEveryAnswerWithAStarAndTheIdToo) {
  Loopback server({}, Faults({R"(mutate=ping:*:[{"op":"replace","path":"/id","value":"x"}])"}));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(server.Send(Bare("1", "ping")), "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}\n");
  }
}

TEST(Mutate, TakesNotificationsUnknownMethodsAndUnreadableLines) {
  Loopback server({},
                  Faults({R"(mutate=notifications/progress:1:[{"op":"remove","path":"/params"}])",
                          R"(mutate=no/such:1:[{"op":"replace","path":"/error/code","value":1}])",
                          R"(mutate=-:1:[{"op":"replace","path":"/error/code","value":2}])"}));
  EXPECT_NE(server.Send("not json").find(R"("code":2)"), std::string::npos);
  server.Send(Initialize());
  EXPECT_NE(server.Send(Bare("1", "no/such")).find(R"("code":1,)"), std::string::npos);
  server.Send(Bare("2", "tools/call", R"({"name":"slow","_meta":{"progressToken":1}})"));
  EXPECT_EQ(server.Advance(std::chrono::milliseconds(250)),
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n");
}

TEST(DropInjectAppendAnswer, DoWhatTheySay) {
  Loopback server({}, Faults({"drop=ping:1", "inject=ping:2:before: it", "append=ping:2:after",
                              R"(answer=ping:3:{"id":$ID,"was":$ID})"}));
  EXPECT_EQ(server.Send(Bare("1", "ping")), "");
  // The later faults count what the dropped one left.
  EXPECT_EQ(server.Send(Bare("1", "ping")), kPong);
  EXPECT_EQ(server.Send(Bare("1", "ping")), "before: it\n" + std::string(kPong) + "after\n");
  EXPECT_EQ(server.Send(Bare("1e0", "ping")), "{\"id\":1e0,\"was\":1e0}\n");
}

TEST(ExitAndHang, EndTheConversation) {
  Loopback exits({}, Faults({"exit=ping:2"}));
  EXPECT_EQ(exits.Send(Bare("1", "ping")), kPong);
  EXPECT_EQ(exits.Send(Bare("1", "ping")), "");
  EXPECT_EQ(exits.exit_code(), 3);
  Loopback hangs({}, Faults({"hang=ping:1"}));
  EXPECT_EQ(hangs.Send(Bare("1", "ping")), "");
  EXPECT_EQ(hangs.Send(Initialize()), "");
}

TEST(AnswerNotification, AnswersThatNotificationOnly) {
  Loopback server({}, Faults({R"(answer-notification=notifications/initialized:{"a":1})"}));
  EXPECT_EQ(server.Send(Notify("notifications/initialized")), "{\"a\":1}\n");
  EXPECT_EQ(server.Send(Notify("notifications/other")), "");
}

TEST(Specifications, AreRefusedWhenTheyAreBad) {
  for (const char* bad : {"mutate=ping:1", "mutate=ping:1:", "mutate=ping:x:[]", "mutate=ping:0:[]",
                          "mutate=:", "mutate=", "mutate=ping:1:{}", "mutate=ping:1:[",
                          R"(mutate=ping:1:[{"op":"no","path":""}])", "drop=ping", "drop=ping:1:x",
                          "inject=ping:1", "answer=ping:1", "exit=ping", "hang=ping:-1",
                          "answer-notification=x", "break=ping:1", "no-such-fault", ""}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(MakeFault(bad))) << bad;
  }
}

}  // namespace
}  // namespace assay::reference
