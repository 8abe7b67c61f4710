#include <gtest/gtest.h>

#include "transport/http/endpoint_for_test.h"

namespace assay::reference {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kSlow = R"({"duration_ms":300,"steps":3})";

std::shared_ptr<Received> ListenForTools(EndpointInMemory& server) {
  return server.PostModern(
      "subscriptions/listen", "",
      Enveloped("1", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})"));
}

TEST(ModernEndpointTest, AnswersARequestWithJsonAndNoSession) {
  EndpointInMemory server;
  const auto answer = server.PostModern("tools/list", "", Enveloped("7", "tools/list"));
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->Header("Content-Type"), "application/json");
  EXPECT_EQ(answer->Header("Mcp-Session-Id"), "");
  EXPECT_EQ(answer->Json().at("id"), 7);
  EXPECT_EQ(answer->Json().at("result").at("resultType"), "complete");
  EXPECT_EQ(server.endpoint().exchange_count(), 0U);
}

TEST(ModernEndpointTest, AnswersACallThatTakesTimeWithAStream) {
  EndpointInMemory server;
  const auto answer = server.CallModern("slow", kSlow, R"("progressToken":"p")");
  EXPECT_EQ(answer->status, 200);
  EXPECT_TRUE(answer->is_stream);
  EXPECT_EQ(answer->Header("Content-Type"), "text/event-stream");
  EXPECT_EQ(answer->Header("X-Accel-Buffering"), "no");
  EXPECT_EQ(answer->Header("Cache-Control"), "no-cache");
  server.Advance(milliseconds(100));
  EXPECT_EQ(
      answer->TakeBody(),
      "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
      "{\"progressToken\":\"p\",\"progress\":1,\"total\":3,\"message\":\"step 1 of 3\"}}\n\n");
  EXPECT_FALSE(answer->ended);
  server.Advance(milliseconds(200));
  EXPECT_NE(answer->body.find(R"("id":1,"result")"), std::string::npos);
  EXPECT_TRUE(answer->ended);
  EXPECT_EQ(server.endpoint().exchange_count(), 0U);
}

TEST(ModernEndpointTest, AClientThatGoesAwayCancelsItsCall) {
  EndpointInMemory server;
  const auto answer = server.CallModern("slow", kSlow);
  EXPECT_EQ(server.catalog().SlowWork(), 1);
  answer->gone();
  EXPECT_EQ(server.catalog().SlowWork(), 0);
  EXPECT_EQ(server.endpoint().exchange_count(), 0U);
}

TEST(ModernEndpointTest, AClientThatGoesAwayEndsItsSubscription) {
  EndpointInMemory server;
  const auto stream = ListenForTools(server);
  EXPECT_NE(stream->TakeBody().find("notifications/subscriptions/acknowledged"), std::string::npos);
  server.catalog().ToggleDynamicTool();
  EXPECT_NE(stream->TakeBody().find("notifications/tools/list_changed"), std::string::npos);
  stream->gone();
  server.catalog().ToggleDynamicTool();
  EXPECT_EQ(stream->TakeBody(), "");
}

TEST(ModernEndpointTest, SilenceOnAStreamIsBrokenByComments) {
  EndpointInMemory server;
  const auto stream = ListenForTools(server);
  stream->TakeBody();
  server.Advance(std::chrono::seconds(31));
  EXPECT_EQ(stream->TakeBody(), ":\n\n:\n\n");
}

TEST(ModernEndpointTest, ASubscriptionEndsProperlyWhenTheServerStops) {
  EndpointInMemory server;
  const auto stream = ListenForTools(server);
  server.endpoint().HandleEnd();
  EXPECT_NE(stream->body.find(R"("id":1,"result")"), std::string::npos);
  EXPECT_TRUE(stream->ended);
}

TEST(ModernEndpointTest, TheStatusFollowsTheError) {
  EndpointInMemory server;
  const auto unknown = server.PostModern("no/such", "", Enveloped("1", "no/such"));
  EXPECT_EQ(unknown->status, 404);
  EXPECT_EQ(unknown->Error(), -32601);

  const auto no_envelope = server.PostModern("tools/list", "", Bare("1", "tools/list", "{}"));
  EXPECT_EQ(no_envelope->status, 400);
  EXPECT_EQ(no_envelope->Error(), -32602);

  const auto unknown_tool = server.CallModern("no_such_tool");
  EXPECT_EQ(unknown_tool->status, 200);
  EXPECT_EQ(unknown_tool->Error(), -32602);

  const auto no_capability = server.CallModern("test_missing_capability");
  EXPECT_EQ(no_capability->status, 400);
  EXPECT_EQ(no_capability->Error(), -32021);

  const auto broken = server.PostModern("tools/list", "", "{");
  EXPECT_EQ(broken->status, 400);
  EXPECT_EQ(broken->body, R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}})");

  const auto array = server.PostModern("tools/list", "", "[]");
  EXPECT_EQ(array->status, 400);
  EXPECT_EQ(array->Error(), -32600);
  EXPECT_FALSE(array->Json().as_object().contains("id"));
}

