#include "oracle/shape_rules.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

const std::string kAll =
    R"({"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"completions":{},"logging":{},"tasks":{"requests":{"tools":{"call":{}}}}} {"sampling":{},"roots":{},"elicitation":{"form":{},"url":{}}})";

struct Broken {
  std::string method;
  std::string result;  // modern: without the members that every result has
  std::string requirement;
};

Ids Legacy(const std::string& revision, const Broken& broken) {
  const std::string params = broken.method == "tools/call" ? R"( {"name":"a"})" : "";
  return Verdicts("open: " + revision + " " + kAll + "\n=> 1 " + broken.method + params +
                  "\n<= 1 " + broken.result);
}

Ids Modern(const Broken& broken, const std::string& capabilities = "{}") {
  return Verdicts("era: modern\n=> 1 " + broken.method +
                  R"( {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                  R"("io.modelcontextprotocol/clientCapabilities":)" +
                  capabilities + "}}\n<= 1 " + broken.result);
}

TEST(ShapeRulesTest, LegacyResults) {
  const Broken table[] = {
      {"ping", R"({"_meta":1})", "L-BASE-meta-is-object"},
      {"tools/list", R"({})", "L-TOOLS-shape-list-result"},
      {"tools/list", R"({"tools":[],"nextCursor":null})", "L-PAGE-cursor-string"},
      {"tools/list", R"({"tools":[{"name":"a"}]})", "L-TOOLS-shape-tool"},
      {"tools/list", R"({"tools":[{"name":"a","inputSchema":{}}]})", "L-TOOLS-shape-tool"},
      {"tools/list", R"({"tools":[{"name":"a","inputSchema":{"type":"object","properties":[]}}]})",
       "L-TOOLS-shape-tool"},
      {"tools/list",
       R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]})",
       "L-TOOLS-shape-output-schema"},
      {"tools/list",
       R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":1}}]})",
       "L-TOOLS-shape-annotations"},
      {"tools/list",
       R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"execution":{"taskSupport":"yes"}}]})",
       "L-TASK-tool-execution-shape"},
      {"tools/list", R"({"tools":[{"name":"a","title":1,"inputSchema":{"type":"object"}}]})",
       "L-BASE-title-shape"},
      {"tools/list", R"({"tools":[{"name":"a","icons":[{}],"inputSchema":{"type":"object"}}]})",
       "L-BASE-icon-shape"},
      {"tools/call", R"({"content":null})", "L-TOOLS-shape-call-result"},
      {"tools/call", R"({"isError":true})", "L-TOOLS-shape-call-result"},
      {"tools/call", R"({"content":[{"type":"text"}]})", "L-TOOLS-shape-text-content"},
      {"tools/call", R"({"content":[{"type":"image","data":"AAAA"}]})",
       "L-TOOLS-shape-image-content"},
      {"tools/call", R"({"content":[{"type":"audio","data":1,"mimeType":"a/b"}]})",
       "L-TOOLS-shape-audio-content"},
      {"tools/call", R"({"content":[{"type":"resource_link","uri":"a:b"}]})",
       "L-TOOLS-shape-resource-link"},
      {"tools/call", R"({"content":[{"type":"resource","resource":{"uri":"a:b"}}]})",
       "L-TOOLS-shape-embedded-resource"},
      {"tools/call", R"({"content":[{"type":"video"}]})", "L-TOOLS-content-types"},
      {"tools/call", R"({"content":[{"text":"x"}]})", "L-TOOLS-content-types"},
      {"tools/call", R"({"content":[{"type":"text","text":"x","annotations":{"priority":2}}]})",
       "L-BASE-annotations-shape"},
      {"tools/call", R"({"content":[{"type":"text","text":"x","_meta":[]}]})",
       "L-BASE-meta-is-object"},
      {"prompts/list", R"({"prompts":{}})", "L-PROMPT-shape-list-result"},
      {"prompts/list", R"({"prompts":[{"name":1}]})", "L-PROMPT-shape-prompt"},
      {"prompts/get", R"({})", "L-PROMPT-shape-get-result"},
      {"prompts/get", R"({"messages":[{"role":"system","content":{"type":"text","text":""}}]})",
       "L-PROMPT-shape-get-result"},
      {"prompts/get", R"({"messages":[{"role":"user","content":[]}]})",
       "L-PROMPT-shape-get-result"},
      {"prompts/get", R"({"messages":[{"role":"user","content":{"type":"text"}}]})",
       "L-TOOLS-shape-text-content"},
      {"resources/list", R"({"resources":1})", "L-RES-shape-list-result"},
      {"resources/list", R"({"resources":[{"uri":"a:b"}]})", "L-RES-shape-resource"},
      {"resources/list", R"({"resources":[{"uri":"no scheme","name":"a"}]})",
       "L-RES-shape-resource"},
      {"resources/templates/list", R"({})", "L-RES-shape-templates-result"},
      {"resources/templates/list", R"({"resourceTemplates":[{"uriTemplate":"a:{b","name":"a"}]})",
       "L-RES-shape-template"},
      {"resources/read", R"({"contents":{}})", "L-RES-shape-read-result"},
      {"resources/read", R"({"contents":[{"uri":"a:b"}]})", "L-RES-shape-contents"},
      {"completion/complete", R"({"completion":{"values":[1]}})", "L-COMPLETE-shape-result"},
      {"tasks/list", R"({})", "L-TASK-shape-list-result"},
      {"tasks/list", R"({"tasks":[{"taskId":"a"}]})", "L-TASK-shape-task"},
      {"tasks/get", R"({"taskId":"a"})", "L-TASK-shape-get-result"},
      {"tasks/cancel", R"({})", "L-TASK-shape-cancel-result"},
      {"tools/call", R"({"task":{"taskId":"a","status":"working"}})", "L-TASK-shape-create-result"},
  };
  for (const Broken& broken : table) {
    EXPECT_EQ(Legacy("2025-11-25", broken), Ids{broken.requirement})
        << broken.method << ": " << broken.result;
  }
}

