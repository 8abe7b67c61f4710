#include "exchange/http_face.h"

#include <gtest/gtest.h>

#include <string>

#include "exchange/envelope.h"

namespace assay {
namespace {

const HttpSession kSession{"abc", "2025-11-25"};

std::string Modern(const std::string& method, const std::string& members = "",
                   const std::string& version = R"("2026-07-28")") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method +
         R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":)" + version + "}" +
         (members.empty() ? "" : "," + members) + "}}";
}

std::string Field(const HttpRequest& request, const std::string& name) {
  const std::string* value = request.Find(name);
  return value == nullptr ? "(none)" : *value;
}

HttpRequest Carry(const std::string& body, Era era = Era::kNone,
                  const HttpSession& session = kSession, const std::string& tools = "[]") {
  const Json listed = *ParseJson(tools).value;
  return PostOf(body, ParseMessage(body), era, session, &listed);
}

TEST(PostOf, AModernMessageIsMirrored) {
  const HttpRequest request = Carry(Modern("tools/call", R"("name":"echo","arguments":{})"));
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(Field(request, "Content-Type"), "application/json");
  EXPECT_EQ(Field(request, "MCP-Protocol-Version"), "2026-07-28");
  EXPECT_EQ(Field(request, "Mcp-Method"), "tools/call");
  EXPECT_EQ(Field(request, "Mcp-Name"), "echo");
  EXPECT_EQ(Field(request, "Mcp-Session-Id"), "(none)");
  EXPECT_FALSE(request.resumes);
}

TEST(PostOf, TheNameIsWhateverTheMethodNames) {
  EXPECT_EQ(Field(Carry(Modern("resources/read", R"("uri":"test://a")")), "Mcp-Name"), "test://a");
  EXPECT_EQ(Field(Carry(Modern("prompts/get", R"("name":"p")")), "Mcp-Name"), "p");
  EXPECT_EQ(Field(Carry(Modern("tasks/get", R"("taskId":"t")")), "Mcp-Name"), "t");
  EXPECT_EQ(Field(Carry(Modern("tools/list", R"("name":"x")")), "Mcp-Name"), "(none)");
  EXPECT_EQ(Field(Carry(Modern("tools/call", R"("name":7)")), "Mcp-Name"), "(none)");
}

TEST(PostOf, TheVersionOfTheEnvelopeIsMirroredAsItIs) {
  EXPECT_EQ(Field(Carry(Modern("tools/list", "", R"("1900-01-01")")), "MCP-Protocol-Version"),
            "1900-01-01");
  // One that no field could hold stands for a good one.
  EXPECT_EQ(Field(Carry(Modern("tools/list", "", "7")), "MCP-Protocol-Version"), "2026-07-28");
}

TEST(PostOf, WithoutAnEnvelopeTheConnectionDecides) {
  const std::string bare = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
  EXPECT_EQ(Field(Carry(bare, Era::kModern), "Mcp-Method"), "tools/list");
  const HttpRequest legacy = Carry(bare, Era::kLegacy);
  EXPECT_EQ(Field(legacy, "Mcp-Method"), "(none)");
  EXPECT_EQ(Field(legacy, "Mcp-Session-Id"), "abc");
  EXPECT_EQ(Field(legacy, "MCP-Protocol-Version"), "2025-11-25");
  EXPECT_TRUE(legacy.resumes);
}

TEST(PostOf, InitializeNamesNoSession) {
  const HttpRequest request =
      Carry(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})", Era::kLegacy);
  EXPECT_EQ(Field(request, "Mcp-Session-Id"), "(none)");
  EXPECT_EQ(Field(request, "MCP-Protocol-Version"), "(none)");
}

TEST(PostOf, TheVersionFieldCameWithJune2025) {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(Field(Carry(ping, Era::kLegacy, {"a", "2025-03-26"}), "MCP-Protocol-Version"),
            "(none)");
  EXPECT_EQ(Field(Carry(ping, Era::kLegacy, {"a", "2025-06-18"}), "MCP-Protocol-Version"),
            "2025-06-18");
}

TEST(PostOf, WhatIsNoMessageIsCarriedToo) {
  const HttpRequest request = Carry("not json", Era::kLegacy);
  EXPECT_EQ(request.body, "not json");
  EXPECT_EQ(Field(request, "Mcp-Session-Id"), "abc");
}

TEST(PostOf, AnnotatedArgumentsAreMirroredAtAnyDepth) {
  const std::string tools = R"([{"name":"t","inputSchema":{"type":"object","properties":{
    "region":{"type":"string","x-mcp-header":"Region"},
    "count":{"type":"integer","x-mcp-header":"Count"},
    "dry":{"type":"boolean","x-mcp-header":"Dry"},
    "plain":{"type":"string"},
    "inner":{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}}}}}])";
  const HttpRequest request =
      Carry(Modern("tools/call", R"("name":"t","arguments":{"region":"süd","count":42,"dry":true,)"
                                 R"("plain":"x","inner":{"zone":"z"}})"),
            Era::kNone, kSession, tools);
  EXPECT_EQ(Field(request, "Mcp-Param-Region"), "=?base64?c8O8ZA==?=");
  EXPECT_EQ(Field(request, "Mcp-Param-Count"), "42");
  EXPECT_EQ(Field(request, "Mcp-Param-Dry"), "true");
  EXPECT_EQ(Field(request, "Mcp-Param-Zone"), "z");
  const HttpRequest absent =
      Carry(Modern("tools/call", R"("name":"t","arguments":{"region":null})"), Era::kNone, kSession,
            tools);
  EXPECT_EQ(Field(absent, "Mcp-Param-Region"), "(none)");
}

