#include "oracle/framing.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

const std::string kOpen = "open: 2025-11-25\n";
const std::string kPing = "=> 1 ping\n<= 1 {}\n";

TEST(FramingTest, PlainSessionIsClean) { EXPECT_EQ(Verdicts(kOpen + kPing), Ids{}); }

TEST(FramingTest, CarriageReturnIsWhitespace) {
  EXPECT_EQ(Verdicts(kOpen + "< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress/x\"}\r\n"),
            Ids{"L-INIT-respect-version?"});
}

TEST(FramingTest, BannerIsNoMessage) {
  EXPECT_EQ(Verdicts("< server v1.2.3\n" + kOpen), Ids{"L-STDIO-stdout-clean"});
  EXPECT_EQ(Verdicts("era: modern\n< server v1.2.3\n"), Ids{"M-STDIO-STDOUT-ONLY-MCP"});
}

TEST(FramingTest, SaysWhatALineIs) {
  const auto message = [](const std::string& line) {
    return FindingsOf(kOpen + line).at(0).message;
  };
  EXPECT_EQ(message("< Content-Length: 12\r\n"),
            "Messages on stdout are framed with headers instead of newlines");
  EXPECT_EQ(message("< {\"a\":1}{\"b\":2}\n"), "A line on stdout holds more than one message");
  EXPECT_EQ(message("< info: ready\n"), "A line on stdout is not JSON");
  EXPECT_EQ(message("< {\"a\":1} ready\n"), "A line on stdout is not JSON");
  EXPECT_EQ(message("< {\"a\":1,{\"b\":2}\n"), "A line on stdout is not JSON");
}

TEST(FramingTest, EmptyLineIsWorthAWarning) {
  EXPECT_EQ(Verdicts(kOpen + "<  \n"), Ids{"L-STDIO-newline-delimited"});
}

TEST(FramingTest, InvalidUtf8) {
  EXPECT_EQ(Verdicts(kOpen + "< {\"a\":\"\xff\"}\n"), Ids{"L-BASE-utf8"});
  EXPECT_EQ(Verdicts(std::string("open: 2024-11-05\n") + "< {\"a\":\"\xff\"}\n"),
            Ids{"L-STDIO-stdout-clean?"});
}

TEST(FramingTest, PrettyPrintedMessageIsOneFindingAndStillAnAnswer) {
  EXPECT_EQ(Verdicts(kOpen + R"(
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    < {
    <   "jsonrpc": "2.0",
    <   "id": 1,
    <   "result": {}
    < }
    ! exited 0
  )"),
            Ids{"L-STDIO-no-embedded-newline"});
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
  EXPECT_EQ(Verdicts(std::string("open: 2025-03-26\n") + batch), Ids{});
  EXPECT_EQ(Verdicts(std::string("open: 2024-11-05\n") + batch), Ids{"L-STDIO-single-message?"});
  EXPECT_EQ(Verdicts(kOpen + R"(
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    < [{"jsonrpc":"2.0","id":1,"result":{}}]
  )"),
            Ids{"L-STDIO-single-message-2025-06"});
  EXPECT_EQ(Verdicts(std::string("open: 2025-03-26\n") + "< []\n"),
            Ids{"L-BATCH-only-notifications-silent"});
}

TEST(FramingTest, JsonThatIsNoMessage) {
  EXPECT_EQ(Verdicts(kOpen + "< {\"level\":\"info\",\"msg\":\"ready\"}\n"),
            Ids{"L-STDIO-stdout-clean"});
  EXPECT_EQ(Verdicts(kOpen + "< 42\n"), Ids{"L-STDIO-stdout-clean"});
}

TEST(FramingTest, LastLineWithoutNewline) {
  EXPECT_EQ(Verdicts(kOpen + R"(
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    <| {"jsonrpc":"2.0","id":1,"result":{}}
  )"),
            Ids{"L-STDIO-newline-delimited"});
}

TEST(FramingTest, NoPageLimitsOutput) {
  EXPECT_EQ(Verdicts(kOpen + "! overlong\n"), Ids{"L-STDIO-newline-delimited?"});
  EXPECT_EQ(Verdicts(kOpen + "! flood\n"), Ids{"L-STDIO-stdout-clean?"});
}

}  // namespace
}  // namespace assay::oracle
