#include "oracle/features.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

const std::string kOpen =
    "open: 2025-11-25 "
    "{\"tools\":{},\"prompts\":{},\"resources\":{},\"completions\":{},\"logging\":{}}\n";

Ids Legacy(const std::string& request, const std::string& result) {
  return Verdicts(kOpen + "=> 1 " + request + "\n<= 1 " + result);
}
Ids ModernTools(const std::string& tools) {
  return Verdicts("era: modern\n=> 1 tools/list $2026\n<= 1 {$DONE,$KEEP,\"tools\":" + tools + "}");
}
std::string Tool(const std::string& name, const std::string& schema = "{\"type\":\"object\"}") {
  return "{\"name\":\"" + name + "\",\"inputSchema\":" + schema + "}";
}

TEST(FeaturesTest, NamesAreUnique) {
  EXPECT_EQ(Legacy("tools/list", "{\"tools\":[" + Tool("a") + "," + Tool("a") + "]}"),
            Ids{"L-TOOLS-name-unique"});
  EXPECT_EQ(ModernTools("[" + Tool("a") + "," + Tool("a") + "]"), Ids{"M-TOOLS-NAME-UNIQUE"});
  EXPECT_EQ(Legacy("prompts/list", R"({"prompts":[{"name":"a"},{"name":"a"}]})"),
            Ids{"L-PROMPT-name-unique"});
  EXPECT_EQ(Legacy("resources/list",
                   R"({"resources":[{"uri":"a:b","name":"a"},{"uri":"a:b","name":"b"}]})"),
            Ids{"L-RES-uri-unique"});
}

TEST(FeaturesTest, PagesDoNotRepeat) {
  EXPECT_EQ(
      Verdicts(kOpen + "=> 1 tools/list\n<= 1 {\"tools\":[" + Tool("a") +
               "],\"nextCursor\":\"2\"}\n=> 2 tools/list {\"cursor\":\"2\"}\n<= 2 {\"tools\":[" +
               Tool("a") + "]}"),
      Ids{"L-PAGE-continues-after-cursor?"});
}

TEST(FeaturesTest, ListsKeepTheirOrder) {
  const auto list = [](const std::string& id, const std::string& first, const std::string& second) {
    return "=> " + id + " tools/list $2026\n<= " + id + " {$DONE,$KEEP,\"tools\":[" + Tool(first) +
           "," + Tool(second) + "]}\n";
  };
  EXPECT_EQ(Verdicts("era: modern\n" + list("1", "a", "b") + list("2", "b", "a")),
            Ids{"M-TOOLS-LIST-ORDER"});
  EXPECT_EQ(Verdicts("era: modern\n" + list("1", "a", "b") + list("2", "b", "c")), Ids{});
}

TEST(FeaturesTest, ToolNames) {
  EXPECT_EQ(ModernTools("[" + Tool("") + "]"), Ids{"M-TOOLS-NAME-LENGTH"});
  EXPECT_EQ(ModernTools("[" + Tool(std::string(129, 'a')) + "]"), Ids{"M-TOOLS-NAME-LENGTH"});
  EXPECT_EQ(ModernTools("[" + Tool("a b") + "]"), Ids{"M-TOOLS-NAME-CHARSET"});
  EXPECT_EQ(ModernTools("[" + Tool("a\\n") + "]"), Ids{"M-TOOLS-NAME-CHARSET"});
  EXPECT_EQ(Legacy("tools/list", "{\"tools\":[" + Tool("a/b") + "]}"), Ids{"L-TOOLS-name-charset"});
}

TEST(FeaturesTest, Schemas) {
  EXPECT_EQ(ModernTools("[" + Tool("a", R"({"type":"object","properties":[]})") + "]"),
            Ids{"M-TOOLS-INPUT-SCHEMA-VALID"});
  EXPECT_EQ(ModernTools(
                R"([{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"text"}}])"),
            Ids{"M-TOOLS-OUTPUT-SCHEMA-VALID"});
  EXPECT_EQ(Legacy("tools/list",
                   "{\"tools\":[" +
                       Tool("a", R"({"type":"object","properties":{"x":{"type":"str"}}})") + "]}"),
            Ids{"L-TOOLS-input-schema-valid"});
}

