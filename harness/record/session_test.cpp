#include "record/session.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case/loader.h"
#include "case/writer.h"

namespace assay {
namespace {

RecordedLine C(std::string text) { return {true, std::move(text)}; }
RecordedLine S(std::string text) { return {false, std::move(text)}; }

std::vector<RecordedLine> Legacy(std::vector<RecordedLine> lines) {
  std::vector<RecordedLine> all = {
      C(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})"),
      S(R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{}}})"),
      C(R"({"jsonrpc":"2.0","method":"notifications/initialized"})")};
  all.insert(all.end(), lines.begin(), lines.end());
  return all;
}

// The steps as they are written, which are also good.
std::string Steps(const std::vector<RecordedLine>& lines) {
  const auto recorded = CaseOf(lines, "recorded", "a");
  if (!recorded) return "none";
  const std::string text = WriteCaseFile({recorded->test_case});
  Catalogue catalogue;
  Requirement requirement;
  requirement.id = "C-RECORDED";
  requirement.level = Level::kContract;
  requirement.since = "2024-11-05";
  catalogue.Add(requirement);
  std::vector<InputError> problems;
  EXPECT_EQ(LoadCaseFile("a.yaml", text, catalogue, &problems).size(), 1U);
  for (const InputError& problem : problems) ADD_FAILURE() << ToString(problem) << "\n" << text;
  return text.substr(text.find("    steps:\n") + std::string("    steps:\n").size());
}

TEST(SessionTest, TheHandshakeIsTheHarnesss) {
  const auto lines = Legacy({C(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"),
                             S(R"({"jsonrpc":"2.0","id":1,"result":{}})")});
  const Case test_case = CaseOf(lines, "recorded", "a")->test_case;
  EXPECT_EQ(test_case.era, Era::kLegacy);
  EXPECT_EQ(test_case.revisions, std::vector<std::string>{"2025-06-18"});
  EXPECT_EQ(test_case.client_capabilities.Dump(), R"({"roots":{}})");
  EXPECT_EQ(Steps(lines),
            "      - request: { method: ping }\n        expect: { for: C-RECORDED, result: {} }\n");
}

TEST(SessionTest, WithoutAnAnswerThereIsNoCase) {
  EXPECT_EQ(Steps(Legacy({})), "none");
  EXPECT_EQ(Steps(Legacy({C(R"({"jsonrpc":"2.0","id":1,"method":"ping"})")})), "none");
}

TEST(SessionTest, AnErrorKeepsItsCodeOnly) {
  EXPECT_EQ(Steps(Legacy({C(R"({"jsonrpc":"2.0","id":1,"method":"x"})"),
                          S(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"?"}})")})),
            "      - request: { method: x }\n        expect: { for: C-RECORDED, error: { code: "
            "-32601 } }\n");
}

TEST(SessionTest, WhatIsTakenFromAnAnswerIsTakenFromTheNewOne) {
  const std::string steps = Steps(
      Legacy({C(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"),
              S(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"page-two"}})"),
              C(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-two"}})"),
              S(R"({"jsonrpc":"2.0","id":2,"result":{"tools":[]}})")}));
  EXPECT_NE(steps.find("/result/nextCursor"), std::string::npos) << steps;
  EXPECT_NE(steps.find("cursor: \"${saved1}\""), std::string::npos) << steps;
  EXPECT_EQ(steps.find("page-two"), std::string::npos) << steps;
}

TEST(SessionTest, WhatOverlappedOverlapsAgainAndQuestionsAreAnswered) {
  const std::string steps =
      Steps(Legacy({C(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}})"),
                    S(R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{}})"),
                    C(R"({"jsonrpc":"2.0","id":7,"result":{"action":"decline"}})"),
                    S(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})"),
                    C(R"({"jsonrpc":"2.0","id":2,"method":"ping"})"),
                    S(R"({"jsonrpc":"2.0","id":2,"result":{}})")}));
  EXPECT_EQ(steps,
            "      - parallel:\n"
            "          - request: { method: tools/call, params: { name: ask } }\n"
            "            expect: { for: C-RECORDED, result: { content: [] } }\n"
            "          - { respond: { method: elicitation/create, result: { action: decline } } }\n"
            "      - request: { method: ping }\n        expect: { for: C-RECORDED, result: {} }\n");
}

TEST(SessionTest, WhatIsCancelledKeepsItsId) {
  const std::string steps = Steps(Legacy(
      {C(R"({"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"slow"}})"),
       C(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}})"),
       C(R"({"jsonrpc":"2.0","id":2,"method":"ping"})"),
       S(R"({"jsonrpc":"2.0","id":2,"result":{}})")}));
  EXPECT_NE(steps.find("id: slow"), std::string::npos) << steps;
  EXPECT_NE(steps.find("requestId: slow"), std::string::npos) << steps;
  EXPECT_NE(steps.find("nothing"), std::string::npos) << steps;
}

TEST(SessionTest, SecretsAreLeftOut) {
  const auto lines = Legacy(
      {C(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"apiKey":"sk-1","deep":{"PASSWORD":"p"},"tokens":3},"_meta":{"progressToken":"pt"}}})"),
       S(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})")});
  const std::string steps = Steps(lines);
  EXPECT_EQ(steps.find("sk-1"), std::string::npos) << steps;
  EXPECT_EQ(steps.find(": p "), std::string::npos) << steps;
  EXPECT_NE(steps.find("pt"), std::string::npos) << steps;
  EXPECT_EQ(
      CaseOf(lines, "recorded", "a")->left_out,
      (std::vector<std::string>{"params/arguments/apiKey", "params/arguments/deep/PASSWORD"}));
}

constexpr char kEnvelope[] =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{})";

TEST(SessionTest, AModernEnvelopeIsTheHarnesssToo) {
  const std::string envelope = kEnvelope;
  const std::string steps = Steps(
      {C(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{)" + envelope + "}}}"),
       S(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[],"resultType":"complete"}})"),
       C(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"),
       S(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}})"),
       C(R"({"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"a/b":1,"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}})"),
       S(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"no"}})")});
  EXPECT_EQ(steps,
            "      - request: { method: tools/list }\n"
            "        expect: { for: C-RECORDED, result: { tools: [], resultType: complete } }\n"
            "      - request: { method: tools/list }\n"
            "        envelope: none\n"
            "        expect: { for: C-RECORDED, error: { code: -32602 } }\n"
            "      - request: { method: tools/list, params: { _meta: { a/b: 1 } } }\n"
            "        envelope: { clientCapabilities: ~, clientInfo: ~, protocolVersion: "
            "\"1900-01-01\" }\n"
            "        expect: { for: C-RECORDED, error: { code: -32022 } }\n");
}

}  // namespace
}  // namespace assay
