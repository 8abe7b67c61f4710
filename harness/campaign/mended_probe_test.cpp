// Mended messages are what a client may send.

#include "campaign/mended_probe.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(MendedProbe, KeepsWhatIsOddAboutItsMeta) {
  const std::vector<Probe> mended =
      MendedProbes({.era = Era::kLegacy, .revision = "2025-11-25"},
                   {.family = "meta", .bytes = R"({"id":null,"params":{"_meta":{"-":[[]]}}})"});
  ASSERT_EQ(mended.size(), 2U);
  EXPECT_EQ(mended[0].bytes,
            R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"-":[[]]}}})");
  EXPECT_EQ(mended[1].bytes,
            R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a0":[[]]}}})");
}

TEST(MendedProbe, HasAGoodEnvelope) {
  const std::string key = "io.modelcontextprotocol/protocolVersion";
  const std::vector<Probe> mended = MendedProbes(
      {.era = Era::kModern, .revision = "2026-07-28"},
      {.family = "meta",
       .bytes = R"({"method":"x","params":{"_meta":{")" + key + R"(":5,"odd":1},"a":2}})"});
  const Json message = ParseJson(mended.front().bytes).value.value();
  EXPECT_EQ(message.FindString("method"), "x");
  EXPECT_EQ(message.Find("params", "_meta", key)->text(), "2026-07-28");
  EXPECT_NE(message.Find("params", "_meta", "odd"), nullptr);
  EXPECT_NE(message.Find("params", "a"), nullptr);
}

TEST(MendedProbe, WhatIsNoObjectCannotBeMended) {
  EXPECT_TRUE(MendedProbes({.era = Era::kLegacy}, {.family = "x", .bytes = "[1]"}).empty());
}

}  // namespace
}  // namespace assay