TEST(FeaturesTest, SchemasAreReadByTheirDialect) {
  const std::string tuple = R"("type":"object","properties":{"x":{"items":[{},{}]}}})";
  EXPECT_EQ(ModernTools("[" + Tool("a", "{" + tuple) + "]"),
            (Ids{"M-JSCHEMA-DEFAULT-DIALECT", "M-TOOLS-INPUT-SCHEMA-VALID"}));
  EXPECT_EQ(
      ModernTools("[" +
                  Tool("a", R"({"$schema":"http://json-schema.org/draft-07/schema#",)" + tuple) +
                  "]"),
      Ids{});
}

TEST(FeaturesTest, SchemasThatNobodyCanUseAreWarnedOf) {
  EXPECT_EQ(
      ModernTools("[" + Tool("a", R"({"type":"object","properties":{"x":{"$ref":"#/$defs/x"}}})") +
                  "]"),
      Ids{"M-TOOLS-INPUT-SCHEMA-VALID?"});
}

TEST(FeaturesTest, SchemasOfOtherDialectsAreNotJudged) {
  const std::string text =
      "era: modern\n=> 1 tools/list $2026\n<= 1 {$DONE,$KEEP,\"tools\":[" +
      Tool("a", R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"object",)"
                R"("properties":{"n":{"type":"integer","exclusiveMinimum":true}}})") +
      "]}";
  EXPECT_EQ(Verdicts(text), Ids{});
  EXPECT_EQ(UnjudgedIn(text),
            Ids{"M-TOOLS-INPUT-SCHEMA-VALID: The inputSchema of tool a: its dialect is "
                "\"http://json-schema.org/draft-04/schema#\""});
}

TEST(FeaturesTest, HeaderAnnotations) {
  const auto tool = [](const std::string& properties) {
    return ModernTools("[" + Tool("a", R"({"type":"object","properties":{)" + properties + "}}") +
                       "]");
  };
  EXPECT_EQ(tool(R"("x":{"type":"string","x-mcp-header":"X"})"), Ids{});
  EXPECT_EQ(tool(R"("x":{"type":"string","x-mcp-header":""})"), Ids{"M-TOOLS-XHDR-NON-EMPTY"});
  EXPECT_EQ(tool(R"("x":{"type":"string","x-mcp-header":"a b"})"), Ids{"M-TOOLS-XHDR-TOKEN"});
  EXPECT_EQ(tool(R"("x":{"type":"number","x-mcp-header":"X"})"), Ids{"M-TOOLS-XHDR-PRIMITIVE"});
  EXPECT_EQ(
      tool(R"("x":{"type":"string","x-mcp-header":"X"},"y":{"type":"string","x-mcp-header":"x"})"),
      Ids{"M-TOOLS-XHDR-UNIQUE"});
  EXPECT_EQ(tool(R"("x":{"type":"string","x-mcp-header":"a\r\nb"})"),
            Ids{"M-TOOLS-XHDR-NO-CONTROL"});
  EXPECT_EQ(tool(R"("password":{"type":"string","x-mcp-header":"X"})"),
            Ids{"M-TOOLS-XHDR-NOT-SENSITIVE?"});
}

TEST(FeaturesTest, HeaderAnnotationsAreReachedByPropertiesAlone) {
  const auto schema = [](const std::string& members) {
    return ModernTools("[" + Tool("a", R"({"type":"object",)" + members + "}") + "]");
  };
  const std::string mirrored = R"({"type":"string","x-mcp-header":"X"})";
  const std::string property = R"({"properties":{"x":)" + mirrored + "}}";
  EXPECT_EQ(schema(R"("properties":{"a":{"type":"object",)" + property.substr(1) + "}"), Ids{});
  // A property of that name is no keyword, and a default is no schema.
  EXPECT_EQ(schema(R"("properties":{"items":)" + mirrored + "}"), Ids{});
  EXPECT_EQ(schema(R"("default":{"items":)" + mirrored + "}"), Ids{});
  const Ids unreachable{"M-TOOLS-XHDR-REACHABLE"};
  EXPECT_EQ(schema(R"("x-mcp-header":"X")"), unreachable);
  EXPECT_EQ(schema(R"("allOf":[)" + property + "]"), unreachable);
  EXPECT_EQ(schema(R"("if":)" + property), unreachable);
  EXPECT_EQ(schema(R"("$defs":{"d":)" + mirrored + "}"), unreachable);
  EXPECT_EQ(schema(R"("properties":{"a":{"type":"array","items":)" + mirrored + "}}"), unreachable);
}

std::string CallText(const std::string& schema, const std::string& result,
                     const std::string& open = kOpen) {
  return open + R"(
    => 1 tools/list
    <= 1 {"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":)" +
         schema + R"(}]}
    => 2 tools/call {"name":"a"}
    <= 2 )" +
         result;
}
Ids Call(const std::string& schema, const std::string& result) {
  return Verdicts(CallText(schema, result));
}

