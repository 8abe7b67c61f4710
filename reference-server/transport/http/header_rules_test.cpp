#include "transport/http/header_rules.h"

#include <gtest/gtest.h>

#include "era/loopback_for_test.h"
#include "transport/http/post_body.h"

namespace assay::reference {
namespace {

bool Fits(const HttpHeaders& headers, const std::string& body) {
  const PostBody parsed(body);
  return !HeaderProblem({"POST", "/mcp", headers, body}, *parsed.request());
}

bool ParametersFit(std::string_view properties, std::string_view arguments,
                   const HttpHeaders& headers) {
  const std::string schema = R"({"type":"object","properties":)" + std::string(properties) + "}";
  const std::string body =
      Enveloped("1", "tools/call", R"("name":"t","arguments":)" + std::string(arguments));
  const PostBody parsed(body);
  return !ParameterHeaderProblem({"POST", "/mcp", headers, body}, *parsed.request(),
                                 boost::json::parse(schema).as_object());
}

HttpHeaders Headers(std::string_view method, std::string_view name) {
  return {{"MCP-Protocol-Version", "2026-07-28"},
          {"Mcp-Method", std::string(method)},
          {"Mcp-Name", std::string(name)}};
}

TEST(HeaderRulesTest, ValuesStandForThemselvesUnlessTheyAreEncoded) {
  EXPECT_EQ(DecodeHeaderValue("echo"), "echo");
  EXPECT_EQ(DecodeHeaderValue("=?base64?SGVsbG8=?="), "Hello");
  EXPECT_EQ(DecodeHeaderValue("=?base64?SGVsbG8sIOS4lueVjA==?="), "Hello, 世界");
  EXPECT_EQ(DecodeHeaderValue("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="), "=?base64?literal?=");
  EXPECT_EQ(DecodeHeaderValue("=?base64?"
                              "?="),
            "");
  for (const char* literal :
       {"=?BASE64?SGVsbG8=?=", "SGVsbG8=", "=?base64?SGVsbG8=", "=?base64?="}) {
    EXPECT_EQ(DecodeHeaderValue(literal), literal);
  }
}

TEST(HeaderRulesTest, BadEncodingsAreNoValues) {
  for (const char* bad :
       {"=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?%%%?=", "=?base64?SGVsbG9=?=",
        "=?base64?=SGV?=", "=?base64?====?=", "=?base64?/w==?=", "caf\xC3\xA9", "a\x01"}) {
    EXPECT_EQ(DecodeHeaderValue(bad), std::nullopt) << bad;
  }
}

TEST(HeaderRulesTest, VersionMethodAndNameMustBeThere) {
  const std::string call = Enveloped("1", "tools/call", R"("name":"echo")");
  EXPECT_TRUE(Fits(Headers("tools/call", "echo"), call));
  for (std::size_t i = 0; i < 3; ++i) {
    HttpHeaders headers = Headers("tools/call", "echo");
    headers.erase(headers.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(Fits(headers, call)) << i;
  }
}

TEST(HeaderRulesTest, NamesIgnoreCaseAndValuesDoNot) {
  const std::string call = Enveloped("1", "tools/call", R"("name":"echo")");
  EXPECT_TRUE(Fits(
      {{"mcp-protocol-version", "2026-07-28"}, {"MCP-METHOD", "tools/call"}, {"mCp-NaMe", "echo"}},
      call));
  EXPECT_FALSE(Fits(Headers("Tools/Call", "echo"), call));
  EXPECT_FALSE(Fits(Headers("tools/call", "Echo"), call));
}

TEST(HeaderRulesTest, TheNameIsDecodedBeforeItIsCompared) {
  const std::string read = Enveloped("1", "resources/read", R"("uri":"test://é")");
  EXPECT_TRUE(Fits(Headers("resources/read", "=?base64?dGVzdDovL8Op?="), read));
  EXPECT_FALSE(Fits(Headers("resources/read", "test://\xC3\xA9"), read));
}

TEST(HeaderRulesTest, TheVersionMustBeThatOfTheEnvelope) {
  HttpHeaders headers = Headers("tools/list", "x");
  headers.pop_back();
  EXPECT_TRUE(Fits(headers, Enveloped("1", "tools/list")));
  headers[0].value = "2025-11-25";
  EXPECT_FALSE(Fits(headers, Enveloped("1", "tools/list")));
  // Without one there is nothing to compare with; the missing envelope is refused by its own rule.
  EXPECT_TRUE(Fits(headers, Bare("1", "tools/list", "{}")));
}

TEST(HeaderRulesTest, RepeatedHeadersMustAgree) {
  const std::string call = Enveloped("1", "tools/call", R"("name":"echo")");
  HttpHeaders headers = Headers("tools/call", "echo");
  headers.push_back({"Mcp-Name", "echo"});
  EXPECT_TRUE(Fits(headers, call));
  headers.back().value = "slow";
  EXPECT_FALSE(Fits(headers, call));
}

TEST(HeaderRulesTest, ANameThatTheBodyLacksFitsNothing) {
  EXPECT_FALSE(Fits(Headers("tools/call", "echo"), Enveloped("1", "tools/call")));
  HttpHeaders headers = Headers("tools/call", "echo");
  headers.pop_back();
  EXPECT_TRUE(Fits(headers, Enveloped("1", "tools/call")));
  // Methods that have no name do not care.
  EXPECT_TRUE(Fits(Headers("tools/list", "echo"), Enveloped("1", "tools/list")));
}

TEST(HeaderRulesTest, TheNameOfATaskMayBeLeftOutButNotWrong) {
  const std::string get = Enveloped("1", "tasks/get", R"("taskId":"t1")");
  HttpHeaders headers = Headers("tasks/get", "t1");
  EXPECT_TRUE(Fits(headers, get));
  headers.back().value = "t2";
  EXPECT_FALSE(Fits(headers, get));
  headers.pop_back();
  EXPECT_TRUE(Fits(headers, get));
}

TEST(HeaderRulesTest, ParametersAreComparedByTheirType) {
  constexpr std::string_view kProperties =
      R"({"s":{"type":"string","x-mcp-header":"S"},"i":{"type":"integer","x-mcp-header":"I"},)"
      R"("b":{"type":"boolean","x-mcp-header":"B"}})";
  const auto fits = [&](std::string_view arguments, const std::string& name, std::string value) {
    return ParametersFit(kProperties, arguments, {{"Mcp-Param-" + name, std::move(value)}});
  };
  EXPECT_TRUE(fits(R"({"s":"a b"})", "S", "a b"));
  EXPECT_FALSE(fits(R"({"s":"42"})", "S", "42.0"));
  EXPECT_TRUE(fits(R"({"i":-7})", "I", "-7"));
  EXPECT_TRUE(fits(R"({"i":42})", "I", "42.0"));
  EXPECT_TRUE(fits(R"({"i":42.0})", "I", "42"));
  for (const char* other : {"43", "4 2", "", "forty-two", "42.5", "0x2A", "42 42"}) {
    EXPECT_FALSE(fits(R"({"i":42})", "I", other)) << other;
  }
  EXPECT_TRUE(fits(R"({"b":true})", "B", "true"));
  for (const char* other : {"True", "1", "false"}) {
    EXPECT_FALSE(fits(R"({"b":true})", "B", other)) << other;
  }
}

TEST(HeaderRulesTest, AHeaderIsDemandedOnlyForAValueThatIsThere) {
  constexpr std::string_view kProperties = R"({"s":{"type":"string","x-mcp-header":"S"}})";
  EXPECT_FALSE(ParametersFit(kProperties, R"({"s":"x"})", {}));
  EXPECT_TRUE(ParametersFit(kProperties, R"({"s":null})", {}));
  EXPECT_TRUE(ParametersFit(kProperties, "{}", {}));
  EXPECT_FALSE(ParametersFit(kProperties, "{}", {{"Mcp-Param-S", "x"}}));
}

TEST(HeaderRulesTest, NestedParametersAreFoundByTheirPath) {
  constexpr std::string_view kProperties =
      R"({"a":{"type":"object","properties":{"s":{"type":"string","x-mcp-header":"S"}}},)"
      R"("s":{"type":"string"}})";
  EXPECT_TRUE(ParametersFit(kProperties, R"({"a":{"s":"x"},"s":"y"})", {{"Mcp-Param-S", "x"}}));
  EXPECT_FALSE(ParametersFit(kProperties, R"({"a":{"s":"x"},"s":"y"})", {{"Mcp-Param-S", "y"}}));
  EXPECT_TRUE(ParametersFit(kProperties, R"({"s":"y"})", {}));
}

}  // namespace
}  // namespace assay::reference
