#include "protocol/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::reference {
namespace {

TEST(MemberText, FindsTheTextAsItStands) {
  constexpr std::string_view kText =
      R"( { "a" : {"id":1, "b":"}\""} , "id" : 1e2 , "c":[1,{"id":2}] } )";
  EXPECT_EQ(MemberText(kText, "id"), "1e2");
  EXPECT_EQ(MemberText(kText, "a"), R"({"id":1, "b":"}\""})");
  EXPECT_EQ(MemberText(kText, "c"), R"([1,{"id":2}])");
  EXPECT_FALSE(MemberText(kText, "b"));
}

TEST(MemberText, UnderstandsEscapedNamesAndTakesTheLastOfDuplicates) {
  EXPECT_EQ(MemberText(R"({"\u0069d":1})", "id"), "1");
  EXPECT_EQ(MemberText(R"({"id":1,"id":2})", "id"), "2");
}

TEST(MemberText, IsHarmlessOnAnything) {
  for (const std::string text : {"", "{", "[", "{\"", "{\"id", "{\"id\"", "{\"id\":",
                                 "{\"id\":\"\\", "{\"id\":{", "nonsense", "{\"a\":[}]]]]"}) {
    MemberText(text, "id");
    ElementTexts(text);
  }
}

TEST(ElementTexts, SplitsOnlyTheOutermostArray) {
  const auto elements = ElementTexts(R"([1, {"a":[2,3]} ,"]"])");
  ASSERT_EQ(elements.size(), 3U);
  EXPECT_EQ(elements[1], R"({"a":[2,3]})");
  EXPECT_EQ(elements[2], R"("]")");
}

}  // namespace
}  // namespace assay::reference
