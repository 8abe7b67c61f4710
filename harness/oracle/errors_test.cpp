#include "oracle/errors.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

Ids Code(const std::string& code) {
  return Verdicts("era: modern\n=> 1 tools/call {\"name\":\"a\",\"_meta\":{$ENV}}\n<! 1 " + code);
}

TEST(ErrorsTest, CodesOfTheModernEra) {
  EXPECT_EQ(Code("-32002"), Ids{"M-ERR-NO-32002"});
  EXPECT_EQ(Code("-32042"), Ids{"M-ERR-NO-32042"});
  EXPECT_EQ(Code("-32020"), Ids{"M-ERR-RESERVED-MEANING"});
  EXPECT_EQ(Code("-32023"), Ids{"M-ERR-RESERVED-UNDEFINED"});
  EXPECT_EQ(Code("-32099"), Ids{"M-ERR-RESERVED-UNDEFINED"});
  EXPECT_EQ(Code("-32000"), Ids{"M-ERR-LEGACY-RANGE-UNUSED"});
  EXPECT_EQ(Code("-32500"), Ids{"M-ERR-CUSTOM-OUTSIDE-RESERVED"});
  for (const std::string code :
       {"-32700", "-32600", "-32601", "-32602", "-32603", "0", "1", "-31999", "-32769"}) {
    EXPECT_EQ(Code(code), Ids{}) << code;
  }
}

TEST(ErrorsTest, LegacyCodesAreFree) {
  EXPECT_EQ(Verdicts("open: 2025-11-25\n=> 1 resources/read {\"uri\":\"a:b\"}\n<! 1 -32002"),
            Ids{});
}

Ids Version(const std::string& data) {
  return Verdicts(R"(
    era: modern
    => 1 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}}}
    <! 1 {"code":-32022,"message":"no")" +
                  data + "}");
}

TEST(ErrorsTest, UnsupportedVersionSaysWhatIsSupported) {
  EXPECT_EQ(Version(R"(,"data":{"supported":["2026-07-28"],"requested":"1900-01-01"})"), Ids{});
  EXPECT_EQ(Version(""), Ids{"M-VER-UNSUPPORTED-DATA"});
  EXPECT_EQ(Version(R"(,"data":{"requested":"1900-01-01"})"), Ids{"M-VER-UNSUPPORTED-DATA"});
  EXPECT_EQ(Verdicts(R"(
    era: modern
    => 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"},"_meta":{$ENV}}
    <! 1 {"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}
  )"),
            Ids{})
      << "two versions are asked for";
  EXPECT_EQ(Version(R"(,"data":{"supported":["2026-07-28"]})"), Ids{"M-VER-UNSUPPORTED-DATA"});
  EXPECT_EQ(Version(R"(,"data":{"supported":[1],"requested":"1900-01-01"})"),
            Ids{"M-VER-UNSUPPORTED-DATA"});
  EXPECT_EQ(Version(R"(,"data":{"supported":[],"requested":"1900-01-01"})"),
            Ids{"M-VER-UNSUPPORTED-SUPPORTED-LIST"});
  EXPECT_EQ(Version(R"(,"data":{"supported":["1900-01-01"],"requested":"1900-01-01"})"),
            Ids{"M-VER-UNSUPPORTED-SUPPORTED-LIST"});
  EXPECT_EQ(Version(R"(,"data":{"supported":["2026-07-28"],"requested":"1900"})"),
            Ids{"M-VER-UNSUPPORTED-REQUESTED"});
}

Ids Capability(const std::string& declared, const std::string& data) {
  return Verdicts(R"(
    era: modern
    => 1 tools/call {"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":)" +
                  declared + R"(}}
    <! 1 {"code":-32021,"message":"no","data":)" +
                  data + "}");
}

TEST(ErrorsTest, MissingCapabilityIsNamed) {
  EXPECT_EQ(Capability("{}", R"({"requiredCapabilities":{"elicitation":{}}})"), Ids{});
  EXPECT_EQ(
      Capability(R"({"elicitation":{}})", R"({"requiredCapabilities":{"elicitation":{"url":{}}}})"),
      Ids{});
  EXPECT_EQ(Capability("{}", "null"), Ids{"M-META-MISSING-CAPABILITY-DATA"});
  EXPECT_EQ(Capability("{}", R"({"requiredCapabilities":["elicitation"]})"),
            Ids{"M-META-MISSING-CAPABILITY-DATA"});
  EXPECT_EQ(Capability("{}", R"({"requiredCapabilities":{}})"),
            Ids{"M-META-MISSING-CAPABILITY-DATA"});
  EXPECT_EQ(Capability(R"({"elicitation":{}})", R"({"requiredCapabilities":{"elicitation":{}}})"),
            Ids{"M-ERR-RESERVED-MEANING"});
  EXPECT_EQ(
      Capability(
          "{}",
          R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":true}}})"),
      Ids{"T-CREATE-REQUIRED-ERROR-DATA"});
}

Ids Elicitation(const std::string& data) {
  return Verdicts(
      "open: 2025-11-25 {\"tools\":{}} {\"elicitation\":{\"url\":{}}}\n=> 1 tools/call "
      "{\"name\":\"a\"}\n<! 1 {\"code\":-32042,\"message\":\"no\"" +
      data + "}");
}

TEST(ErrorsTest, RequiredElicitationIsListed) {
  EXPECT_EQ(
      Elicitation(
          R"(,"data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"https://a","message":"m"}]})"),
      Ids{});
  EXPECT_EQ(Elicitation(""), Ids{"L-ELICIT-required-error-only-then"});
  EXPECT_EQ(Elicitation(R"(,"data":{"elicitations":[]})"), Ids{"L-ELICIT-required-error-list"});
  EXPECT_EQ(Elicitation(R"(,"data":{"elicitations":[{"mode":"form"}]})"),
            Ids{"L-ELICIT-required-error-url-mode"});
}

}  // namespace
}  // namespace assay::oracle