TEST(FeaturesTest, StructuredOutputBySchemasWithReferencesAndAlternatives) {
  const std::string schema =
      R"({"type":"object","additionalProperties":false,"properties":{"at":{"$ref":"#/$defs/place"}},)"
      R"("$defs":{"place":{"oneOf":[{"type":"null"},{"type":"array","prefixItems":)"
      R"([{"type":"number"},{"type":"number"}],"items":false}]}}})";
  const auto gives = [&](const std::string& structured) {
    return Call(schema, R"({"content":[],"structuredContent":)" + structured + "}");
  };
  const std::string copy = "L-TOOLS-structured-also-text";
  EXPECT_EQ(gives(R"({"at":[1,2]})"), Ids{copy});
  EXPECT_EQ(gives(R"({"at":null})"), Ids{copy});
  EXPECT_EQ(gives(R"({"at":[1,2,3]})"), (Ids{copy, "L-TOOLS-output-conforms"}));
  EXPECT_EQ(gives(R"({"at":null,"more":1})"), (Ids{copy, "L-TOOLS-output-conforms"}));
}

TEST(FeaturesTest, StructuredOutputThatIsNotJudged) {
  const std::string result =
      R"({"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}})";
  const std::string elsewhere =
      CallText(R"({"type":"object","properties":{"a":{"$ref":"https://example.com/a"}}})", result);
  EXPECT_EQ(Verdicts(elsewhere), Ids{});
  EXPECT_EQ(UnjudgedIn(elsewhere),
            Ids{"L-TOOLS-output-conforms: The structuredContent of tool a: /a is not judged by "
                "what is not in the schema, https://example.com/a (/properties/a/$ref)"});
  // No page before 2025-11-25 says which dialect a schema without $schema has.
  const std::string dependent = R"({"type":"object","dependentRequired":{"a":["b"]}})";
  const std::string old = CallText(dependent, result, "open: 2025-06-18 {\"tools\":{}}\n");
  EXPECT_EQ(Verdicts(old), Ids{});
  EXPECT_EQ(UnjudgedIn(old).size(), 1U);
  EXPECT_EQ(Call(dependent, result), Ids{"L-TOOLS-output-conforms"});
}

TEST(FeaturesTest, StructuredOutput) {
  const std::string schema =
      R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})";
  EXPECT_EQ(
      Call(schema,
           R"({"content":[{"type":"text","text":"{\"n\":1.0}"}],"structuredContent":{"n":1}})"),
      Ids{});
  EXPECT_EQ(Call(schema, R"({"content":[]})"), Ids{"L-TOOLS-output-conforms"});
  EXPECT_EQ(Call(schema, R"({"content":[],"isError":true})"), Ids{});
  EXPECT_EQ(
      Call(schema,
           R"({"content":[{"type":"text","text":"{\"n\":\"1\"}"}],"structuredContent":{"n":"1"}})"),
      Ids{"L-TOOLS-output-conforms"});
  EXPECT_EQ(
      Call(schema, R"({"content":[{"type":"text","text":"n is 1"}],"structuredContent":{"n":1}})"),
      Ids{"L-TOOLS-structured-also-text"});
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 tools/list $2026
    <= 1 {$DONE,$KEEP,"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]}
    => 2 tools/call {"name":"a","_meta":{$ENV}}
    <= 2 {$DONE,"content":[]}
    => 3 tools/call {"name":"a","_meta":{$ENV}}
    <= 3 {$DONE,"content":[{"type":"text","text":"null"}],"structuredContent":null}
  )"),
            (Ids{"M-TOOLS-STRUCTURED-PRESENT", "M-TOOLS-STRUCTURED-CONFORMS"}));
}

