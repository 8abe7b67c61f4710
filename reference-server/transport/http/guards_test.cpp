#include <gtest/gtest.h>

#include <sstream>

#include "transport/http/bearer_guard.h"
#include "transport/http/endpoint_for_test.h"
#include "transport/http/origin_guard.h"
#include "transport/http/trace_log.h"

namespace assay::reference {
namespace {

/// Says what came through, or plays a part given by the test.
class Inner : public HttpHandler {
 public:
  void Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) override {
    caller = request.caller;
    if (part) return part(*reply);
    reply->Respond({200, {}, "through"});
  }
  void HandleEnd() override {}

  HttpCaller caller;
  std::function<void(HttpReply&)> part;
};

int StatusFrom(const HttpHeaders& headers) {
  Inner inner;
  OriginGuard guard(inner);
  return Exchange(guard, {"POST", "/mcp", headers, {}})->status;
}

TEST(OriginGuardTest, LoopbackNamesPassWithAnyPort) {
  for (const char* host :
       {"localhost", "LOCALHOST:80", "127.0.0.1:1", "[::1]:8080", "localhost:"}) {
    EXPECT_EQ(StatusFrom({{"Host", host}}), 200) << host;
  }
  for (const char* origin : {"http://localhost:3000", "https://127.0.0.1", "http://[::1]:5"}) {
    EXPECT_EQ(StatusFrom({{"Host", "localhost"}, {"Origin", origin}}), 200) << origin;
  }
}

TEST(OriginGuardTest, ForeignNamesDoNot) {
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           "127.0.0.1:80.evil.example", "evil.example:80", "", "localhost:x"}) {
    EXPECT_EQ(StatusFrom({{"Host", host}}), 403) << host;
  }
  for (const char* origin : {"http://evil.example", "null", "http://localhost.evil.example",
                             "file://localhost", "localhost", "http://localhost@evil.example"}) {
    EXPECT_EQ(StatusFrom({{"Host", "localhost"}, {"Origin", origin}}), 403) << origin;
  }
  EXPECT_EQ(StatusFrom({{"Host", "localhost"},
                        {"Origin", "http://localhost"},
                        {"Origin", "http://evil.example"}}),
            403);
}

TEST(OriginGuardTest, TheRefusalIsAnErrorWithoutId) {
  Inner inner;
  OriginGuard guard(inner);
  const auto answer = Exchange(guard, {"POST", "/mcp", {{"Host", "evil.example"}}, {}});
  EXPECT_FALSE(answer->Json().as_object().contains("id"));
  EXPECT_NE(answer->Error(), 0);
}

TEST(OriginGuardTest, ExactlyOneHostIsNeeded) {
  EXPECT_EQ(StatusFrom({}), 400);
  EXPECT_EQ(StatusFrom({{"Host", "localhost"}, {"Host", "127.0.0.1"}}), 400);
}

class BearerGuardTest : public testing::Test {
 protected:
  std::shared_ptr<Received> Post(HttpHeaders headers, std::string target = "/mcp") {
    headers.push_back({"Host", "127.0.0.1:99"});
    return Exchange(guard_, {"POST", std::move(target), std::move(headers), {}});
  }
  std::shared_ptr<Received> PostWith(std::string authorization) {
    return Post({{"Authorization", std::move(authorization)}});
  }

  Inner inner_;
  BearerGuard guard_{{*BearerToken::Parse("secret"),
                      *BearerToken::Parse("reader;user=ann;scope=mcp:read,mcp:write"),
                      *BearerToken::Parse("loud;audience=HTTP://127.0.0.1:99/mcp"),
                      *BearerToken::Parse("astray;audience=http://127.0.0.1:99/MCP"),
                      *BearerToken::Parse("foreign;audience=https://elsewhere.example")},
                     inner_};
};

TEST_F(BearerGuardTest, AValidTokenSaysWhoIsCalling) {
  EXPECT_EQ(PostWith("Bearer secret")->status, 200);
  EXPECT_EQ(inner_.caller.principal, "secret");
  EXPECT_EQ(inner_.caller.scopes, std::vector<std::string>{"mcp:all"});
  EXPECT_EQ(PostWith("bearer reader")->status, 200);
  EXPECT_EQ(inner_.caller.principal, "ann");
  EXPECT_EQ(inner_.caller.scopes, (std::vector<std::string>{"mcp:read", "mcp:write"}));
}

TEST_F(BearerGuardTest, ATokenForAnotherResourceIsInvalid) {
  EXPECT_EQ(PostWith("Bearer loud")->status, 200);
  for (const char* header : {"Bearer astray", "Bearer foreign"}) {
    const auto answer = PostWith(header);
    EXPECT_EQ(answer->status, 401) << header;
    EXPECT_NE(answer->Header("WWW-Authenticate").find("error=\"invalid_token\""),
              std::string::npos);
  }
}

TEST(BearerTokenTest, OtherFormsAreNone) {
  for (const char* text : {"", "a b", ";user=ann", "t;user", "t;user=", "t;scope=mcp:sing",
                           "t;scope=mcp:read,,", "t;age=5", "t:read"}) {
    EXPECT_FALSE(BearerToken::Parse(text)) << text;
  }
}

