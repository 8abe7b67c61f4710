#include "oracle/envelope.h"

#include <gtest/gtest.h>

#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

using Ids = std::vector<std::string>;

constexpr char kVersion[] = "\"io.modelcontextprotocol/protocolVersion\":";
constexpr char kCapabilities[] = "\"io.modelcontextprotocol/clientCapabilities\":";

Ids Answer(const std::string& meta, const std::string& answer,
           const std::string& method = "tools/list") {
  return Verdicts("era: modern\n=> 1 " + method + " {\"_meta\":{" + meta + "}}\n" + answer);
}

const std::string kServed = "<= 1 {$DONE,$KEEP,\"tools\":[]}";
const std::string kOnlyVersion = std::string(kVersion) + "\"2026-07-28\"";
const std::string kOnlyCapabilities = std::string(kCapabilities) + "{}";

TEST(EnvelopeTest, DefectsAreNotServed) {
  EXPECT_EQ(Answer("", kServed), Ids{"M-META-MISSING-META"});
  EXPECT_EQ(Answer(kOnlyCapabilities, kServed), Ids{"M-META-MISSING-VERSION"});
  EXPECT_EQ(Answer(kOnlyVersion, kServed), Ids{"M-META-MISSING-CAPABILITIES"});
  EXPECT_EQ(Answer(std::string(kVersion) + "20260728," + kOnlyCapabilities, kServed),
            Ids{"M-META-WRONG-TYPES"});
  EXPECT_EQ(Answer(kOnlyVersion + "," + kCapabilities + "[]", kServed), Ids{"M-META-WRONG-TYPES"});
  EXPECT_EQ(Answer(std::string(kVersion) + "\"1900-01-01\"," + kOnlyCapabilities, kServed),
            Ids{"M-VER-UNSUPPORTED"});
}

TEST(EnvelopeTest, DefectsHaveTheirCodes) {
  EXPECT_EQ(Answer(kOnlyVersion, "<! 1 -32602"), Ids{});
  EXPECT_EQ(Answer(kOnlyVersion, "<! 1 -32601"), Ids{});  // not every server has tools
  EXPECT_EQ(Answer(kOnlyVersion, "<! 1 -32603"), Ids{"M-META-MISSING-CAPABILITIES"});
  EXPECT_EQ(Answer(kOnlyVersion, "<! 1 -32601", "server/discover"),
            Ids{"M-META-MISSING-CAPABILITIES"});
  EXPECT_EQ(Answer(std::string(kVersion) + "\"1900-01-01\"," + kOnlyCapabilities, "<! 1 -32602"),
            Ids{"M-VER-UNSUPPORTED"});
  EXPECT_EQ(Answer(std::string(kVersion) + "\"1900-01-01\"," + kOnlyCapabilities, "<! 1 -32602",
                   "server/discover"),
            Ids{"M-VER-UNSUPPORTED-DISCOVER"});
  // Two defects: either code.
  EXPECT_EQ(Answer(std::string(kVersion) + "\"1900-01-01\"", "<! 1 -32602"), Ids{});
  // A bare request may as well be taken for a legacy one.
  EXPECT_EQ(Answer("", "<! 1 -32600"), Ids{});
}

TEST(EnvelopeTest, OtherDefectsHaveCodesOfTheirOwn) {
  const std::string unsupported = std::string(kVersion) + "\"1900-01-01\",";
  EXPECT_EQ(Answer(unsupported + kCapabilities + "{\"roots\":\"\"}", "<! 1 -32602"), Ids{});
  EXPECT_EQ(Answer(unsupported + kOnlyCapabilities, "<! 1 -32602", "tools/call"), Ids{});
  EXPECT_EQ(Answer(unsupported + kOnlyCapabilities + ",\"io.modelcontextprotocol/logLevel\":\"\"",
                   "<! 1 -32602"),
            Ids{});
  EXPECT_EQ(Answer(unsupported + kOnlyCapabilities +
                       ",\"io.modelcontextprotocol/clientInfo\":{\"name\":1}",
                   "<! 1 -32602"),
            Ids{});
}

TEST(EnvelopeTest, WhichOfTwoEqualKeysCountsIsOpen) {
  EXPECT_EQ(
      Answer(std::string(kVersion) + "\"1900-01-01\"," + kOnlyVersion + "," + kOnlyCapabilities,
             "<! 1 {\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2026-07-28\"],"
             "\"requested\":\"1900-01-01\"}}"),
      Ids{});
}

TEST(EnvelopeTest, WhatALegacyVersionGetsIsOpen) {
  EXPECT_EQ(Answer(std::string(kVersion) + "\"2025-11-25\"," + kOnlyCapabilities, kServed), Ids{});
}

TEST(EnvelopeTest, ServedUnderAnUnknownVersionIsOneFinding) {
  EXPECT_EQ(
      Answer(std::string(kVersion) + "\"1900-01-01\"," + kOnlyCapabilities, "<= 1 {\"tools\":1}"),
      Ids{"M-VER-UNSUPPORTED"});
}

TEST(EnvelopeTest, AfterAHandshakeAnEnvelopeIsOpen) {
  EXPECT_EQ(Verdicts("open: 2025-11-25 {\"tools\":{}}\n=> 1 tools/list {\"_meta\":{" +
                     kOnlyVersion + "}}\n" + kServed),
            Ids{});
}

TEST(EnvelopeTest, VersionsAreHonoured) {
  const std::string discover = R"(
    era: modern
    => 1 server/discover $2026
    <= 1 {$DONE,$KEEP,"capabilities":{},"supportedVersions":)";
  EXPECT_EQ(Verdicts(discover + "[\"2027-01-01\"]}"), Ids{"M-DISCOVER-VERSIONS-HONOURED"});
  const std::string refused =
      "=> 2 x $2026\n<! 2 "
      "{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2027-01-01\"],"
      "\"requested\":\"2026-07-28\"}}";
  EXPECT_EQ(Verdicts(discover + "[\"2026-07-28\"]}\n" + refused),
            Ids{"M-DISCOVER-VERSIONS-HONOURED"});
  EXPECT_EQ(Verdicts("era: modern\n=> 1 tools/list $2026\n" + kServed + "\n" + refused),
            Ids{"M-ERR-RESERVED-MEANING"});
}

}  // namespace
}  // namespace assay::oracle
