#include "protocol/request_id.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

TEST(RequestId, KeepsTheExactText) {
  for (const char* text : {"0", "-1", "9007199254740993", "123456789012345678901234567890", "1e2",
                           "1.0", R"("a")", R"("")", R"("\u0061\"")"}) {
    const auto id = RequestId::Parse(text);
    ASSERT_TRUE(id) << text;
    EXPECT_EQ(id->text(), text);
  }
}

TEST(RequestId, RefusesWhatIsNeitherStringNorInteger) {
  for (const char* text : {"", "null", "true", "1.5", "1e-1", "[]", "{}", "-1.25e1"}) {
    EXPECT_FALSE(RequestId::Parse(text)) << text;
  }
}

TEST(RequestId, KeysAreEqualForEqualIdsOnly) {
  const auto key = [](std::string_view text) { return RequestId::Parse(text)->key(); };
  EXPECT_EQ(key("100"), key("1e2"));
  EXPECT_EQ(key("100"), key("100.0"));
  EXPECT_EQ(key("0"), key("-0"));
  EXPECT_EQ(key("12.5e1"), key("125"));
  EXPECT_EQ(key(R"("a")"), key(R"("\u0061")"));
  EXPECT_NE(key("7"), key(R"("7")"));
  EXPECT_NE(key("9007199254740992"), key("9007199254740993"));
  EXPECT_NE(key("1"), key("-1"));
}

}  // namespace
}  // namespace assay::reference
