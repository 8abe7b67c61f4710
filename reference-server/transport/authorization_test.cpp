// The program with --bearer: whom it lets in, what it tells the others, and what is whose.

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>

#include "transport/http/endpoint_for_test.h"
#include "transport/http_client_for_test.h"
#include "transport/server_process_for_test.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kTasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";

class AuthorizationTest : public testing::Test {
 protected:
  Received Send(HttpRequest request, const std::string& authorization) const {
    if (!authorization.empty()) request.headers.push_back({"Authorization", authorization});
    return ExchangeWith(server_.port(), request);
  }

  /// A modern tools/call.
  static HttpRequest Call(const std::string& tool, const std::string& arguments = "{}") {
    return ModernRequest(
        "tools/call", tool,
        Enveloped("1", "tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments, {},
                  kTasks));
  }
  static HttpRequest AboutTask(const std::string& method, const std::string& id) {
    return ModernRequest(method, id,
                         Enveloped("1", method, R"("taskId":")" + id + R"(")", {}, kTasks));
  }

  ServerProcess server_{
      {"--bearer", "ann", "--bearer", "bob", "--bearer", "reader;user=ann;scope=mcp:read"}};
};

TEST_F(AuthorizationTest, WhoHasNoTokenIsLedToTheMetadata) {
  const Received refused = Send(Call("catalog_list"), "");
  EXPECT_EQ(refused.status, 401);
  const std::string challenge = refused.Header("WWW-Authenticate");
  const std::string base = "http://127.0.0.1:" + std::to_string(server_.port());
  const std::string leads_to = "resource_metadata=\"" + base;
  ASSERT_NE(challenge.find(leads_to), std::string::npos) << challenge;
  std::string path = challenge.substr(challenge.find(leads_to) + leads_to.size());
  path.erase(path.find('"'));
  const Received metadata = Send({"GET", path, {}, {}}, "");
  EXPECT_EQ(metadata.status, 200);
  EXPECT_EQ(metadata.Json().at("resource"), json::string(base + "/mcp"));
  EXPECT_FALSE(metadata.Json().at("authorization_servers").as_array().empty());
}

TEST_F(AuthorizationTest, AWrongTokenIsCalledInvalid) {
  const Received refused = Send(Call("catalog_list"), "Bearer eve");
  EXPECT_EQ(refused.status, 401);
  EXPECT_NE(refused.Header("WWW-Authenticate").find("error=\"invalid_token\""), std::string::npos);
}

TEST_F(AuthorizationTest, ATokenHasOnePlaceAndOneForm) {
  EXPECT_EQ(Send(Call("catalog_list"), "Bearer").status, 400);
  EXPECT_EQ(Send(Call("catalog_list"), "Bearer ann, bob").status, 400);
  HttpRequest in_query = Call("catalog_list");
  in_query.target += "?access_token=ann";
  EXPECT_EQ(Send(in_query, "").status, 400);
  EXPECT_EQ(Send(in_query, "Bearer ann").status, 400);
}

TEST_F(AuthorizationTest, AReaderReadsOnly) {
  EXPECT_EQ(Send(Call("catalog_list"), "Bearer reader").status, 200);
  const Received refused = Send(Call("cart_create"), "Bearer reader");
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(refused.Header("WWW-Authenticate").find("error=\"insufficient_scope\""),
            std::string::npos);
  EXPECT_EQ(Send(Call("cart_create"), "Bearer ann").status, 200);
}

TEST_F(AuthorizationTest, ASessionIsNotFoundByAnyoneElse) {
  const Received opened = Send(PostRequest(Initialize()), "Bearer ann");
  const HttpHeader session{"Mcp-Session-Id", opened.Header("Mcp-Session-Id")};
  const HttpHeader accept{"Accept", "text/event-stream"};
  EXPECT_EQ(Send(PostRequest(Bare("1", "ping"), {session}), "Bearer bob").status, 404);
  EXPECT_EQ(Send({"GET", "/mcp", {session, accept}, {}}, "Bearer bob").status, 404);
  EXPECT_EQ(Send({"DELETE", "/mcp", {session}, {}}, "Bearer bob").status, 404);
  EXPECT_EQ(Send(PostRequest(Bare("1", "ping"), {session}), "Bearer ann").status, 200);
}

TEST_F(AuthorizationTest, ATaskIsNotFoundByAnyoneElse) {
  const json::value created =
      Send(Call("slow_compute", R"({"seconds":3600})"), "Bearer ann").Json();
  ASSERT_EQ(created.at("result").at("resultType"), "task");
  const std::string id(created.at("result").at("taskId").as_string());
  for (const char* method : {"tasks/get", "tasks/cancel"}) {
    // Just as if there were none.
    const Received stranger = Send(AboutTask(method, id), "Bearer bob");
    const Received nothing = Send(AboutTask(method, std::string(32, '0')), "Bearer bob");
    EXPECT_EQ(stranger.Error(), -32602);
    EXPECT_EQ(stranger.status, nothing.status);
    EXPECT_EQ(stranger.body, nothing.body);
  }
  EXPECT_EQ(Send(AboutTask("tasks/get", id), "Bearer ann").Json().at("result").at("status"),
            "working");
}

}  // namespace
}  // namespace assay::reference
