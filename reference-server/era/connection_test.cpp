#include "era/connection.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "era/loopback_for_test.h"

namespace assay::reference {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

int Code(const json::value& answer) { return answer.at("error").at("code").to_number<int>(); }

bool IsModernResult(const json::value& answer) {
  return answer.as_object().contains("result") &&
         answer.at("result").as_object().contains("resultType");
}

bool IsLegacyResult(const json::value& answer) {
  return answer.as_object().contains("result") &&
         !answer.at("result").as_object().contains("resultType");
}

std::string Unsupported(std::string_view id, std::string_view version) {
  std::string line = Enveloped(id, "tools/list");
  return line.replace(line.find("2026-07-28"), 10, version);
}

std::string HalfEnveloped(std::string_view id) {
  return Bare(id, "tools/list",
              R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})");
}

// --- the era rule

struct Opening {
  std::string line;
  std::optional<Era> era;
};

TEST(EraRule, TheFirstRequestDecides) {
  const std::string enveloped_initialize =
      Bare("1", "initialize",
           R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},)"
           R"("protocolVersion":"2025-11-25","capabilities":{},)"
           R"("clientInfo":{"name":"a","version":"1"}})");
  const Opening openings[] = {
      {Initialize(), Era::kLegacy},
      {enveloped_initialize, Era::kLegacy},
      {Bare("1", "tools/list"), Era::kLegacy},
      {Bare("1", "ping"), Era::kLegacy},
      {Bare("1", "server/discover"), Era::kLegacy},
      {Enveloped("1", "tools/list"), Era::kModern},
      {Enveloped("1", "no/such/method"), Era::kModern},
      {Unsupported("1", "1900-01-01"), Era::kModern},
      {HalfEnveloped("1"), Era::kModern},
      {Bare("1", "x", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":7}})"), Era::kModern},
      {Notify("notifications/initialized"), std::nullopt},
      {Notify("notifications/cancelled", R"({"requestId":1})"), std::nullopt},
      {R"({"jsonrpc":"2.0","id":1,"result":{}})", std::nullopt},
      {"not json", std::nullopt},
      {"[]", std::nullopt},
      {R"({"jsonrpc":"1.0","id":1,"method":"tools/list"})", std::nullopt},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"tools/list"})", std::nullopt},
      {"", std::nullopt},
  };
  for (const Opening& opening : openings) {
    Loopback server;
    server.Send(opening.line);
    EXPECT_EQ(server.connection().era(), opening.era) << opening.line;
  }
}

TEST(EraRule, LegacyIsLocked) {
  Loopback server;
  EXPECT_TRUE(IsLegacyResult(server.Ask(Initialize())));
  EXPECT_EQ(Code(server.Ask(Enveloped("1", "tools/list"))), -32600);
  EXPECT_TRUE(IsLegacyResult(server.Ask(Bare("2", "tools/list"))));
}

TEST(EraRule, ModernIsLocked) {
  Loopback server;
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped("1", "tools/list"))));
  const json::value refusal = server.Ask(Initialize());
  EXPECT_EQ(Code(refusal), -32022);
  EXPECT_EQ(refusal.at("error").at("data").at("supported"), (json::array{"2026-07-28"}));
  EXPECT_EQ(refusal.at("error").at("data").at("requested"), json::value("2025-11-25"));
  EXPECT_EQ(Code(server.Ask(Bare("2", "tools/list"))), -32602);
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped("3", "tools/list"))));
}

TEST(EraRule, WithoutTheLockBothErasAreServedAtOnce) {
  Loopback server({.lock_legacy = false, .lock_modern = false});
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped("1", "tools/list"))));
  EXPECT_TRUE(IsLegacyResult(server.Ask(Initialize())));
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped("2", "tools/list"))));
  EXPECT_TRUE(IsLegacyResult(server.Ask(Bare("3", "tools/list"))));
}

TEST(EraRule, SingleEraServersHaveNothingToDecide) {
  Loopback modern({.eras = EraSupport::kModernOnly});
  EXPECT_EQ(Code(modern.Ask(Initialize())), -32022);
  EXPECT_EQ(Code(modern.Ask(Bare("1", "tools/list"))), -32602);
  Loopback legacy({.eras = EraSupport::kLegacyOnly});
  EXPECT_EQ(Code(legacy.Ask(Enveloped("1", "server/discover"))), -32600);
  EXPECT_TRUE(IsLegacyResult(legacy.Ask(Initialize())));
  EXPECT_TRUE(IsLegacyResult(legacy.Ask(Enveloped("2", "tools/list"))));
}

