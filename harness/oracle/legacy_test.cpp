#include "oracle/legacy.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

Ids Open(const std::string& text, const std::string& server = "{}",
         const std::string& client = "{}", const std::string& revision = "2025-11-25") {
  return Verdicts("open: " + revision + " " + server + " " + client + "\n" + text);
}

const std::string kAsk =
    R"(<? 1 elicitation/create {"message":"m","requestedSchema":{"type":"object","properties":{}}})";
const std::string kSample = R"(<? 1 sampling/createMessage {"messages":[],"maxTokens":1})";
const std::string kRoots = "<? 1 roots/list";

TEST(LegacyTest, NothingComesFirst) {
  EXPECT_EQ(Verdicts("! started\n<- notifications/tools/list_changed\nopen: 2025-11-25 "
                     "{\"tools\":{\"listChanged\":true}}"),
            Ids{"L-INIT-first-interaction"});
  EXPECT_EQ(Verdicts("<- notifications/message {\"level\":\"info\",\"data\":1}\nopen: 2025-11-25 "
                     "{\"logging\":{}}"),
            Ids{});
}

TEST(LegacyTest, Version) {
  const auto initialize = [](const std::string& asked, const std::string& answered) {
    return Verdicts("=> 1 initialize {\"protocolVersion\":\"" + asked +
                    "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}\n<= "
                    "1 {\"protocolVersion\":\"" +
                    answered +
                    "\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
  };
  EXPECT_EQ(initialize("1999-01-01", "1999-01-01"), Ids{"L-INIT-version-other"});
  EXPECT_EQ(initialize("1999-01-01", "2025-11-25"), Ids{});
  EXPECT_EQ(initialize("2026-07-28", "2026-07-28"), Ids{"M-VER-DUAL-INITIALIZE-LEGACY"});
}

TEST(LegacyTest, ModernServersSendNoRequests) {
  EXPECT_EQ(Verdicts("era: modern\n=> 1 tools/call {\"name\":\"a\",\"_meta\":{$ENV}}\n" + kRoots),
            Ids{"M-RPC-NO-SERVER-REQUESTS"});
}

TEST(LegacyTest, IdsOfRequests) {
  EXPECT_EQ(Open("<? null ping"), Ids{"L-BASE-request-id-not-null"});
  EXPECT_EQ(Open("<? 1.5 ping"), Ids{"L-BASE-request-id-present"});
  EXPECT_EQ(Open("<? 1 ping\n>= 1\n<? 1 ping"), Ids{"L-BASE-request-id-unique"});
  EXPECT_EQ(Open("<? 1 ping\n<? \"1\" ping"), Ids{});
  EXPECT_EQ(Open("<? 1 ping {\"_meta\":{\"progressToken\":1}}\n<? 2 ping "
                 "{\"_meta\":{\"progressToken\":1}}"),
            Ids{"L-PROGRESS-token-unique-sent"});
}

TEST(LegacyTest, OnlyWhatTheClientDeclared) {
  EXPECT_EQ(Open(kSample), Ids{"L-SAMPLE-capability"});
  EXPECT_EQ(Open(kAsk), Ids{"L-ELICIT-capability"});
  EXPECT_EQ(Open(kRoots), Ids{"L-INIT-only-negotiated"});
  EXPECT_EQ(Open(kSample, "{}", "{}", "2024-11-05"), Ids{"L-INIT-only-negotiated-weak"});
  EXPECT_EQ(Open(kAsk, "{}", R"({"elicitation":{}})", "2025-03-26"),
            Ids{"L-INIT-respect-version-weak"});
  EXPECT_EQ(Open(kAsk, "{}", R"({"elicitation":{}})"), Ids{});
  EXPECT_EQ(Open(kAsk, "{}", R"({"elicitation":{"url":{}}})"), Ids{"L-ELICIT-mode-supported"});
  for (const std::string& broken : Open("<? 1 elicitation/create", "{}", R"({"elicitation":{}})")) {
    EXPECT_FALSE(broken.starts_with("L-ELICIT-mode")) << "without params there is no mode";
  }
  EXPECT_EQ(Open(R"(<? 1 sampling/createMessage {"messages":[],"maxTokens":1,"tools":[]})", "{}",
                 R"({"sampling":{}})"),
            Ids{"L-SAMPLE-tools-capability"});
  EXPECT_EQ(
      Open(
          R"(<? 1 sampling/createMessage {"messages":[],"maxTokens":1,"includeContext":"allServers"})",
          "{}", R"({"sampling":{}})"),
      Ids{"L-SAMPLE-include-context-capability"});
}

TEST(LegacyTest, NotBeforeInitialized) {
  EXPECT_EQ(Verdicts(R"(
    era: legacy
    => 1 initialize {"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"a","version":"1"}}
    <= 1 {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
    <? 1 ping
    <? 2 roots/list
    -> notifications/initialized
  )"),
            Ids{"L-INIT-no-requests-before-initialized"});
}

TEST(LegacyTest, WhatWorksIsDeclared) {
  EXPECT_EQ(Open("=> 1 tools/list\n<= 1 "
                 "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}]}"),
            Ids{"L-TOOLS-declare"});
  EXPECT_EQ(Open("=> 1 tools/list\n<= 1 {\"tools\":[]}"), Ids{});
  EXPECT_EQ(Open("=> 1 prompts/get {\"name\":\"a\"}\n<= 1 {\"messages\":[]}"),
            Ids{"L-PROMPT-declare"});
  EXPECT_EQ(Open("=> 1 resources/read {\"uri\":\"a:b\"}\n<= 1 {\"contents\":[]}"),
            Ids{"L-RES-declare"});
  EXPECT_EQ(Open("=> 1 logging/setLevel {\"level\":\"info\"}\n<= 1"),
            Ids{"L-INIT-declare-implemented"});
  const std::string complete = R"(=> 1 completion/complete {"ref":{},"argument":{}}
    <= 1 {"completion":{"values":["a"]}})";
  EXPECT_EQ(Open(complete), Ids{"L-COMPLETE-declare"});
  EXPECT_EQ(Open("=> 1 completion/complete {\"ref\":{},\"argument\":{}}\n"
                 "<= 1 {\"completion\":{\"values\":[]}}"),
            Ids{});
  EXPECT_EQ(Open(complete, "{}", "{}", "2024-11-05"), Ids{});
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 0 server/discover $2026
    <= 0 {$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{}}
    => 1 tools/call {"name":"a","_meta":{$ENV}}
    <= 1 {$DONE,"content":[]}
  )"),
            Ids{"M-TOOLS-CAPABILITY"});
}