TEST(ShapeRulesTest, LegacyResultsByRevision) {
  const Broken audio{"tools/call",
                     R"({"content":[{"type":"audio","data":"AAAA","mimeType":"a/b"}]})", ""};
  EXPECT_EQ(Legacy("2024-11-05", audio), Ids{"L-TOOLS-content-types"});
  EXPECT_EQ(Legacy("2025-03-26", audio), Ids{});
  const Broken link{"tools/call",
                    R"({"content":[{"type":"resource_link","uri":"a:b","name":"a"}]})", ""};
  EXPECT_EQ(Legacy("2025-03-26", link), Ids{"L-TOOLS-content-types"});
  const Broken structured{
      "tools/call", R"({"content":[{"type":"text","text":"[]"}],"structuredContent":[]})", ""};
  EXPECT_EQ(Legacy("2025-06-18", structured), Ids{"L-TOOLS-structured-is-object"});
}

TEST(ShapeRulesTest, InitializeResult) {
  const auto verdicts = [](const std::string& result) {
    return Verdicts(
        "era: legacy\n=> 1 initialize "
        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\","
        "\"version\":\"1\"}}\n<= 1 " +
        result);
  };
  EXPECT_EQ(verdicts(R"({"protocolVersion":"2025-11-25","capabilities":{}})"),
            Ids{"L-INIT-shape-result"});
  EXPECT_EQ(verdicts(R"({"capabilities":{},"serverInfo":{"name":"s","version":"1"}})"),
            Ids{"L-INIT-shape-result"});
  EXPECT_EQ(
      verdicts(
          R"({"protocolVersion":"2025-11-25","capabilities":{"tools":true},"serverInfo":{"name":"s","version":"1"}})"),
      Ids{"L-INIT-shape-capabilities"});
  EXPECT_EQ(
      verdicts(
          R"({"protocolVersion":"2025-11-25","capabilities":{"tasks":{"list":true}},"serverInfo":{"name":"s","version":"1"}})"),
      Ids{"L-TASK-capability-shape"});
}

