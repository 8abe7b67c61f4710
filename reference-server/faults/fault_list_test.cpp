#include "faults/fault_list.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "era/loopback_for_test.h"
#include "faults/listed_faults_for_test.h"
#include "faults/without_chance_for_test.h"

namespace assay::reference {
namespace {

using std::chrono::milliseconds;

/// What cases of a conformance suite send, in one legacy and one modern conversation. Returns
/// everything that can be observed.
class Conversation {
 public:
  explicit Conversation(const NamedFault* fault) : fault_(fault) {}

  std::string Run() {
    for (const char* version : {"2025-11-25", "2024-11-05", "1999-01-01"}) Legacy(version);
    Modern();
    Openings();
    ModernTasks();
    LegacyTasks();
    ModernAsking();
    LegacyAsking();
    return transcript_;
  }

 private:
  std::unique_ptr<Loopback> Start() {
    std::vector<std::unique_ptr<Fault>> faults;
    if (fault_ != nullptr) {
      faults.push_back(std::get<std::unique_ptr<Fault>>(Make(*fault_)));
    }
    return std::make_unique<Loopback>(Settings{}, std::move(faults));
  }

  void Note(const std::string& text) { transcript_ += WithoutChance(text) + "--\n"; }

  void Finish(Loopback& server) {
    Note(server.Advance(milliseconds(5000)));
    if (!server.handler().Idle()) Note("busy");
    Note(server.End());
    if (server.exit_code()) Note("exit " + std::to_string(*server.exit_code()));
    if (!server.stdio().exits_at_end_of_input) Note("survives end of input");
    if (!server.stdio().exits_on_signals) Note("survives signals");
  }

