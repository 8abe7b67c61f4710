#include "oracle/results.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

const std::string kInfo =
    R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}})";

Ids Result(const std::string& method, const std::string& result,
           const std::string& capabilities = "{}") {
  return Verdicts("era: modern\n=> 1 " + method +
                  R"( {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                  R"("io.modelcontextprotocol/clientCapabilities":)" +
                  capabilities + "}}\n<= 1 {" + kInfo + "," + result + "}");
}

TEST(ResultsTest, ResultType) {
  EXPECT_EQ(Result("tools/call", R"("content":[])"), Ids{"M-RPC-RESULTTYPE-PRESENT"});
  EXPECT_EQ(Result("tools/call", R"("content":[],"resultType":1)"),
            Ids{"M-RPC-RESULTTYPE-PRESENT"});
  EXPECT_EQ(Result("tools/call", R"("content":[],"resultType":"done")"),
            Ids{"M-RPC-RESULTTYPE-KNOWN"});
  EXPECT_EQ(Result("tools/call", R"("content":[],"resultType":"done")",
                   R"({"extensions":{"com.example/x":{}}})"),
            Ids{"M-RPC-RESULTTYPE-KNOWN?"});
  EXPECT_EQ(Result("tools/call", R"("content":[],"resultType":"complete","inputRequests":{})"),
            Ids{"M-RPC-RESULTTYPE-INPUT-REQUIRED"});
  EXPECT_EQ(Result("tools/list", R"("resultType":"input_required","requestState":"s")"),
            Ids{"M-MRTR-OTHER-METHODS"});
}

TEST(ResultsTest, ResultTypeOfTasks) {
  const std::string tasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
  const std::string task =
      R"("taskId":"a","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null)";
  EXPECT_EQ(Result("tools/call", R"("resultType":"task",)" + task),
            Ids{"T-CREATE-NOT-WITHOUT-DECLARATION"});
  EXPECT_EQ(Result("prompts/get", R"("resultType":"task",)" + task, tasks),
            Ids{"T-CREATE-ONLY-SUPPORTED-METHODS"});
  EXPECT_EQ(Result("tasks/cancel", R"("resultType":"task")", tasks),
            (Ids{"T-RESULTTYPE-TASK-EXCLUSIVE"}));
  EXPECT_EQ(Result("tasks/update", R"("resultType":"input_required")", tasks),
            (Ids{"M-MRTR-OTHER-METHODS", "T-UPDATE-RESULTTYPE"}));
  EXPECT_EQ(Result("tools/call", R"("resultType":"complete",)" + task, tasks),
            (Ids{"M-TOOLS-CALL-SHAPE", "T-CREATE-RESULTTYPE"}));
}

TEST(ResultsTest, CacheHints) {
  const auto list = [](const std::string& hints) {
    return Result("tools/list", R"("resultType":"complete","tools":[])" + hints);
  };
  EXPECT_EQ(list(R"(,"ttlMs":0,"cacheScope":"public")"), Ids{});
  EXPECT_EQ(list(""), Ids{"M-CACHE-HINTS-TOOLS-LIST"});
  EXPECT_EQ(list(R"(,"ttlMs":1)"), Ids{"M-CACHE-HINTS-TOOLS-LIST"});
  EXPECT_EQ(list(R"(,"cacheScope":"public")"), Ids{"M-CACHE-HINTS-TOOLS-LIST"});
  EXPECT_EQ(list(R"(,"ttlMs":"1","cacheScope":"public")"), Ids{"M-CACHE-HINTS-TOOLS-LIST"});
  EXPECT_EQ(list(R"(,"ttlMs":-1,"cacheScope":"public")"), Ids{"M-CACHE-TTL-NON-NEGATIVE"});
  EXPECT_EQ(list(R"(,"ttlMs":1.5,"cacheScope":"public")"), Ids{"M-CACHE-TTL-INTEGER"});
  EXPECT_EQ(list(R"(,"ttlMs":1,"cacheScope":"shared")"), Ids{"M-CACHE-SCOPE-VALUES"});
  EXPECT_EQ(Result("resources/read", R"("resultType":"complete","contents":[])"),
            Ids{"M-CACHE-HINTS-RESOURCES-READ"});
  EXPECT_EQ(
      Result("resources/read", R"("resultType":"input_required","requestState":"s","ttlMs":1)"),
      Ids{"M-CACHE-NO-HINTS-ON-INPUT-REQUIRED"});
}

TEST(ResultsTest, PagesHaveOneScope) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 tools/list $2026
    <= 1 {$DONE,"ttlMs":1,"cacheScope":"public","tools":[],"nextCursor":"2"}
    => 2 tools/list {"cursor":"2","_meta":{$ENV}}
    <= 2 {$DONE,"ttlMs":1,"cacheScope":"private","tools":[]}
  )"),
            Ids{"M-CACHE-SCOPE-SAME-ON-PAGES"});
}

TEST(ResultsTest, ServerInfo) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 tools/call {"name":"a","_meta":{$ENV}}
    <= 1 {"resultType":"complete","content":[]}
    => 2 prompts/get {"name":"a","_meta":{$ENV}}
    <= 2 {"resultType":"complete","messages":[]}
    => 3 server/discover $2026
    <= 3 {"resultType":"complete",$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{}}}
  )"),
            (Ids{"M-META-SERVERINFO", "M-DISCOVER-SERVERINFO"}));
}

Ids Ask(const std::string& members, const std::string& capabilities) {
  return Result("tools/call", R"("resultType":"input_required")" + members, capabilities);
}

TEST(ResultsTest, InputRequests) {
  const std::string form =
      R"(,"inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}})";
  const std::string url =
      R"(,"inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.b"}}})";
  EXPECT_EQ(Ask("", "{}"), Ids{"M-MRTR-AT-LEAST-ONE"});
  EXPECT_EQ(Ask(R"(,"requestState":1)", "{}"), Ids{"M-MRTR-SHAPE"});
  EXPECT_EQ(Ask(form, "{}"), Ids{"M-MRTR-NO-UNDECLARED-KIND"});
  EXPECT_EQ(Ask(form, R"({"elicitation":{}})"), Ids{});
  EXPECT_EQ(Ask(form, R"({"elicitation":{"url":{}}})"), Ids{"M-ELICIT-MODE-SUPPORTED"});
  EXPECT_EQ(Ask(url, R"({"elicitation":{}})"), Ids{"M-ELICIT-MODE-SUPPORTED"});
  EXPECT_EQ(Ask(url, R"({"elicitation":{"url":{}}})"), Ids{});
  EXPECT_EQ(Ask(R"(,"inputRequests":{"k":{"method":"roots/list"},"k":{"method":"roots/list"}})",
                R"({"roots":{}})"),
            (Ids{"M-STDIO-STDOUT-ONLY-MCP?", "M-MRTR-KEYS-UNIQUE"}));
  const std::string sampling =
      R"(,"inputRequests":{"k":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1)";
  EXPECT_EQ(Ask(sampling + R"(,"tools":[]}}})", R"({"sampling":{}})"),
            Ids{"M-SAMPLING-TOOLS-CAPABILITY"});
  EXPECT_EQ(Ask(sampling + R"(,"includeContext":"thisServer"}}})", R"({"sampling":{}})"),
            Ids{"M-SAMPLING-INCLUDECONTEXT-CAPABILITY"});
  EXPECT_EQ(
      Ask(R"(,"inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.b","elicitationId":"e"}}})",
          R"({"elicitation":{"url":{}}})"),
      Ids{"M-ELICIT-NO-ELICITATION-ID?"});
}

}  // namespace
}  // namespace assay::oracle