TEST(EraRule, AnUnsupportedVersionKeepsTheConnection) {
  Loopback server;
  for (const char* version : {"1900-01-01", "2099-01-01", "", "2025-11-25"}) {
    const json::value refusal = server.Ask(Unsupported("1", version));
    EXPECT_EQ(Code(refusal), -32022);
    EXPECT_EQ(refusal.at("error").at("data").at("requested"), json::value(version));
  }
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped("2", "tools/list"))));
}

// --- the legacy opening

TEST(LegacyOpening, RefusesEverythingButPingBeforeInitialize) {
  Loopback server;
  const json::value refusal = server.Ask(Bare("1", "tools/list"));
  EXPECT_EQ(Code(refusal), -32600);
  EXPECT_EQ(refusal.at("error").at("message"), json::value("Invalid request parameters"));
  EXPECT_EQ(server.Send(Bare("2", "ping")), R"({"jsonrpc":"2.0","id":2,"result":{}})"
                                            "\n");
  EXPECT_TRUE(IsLegacyResult(server.Ask(Initialize())));
  EXPECT_TRUE(IsLegacyResult(server.Ask(Bare("3", "tools/list"))));
}

TEST(LegacyOpening, NegotiatesTheVersion) {
  for (const char* version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    Loopback server;
    EXPECT_EQ(server.Ask(Initialize(version)).at("result").at("protocolVersion"),
              json::value(version));
  }
  for (const char* version : {"1999-01-01", "banana", "", "2026-07-28"}) {
    Loopback server;
    EXPECT_EQ(server.Ask(Initialize(version)).at("result").at("protocolVersion"),
              json::value("2025-11-25"));
  }
}

TEST(LegacyOpening, RefusesBrokenAndRepeatedInitialize) {
  Loopback server;
  EXPECT_EQ(Code(server.Ask(Bare("1", "initialize", "{}"))), -32602);
  EXPECT_EQ(Code(server.Ask(Bare("1", "initialize", R"({"protocolVersion":"2025-11-25"})"))),
            -32602);
  EXPECT_TRUE(IsLegacyResult(server.Ask(Initialize("2025-06-18"))));
  EXPECT_EQ(Code(server.Ask(Initialize("2024-11-05"))), -32600);
}

TEST(LegacyRevisions, GetOnlyWhatTheyKnow) {
  struct Knowledge {
    const char* version;
    bool annotations, title, structured, audio, execution, completions;
  };
  for (const Knowledge& known : {
           Knowledge{"2024-11-05", false, false, false, false, false, false},
           Knowledge{"2025-03-26", true, false, false, true, false, true},
           Knowledge{"2025-06-18", true, true, true, true, false, true},
           Knowledge{"2025-11-25", true, true, true, true, true, true},
       }) {
    Loopback server;
    const json::value opened = server.Ask(Initialize(known.version));
    EXPECT_EQ(opened.at("result").at("capabilities").as_object().contains("completions"),
              known.completions);
    const std::string tools = server.Send(Bare("1", "tools/list"));
    EXPECT_EQ(tools.find("readOnlyHint") != std::string::npos, known.annotations);
    EXPECT_EQ(tools.find("Slow work") != std::string::npos, known.title);
    EXPECT_EQ(tools.find("outputSchema") != std::string::npos, known.structured);
    EXPECT_EQ(tools.find("execution") != std::string::npos, known.execution);
    EXPECT_EQ(tools.find("icons") != std::string::npos, known.execution);
    const std::string sum =
        server.Send(Bare("2", "tools/call", R"({"name":"add","arguments":{"a":1,"b":2}})"));
    EXPECT_EQ(sum.find("structuredContent") != std::string::npos, known.structured);
    EXPECT_NE(sum.find(R"({\"sum\":3})"), std::string::npos);
    const std::string sound =
        server.Send(Bare("3", "tools/call", R"({"name":"test_audio_content"})"));
    EXPECT_EQ(sound.find(R"("type":"audio")") != std::string::npos, known.audio);
    const std::string link =
        server.Send(Bare("4", "tools/call", R"({"name":"test_resource_link"})"));
    EXPECT_EQ(link.find("resource_link") != std::string::npos, known.structured);
  }
}

