#include <gtest/gtest.h>

#include <regex>

#include "transport/http/endpoint_for_test.h"

namespace assay::reference {
namespace {

using std::chrono::milliseconds;

std::string CallSlow(const std::string& id, const std::string& token = {}) {
  return Bare(id, "tools/call",
              R"({"name":"slow","arguments":{"duration_ms":300,"steps":3})" +
                  (token.empty() ? "" : R"(,"_meta":{"progressToken":)" + token + "}") + "}");
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

TEST(LegacyEndpointTest, InitializeOpensASession) {
  EndpointInMemory server;
  const auto answer = server.Post(Initialize());
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->Json().at("result").at("protocolVersion"), "2025-11-25");
  const std::string session = answer->Header("Mcp-Session-Id");
  EXPECT_TRUE(std::regex_match(session, std::regex("[0-9a-f]{32}"))) << session;

  const auto list = server.PostTo(session, Bare("1", "tools/list"));
  EXPECT_EQ(list->status, 200);
  EXPECT_TRUE(list->Json().at("result").at("tools").is_array());
  EXPECT_EQ(list->Header("Mcp-Session-Id"), "");
  EXPECT_NE(server.OpenSession(), session);
}

TEST(LegacyEndpointTest, AnInitializeThatIsRefusedLeavesNoSession) {
  EndpointInMemory server;
  const auto answer = server.Post(Bare("0", "initialize", "{}"));
  EXPECT_EQ(answer->Error(), -32602);
  EXPECT_EQ(answer->Header("Mcp-Session-Id"), "");
  EXPECT_EQ(server.endpoint().session_count(), 0U);
}

TEST(LegacyEndpointTest, WithoutASessionThereIsNothingElse) {
  EndpointInMemory server;
  const auto request = server.Post(Bare("1", "tools/list"));
  EXPECT_EQ(request->status, 400);
  EXPECT_EQ(request->Error(), -32600);
  EXPECT_EQ(request->Json().at("id"), 1);
  EXPECT_EQ(server.Post(Notify("notifications/initialized"))->status, 400);
  EXPECT_EQ(server.Send({"GET", "/mcp", {}, {}})->status, 400);
  EXPECT_EQ(server.Send({"DELETE", "/mcp", {}, {}})->status, 400);
}

TEST(LegacyEndpointTest, AnEndedSessionIsNotFound) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  EXPECT_EQ(server.Delete(session)->status, 204);
  EXPECT_EQ(server.PostTo(session, Bare("1", "ping"))->status, 404);
  EXPECT_EQ(server.PostTo(session, Notify("notifications/initialized"))->status, 404);
  EXPECT_EQ(server.Get(session)->status, 404);
  EXPECT_EQ(server.Delete(session)->status, 404);
}

TEST(LegacyEndpointTest, DeleteEndsStreamsAndCalls) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto get = server.Get(session);
  const auto call = server.PostTo(session, CallSlow("1"));
  server.Delete(session);
  EXPECT_TRUE(get->ended);
  EXPECT_TRUE(call->ended);
  EXPECT_EQ(server.catalog().SlowWork(), 0);
}

TEST(LegacyEndpointTest, ASessionBelongsToWhoOpenedIt) {
  EndpointInMemory server;
  const std::string session = server.OpenSession("2025-11-25", {"alice"});
  EXPECT_EQ(server.PostTo(session, Bare("1", "ping"), {"bob"})->status, 404);
  EXPECT_EQ(server.PostTo(session, Bare("1", "ping"), {"alice"})->status, 200);
}

TEST(LegacyEndpointTest, AnUnusedSessionExpires) {
  EndpointInMemory server;
  const std::string used = server.OpenSession();
  const std::string unused = server.OpenSession();
  server.Advance(std::chrono::minutes(20));
  server.PostTo(used, Bare("1", "ping"));
  server.Advance(std::chrono::minutes(41));
  EXPECT_EQ(server.PostTo(unused, Bare("1", "ping"))->status, 404);
  server.PostTo(used, Bare("1", "ping"));
  server.Advance(std::chrono::minutes(61));
  EXPECT_EQ(server.endpoint().session_count(), 0U);
  EXPECT_EQ(server.scheduler().waiting(), 0U);
}

TEST(LegacyEndpointTest, ASessionThatListensDoesNotExpire) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto get = server.Get(session);
  server.Advance(std::chrono::hours(3));
  EXPECT_EQ(server.PostTo(session, Bare("1", "ping"))->status, 200);
}