TEST(ShapeRulesTest, ModernResults) {
  const Broken table[] = {
      {"server/discover", R"({$DONE,$KEEP,"capabilities":{}})", "M-DISCOVER-SHAPE"},
      {"server/discover",
       R"({$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{"tools":[]}})",
       "M-DISCOVER-CAPABILITIES-SHAPE"},
      {"server/discover",
       R"({$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"a.b/c":1}}})",
       "M-EXT-SETTINGS-OBJECT"},
      {"tools/list", R"({$DONE,$KEEP})", "M-TOOLS-LIST-SHAPE"},
      {"tools/list", R"({$DONE,$KEEP,"tools":[],"nextCursor":1})", "M-PAGE-CURSOR-STRING"},
      {"tools/list", R"({$DONE,$KEEP,"tools":[{"name":"a"}]})", "M-TOOLS-TOOL-SHAPE"},
      {"tools/list", R"({$DONE,$KEEP,"tools":[{"name":"a","inputSchema":{}}]})",
       "M-TOOLS-INPUT-SCHEMA-OBJECT"},
      {"tools/list", R"({$DONE,$KEEP,"tools":[{"name":"a","inputSchema":null}]})",
       "M-TOOLS-INPUT-SCHEMA-OBJECT"},
      {"tools/list",
       R"({$DONE,$KEEP,"tools":[{"name":"a","inputSchema":{"type":"object"},"annotations":{"title":1}}]})",
       "M-TOOLS-ANNOTATIONS-SHAPE"},
      {"tools/list",
       R"({$DONE,$KEEP,"tools":[{"name":"a","inputSchema":{"type":"object"},"icons":{}}]})",
       "M-ICON-SHAPE"},
      {"tools/list",
       R"({$DONE,$KEEP,"tools":[{"name":"a","inputSchema":{"type":"object"},"_meta":1}]})",
       "M-META-RESULT-META-OBJECT"},
      {"tools/call", R"({$DONE})", "M-TOOLS-CALL-SHAPE"},
      {"tools/call", R"({$DONE,"content":[{"type":"text","text":1}]})", "M-CONTENT-TEXT"},
      {"tools/call", R"({$DONE,"content":[{"type":"image"}]})", "M-CONTENT-IMAGE"},
      {"tools/call", R"({$DONE,"content":[{"type":"audio"}]})", "M-CONTENT-AUDIO"},
      {"tools/call", R"({$DONE,"content":[{"type":"resource_link","uri":"a:b"}]})",
       "M-CONTENT-RESOURCE-LINK"},
      {"tools/call", R"({$DONE,"content":[{"type":"resource"}]})", "M-CONTENT-EMBEDDED"},
      {"tools/call", R"({$DONE,"content":[{"type":"x"}]})", "M-CONTENT-KNOWN-TYPES"},
      {"tools/call",
       R"({$DONE,"content":[{"type":"text","text":"","annotations":{"audience":["all"]}}]})",
       "M-CONTENT-ANNOTATIONS"},
      {"prompts/list", R"({$DONE,$KEEP,"prompts":[{"title":"a"}]})", "M-PROMPTS-PROMPT-SHAPE"},
      {"prompts/list", R"({$DONE,$KEEP})", "M-PROMPTS-LIST-SHAPE"},
      {"prompts/get", R"({$DONE})", "M-PROMPTS-GET-SHAPE"},
      {"prompts/get", R"({$DONE,"messages":[{"role":"user"}]})", "M-PROMPTS-MESSAGE-SHAPE"},
      {"resources/list", R"({$DONE,$KEEP})", "M-RES-LIST-SHAPE"},
      {"resources/list", R"({$DONE,$KEEP,"resources":[{"name":"a"}]})", "M-RES-RESOURCE-SHAPE"},
      {"resources/templates/list", R"({$DONE,$KEEP})", "M-RES-TEMPLATES-SHAPE"},
      {"resources/templates/list", R"({$DONE,$KEEP,"resourceTemplates":[{"name":"a"}]})",
       "M-RES-TEMPLATE-SHAPE"},
      {"resources/read", R"({$DONE,$KEEP})", "M-RES-READ-SHAPE"},
      {"resources/read", R"({$DONE,$KEEP,"contents":[{"uri":"a:b"}]})", "M-RES-CONTENTS-SHAPE"},
      {"completion/complete", R"({$DONE,"completion":{}})", "M-COMPL-SHAPE"},
      {"tools/call",
       R"({"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}})",
       "M-META-SERVERINFO-SHAPE"},
  };
  for (const Broken& broken : table) {
    EXPECT_EQ(Modern(broken), Ids{broken.requirement}) << broken.method << ": " << broken.result;
  }
}

TEST(ShapeRulesTest, ListenResult) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 subscriptions/listen {"notifications":{},"_meta":{$ENV}}
    <- notifications/subscriptions/acknowledged {"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}
    <= 1 {$DONE}
  )"),
            Ids{"M-SUB-GRACEFUL-SHAPE"});
}