TEST(Parity, BothErasListTheSameTools) {
  Loopback legacy;
  legacy.Send(Initialize());
  Loopback modern;
  EXPECT_EQ(legacy.Ask(Bare("1", "tools/list")).at("result").at("tools"),
            modern.Ask(Enveloped("1", "tools/list")).at("result").at("tools"));
}

// --- messages

TEST(Ids, ComeBackAsTheyStood) {
  Loopback server;
  for (const char* id : {"0", "-1", "9007199254740993", "1e2", R"("")", R"("7")", R"("\u0061")"}) {
    const std::string start = R"({"jsonrpc":"2.0","id":)" + std::string(id) + ",";
    EXPECT_TRUE(server.Send(Bare(id, "ping")).starts_with(start)) << id;
    EXPECT_TRUE(server.Send(Bare(id, "no/method")).starts_with(start)) << id;
  }
}

TEST(BadLines, AreAnsweredByTheRulesOfTheEra) {
  for (const char* line : {"not json", R"({"jsonrpc":)", "\xFF\xFE", "[1]", "1",
                           R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
                           R"({"jsonrpc":"2.0","id":true,"method":"ping"})"}) {
    Loopback legacy;
    legacy.Send(Initialize());
    EXPECT_NE(legacy.Send(line).find(R"("id":null)"), std::string::npos) << line;
    EXPECT_EQ(legacy.Send(Bare("1", "ping")), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    Loopback modern;
    modern.Send(Enveloped("1", "tools/list"));
    const json::value answer = modern.Ask(line);
    EXPECT_FALSE(answer.as_object().contains("id")) << line;
    EXPECT_TRUE(IsModernResult(modern.Ask(Enveloped("1", "tools/list"))));
  }
}

TEST(BadLines, KeepAReadableId) {
  Loopback server;
  for (const char* line :
       {R"({"jsonrpc":"1.0","id":11,"method":"ping"})", R"({"jsonrpc":"2.0","id":11})",
        R"({"id":11,"method":"ping"})", R"({"jsonrpc":"2.0","id":11,"method":5})",
        R"({"jsonrpc":"2.0","id":11,"method":"ping","params":"x"})",
        R"({"jsonrpc":"2.0","id":11,"method":"ping","error":{}})"}) {
    const json::value answer = server.Ask(line);
    EXPECT_EQ(Code(answer), -32600) << line;
    EXPECT_EQ(answer.at("id"), json::value(11)) << line;
  }
}

TEST(BadLines, NestedTooDeeplyAreRefusedWithTheirId) {
  Loopback server;
  server.Send(Initialize());
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  const json::value answer = server.Ask(Bare("5", "ping", R"({"a":)" + deep + "}"));
  EXPECT_EQ(Code(answer), -32600);
  EXPECT_EQ(answer.at("id"), json::value(5));
  const std::string fair = std::string(250, '[') + std::string(250, ']');
  EXPECT_TRUE(IsLegacyResult(server.Ask(Bare("6", "ping", R"({"a":)" + fair + "}"))));
}

TEST(Notifications, AreNeverAnswered) {
  Loopback server;
  server.Send(Initialize());
  for (const std::string& line :
       {Notify("notifications/initialized"), Notify("notifications/never-heard-of", R"({"a":1})"),
        Notify("tools/list"), Notify("notifications/cancelled"),
        Notify("notifications/cancelled", R"({"requestId":{}})"),
        Notify("notifications/cancelled", "[]"), std::string(R"({"jsonrpc":"1.0","method":"x"})"),
        std::string(R"({"jsonrpc":"2.0","id":5,"result":{}})"),
        std::string(R"({"jsonrpc":"2.0","id":5,"error":{"code":1,"message":""}})")}) {
    EXPECT_EQ(server.Send(line), "") << line;
  }
}

TEST(Framing, ToleratesByteOrderMarkCarriageReturnAndBlankLines) {
  Loopback server;
  EXPECT_NE(server.Send("\xEF\xBB\xBF" + Bare("1", "ping") + "\r"), "");
  EXPECT_EQ(server.Send(""), "");
  EXPECT_EQ(server.Send(" \r"), "");
}

TEST(Batches, AreServedByOneRevisionOnly) {
  Loopback server;
  server.Send(Initialize("2025-03-26"));
  const json::value answers =
      server.Ask("[" + Bare("1", "ping") + "," + Notify("notifications/initialized") + ",7," +
                 Bare("2", "no/method") + "]");
  ASSERT_EQ(answers.as_array().size(), 3U);
  EXPECT_EQ(server.Send("[" + Notify("notifications/initialized") + "]"), "");
  EXPECT_EQ(Code(server.Ask("[]")), -32600);
  EXPECT_EQ(server.Ask("[" + Bare("1", "ping") + "]").as_array().size(), 1U);
  for (const char* version : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    Loopback other;
    other.Send(Initialize(version));
    EXPECT_EQ(Code(other.Ask("[" + Bare("1", "ping") + "]")), -32600);
  }
}

TEST(Batches, WaitForTheirSlowestMember) {
  Loopback server;
  server.Send(Initialize("2025-03-26"));
  const std::string slow = Bare("1", "tools/call", R"({"name":"slow","arguments":{"steps":1}})");
  EXPECT_EQ(server.Send("[" + slow + "," + Bare("2", "ping") + "]"), "");
  EXPECT_EQ(json::parse(server.Advance(milliseconds(1000))).as_array().size(), 2U);
  server.Send("[" + slow + "," + Bare("2", "ping") + "]");
  const std::string rest = server.Send(Notify("notifications/cancelled", R"({"requestId":1})"));
  EXPECT_EQ(json::parse(rest).as_array().size(), 1U);
}

// --- modern results

TEST(Modern, EveryResultHasWhatItsMethodOwes) {
  struct Method {
    const char* name;
    const char* members;
    bool cacheable;
  };
  Loopback server;
  for (const Method& method : {
           Method{"server/discover", "", true},
           Method{"tools/list", "", true},
           Method{"prompts/list", "", true},
           Method{"resources/list", "", true},
           Method{"resources/templates/list", "", true},
           Method{"resources/read", R"("uri":"test://static-text")", true},
           Method{"prompts/get", R"("name":"test_simple_prompt")", false},
           Method{"tools/call", R"("name":"test_simple_text")", false},
           Method{"tools/call", R"("name":"test_error_handling")", false},
           Method{"completion/complete",
                  R"("ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},)"
                  R"("argument":{"name":"arg1","value":""})",
                  false},
       }) {
    const json::value answer = server.Ask(Enveloped("1", method.name, method.members));
    const json::object& result = answer.at("result").as_object();
    EXPECT_EQ(result.at("resultType"), json::value("complete")) << method.name;
    EXPECT_TRUE(result.at("_meta").as_object().contains("io.modelcontextprotocol/serverInfo"));
    EXPECT_EQ(result.contains("ttlMs"), method.cacheable) << method.name;
    EXPECT_EQ(result.contains("cacheScope"), method.cacheable) << method.name;
  }
  for (const char* removed : {"ping", "logging/setLevel", "resources/subscribe",
                              "resources/unsubscribe", "tasks/list", "no/such/method"}) {
    EXPECT_EQ(Code(server.Ask(Enveloped("1", removed))), -32601) << removed;
  }
}