TEST(LegacyEndpointTest, TooManySessionsPushOutTheOneNobodyUses) {
  EndpointInMemory server;
  const std::string first = server.OpenSession();
  const std::string second = server.OpenSession();
  for (int i = 2; i < 1000; ++i) server.OpenSession();
  server.PostTo(first, Bare("1", "ping"));
  server.OpenSession();
  EXPECT_EQ(server.endpoint().session_count(), 1000U);
  EXPECT_EQ(server.PostTo(first, Bare("1", "ping"))->status, 200);
  EXPECT_EQ(server.PostTo(second, Bare("1", "ping"))->status, 404);
}

TEST(LegacyEndpointTest, NotificationsAndResponsesAreAccepted) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  for (const std::string& body : {Notify("notifications/initialized"),
                                  std::string(R"({"jsonrpc":"2.0","id":9,"result":{}})")}) {
    const auto answer = server.PostTo(session, body);
    EXPECT_EQ(answer->status, 202) << body;
    EXPECT_EQ(answer->body, "");
  }
}

TEST(LegacyEndpointTest, WhatCannotBeReadIsABadRequest) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto broken = server.PostTo(session, "{");
  EXPECT_EQ(broken->status, 400);
  EXPECT_EQ(broken->Error(), -32700);
  EXPECT_TRUE(broken->Json().at("id").is_null());
  const auto invalid = server.PostTo(session, R"({"jsonrpc":"2.0","id":null,"method":"ping"})");
  EXPECT_EQ(invalid->status, 400);
  EXPECT_EQ(invalid->Error(), -32600);
  const auto unknown = server.PostTo(session, Bare("1", "no/such"));
  EXPECT_EQ(unknown->status, 200);
  EXPECT_EQ(unknown->Error(), -32601);
}

TEST(LegacyEndpointTest, ACallThatTakesTimeGetsAPrimedStreamWithEventIds) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto call = server.PostTo(session, CallSlow("5", "\"p\""));
  EXPECT_TRUE(call->is_stream);
  EXPECT_EQ(call->TakeBody(), "id: 1-0\ndata: \n\n");
  server.Advance(milliseconds(300));
  EXPECT_TRUE(call->body.starts_with("id: 1-1\ndata: {")) << call->body;
  EXPECT_EQ(Count(call->body, "notifications/progress"), 3U);
  EXPECT_NE(call->body.find("id: 1-4\ndata: {\"jsonrpc\":\"2.0\",\"id\":5,\"result\""),
            std::string::npos);
  EXPECT_TRUE(call->ended);
}

TEST(LegacyEndpointTest, OlderRevisionsGetNoPrimingEvent) {
  EndpointInMemory server;
  const auto call = server.PostTo(server.OpenSession("2025-06-18"), CallSlow("5"));
  EXPECT_TRUE(call->is_stream);
  EXPECT_EQ(call->body, "");
}

TEST(LegacyEndpointTest, MessagesGoToTheStreamOfTheirRequest) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto get = server.Get(session);
  const auto one = server.PostTo(session, CallSlow("1", "\"one\""));
  const auto two = server.PostTo(session, CallSlow("2", "\"two\""));
  get->TakeBody();
  server.catalog().ToggleDynamicTool();
  server.Advance(milliseconds(300));
  EXPECT_EQ(Count(one->body, "\"one\""), 3U);
  EXPECT_EQ(Count(one->body, "\"two\""), 0U);
  EXPECT_EQ(Count(two->body, "\"two\""), 3U);
  EXPECT_EQ(Count(one->body + two->body, "list_changed"), 0U);
  EXPECT_EQ(Count(get->body, "list_changed"), 1U);
  EXPECT_EQ(Count(get->body, "result"), 0U);
}

TEST(LegacyEndpointTest, ASecondGetIsRefused) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto first = server.Get(session);
  EXPECT_EQ(first->status, 200);
  EXPECT_EQ(server.Get(session)->status, 409);
  first->gone();
  EXPECT_EQ(server.Get(session)->status, 200);
}

TEST(LegacyEndpointTest, WhatNobodyListensToWaitsForTheNextGet) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  server.catalog().ToggleDynamicTool();
  const auto first = server.Get(session);
  EXPECT_EQ(Count(first->TakeBody(), "list_changed"), 1U);
  first->gone();
  server.catalog().ToggleDynamicTool();
  EXPECT_EQ(first->TakeBody(), "");
  EXPECT_EQ(Count(server.Get(session)->body, "list_changed"), 1U);
}

TEST(LegacyEndpointTest, WhatWaitsIsBounded) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  for (int i = 0; i < 5000; ++i) server.catalog().ToggleDynamicTool();
  EXPECT_EQ(Count(server.Get(session)->body, "list_changed"), 256U);
}