TEST(ShapeRulesTest, ModernTasks) {
  const std::string tasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
  const std::string good =
      R"("taskId":"a","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null)";
  const std::string task =
      R"({"resultType":"task","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},)";
  const Broken table[] = {
      {"tools/call", task + R"("status":"working"})", "T-CREATE-SHAPE"},
      {"tools/call", task + good + R"(,"status":"busy"})", "T-TASK-STATUS-VALUES"},
      {"tools/call", task + good + R"(,"status":"working","pollIntervalMs":0.5})",
       "T-TASK-POLL-INTERVAL-TYPE"},
      {"tasks/get", R"({$DONE,"status":"working"})", "T-GET-SHAPE"},
      {"tasks/get", R"({$DONE,"status":"completed",)" + good + "}", "T-GET-SHAPE"},
      {"tasks/get", R"({$DONE,"status":"completed","result":1,)" + good + "}", "T-GET-COMPLETED"},
      {"tasks/get",
       R"({$DONE,"status":"failed","statusMessage":"no","error":{"code":"x","message":""},)" +
           good + "}",
       "T-GET-FAILED"},
      {"tasks/get",
       R"({$DONE,"status":"input_required","inputRequests":{"k":{"method":"x"}},)" + good + "}",
       "T-INPUT-REQUEST-SHAPE"},
  };
  for (const Broken& broken : table) {
    EXPECT_EQ(Modern(broken, tasks), Ids{broken.requirement})
        << broken.method << ": " << broken.result;
  }
}

Ids Input(const std::string& request) {
  return Modern(
      {"tools/call",
       R"({"resultType":"input_required","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"inputRequests":{"k":)" +
           request + "}}",
       ""},
      R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}})");
}

TEST(ShapeRulesTest, ModernInputRequests) {
  const auto form = [](const std::string& property) {
    return R"({"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"p":)" +
           property + "}}}}";
  };
  EXPECT_EQ(Input(form(R"({"type":"string"})")), Ids{});
  EXPECT_EQ(Input(R"({"method":"tools/list"})"), Ids{"M-MRTR-REQUEST-KINDS"});
  EXPECT_EQ(Input("[]"), Ids{"M-MRTR-REQUEST-KINDS"});
  EXPECT_EQ(
      Input(
          R"({"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{}}}})"),
      Ids{"M-ELICIT-MODE-AND-MESSAGE"});
  EXPECT_EQ(Input(R"({"method":"elicitation/create","params":{"message":"m"}})"),
            Ids{"M-ELICIT-FORM-SHAPE"});
  EXPECT_EQ(
      Input(
          R"({"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}})"),
      Ids{"M-ELICIT-FORM-SHAPE"});
  EXPECT_EQ(Input(R"({"method":"elicitation/create","params":{"mode":"url","message":"m"}})"),
            Ids{"M-ELICIT-URL-SHAPE"});
  EXPECT_EQ(
      Input(
          R"({"method":"elicitation/create","params":{"mode":"url","message":"m","url":"nowhere"}})"),
      Ids{"M-ELICIT-URL-VALID"});
  EXPECT_EQ(Input(form(R"({"type":"object"})")), Ids{"M-ELICIT-FORM-FLAT"});
  EXPECT_EQ(Input(form(R"({"type":"string","format":"phone"})")), Ids{"M-ELICIT-FORM-STRING"});
  EXPECT_EQ(Input(form(R"({"type":"number","minimum":"1"})")), Ids{"M-ELICIT-FORM-NUMBER"});
  EXPECT_EQ(Input(form(R"({"type":"boolean","default":"no"})")), Ids{"M-ELICIT-FORM-BOOLEAN"});
  EXPECT_EQ(Input(form(R"({"type":"array","items":{"type":"string"}})")),
            Ids{"M-ELICIT-FORM-ENUM"});
  EXPECT_EQ(Input(R"({"method":"sampling/createMessage","params":{"messages":[]}})"),
            Ids{"M-SAMPLING-SHAPE"});
  EXPECT_EQ(
      Input(
          R"({"method":"sampling/createMessage","params":{"messages":[{"role":"x","content":[]}],"maxTokens":1}})"),
      Ids{"M-SAMPLING-MESSAGE-SHAPE"});
  EXPECT_EQ(
      Input(
          R"({"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"tool_use"}}],"maxTokens":1}})"),
      Ids{"M-SAMPLING-TOOL-BLOCK-SHAPE"});
  EXPECT_EQ(
      Input(
          R"({"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"modelPreferences":{"costPriority":2}}})"),
      Ids{"M-SAMPLING-PREFERENCES-SHAPE"});
  EXPECT_EQ(
      Input(
          R"({"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"toolChoice":{"mode":"any"}}})"),
      Ids{"M-SAMPLING-TOOLCHOICE-SHAPE"});
  EXPECT_EQ(
      Input(
          R"({"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[{"name":"a"}]}})"),
      Ids{"M-SAMPLING-TOOL-SHAPE"});
  EXPECT_EQ(Input(R"({"method":"roots/list","params":[]})"), Ids{"M-ROOTS-SHAPE"});
}