TEST(FeaturesTest, StructuredOutputByWhatWasListedBefore) {
  const Json tools = *ParseJson(R"([{"name":"a","outputSchema":{"required":["n"]}}])").value;
  Transcript transcript =
      ParseTranscript(kOpen + "=> 1 tools/call {\"name\":\"a\"}\n<= 1 " +
                      R"({"content":[{"type":"text","text":"{}"}],"structuredContent":{}})");
  EXPECT_TRUE(FindingsOf(transcript).empty());
  transcript.legacy_tools = &tools;
  const std::vector<Finding> findings = FindingsOf(transcript);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].requirement, "L-TOOLS-output-conforms");
}

TEST(FeaturesTest, Base64) {
  EXPECT_EQ(Legacy("tools/call {\"name\":\"a\"}",
                   R"({"content":[{"type":"image","data":"@@@","mimeType":"image/png"}]})"),
            Ids{"L-TOOLS-shape-image-content"});
  EXPECT_EQ(Legacy("tools/call {\"name\":\"a\"}",
                   R"({"content":[{"type":"audio","data":"A","mimeType":"audio/wav"}]})"),
            Ids{"L-TOOLS-shape-audio-content"});
  EXPECT_EQ(
      Legacy(
          "prompts/get {\"name\":\"a\"}",
          R"({"messages":[{"role":"user","content":{"type":"image","data":"A","mimeType":"image/png"}}]})"),
      Ids{"L-PROMPT-image-base64"});
  EXPECT_EQ(
      Legacy("resources/read {\"uri\":\"a:b\"}", R"({"contents":[{"uri":"a:b","blob":"A"}]})"),
      Ids{"L-RES-binary-encoded"});
}

TEST(FeaturesTest, EmbeddedResources) {
  EXPECT_EQ(Verdicts("open: 2025-11-25 {\"tools\":{}}\n=> 1 tools/call {\"name\":\"a\"}\n<= 1 "
                     R"({"content":[{"type":"resource","resource":{"uri":"a:b","text":""}}]})"),
            Ids{"L-TOOLS-embedded-needs-resources"});
  EXPECT_EQ(
      Legacy(
          "prompts/get {\"name\":\"a\"}",
          R"({"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","text":""}}}]})"),
      Ids{"L-PROMPT-embedded-complete?"});
}

TEST(FeaturesTest, Uris) {
  EXPECT_EQ(Legacy("resources/list", R"({"resources":[{"uri":"note:a b","name":"a"}]})"),
            Ids{"L-RES-uri-rfc3986"});
  EXPECT_EQ(Legacy("resources/list", R"({"resources":[{"uri":"note:%zz","name":"a"}]})"),
            Ids{"L-RES-uri-rfc3986"});
  EXPECT_EQ(Legacy("resources/list", R"({"resources":[{"uri":"file:///a b","name":"a"}]})"),
            Ids{"L-RES-uri-rfc3986?"});
}

TEST(FeaturesTest, Completions) {
  std::string values = "\"x\"";
  for (int i = 0; i < 100; ++i) values += ",\"x\"";
  EXPECT_EQ(Legacy("completion/complete {\"ref\":{},\"argument\":{}}",
                   "{\"completion\":{\"values\":[" + values + "]}}"),
            Ids{"L-COMPLETE-max-100"});
}

TEST(FeaturesTest, EmptyResults) {
  EXPECT_EQ(Legacy("ping", R"({"pong":true})"), Ids{"L-PING-respond?"});
  EXPECT_EQ(Legacy("logging/setLevel {\"level\":\"info\"}", R"({"ok":true})"),
            Ids{"L-LOG-setlevel-empty-result?"});
}

}  // namespace
}  // namespace assay::oracle