TEST(Modern, AMissingCapabilityIsNamed) {
  Loopback server;
  const char* call = R"("name":"test_missing_capability")";
  const json::value refusal = server.Ask(Enveloped("1", "tools/call", call));
  EXPECT_EQ(Code(refusal), -32021);
  EXPECT_TRUE(refusal.at("error").at("data").at("requiredCapabilities").at("sampling").is_object());
  EXPECT_TRUE(
      IsModernResult(server.Ask(Enveloped("2", "tools/call", call, "", R"({"sampling":{}})"))));
  EXPECT_EQ(Code(server.Ask(Enveloped("3", "tools/call", call))), -32021);
}

TEST(Errors, FollowTheEra) {
  struct Mistake {
    const char* method;
    const char* members;
    int legacy;
    int modern;
  };
  for (const Mistake& mistake : {
           Mistake{"tools/call", R"("name":"zzz")", -32602, -32602},
           Mistake{"tools/call", R"("name":5)", -32602, -32602},
           Mistake{"tools/call", R"("x":1)", -32602, -32602},
           Mistake{"tools/call", R"("name":"echo","arguments":[])", -32602, -32602},
           Mistake{"resources/read", R"("uri":"test://none")", -32002, -32602},
           Mistake{"resources/read", R"("uri":"not a uri")", -32602, -32602},
           Mistake{"resources/read", R"("uri":"test://failing/x")", -32603, -32603},
           Mistake{"prompts/get", R"("name":"zzz")", -32602, -32602},
           Mistake{"prompts/get", R"("name":"test_prompt_with_arguments")", -32602, -32602},
           Mistake{"prompts/get",
                   R"("name":"test_prompt_with_arguments","arguments":{"arg1":1,"arg2":"x"})",
                   -32602, -32602},
           Mistake{"tools/list", R"("cursor":"bogus")", -32602, -32602},
           Mistake{"tools/list", R"("cursor":5)", -32602, -32602},
           Mistake{"completion/complete",
                   R"("ref":{"type":"ref/prompt","name":"zzz"},)"
                   R"("argument":{"name":"a","value":""})",
                   -32602, -32602},
           Mistake{"completion/complete", R"("x":1)", -32602, -32602},
           Mistake{"tools/list", R"("_meta2":1)", 0, 0},
       }) {
    Loopback legacy;
    legacy.Send(Initialize());
    const json::value bare =
        legacy.Ask(Bare("1", mistake.method, "{" + std::string(mistake.members) + "}"));
    EXPECT_EQ(bare.as_object().contains("error") ? Code(bare) : 0, mistake.legacy)
        << mistake.members;
    Loopback modern;
    const json::value enveloped = modern.Ask(Enveloped("1", mistake.method, mistake.members));
    EXPECT_EQ(enveloped.as_object().contains("error") ? Code(enveloped) : 0, mistake.modern)
        << mistake.members;
  }
}

TEST(Errors, BadArgumentsAreAResultThatExplains) {
  Loopback server;
  const json::value answer =
      server.Ask(Enveloped("1", "tools/call", R"("name":"echo","arguments":{"message":5})"));
  EXPECT_EQ(answer.at("result").at("isError"), json::value(true));
  EXPECT_NE(answer.at("result").at("content").at(0).at("text").as_string().find("message"),
            std::string::npos);
}

TEST(Tools, AddIsExact) {
  Loopback server;
  const json::value answer = server.Ask(
      Enveloped("1", "tools/call", R"("name":"add","arguments":{"a":9007199254740992,"b":1})"));
  EXPECT_EQ(answer.at("result").at("structuredContent").at("sum"),
            json::value(std::int64_t{9007199254740993}));
}

TEST(Tools, TheFirstOneNeedsNoArguments) {
  Loopback server;
  const json::value list = server.Ask(Enveloped("1", "tools/list"));
  const std::string name(list.at("result").at("tools").at(0).at("name").as_string());
  const json::value answer = server.Ask(Enveloped("2", "tools/call", R"("name":")" + name + "\""));
  EXPECT_FALSE(answer.at("result").as_object().contains("isError"));
}

// --- calls that take time

std::string SlowCall(std::string_view id, std::string_view meta = {}) {
  return Enveloped(id, "tools/call", R"("name":"slow","arguments":{"duration_ms":100,"steps":4})",
                   meta);
}

TEST(SlowCalls, ReportProgressWithTheTokenAsItStood) {
  Loopback server;
  EXPECT_EQ(server.Send(SlowCall("1", R"("progressToken":9007199254740993)")), "");
  EXPECT_EQ(server.Advance(milliseconds(25)),
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)"
            R"(9007199254740993,"progress":1,"total":4,"message":"step 1 of 4"}})"
            "\n");
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped("2", "tools/list"))));
  const std::string rest = server.Advance(milliseconds(75));
  EXPECT_NE(rest.find(R"("id":1,"result")"), std::string::npos);
}