  void Legacy(std::string_view version) {
    const auto server = Start();
    const auto say = [&](const std::string& line) { Note(server->Send(line)); };
    const auto call = [&](std::string_view id, const std::string& params) {
      say(Bare(id, "tools/call", params));
    };
    say(Bare("1", "ping"));
    say(Bare("2", "tools/list"));
    say(Initialize(version));
    say(Bare("3", "tools/list"));
    say(Notify("notifications/initialized"));
    for (const char* id : {"-1", "4294967297", "9007199254740991", R"("")", R"("x")"}) {
      say(Bare(id, "ping"));
    }
    say("not json");
    say(Bare("4", "ping"));
    say("\xFF\xFE");
    say(R"({"jsonrpc":"1.0","id":5,"method":"ping"})");
    say(Bare("6", "no/such/method"));
    say(Bare("6", ""));
    say(Bare("6", "notifications/initialized"));
    say(R"({"jsonrpc":"2.0","id":6,"method":"ping","error":{"code":1,"message":"x"}})");
    say(Notify("notifications/never-heard-of"));
    say(Notify("tools/list"));
    const std::string deep = std::string(250, '[') + std::string(250, ']');
    say(Bare("6", "ping", R"({"a":)" + deep + "}"));
    for (const char* method :
         {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
      say(Bare("7", method));
      say(Bare("7", method));
      say(Bare("7", method, R"({"cursor":"bogus"})"));
    }
    for (const char* tool :
         {"test_simple_text", "test_image_content", "test_error_handling",
          "test_trigger_tool_change", "test_trigger_prompt_change", "zzz", "TEST_SIMPLE_TEXT"}) {
      call("8", R"({"name":")" + std::string(tool) + "\"}");
    }
    call("9", R"({"name":"echo","arguments":{"message":"a\nb"}})");
    call("9", R"({"name":"echo","arguments":{}})");
    call("9", R"({"name":"add","arguments":{"a":9007199254740992,"b":1}})");
    say(Bare("10", "prompts/get", R"({"name":"test_simple_prompt"})"));
    say(Bare("10", "prompts/get", R"({"name":"test_prompt_with_arguments"})"));
    say(Bare("10", "prompts/get", R"({"name":"zzz"})"));
    for (const char* uri : {"test://static-binary", "test://none"}) {
      say(Bare("11", "resources/read", R"({"uri":")" + std::string(uri) + "\"}"));
    }
    say(Bare("12", "completion/complete",
             R"({"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},)"
             R"("argument":{"name":"arg1","value":""}})"));
    say(Bare("12", "completion/complete",
             R"({"ref":{"type":"ref/prompt","name":"zzz"},"argument":{"name":"a","value":""}})"));
    say(Bare("13", "logging/setLevel", R"({"level":"error"})"));
    say(Bare("13", "logging/setLevel", R"({"level":"loud"})"));
    call("13", R"({"name":"test_logging_tool"})");
    for (const char* method : {"resources/subscribe", "resources/unsubscribe"}) {
      say(Bare("14", method, R"({"uri":"test://watched-resource"})"));
      call("14", R"({"name":"test_touch_watched_resource"})");
    }
    call("15", R"({"name":"slow","_meta":{"progressToken":1}})");
    say(Bare("16", "ping"));
    Note(server->Advance(milliseconds(300)));
    say(Notify("notifications/cancelled", R"({"requestId":15})"));
    Note(server->Advance(milliseconds(2000)));
    call("17", R"({"name":"slow"})");
    Note(server->Advance(milliseconds(2000)));
    call("18", R"({"name":"slow","_meta":{"progressToken":"t"}})");
    Note(server->Advance(milliseconds(2000)));
    say(Notify("notifications/cancelled"));
    say(Bare("19", "tools/call", "{}"));
    say(Bare("20", "ping"));
    say(Enveloped("21", "tools/list"));
    Finish(*server);
  }

  void Modern() {
    const auto server = Start();
    const auto say = [&](const std::string& line) { Note(server->Send(line)); };
    const auto call = [&](std::string_view id, std::string_view members, std::string_view meta = {},
                          std::string_view capabilities = "{}") {
      say(Enveloped(id, "tools/call", members, meta, capabilities));
    };
    say(Enveloped("1", "server/discover"));
    say(Enveloped("9007199254740991", "server/discover"));
    say(Enveloped("-3", "server/discover"));
    for (const char* method :
         {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
      say(Enveloped("2", method));
      say(Enveloped("2", method));
      say(Enveloped("2", method, R"("cursor":"bogus")"));
      say(Bare("2", method));
    }
    for (const char* method : {"ping", "no/such/method"}) say(Enveloped("3", method));
    for (const char* method : {"server/discover", "tools/list"}) {
      std::string line = Enveloped("4", method);
      say(line.replace(line.find("2026-07-28"), 10, "1900-01-01"));
      say(Enveloped("4", method));
    }
    std::string without_info = Enveloped("5", "tools/list");
    const std::string info =
        R"("io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},)";
    say(without_info.erase(without_info.find(info), info.size()));
    call("6", R"("name":"test_missing_capability")", "", R"({"sampling":{}})");
    call("6", R"("name":"test_missing_capability")");
    say(Enveloped("7", "resources/read", R"("uri":"test://static-binary")"));
    say(Enveloped("7", "resources/read", R"("uri":"test://none")"));
    say(Enveloped("7", "prompts/get", R"("name":"test_simple_prompt")"));
    say(Enveloped("7", "completion/complete",
                  R"("ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},)"
                  R"("argument":{"name":"arg1","value":""})"));
    call("8", R"("name":"test_logging_tool")");
    call("8", R"("name":"test_logging_tool")", R"("io.modelcontextprotocol/logLevel":"error")");
    say(Enveloped("9", "subscriptions/listen",
                  R"("notifications":{"toolsListChanged":true,"promptsListChanged":false})"));
    call("10", R"("name":"test_trigger_tool_change")");
    call("10", R"("name":"test_trigger_prompt_change")");
    say(Notify("notifications/cancelled", R"({"requestId":9})"));
    call("11", R"("name":"test_trigger_tool_change")");
    say(Enveloped("12", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})"));
    say("not json");
    say(R"({"jsonrpc":)");
    say(Enveloped("13", "server/discover"));
    say(Initialize());
    Finish(*server);
  }

  void Openings() {
    const std::string half = Bare(
        "1", "tools/list", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})");
    const std::string enveloped_initialize =
        Bare("1", "initialize",
             R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},)"
             R"("protocolVersion":"2025-11-25","capabilities":{},)"
             R"("clientInfo":{"name":"a","version":"0"}})");
    for (const std::string& first :
         {half, enveloped_initialize, Notify("notifications/initialized"), std::string("x")}) {
      const auto server = Start();
      Note(server->Send(first));
      Note(server->Send(Enveloped("2", "tools/list")));
      Note(server->Send(Initialize()));
      Finish(*server);
    }
  }

  void ModernTasks() {
    constexpr std::string_view kTasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
    const auto server = Start();
    const auto say = [&](std::string_view method, const std::string& members) {
      const std::string said = server->Send(Enveloped("1", method, members, {}, kTasks));
      Note(said);
      return said;
    };
    std::vector<std::string> tasks{R"("taskId":"unknown")"};
    for (const char* tool : {"slow_compute", "failing_job", "protocol_error_job"}) {
      const std::string created = say("tools/call", R"("name":")" + std::string(tool) + "\"");
      tasks.push_back(R"("taskId":")" + StringMember(created, "taskId") + "\"");
    }
    Note(server->Advance(milliseconds(2000)));
    for (const std::string& task : tasks) {
      say("tasks/get", task);
      say("tasks/update", task + R"(,"inputResponses":{})");
      for (int i = 0; i < 2; ++i) say("tasks/cancel", task);
      say("tasks/get", task);
    }
    Finish(*server);
  }

  void LegacyTasks() {
    const auto server = Start();
    const auto say = [&](std::string_view method, const std::string& params) {
      const std::string said = server->Send(Bare("1", method, params));
      Note(said);
      return said;
    };
    Note(server->Send(Initialize()));
    say("tools/call", R"({"name":"failing_job"})");
    const std::string created = say("tools/call", R"({"name":"failing_job","task":{}})");
    Note(server->Advance(milliseconds(0)));
    for (const char* method : {"tasks/get", "tasks/result", "tasks/cancel", "tasks/get"}) {
      say(method, R"({"taskId":")" + StringMember(created, "taskId") + "\"}");
    }
    Finish(*server);
  }

  void ModernAsking() {
    const auto server = Start();
    const auto ask = [&](const std::string& message, const std::string& members) {
      const std::string said = server->Send(Enveloped(
          "1", "tools/call",
          R"("name":"test_elicitation","arguments":{"message":")" + message + "\"}" + members, {},
          R"({"elicitation":{}})"));
      Note(said);
      return said;
    };
    const std::string answer =
        R"(,"inputResponses":{"user":{"action":"decline"}},"requestState":")" +
        StringMember(ask("Who?", {}), "requestState") + "\"";
    ask("Who?", answer);
    ask("What?", answer);
    ask("Who?", answer + ".");
    Note(server->Advance(std::chrono::minutes(11)));
    ask("Who?", answer);
    Checkout(*server);
    Note(server->Send(Enveloped("2", "prompts/get", R"("name":"test_input_required_result_prompt")",
                                {}, R"({"elicitation":{}})")));
    Finish(*server);
  }

  /// Of a cart with one thing in it, twice.
  void Checkout(Loopback& server) {
    const auto call = [&](const std::string& tool, const std::string& arguments,
                          const std::string& more = {}) {
      const std::string said = server.Send(Enveloped(
          "1", "tools/call", R"("name":")" + tool + R"(","arguments":{)" + arguments + "}" + more,
          {}, R"({"elicitation":{}})"));
      Note(said);
      return said;
    };
    const std::string cart =
        R"("cart_id":")" + StringMember(call("cart_create", {}), "cart_id") + "\"";
    call("cart_add_item", cart + R"(,"sku":"mug-enamel")");
    const std::string confirmed =
        R"(,"inputResponses":{"buy-version-1":{"action":"accept","content":{"confirm":true}}})"
        R"(,"requestState":")" +
        StringMember(call("cart_checkout", cart), "requestState") + "\"";
    const std::string order = StringMember(call("cart_checkout", cart, confirmed), "order_id");
    Note(StringMember(call("cart_checkout", cart, confirmed), "order_id") == order ? "once"
                                                                                   : "twice");
  }

  void LegacyAsking() {
    const auto server = Start();
    Note(server->Send(Initialize("2025-11-25", "0", R"({"elicitation":{}})")));
    for (const char* id : {"1", "2"}) {
      Note(server->Send(
          Bare(id, "tools/call", R"({"name":"test_elicitation","arguments":{"message":"Who?"}})")));
    }
    Finish(*server);
  }

  const NamedFault* fault_;
  std::string transcript_;
};