TEST(LegacyEndpointTest, ACallGoesOnWithoutItsClientAndIsResumed) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto call = server.PostTo(session, CallSlow("5", "\"p\""));
  server.Advance(milliseconds(100));
  call->gone();
  EXPECT_EQ(server.catalog().SlowWork(), 1);
  server.Advance(milliseconds(100));
  const auto resumed = server.Resume(session, "1-1");
  EXPECT_TRUE(resumed->body.starts_with("id: 1-2\n")) << resumed->body;
  EXPECT_FALSE(resumed->ended);
  server.Advance(milliseconds(100));
  EXPECT_NE(resumed->body.find("\"id\":5,\"result\""), std::string::npos);
  EXPECT_TRUE(resumed->ended);
}

TEST(LegacyEndpointTest, AnAnswerThatCameMeanwhileIsRepeated) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto call = server.PostTo(session, CallSlow("5"));
  const auto other = server.PostTo(session, CallSlow("6"));
  call->gone();
  server.Advance(milliseconds(300));
  const auto resumed = server.Resume(session, "1-0");
  EXPECT_EQ(Count(resumed->body, "\"id\":5,\"result\""), 1U);
  EXPECT_EQ(Count(resumed->body, "\"id\":6"), 0U);
  EXPECT_TRUE(resumed->ended);
}

TEST(LegacyEndpointTest, TheGetStreamIsResumedToo) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto get = server.Get(session);
  server.catalog().ToggleDynamicTool();
  get->gone();
  server.catalog().ToggleDynamicPrompt();
  const auto resumed = server.Resume(session, "0-0");
  EXPECT_EQ(Count(resumed->body, "tools/list_changed"), 1U);
  EXPECT_EQ(Count(resumed->body, "prompts/list_changed"), 1U);
}

TEST(LegacyEndpointTest, AnUnknownEventIdIsRefused) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  for (const char* event : {"99-1", "x", "-", "1-", "18446744073709551616-1"}) {
    EXPECT_EQ(server.Resume(session, event)->status, 400) << event;
  }
}

TEST(LegacyEndpointTest, AStreamThatBreaksOffAsksToComeBack) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto call =
      server.PostTo(session, Bare("1", "tools/call", R"({"name":"test_reconnection"})"));
  EXPECT_EQ(call->body, "id: 1-0\ndata: \n\nid: 1-1\nretry: 500\ndata: \n\n");
  EXPECT_TRUE(call->ended);
  const auto resumed = server.Resume(session, "1-1");
  server.Advance(milliseconds(100));
  EXPECT_EQ(Count(resumed->body, "\"id\":1,\"result\""), 1U);
  EXPECT_TRUE(resumed->ended);
}

TEST(LegacyEndpointTest, ACancelledCallEndsItsStreamWithoutAnAnswer) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto call = server.PostTo(session, CallSlow("5"));
  server.PostTo(session, Notify("notifications/cancelled", R"({"requestId":5})"));
  EXPECT_TRUE(call->ended);
  EXPECT_EQ(Count(call->body, "\"id\":5"), 0U);
  EXPECT_EQ(server.catalog().SlowWork(), 0);
}

TEST(LegacyEndpointTest, ARequestOfTheServerGoesOutOnTheStreamOfTheCall) {
  EndpointInMemory server;
  std::string initialize = Initialize();
  initialize.replace(initialize.find(R"("capabilities":{})"), 17,
                     R"("capabilities":{"elicitation":{}})");
  const std::string session = server.Post(initialize)->Header("Mcp-Session-Id");
  const auto call = server.PostTo(
      session,
      Bare("1", "tools/call", R"({"name":"test_elicitation","arguments":{"message":"Who?"}})"));
  std::smatch found;
  const std::string body = call->TakeBody();
  ASSERT_TRUE(std::regex_search(body, found, std::regex(R"(data: (\{.*"elicitation/create".*\}))")))
      << body;
  const boost::json::value asked = boost::json::parse(found[1].str());
  const boost::json::object answer{
      {"jsonrpc", "2.0"},
      {"id", asked.at("id")},
      {"result",
       {{"action", "accept"}, {"content", {{"username", "u"}, {"email", "u@example.org"}}}}}};
  EXPECT_EQ(server.PostTo(session, boost::json::serialize(answer))->status, 202);
  EXPECT_EQ(Count(call->body, "\"id\":1,\"result\""), 1U);
  EXPECT_TRUE(call->ended);
}