TEST(SlowCalls, ReportNothingWithoutAToken) {
  Loopback server;
  server.Send(SlowCall("1"));
  EXPECT_EQ(server.Advance(milliseconds(99)), "");
}

TEST(SlowCalls, AreCancelledForGood) {
  for (const char* id : {"100", "1e2"}) {
    Loopback server;
    server.Send(SlowCall("100", R"("progressToken":"t")"));
    server.Advance(milliseconds(30));
    const std::string params = R"({"requestId":)" + std::string(id) + "}";
    EXPECT_EQ(server.Send(Notify("notifications/cancelled", params)), "");
    EXPECT_EQ(server.scheduler().waiting(), 0U);
    EXPECT_EQ(server.Advance(milliseconds(1000)), "");
    EXPECT_TRUE(server.connection().Idle());
  }
}

TEST(SlowCalls, AreNotCancelledByAnIdOfAnotherType) {
  Loopback server;
  server.Send(SlowCall("7"));
  server.Send(Notify("notifications/cancelled", R"({"requestId":"7"})"));
  EXPECT_NE(server.Advance(milliseconds(100)), "");
}

TEST(SlowCalls, StopTheWorkTheyCount) {
  Loopback server;
  server.Send(SlowCall("1"));
  server.Send(SlowCall("2"));
  const std::string ask = Enveloped("3", "tools/call", R"("name":"test_active_calls")");
  const auto active = [&] {
    return server.Ask(ask).at("result").at("content").at(0).at("text").as_string();
  };
  EXPECT_EQ(active(), "2");
  server.Send(Notify("notifications/cancelled", R"({"requestId":1})"));
  EXPECT_EQ(active(), "1");
  server.Advance(milliseconds(100));
  EXPECT_EQ(active(), "0");
}