TEST(ScopeRefusalTest, EachScopeThatIsNeededIsNamedAtOnce) {
  HttpRequest request{"POST", "/mcp", {}, {}, {"ann", {"mcp:read"}}};
  EXPECT_FALSE(ScopeRefusal(request, "1", {kReadScope}));
  const auto refusal = ScopeRefusal(request, "1", {kWriteScope, kDestroyScope});
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 403);
  EXPECT_NE(refusal->headers.back().value.find("scope=\"mcp:write mcp:destroy\""),
            std::string::npos);
  request.caller.scopes = {"mcp:all"};
  EXPECT_FALSE(ScopeRefusal(request, "1", {kWriteScope, kDestroyScope}));
  request.caller = {};
  EXPECT_FALSE(ScopeRefusal(request, "1", {kWriteScope})) << "nobody is asked for a token";
}

TEST_F(BearerGuardTest, WithoutATokenTheAnswerSaysWhereToFindOne) {
  for (const auto& answer : {Post({}), PostWith("Basic dTpw")}) {
    EXPECT_EQ(answer->status, 401);
    EXPECT_EQ(answer->Header("WWW-Authenticate"),
              "Bearer resource_metadata=\"http://127.0.0.1:99/.well-known/"
              "oauth-protected-resource/mcp\", scope=\"mcp:read mcp:write\"");
  }
}

TEST_F(BearerGuardTest, AWrongTokenIsInvalid) {
  for (const char* token : {"secret2", "secre", "reader:read", "SECRET"}) {
    const auto answer = PostWith("Bearer " + std::string(token));
    if (std::string_view(token).find(':') != std::string_view::npos) {
      EXPECT_EQ(answer->status, 400) << token;  // no character of a token
      continue;
    }
    EXPECT_EQ(answer->status, 401) << token;
    EXPECT_NE(answer->Header("WWW-Authenticate").find("error=\"invalid_token\""),
              std::string::npos);
  }
}

TEST_F(BearerGuardTest, AMalformedAttemptIsABadRequest) {
  for (const char* header :
       {"Bearer", "Bearer ", "Bearer a b", "Bearer secret,secret", "Bearer ="}) {
    EXPECT_EQ(PostWith(header)->status, 400) << header;
  }
  EXPECT_EQ(Post({{"Authorization", "Bearer secret"}, {"Authorization", "Bearer other"}})->status,
            400);
  EXPECT_EQ(Post({{"Authorization", "Bearer secret"}}, "/mcp?access_token=secret")->status, 400);
  EXPECT_EQ(Post({}, "/mcp?a=b&access_token=secret")->status, 400);
}

TEST_F(BearerGuardTest, TheMetadataIsThereForEveryone) {
  for (const char* path :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"}) {
    const auto answer = Exchange(guard_, {"GET", path, {{"Host", "127.0.0.1:99"}}, {}});
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->Header("Content-Type"), "application/json");
    const boost::json::value metadata = answer->Json();
    EXPECT_EQ(metadata.at("resource"), "http://127.0.0.1:99/mcp");
    EXPECT_EQ(metadata.at("authorization_servers").as_array().size(), 1U);
    EXPECT_EQ(metadata.at("scopes_supported"), (boost::json::array{"mcp:read", "mcp:write"}));
    EXPECT_TRUE(metadata.at("bearer_methods_supported").is_array());
  }
}

class TraceLogTest : public testing::Test {
 protected:
  std::string Trace(HttpRequest request) {
    Exchange(log_, std::move(request));
    return out_.str();
  }

  Inner inner_;
  std::ostringstream out_;
  TraceLog log_{"one", out_, inner_};
};

TEST_F(TraceLogTest, AnExchangeIsOneLine) {
  inner_.part = [](HttpReply& reply) {
    reply.Respond({400, {}, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"x"}})"});
  };
  EXPECT_EQ(Trace({"POST",
                   "/mcp?access_token=secret",
                   {{"Mcp-Method", "tools/call"}, {"Accept", "*/*"}},
                   "{\"method\":\"tools/call\",\n\"params\":{\"name\":\n\"echo\"}}"}),
            "one POST /mcp Mcp-Method=tools/call method=\"tools/call\" params={\"name\": \"echo\"} "
            "status=400 error=-32020\n");
}

TEST_F(TraceLogTest, SecretsAreLeftOutAndLongParamsCut) {
  const std::string line =
      Trace({"POST",
             "/mcp",
             {{"Authorization", "Bearer secret"}, {"Mcp-Session-Id", "0123456789abcdef"}},
             R"({"method":"m","params":{"x":")" + std::string(1000, 'x') + "\"}}"});
  EXPECT_EQ(line.find("secret"), std::string::npos);
  EXPECT_EQ(line.find("0123456789"), std::string::npos);
  EXPECT_LT(line.size(), 400U);
}

TEST_F(TraceLogTest, AStreamIsPrintedWhenItEnds) {
  inner_.part = [this](HttpReply& reply) {
    reply.Start({200});
    reply.Write("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n");
    EXPECT_EQ(out_.str(), "");
    reply.Write("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"task\"}}\n\n");
    reply.End();
  };
  EXPECT_EQ(Trace({"POST", "/mcp", {}, "{}"}), "one POST /mcp status=200 resultType=\"task\"\n");
}

TEST_F(TraceLogTest, AnExchangeThatTheClientLeftIsPrintedToo) {
  inner_.part = [](HttpReply& reply) { reply.Start({200}); };
  EXPECT_EQ(Trace({"GET", "/mcp", {}, {}}), "one GET /mcp status=200\n");
}

}  // namespace
}  // namespace assay::reference