TEST(ShapeRulesTest, Notifications) {
  const auto legacy = [](const std::string& text) {
    return Verdicts(
        "open: 2025-11-25 " + kAll + "\n" +
        "=> 1 tools/call {\"name\":\"a\",\"_meta\":{\"progressToken\":\"t\"}}\n<- notifications/" +
        text);
  };
  EXPECT_EQ(legacy(R"(progress {"progressToken":"t"})"), Ids{"L-PROGRESS-shape"});
  EXPECT_EQ(legacy(R"(message {"level":"loud","data":1})"), Ids{"L-LOG-shape-message"});
  EXPECT_EQ(legacy(R"(message {"level":"info"})"), Ids{"L-LOG-shape-message"});
  EXPECT_EQ(legacy(R"(message {"level":"info","data":null})"), Ids{});
  EXPECT_EQ(legacy(R"(cancelled {"requestId":{}})"),
            (Ids{"L-CANCEL-shape", "L-CANCEL-own-requests-only"}));
  EXPECT_EQ(legacy(R"(tools/list_changed {"_meta":1})"), Ids{"L-BASE-meta-is-object"});
  EXPECT_EQ(legacy(R"(elicitation/complete {})"), Ids{"L-ELICIT-complete-id"});
  EXPECT_EQ(legacy(R"(tasks/status {"taskId":"a"})"), Ids{"L-TASK-shape-status-notification"});

  const auto modern = [](const std::string& text) {
    return Verdicts(R"(
      era: modern
      => 1 tools/call {"name":"a","_meta":{$ENV,"progressToken":"t","io.modelcontextprotocol/logLevel":"debug"}}
      => 2 subscriptions/listen {"notifications":{"resourceSubscriptions":["a:"]},"_meta":{$ENV}}
      <- notifications/)" +
                    text);
  };
  EXPECT_EQ(modern(R"(progress {"progressToken":"t","progress":"1"})"), Ids{"M-PROG-SHAPE"});
  EXPECT_EQ(modern(R"(message {"level":"info"})"), Ids{"M-LOG-SHAPE"});
  EXPECT_EQ(modern(R"(cancelled {"requestId":2,"reason":1})"), Ids{"M-CANCEL-SHAPE"});
  EXPECT_EQ(
      modern(
          R"(subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":2}})"),
      Ids{"M-SUB-ACK-SHAPE"});
}

TEST(ShapeRulesTest, LegacyServerRequests) {
  const auto ask = [](const std::string& revision, const std::string& text) {
    return Verdicts("open: " + revision + " " + kAll + "\n<? 1 " + text);
  };
  EXPECT_EQ(ask("2025-11-25", R"(sampling/createMessage {"messages":[]})"),
            Ids{"L-SAMPLE-shape-request"});
  EXPECT_EQ(
      ask("2024-11-05",
          R"(sampling/createMessage {"messages":[{"role":"user","content":[]}],"maxTokens":1})"),
      Ids{"L-SAMPLE-shape-message"});
  EXPECT_EQ(
      ask("2025-11-25",
          R"(sampling/createMessage {"messages":[],"maxTokens":1,"modelPreferences":{"speedPriority":-1}})"),
      Ids{"L-SAMPLE-preferences-range"});
  EXPECT_EQ(ask("2025-06-18", R"(elicitation/create {"message":"m"})"),
            Ids{"L-ELICIT-shape-2025-06"});
  EXPECT_EQ(ask("2025-11-25", R"(elicitation/create {"message":"m"})"),
            Ids{"L-ELICIT-form-params"});
  EXPECT_EQ(
      ask("2025-11-25", R"(elicitation/create {"mode":"url","message":"m","url":"https://a"})"),
      Ids{"L-ELICIT-url-params"});
  EXPECT_EQ(ask("2025-11-25",
                R"(elicitation/create {"requestedSchema":{"type":"object","properties":{}}})"),
            Ids{"L-ELICIT-common-params"});
  EXPECT_EQ(
      ask("2025-06-18",
          R"(elicitation/create {"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"array"}}}})"),
      Ids{"L-ELICIT-flat-schema"});
  EXPECT_EQ(
      ask("2025-11-25",
          R"(elicitation/create {"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","format":"x"}}}})"),
      Ids{"L-ELICIT-string-formats"});
  EXPECT_EQ(ask("2025-11-25", R"(ping {"_meta":{"progressToken":1.5}})"),
            Ids{"L-PROGRESS-token-type-sent"});
}

TEST(ShapeRulesTest, EachRequirementOnceAResult) {
  EXPECT_EQ(
      Modern({"tools/list",
              R"({$DONE,$KEEP,"tools":[{"name":1,"inputSchema":{}},{"name":2,"inputSchema":1}]})",
              ""})
          .size(),
      2U);
}

}  // namespace
}  // namespace assay::oracle
