#include "oracle/questions.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

Ids Legacy(const std::string& text, const std::string& revision = "2025-11-25") {
  return Verdicts("open: " + revision +
                  R"( {} {"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}}})"
                  "\n" +
                  text);
}

Ids Modern(const std::string& question) {
  return Verdicts(
      "era: modern\n=> 1 tools/call {\"name\":\"a\",\"_meta\":{"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},)"
      R"("sampling":{"tools":{},"context":{}}}}})"
      "\n<= 1 {\"resultType\":\"input_required\",\"_meta\":{"
      R"("io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"inputRequests":{"k":)" +
      question + "}}");
}

std::string Form(const std::string& properties, const std::string& message = "m") {
  return "{\"message\":\"" + message +
         "\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" + properties + "}}}";
}
std::string Elicit(const std::string& params) {
  return "{\"method\":\"elicitation/create\",\"params\":" + params + "}";
}
std::string Sample(const std::string& messages, const std::string& more = "") {
  return "{\"messages\":[" + messages + "],\"maxTokens\":1" + more + "}";
}

TEST(QuestionsTest, FormsAskForNoSecrets) {
  const std::string secret = Form(R"("API_key":{"type":"string"})");
  EXPECT_EQ(Modern(Elicit(secret)),
            (Ids{"M-ELICIT-NO-SENSITIVE-FORM?", "M-ELICIT-SENSITIVE-VIA-URL?"}));
  EXPECT_EQ(Legacy("<? 1 elicitation/create " + secret),
            (Ids{"L-ELICIT-form-no-sensitive?", "L-ELICIT-url-for-sensitive?"}));
  EXPECT_EQ(Legacy("<? 1 elicitation/create " + secret, "2025-06-18"),
            Ids{"L-ELICIT-no-sensitive-2025-06?"});
  EXPECT_EQ(Modern(Elicit(Form(R"("keyboard":{"type":"string"})"))), Ids{});
}

TEST(QuestionsTest, FormsHaveNoAddresses) {
  EXPECT_EQ(Modern(Elicit(Form("", "See https://example.com"))),
            Ids{"M-ELICIT-FORM-NO-CLICKABLE-URLS"});
  EXPECT_EQ(Legacy("<? 1 elicitation/create " +
                   Form(R"("a":{"type":"string","description":"http://x"})")),
            Ids{"L-ELICIT-form-no-clickable-url"});
}

TEST(QuestionsTest, Addresses) {
  const auto url = [](const std::string& address) {
    return Legacy(R"(<? 1 elicitation/create {"mode":"url","message":"m","elicitationId":"e",)"
                  R"("url":")" +
                  address + "\"}");
  };
  EXPECT_EQ(url("https://example.com/a"), Ids{});
  EXPECT_EQ(url("http://localhost:3000/a"), Ids{});
  EXPECT_EQ(url("http://example.com/a"), Ids{"L-ELICIT-url-https"});
  EXPECT_EQ(url("https://ada:secret@example.com/a"), Ids{"L-ELICIT-url-no-user-data"});
  EXPECT_EQ(url("https://example.com/a@b"), Ids{});
}

TEST(QuestionsTest, ElicitationIds) {
  const auto url = [](const std::string& id, const std::string& address) {
    return "<? " + id +
           R"( elicitation/create {"mode":"url","message":"m","elicitationId":"e","url":")" +
           address + "\"}\n";
  };
  EXPECT_EQ(Legacy(url("1", "https://example.com/a") + url("2", "https://example.com/a")), Ids{});
  EXPECT_EQ(Legacy(url("1", "https://example.com/a") + url("2", "https://example.com/b")),
            Ids{"L-ELICIT-id-unique"});
  const std::string complete = R"(<- notifications/elicitation/complete {"elicitationId":"e"})";
  EXPECT_EQ(Legacy(url("1", "https://example.com/a") + complete), Ids{});
  EXPECT_EQ(Legacy(complete), Ids{"L-ELICIT-complete-right-client"});
}

TEST(QuestionsTest, RefusalsThatNameElicitations) {
  const auto refused = [](const std::string& code) {
    return Legacy("=> 1 tools/call {\"name\":\"a\"}\n<! 1 {\"code\":" + code +
                  R"(,"message":"m","data":{"elicitations":[{"mode":"url","message":"m",)"
                  R"("elicitationId":"e","url":"https://example.com/a"}]}})");
  };
  EXPECT_EQ(refused("-32042"), Ids{});
  EXPECT_EQ(refused("-32603"), Ids{"L-ELICIT-required-error-code"});
}

TEST(QuestionsTest, SchemasOfToolsForAModelAreValid) {
  const std::string tools =
      R"(,"tools":[{"name":"t","inputSchema":{"type":"object","required":["a","a"]}}])";
  EXPECT_EQ(Modern(R"({"method":"sampling/createMessage","params":)" + Sample("", tools) + "}"),
            Ids{"M-JSCHEMA-VALID"});
  EXPECT_EQ(Legacy("<? 1 sampling/createMessage " + Sample("", tools)), Ids{"L-BASE-schema-valid"});
}

TEST(QuestionsTest, ContextIsAvoided) {
  EXPECT_EQ(Legacy("<? 1 sampling/createMessage " + Sample("", R"(,"includeContext":"none")")),
            Ids{});
  EXPECT_EQ(
      Legacy("<? 1 sampling/createMessage " + Sample("", R"(,"includeContext":"thisServer")")),
      Ids{"L-SAMPLE-include-context-avoid"});
}

TEST(QuestionsTest, UsesOfToolsHaveTheirResults) {
  const std::string use =
      R"({"role":"assistant","content":[{"type":"tool_use","id":"u","name":"t","input":{}}]})";
  const auto answer = [](const std::string& id, const std::string& more = "") {
    return R"(,{"role":"user","content":[{"type":"tool_result","toolUseId":")" + id +
           R"(","content":[])" + more + "}]}";
  };
  const auto ask = [](const std::string& messages, const std::string& more = "") {
    return Modern(R"({"method":"sampling/createMessage","params":)" + Sample(messages, more) + "}");
  };
  EXPECT_EQ(ask(use + answer("u")), Ids{});
  EXPECT_EQ(ask(use), Ids{"M-SAMPLING-TOOL-BALANCE"});
  EXPECT_EQ(ask(use + answer("v")), Ids{"M-SAMPLING-TOOL-BALANCE"});
  EXPECT_EQ(ask(use + R"(,{"role":"user","content":[{"type":"tool_result","toolUseId":"u",)"
                      R"("content":[]},{"type":"text","text":"and"}]})"),
            Ids{"M-SAMPLING-TOOL-RESULTS-ALONE"});
  const std::string tools = R"(,"tools":[{"name":"t","inputSchema":{"type":"object"},)"
                            R"("outputSchema":{"type":"object","required":["n"]}}])";
  EXPECT_EQ(ask(use + answer("u", R"(,"structuredContent":{"n":1})"), tools), Ids{});
  EXPECT_EQ(ask(use + answer("u", R"(,"structuredContent":{})"), tools),
            Ids{"M-SAMPLING-TOOL-RESULT-STRUCTURED"});
}

}  // namespace
}  // namespace assay::oracle