TEST(LegacyTest, WhatWasAnsweredOnceIsNotUnknown) {
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 0 server/discover $2026
    <= 0 {$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{}}
    => 1 server/discover $2026
    <! 1 -32601
  )"),
            Ids{});
}

TEST(LegacyTest, WhatIsDeclaredWorks) {
  EXPECT_EQ(Open("=> 1 tools/list\n<! 1 -32601", "{\"tools\":{}}"), Ids{"L-TOOLS-list-works"});
  EXPECT_EQ(Open("=> 1 prompts/list\n<! 1 -32601", "{\"prompts\":{}}"), Ids{"L-PROMPT-list-works"});
  EXPECT_EQ(Open("=> 1 resources/list\n<! 1 -32601", "{\"resources\":{}}"),
            Ids{"L-RES-list-works"});
  EXPECT_EQ(Open("=> 1 logging/setLevel {\"level\":\"info\"}\n<! 1 -32601", "{\"logging\":{}}"),
            Ids{"L-LOG-setlevel-empty-result"});
  EXPECT_EQ(Open("=> 1 resources/subscribe {\"uri\":\"a:b\"}\n<! 1 -32601",
                 "{\"resources\":{\"subscribe\":true}}"),
            Ids{"L-RES-subscribe-empty-result"});
  EXPECT_EQ(Open("=> 1 ping\n<! 1 -32601"), Ids{"L-PING-respond"});
  EXPECT_EQ(Open("=> 1 tools/list\n<! 1 -32601"), Ids{});
  EXPECT_EQ(Verdicts("era: modern\n=> 1 server/discover $2026\n<! 1 -32601"),
            Ids{"M-DISCOVER-IMPLEMENTED"});
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 0 server/discover $2026
    <= 0 {$DONE,$KEEP,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
    => 1 tools/list $2026
    <! 1 -32601
  )"),
            Ids{"M-TOOLS-LIST-ANSWERED"});
}

}  // namespace
}  // namespace assay::oracle