TEST(SlowCalls, KeepTheirIdToThemselves) {
  Loopback server;
  server.Send(SlowCall("7"));
  EXPECT_EQ(Code(server.Ask(Enveloped("7", "tools/list"))), -32600);
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped(R"("7")", "tools/list"))));
  server.Advance(milliseconds(100));
  EXPECT_TRUE(IsModernResult(server.Ask(Enveloped("7", "tools/list"))));
}

// --- logging

std::size_t Count(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Logging, LegacyFollowsTheLevelThatWasSet) {
  Loopback server;
  server.Send(Initialize());
  const std::string call = Bare("1", "tools/call", R"({"name":"test_logging_tool"})");
  EXPECT_EQ(Count(server.Send(call), "notifications/message"), 7U);
  EXPECT_EQ(server.Ask(Bare("2", "logging/setLevel", R"({"level":"error"})")).at("result"),
            json::value(json::object()));
  EXPECT_EQ(Count(server.Send(call), "notifications/message"), 4U);
  EXPECT_EQ(Code(server.Ask(Bare("3", "logging/setLevel", R"({"level":"loud"})"))), -32602);
  EXPECT_EQ(Count(server.Send(call), "notifications/message"), 4U);
}

TEST(Logging, ModernFollowsTheRequestAlone) {
  Loopback server;
  const char* call = R"("name":"test_logging_tool")";
  const char* alert = R"("io.modelcontextprotocol/logLevel":"alert")";
  EXPECT_EQ(Count(server.Send(Enveloped("1", "tools/call", call, alert)), "notifications/message"),
            2U);
  EXPECT_EQ(Count(server.Send(Enveloped("2", "tools/call", call)), "notifications/message"), 0U);
}

// --- changes

std::string Touch(std::string_view id) {
  return Enveloped(id, "tools/call", R"("name":"test_touch_watched_resource")");
}

