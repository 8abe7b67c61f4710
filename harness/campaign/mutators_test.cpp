// Changes stay within their bounds.

#include <gtest/gtest.h>

#include <algorithm>

#include "campaign/byte_mutator.h"
#include "campaign/framing.h"
#include "campaign/json_mutator.h"
#include "campaign/odd_values.h"
#include "message/json.h"

namespace assay {
namespace {

constexpr char kMessage[] =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","list":[1,"two"]}})";

TEST(ByteMutator, MakesNoSecondLine) {
  Chance chance(1);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = kMessage;
    for (int j = 0; j < 3; ++j) MutateBytes(bytes, chance);
    EXPECT_EQ(bytes.find('\n'), std::string::npos);
  }
}

TEST(ByteMutator, TakesTheEmptyText) {
  Chance chance(1);
  for (int i = 0; i < 100; ++i) {
    std::string bytes;
    MutateBytes(bytes, chance);
    EXPECT_LT(bytes.size(), 100U);
  }
}

TEST(JsonMutator, LeavesJson) {
  Chance chance(1);
  int changed = 0;
  for (int i = 0; i < 5000; ++i) {
    Json json = ParseJson(kMessage).value.value();
    MutateJson(json, chance, {"word"});
    const std::string text = json.Dump();
    const JsonParse parsed = ParseJson(text);
    // Deeper than we read ourselves is JSON too.
    EXPECT_TRUE(parsed.value || parsed.error.find("deep") != std::string::npos)
        << parsed.error << ": " << text.substr(0, 200);
    changed += text != kMessage ? 1 : 0;
  }
  EXPECT_GT(changed, 4000);
}

TEST(OddValues, AreJson) {
  Chance chance(1);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = OddValue(chance).Dump();
    const JsonParse parsed = ParseJson(text);
    EXPECT_TRUE(parsed.value || parsed.error.find("deep") != std::string::npos)
        << parsed.error << ": " << text.substr(0, 200);
  }
}

TEST(Framing, EndsTheLine) {
  Chance chance(1);
  for (int i = 0; i < 2000; ++i) {
    const Probe probe = OddFrame(kMessage, chance);
    EXPECT_TRUE(probe.end.ends_with('\n'));
    EXPECT_TRUE(std::is_sorted(probe.split.begin(), probe.split.end()));
  }
}

}  // namespace
}  // namespace assay
