#include "oracle/framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/transcript_text.h"

namespace assay::oracle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A session of 2025-11-25 that is open and has nothing in flight.
const std::string kOpen = R"(
  era: legacy
  revision: 2025-11-25
  > {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
  < {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
  > {"jsonrpc":"2.0","method":"notifications/initialized"}
)";

std::string At(const std::string& revision, std::string text) {
  for (std::size_t at = text.find("2025-11-25"); at != std::string::npos;
       at = text.find("2025-11-25")) {
    text.replace(at, 10, revision);
  }
  return text;
}

const std::string kPing = R"(
  > {"jsonrpc":"2.0","id":1,"method":"ping"}
  < {"jsonrpc":"2.0","id":1,"result":{}}
)";

TEST(FramingTest, PlainSessionIsClean) { EXPECT_THAT(Verdicts(kOpen + kPing), IsEmpty()); }

TEST(FramingTest, CarriageReturnIsWhitespace) {
  EXPECT_THAT(Verdicts(kOpen + "< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress/x\"}\r\n"),
              ElementsAre("L-INIT-respect-version?"));
}

TEST(FramingTest, BannerIsNoMessage) {
  EXPECT_THAT(Verdicts("< server v1.2.3\n" + kOpen), ElementsAre("L-STDIO-stdout-clean"));
  EXPECT_THAT(Verdicts("era: modern\n< server v1.2.3\n"), ElementsAre("M-STDIO-STDOUT-ONLY-MCP"));
}

TEST(FramingTest, SaysWhatALineIs) {
  const auto message = [](const std::string& line) { return FindingsOf(kOpen + line).at(0).message; };
  EXPECT_EQ(message("< Content-Length: 12\r\n"),
            "Messages on stdout are framed with headers instead of newlines");
  EXPECT_EQ(message("< {\"a\":1}{\"b\":2}\n"), "A line on stdout holds more than one message");
  EXPECT_EQ(message("< info: ready\n"), "A line on stdout is not JSON");
}

TEST(FramingTest, EmptyLineIsWorthAWarning) {
  EXPECT_THAT(Verdicts(kOpen + "<  \n"), ElementsAre("L-STDIO-newline-delimited"));
}

TEST(FramingTest, InvalidUtf8) {
  EXPECT_THAT(Verdicts(kOpen + "< {\"a\":\"\xff\"}\n"), ElementsAre("L-BASE-utf8"));
  EXPECT_THAT(Verdicts(At("2024-11-05", kOpen) + "< {\"a\":\"\xff\"}\n"),
              ElementsAre("L-STDIO-stdout-clean?"));
}

TEST(FramingTest, PrettyPrintedMessageIsOneFindingAndStillAnAnswer) {
  EXPECT_THAT(Verdicts(kOpen + R"(
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    < {
    <   "jsonrpc": "2.0",
    <   "id": 1,
    <   "result": {}
    < }
    ! exited 0
  )"),
              ElementsAre("L-STDIO-no-embedded-newline"));
}

TEST(FramingTest, RawNewlineInAString) {
  const auto findings = FindingsOf(kOpen + R"(
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    < {"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":"one
    < two"}}}
  )");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].requirement, "L-STDIO-no-embedded-newline");
  EXPECT_EQ(findings[0].message, "A message has a raw newline in a string and is torn into lines");
}

TEST(FramingTest, ArrayIsFineOnlyAtItsRevision) {
  const std::string batch = R"(
    > [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
    < [{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]
  )";
  EXPECT_THAT(Verdicts(At("2025-03-26", kOpen) + batch), IsEmpty());
  EXPECT_THAT(Verdicts(At("2024-11-05", kOpen) + batch), ElementsAre("L-STDIO-single-message?"));
  EXPECT_THAT(Verdicts(kOpen + R"(
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    < [{"jsonrpc":"2.0","id":1,"result":{}}]
  )"),
              ElementsAre("L-STDIO-single-message-2025-06"));
  EXPECT_THAT(Verdicts(At("2025-03-26", kOpen) + "< []\n"),
              ElementsAre("L-BATCH-only-notifications-silent"));
}

TEST(FramingTest, JsonThatIsNoMessage) {
  EXPECT_THAT(Verdicts(kOpen + "< {\"level\":\"info\",\"msg\":\"ready\"}\n"),
              ElementsAre("L-STDIO-stdout-clean"));
  EXPECT_THAT(Verdicts(kOpen + "< 42\n"), ElementsAre("L-STDIO-stdout-clean"));
}

TEST(FramingTest, LastLineWithoutNewline) {
  EXPECT_THAT(Verdicts(kOpen + R"(
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    <| {"jsonrpc":"2.0","id":1,"result":{}}
  )"),
              ElementsAre("L-STDIO-newline-delimited"));
}

TEST(FramingTest, NoPageLimitsOutput) {
  EXPECT_THAT(Verdicts(kOpen + "! overlong\n"), ElementsAre("L-STDIO-newline-delimited?"));
  EXPECT_THAT(Verdicts(kOpen + "! flood\n"), ElementsAre("L-STDIO-stdout-clean?"));
}

}  // namespace
}  // namespace assay::oracle