TEST(ModernEndpointTest, AnUnknownVersionIsRefusedWithTheKnownOnes) {
  EndpointInMemory server;
  std::string body = Enveloped("1", "tools/list");
  body.replace(body.find("2026-07-28"), 10, "v999.0.0");
  const auto answer =
      server.Post(body, {{"MCP-Protocol-Version", "v999.0.0"}, {"Mcp-Method", "tools/list"}});
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->Error(), -32022);
  EXPECT_EQ(answer->Json().at("error").at("data").at("requested"), "v999.0.0");
}

TEST(ModernEndpointTest, AVersionHeaderThatIsNoTextIsNotRepeated) {
  EndpointInMemory server;
  const auto answer =
      server.Post(Notify("notifications/cancelled"), {{"MCP-Protocol-Version", "2026-\xFF"}});
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->Error(), -32020);
}

TEST(ModernEndpointTest, WrongHeadersKeepARequestFromBeingServed) {
  EndpointInMemory server;
  const auto answer =
      server.PostModern("tools/call", "echo", Enveloped("\"x\"", "tools/call", R"("name":"slow")"));
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->Error(), -32020);
  EXPECT_EQ(answer->Json().at("id"), "x");
  EXPECT_EQ(server.catalog().SlowWork(), 0);
}

TEST(ModernEndpointTest, TheEnvelopeAloneMakesARequestModern) {
  EndpointInMemory server;
  const auto no_header = server.Post(Enveloped("1", "tools/list"), {{"Mcp-Method", "tools/list"}});
  EXPECT_EQ(no_header->status, 400);
  EXPECT_EQ(no_header->Error(), -32020);
  const auto legacy_header =
      server.Post(Enveloped("1", "tools/list"),
                  {{"MCP-Protocol-Version", "2025-11-25"}, {"Mcp-Method", "tools/list"}});
  EXPECT_EQ(legacy_header->status, 400);
  EXPECT_EQ(legacy_header->Error(), -32020);
}

TEST(ModernEndpointTest, AByteOrderMarkDoesNotGetPastTheHeaderRules) {
  EndpointInMemory server;
  const auto answer =
      server.PostModern("tools/list", "", "\xEF\xBB\xBF" + Enveloped("1", "server/discover"));
  EXPECT_EQ(answer->Error(), -32020);
}

TEST(ModernEndpointTest, InitializeUnderAModernHeaderIsAnUnknownMethod) {
  EndpointInMemory server;
  const auto answer = server.PostModern("initialize", "", Initialize());
  EXPECT_EQ(answer->status, 404);
  EXPECT_EQ(answer->Error(), -32601);
}

TEST(ModernEndpointTest, NotificationsAreAccepted) {
  EndpointInMemory server;
  const auto good = server.Post(Notify("notifications/cancelled", R"({"requestId":1})"),
                                {{"MCP-Protocol-Version", "2026-07-28"}});
  EXPECT_EQ(good->status, 202);
  EXPECT_EQ(good->body, "");
  const auto bad_version =
      server.Post(Notify("notifications/cancelled"), {{"MCP-Protocol-Version", "banana"}});
  EXPECT_EQ(bad_version->status, 400);
  EXPECT_FALSE(bad_version->Json().as_object().contains("id"));
}

TEST(ModernEndpointTest, ResponsesAreRefused) {
  EndpointInMemory server;
  const auto answer = server.PostModern("x", "", R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(answer->status, 400);
  EXPECT_FALSE(answer->Json().as_object().contains("id"));
}

TEST(ModernEndpointTest, SessionAndEventIdsOfNobodyAreIgnored) {
  EndpointInMemory server;
  const auto answer =
      server.Post(Enveloped("1", "tools/list"), {{"MCP-Protocol-Version", "2026-07-28"},
                                                 {"Mcp-Method", "tools/list"},
                                                 {"Mcp-Session-Id", "whatever"},
                                                 {"Last-Event-ID", "5"}});
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->Header("Mcp-Session-Id"), "");
}