TEST(FaultList, HasWellFormedEntriesWithNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const NamedFault& fault : AllFaults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
    EXPECT_TRUE(std::regex_match(std::string(fault.name), std::regex("[a-z0-9]+(-[a-z0-9]+)*")))
        << fault.name;
    EXPECT_TRUE(
        std::regex_match(std::string(fault.requirement), std::regex("[MLCT]-[A-Za-z0-9-]+")))
        << fault.requirement;
    EXPECT_TRUE(std::regex_match(std::string(fault.bug), std::regex("BUG-[0-9]{3}|-")))
        << fault.bug;
    EXPECT_EQ(fault.text.find('\t'), std::string_view::npos);
  }
  EXPECT_GE(names.size(), 55U);
}

TEST(FaultList, HttpFaultsAreKnownByTheirNames) {
  for (const NamedFault& fault : AllFaults()) {
    if (std::holds_alternative<HttpScript>(Make(fault))) {
      EXPECT_TRUE(NeedsHttp(fault.name)) << fault.name;
    }
  }
}

TEST(FaultList, TheConversationIsTheSameEachTime) {
  EXPECT_EQ(Conversation(nullptr).Run(), Conversation(nullptr).Run());
}

class EveryFault : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryFault, ShowsItselfOnOrdinaryTraffic) {
  static const std::string clean = Conversation(nullptr).Run();
  EXPECT_NE(Conversation(&AllFaults()[GetParam()]).Run(), clean);
}

INSTANTIATE_TEST_SUITE_P(, EveryFault, testing::ValuesIn(ListedFaults(/*needs_http=*/false)),
                         NameOfListed);

}  // namespace
}  // namespace assay::reference