TEST(LegacyEndpointTest, BatchesAreServedByTheRevisionThatHasThem) {
  EndpointInMemory server;
  const std::string batch = "[" + Bare("1", "ping") + "," + Notify("notifications/initialized") +
                            "," + Bare("2", "ping") + "]";
  const auto answer = server.PostTo(server.OpenSession("2025-03-26"), batch);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->Json().as_array().size(), 2U);
  const auto refused = server.PostTo(server.OpenSession("2025-06-18"), batch);
  EXPECT_EQ(refused->status, 400);
  EXPECT_EQ(refused->Error(), -32600);
}

TEST(LegacyEndpointTest, ABatchWithASlowCallIsAnsweredOnOneStream) {
  EndpointInMemory server;
  const auto answer = server.PostTo(server.OpenSession("2025-03-26"),
                                    "[" + CallSlow("1", "\"p\"") + "," + Bare("2", "ping") + "]");
  EXPECT_TRUE(answer->is_stream);
  server.Advance(milliseconds(300));
  EXPECT_EQ(Count(answer->body, "notifications/progress"), 3U);
  EXPECT_EQ(Count(answer->body, "data: ["), 1U);
  EXPECT_TRUE(answer->ended);
}

TEST(LegacyEndpointTest, ASecondRequestWithAnOpenIdDoesNotTakeTheAnswer) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto first = server.PostTo(session, CallSlow("1"));
  const auto second = server.PostTo(session, CallSlow("1"));
  EXPECT_EQ(second->Error(), -32600);
  server.Advance(milliseconds(300));
  EXPECT_EQ(Count(first->body, "\"result\""), 1U);
  EXPECT_TRUE(first->ended);
}

TEST(LegacyEndpointTest, OpenRequestsAreBounded) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  for (int i = 0; i < 256; ++i) server.PostTo(session, CallSlow(std::to_string(i)))->gone();
  EXPECT_EQ(server.PostTo(session, CallSlow("256"))->status, 429);
  EXPECT_EQ(server.PostTo(session, Notify("notifications/initialized"))->status, 202);
  server.Advance(milliseconds(300));
  EXPECT_EQ(server.PostTo(session, CallSlow("256"))->status, 200);
}

TEST(LegacyEndpointTest, TheVersionHeaderMustNameAVersion) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto post = [&](const char* version) {
    return server.Post(Bare("1", "tools/list"),
                       {{"Mcp-Session-Id", session}, {"MCP-Protocol-Version", version}});
  };
  EXPECT_EQ(post("2025-11-25")->status, 200);
  EXPECT_EQ(post("2025-03-26")->status, 200);
  EXPECT_EQ(post("1999-01-01")->status, 400);
  EXPECT_EQ(post("banana")->status, 400);
  EXPECT_EQ(server.Get(session, {{"MCP-Protocol-Version", "banana"}})->status, 400);
  EXPECT_EQ(server.Get(session, {{"MCP-Protocol-Version", "2026-07-28"}})->status, 405);
}

TEST(LegacyEndpointTest, ALegacyOnlyServerTellsModernClientsToInitialize) {
  EndpointInMemory server({.eras = EraSupport::kLegacyOnly});
  const auto answer = server.PostModern("tools/list", "", Enveloped("1", "tools/list"));
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->Error(), -32600);
  EXPECT_NE(answer->body.find("initialize"), std::string::npos);
  EXPECT_FALSE(server.OpenSession().empty());
}

TEST(LegacyEndpointTest, AReadOnlyCallerIsHeldToItInBatchesToo) {
  EndpointInMemory server;
  const HttpCaller reader{"someone", {"mcp:read"}};
  const std::string session = server.OpenSession("2025-03-26", reader);
  const std::string change = Bare("1", "tools/call", R"({"name":"test_trigger_tool_change"})");
  EXPECT_EQ(server.PostTo(session, change, reader)->status, 403);
  EXPECT_EQ(server.PostTo(session, "[" + change + "]", reader)->status, 403);
}

TEST(LegacyEndpointTest, GetWantsAnEventStream) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto answer = server.Send(
      {"GET", "/mcp", {{"Mcp-Session-Id", session}, {"Accept", "application/json"}}, {}});
  EXPECT_EQ(answer->status, 406);
}

TEST(LegacyEndpointTest, TheGetStreamEndsWhenTheServerStops) {
  EndpointInMemory server;
  const auto get = server.Get(server.OpenSession());
  server.endpoint().HandleEnd();
  EXPECT_TRUE(get->ended);
}

}  // namespace
}  // namespace assay::reference