TEST(PostOf, AnEmptyNameIsNoEmptyField) {
  EXPECT_EQ(Field(Carry(Modern("tools/call", R"("name":"")")), "Mcp-Name"),
            "=?base64?"
            "?=");
  EXPECT_EQ(Field(Carry(Modern("tools/list", "", R"("")")), "MCP-Protocol-Version"), "");
}

TEST(FieldText, EncodesWhatWouldNotSurvive) {
  EXPECT_EQ(FieldText("echo"), "echo");
  EXPECT_EQ(FieldText("a b"), "a b");
  EXPECT_EQ(FieldText(" a"), "=?base64?IGE=?=");
  EXPECT_EQ(FieldText("a\nb"), "=?base64?YQpi?=");
  EXPECT_EQ(FieldText("=?base64?eA==?="), "=?base64?PT9iYXNlNjQ/ZUE9PT89?=");
  EXPECT_EQ(FieldText("=?base64?x"), "=?base64?x");
}

TEST(ChangeHttp, SetsReplacesAndLeavesOut) {
  HttpRequest request = Carry(Modern("tools/list"));
  ChangeHttp(request, *ParseJson(R"({"headers":{"mcp-method":"x","ACCEPT":null,"New":"1"},)"
                                 R"("method":"PUT","path":"/other",)"
                                 R"("behind":"GET","closes":"writing"})")
                           .value);
  EXPECT_EQ(Field(request, "Mcp-Method"), "x");
  EXPECT_EQ(Field(request, "Accept"), "(none)");
  EXPECT_EQ(Field(request, "New"), "1");
  EXPECT_EQ(request.method, "PUT");
  EXPECT_EQ(request.path, "/other");
  EXPECT_EQ(request.behind, "GET");
  EXPECT_TRUE(request.half_closes);
}

TEST(DescribedHttp, HoldsOnlyWhatIsSaid) {
  const HttpRequest request = DescribedHttp(
      *ParseJson(R"({"method":"GET","path":"/mcp","headers":{"A":"b"},"body":{"x":1}})").value);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.fields.size(), 1U);
  EXPECT_EQ(request.body, R"({"x":1})");
}

TEST(AddHeaders, WhatTheRequestSaysItselfStays) {
  const Json headers =
      *ParseJson(R"({"Authorization":"Bearer a","Accept":"text/plain","x-left-out":null})").value;
  HttpRequest request = DescribedHttp(*ParseJson(R"({"headers":{"accept":"*/*"}})").value);
  AddHeaders(request, headers);
  EXPECT_EQ(Field(request, "Authorization"), "Bearer a");
  EXPECT_EQ(Field(request, "Accept"), "*/*");
  EXPECT_EQ(request.without, std::vector<std::string>{"x-left-out"});

  HttpRequest bare = DescribedHttp(*ParseJson(R"({"headers":{"authorization":null}})").value);
  AddHeaders(bare, headers);
  EXPECT_EQ(Field(bare, "Authorization"), "(none)");
}

}  // namespace
}  // namespace assay