TEST(ModernEndpointTest, ALiveSessionStaysLegacy) {
  EndpointInMemory server;
  const std::string session = server.OpenSession();
  const auto answer =
      server.Post(Enveloped("1", "tools/list"), {{"MCP-Protocol-Version", "2026-07-28"},
                                                 {"Mcp-Method", "tools/list"},
                                                 {"Mcp-Session-Id", session}});
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->Error(), -32600);
}

TEST(ModernEndpointTest, ParameterHeadersAreChecked) {
  EndpointInMemory server;
  const std::string body =
      Enveloped("1", "tools/call", R"("name":"test_x_mcp_header","arguments":{"region":"Hello"})");
  const auto post = [&](const HttpHeaders& more) {
    HttpHeaders headers{{"MCP-Protocol-Version", "2026-07-28"},
                        {"Mcp-Method", "tools/call"},
                        {"Mcp-Name", "test_x_mcp_header"}};
    headers.insert(headers.end(), more.begin(), more.end());
    return server.Post(body, std::move(headers));
  };
  EXPECT_EQ(post({})->status, 400);
  EXPECT_EQ(post({{"Mcp-Param-Region", "Goodbye"}})->Error(), -32020);
  EXPECT_EQ(post({{"mcp-param-region", "=?base64?SGVsbG8=?="}})->status, 200);
  EXPECT_EQ(post({{"Mcp-Param-Other", "x"}, {"Mcp-Param-Region", "Hello"}})->status, 200);
}

TEST(ModernEndpointTest, AModernOnlyServerHasNoSessions) {
  EndpointInMemory server({.eras = EraSupport::kModernOnly});
  for (const char* method : {"GET", "DELETE"}) {
    const auto answer = server.Send({method, "/mcp", {{"Accept", "text/event-stream"}}, {}});
    EXPECT_EQ(answer->status, 405) << method;
    EXPECT_EQ(answer->Header("Allow"), "POST") << method;
  }
  const auto initialize = server.Post(Initialize());
  EXPECT_EQ(initialize->status, 400);
  EXPECT_EQ(initialize->Error(), -32022);
  EXPECT_NE(initialize->body.find("2026-07-28"), std::string::npos);
  const auto legacy =
      server.Post(Bare("1", "tools/list"), {{"MCP-Protocol-Version", "2025-11-25"}});
  EXPECT_EQ(legacy->status, 400);
  EXPECT_EQ(legacy->Error(), -32022);
  const auto bare = server.Post(Bare("1", "tools/list"));
  EXPECT_EQ(bare->status, 400);
  EXPECT_EQ(bare->Error(), -32020);
}

TEST(ModernEndpointTest, AReadOnlyCallerCallsReadOnlyTools) {
  EndpointInMemory server;
  const HttpCaller reader{"someone", {"mcp:read"}};
  EXPECT_EQ(server.CallModern("test_simple_text", "{}", {}, reader)->status, 200);
  const auto refused = server.CallModern("test_trigger_tool_change", "{}", {}, reader);
  EXPECT_EQ(refused->status, 403);
  EXPECT_NE(refused->Header("WWW-Authenticate").find("insufficient_scope"), std::string::npos);
}

TEST(ModernEndpointTest, MediaTypesAreChecked) {
  EndpointInMemory server;
  const auto post = [&](const HttpHeaders& more) {
    HttpHeaders headers{{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}};
    headers.insert(headers.end(), more.begin(), more.end());
    return server.Send({"POST", "/mcp", headers, Enveloped("1", "tools/list")})->status;
  };
  EXPECT_EQ(post({}), 200);
  EXPECT_EQ(post({{"Content-Type", "Application/JSON; charset=utf-8"}}), 200);
  EXPECT_EQ(post({{"Content-Type", "text/plain; a=application/json"}}), 415);
  EXPECT_EQ(post({{"Accept", "application/json"}}), 200);
  EXPECT_EQ(post({{"Accept", "text/html, */*;q=0.1"}}), 200);
  EXPECT_EQ(post({{"Accept", "text/html"}}), 406);
  EXPECT_EQ(post({{"Accept", "*/*; q=0"}}), 406);
}

TEST(EndpointTest, OtherPathsAndMethodsAreRefused) {
  EndpointInMemory server;
  EXPECT_EQ(server.Send({"POST", "/", {}, {}})->status, 404);
  EXPECT_EQ(server.Send({"GET", "/sse", {}, {}})->status, 404);
  const auto put = server.Send({"PUT", "/mcp", {}, {}});
  EXPECT_EQ(put->status, 405);
  EXPECT_EQ(put->Header("Allow"), "GET, POST, DELETE");
  EXPECT_EQ(server.Send({"OPTIONS", "/mcp", {}, {}})->status, 405);
}

}  // namespace
}  // namespace assay::reference