TEST(Subscriptions, DeliverOnlyWhatWasAskedFor) {
  Loopback server;
  const json::value acknowledgement = server.Ask(
      Enveloped(R"("s")", "subscriptions/listen",
                R"("notifications":{"toolsListChanged":true,"promptsListChanged":false,)"
                R"("resourceSubscriptions":["test://watched-resource","test://none"]})"));
  EXPECT_EQ(acknowledgement.at("method"), json::value("notifications/subscriptions/acknowledged"));
  EXPECT_EQ(acknowledgement.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId"),
            json::value("s"));
  EXPECT_EQ(acknowledgement.at("params").at("notifications"),
            json::parse(R"({"toolsListChanged":true,)"
                        R"("resourceSubscriptions":["test://watched-resource"]})"));
  const auto trigger = [&server](std::string_view tool) {
    return server.Send(Enveloped("1", "tools/call", R"("name":")" + std::string(tool) + "\""));
  };
  EXPECT_EQ(Count(trigger("test_trigger_tool_change"), "notifications/tools/list_changed"), 1U);
  EXPECT_EQ(Count(trigger("test_trigger_prompt_change"), "notifications/"), 0U);
  EXPECT_EQ(Count(trigger("test_trigger_resource_change"), "notifications/"), 0U);
  EXPECT_EQ(Count(server.Send(Touch("2")), "notifications/resources/updated"), 1U);
  EXPECT_EQ(server.Send(Notify("notifications/cancelled", R"({"requestId":"s"})")), "");
  EXPECT_EQ(Count(server.Send(Touch("3")), "notifications/"), 0U);
}

TEST(Subscriptions, EndGracefullyWithTheServer) {
  Loopback server;
  server.Send(Enveloped("5", "subscriptions/listen", R"("notifications":{})"));
  const std::string end = server.End();
  const std::size_t cancelled = end.find("notifications/cancelled");
  const std::size_t answer = end.find(R"("id":5,"result")");
  ASSERT_NE(cancelled, std::string::npos);
  ASSERT_NE(answer, std::string::npos);
  EXPECT_LT(cancelled, answer);
}

TEST(Subscriptions, RefuseABrokenFilter) {
  Loopback server;
  for (const char* members :
       {"", R"("notifications":[])", R"("notifications":{"toolsListChanged":1})",
        R"("notifications":{"resourceSubscriptions":"x"})",
        R"("notifications":{"resourceSubscriptions":[1]})"}) {
    EXPECT_EQ(Code(server.Ask(Enveloped("1", "subscriptions/listen", members))), -32602);
  }
}

TEST(LegacyChanges, AreAnnouncedToTheSession) {
  Loopback server;
  server.Send(Initialize());
  const auto call = [&server](std::string_view tool) {
    return server.Send(Bare("1", "tools/call", R"({"name":")" + std::string(tool) + "\"}"));
  };
  const std::string before = server.Send(Bare("2", "tools/list"));
  EXPECT_EQ(Count(call("test_trigger_tool_change"), "notifications/tools/list_changed"), 1U);
  const std::string after = server.Send(Bare("2", "tools/list"));
  EXPECT_NE(before, after);
  call("test_trigger_tool_change");
  EXPECT_EQ(server.Send(Bare("2", "tools/list")), before);
  EXPECT_EQ(Count(call("test_touch_watched_resource"), "notifications/"), 0U);
  server.Send(Bare("3", "resources/subscribe", R"({"uri":"test://watched-resource"})"));
  EXPECT_EQ(Count(call("test_touch_watched_resource"), "notifications/resources/updated"), 1U);
  server.Send(Bare("4", "resources/unsubscribe", R"({"uri":"test://watched-resource"})"));
  EXPECT_EQ(Count(call("test_touch_watched_resource"), "notifications/"), 0U);
}

// --- pages

TEST(Pages, HaveEveryItemOnce) {
  Loopback whole;
  const json::value all = whole.Ask(Enveloped("1", "tools/list"));
  Loopback server({.page_size = 3});
  json::array collected;
  std::string cursor;
  do {
    const json::value page =
        server.Ask(Enveloped("1", "tools/list", cursor.empty() ? "" : R"("cursor":)" + cursor));
    for (const json::value& tool : page.at("result").at("tools").as_array()) {
      collected.push_back(tool);
    }
    const json::value* next = page.at("result").as_object().if_contains("nextCursor");
    cursor = next == nullptr ? "" : json::serialize(*next);
  } while (!cursor.empty());
  EXPECT_EQ(json::value(collected), all.at("result").at("tools"));
}

TEST(Completion, IsCappedAndKnowsItsContext) {
  Loopback server;
  const json::value many =
      server.Ask(Enveloped("1", "completion/complete",
                           R"("ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},)"
                           R"("argument":{"name":"arg1","value":"test"})"));
  const json::value& completion = many.at("result").at("completion");
  EXPECT_EQ(completion.at("values").as_array().size(), 100U);
  EXPECT_EQ(completion.at("total"), json::value(150));
  EXPECT_EQ(completion.at("hasMore"), json::value(true));
  const std::string dependent = server.Send(
      Enveloped("2", "completion/complete",
                R"("ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},)"
                R"("argument":{"name":"arg2","value":""},"context":{"arguments":{"arg1":"x"}})"));
  EXPECT_NE(dependent.find("x-alpha"), std::string::npos);
}

}  // namespace
}  // namespace assay::reference
