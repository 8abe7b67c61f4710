#include "catalog/uri.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

TEST(IsUri, WantsASchemeAndLegalCharacters) {
  for (const char* good : {"test://static-text", "file:///a%20b", "urn:x:y", "a+b-1.c:z"}) {
    EXPECT_TRUE(IsUri(good)) << good;
  }
  for (const char* bad : {"", "x", ":x", "1a:x", "test:", "test://a b", "test://%zz", "test://%2",
                          "test://\x01", "not a uri"}) {
    EXPECT_FALSE(IsUri(bad)) << bad;
  }
}

TEST(MatchTemplate, DecodesTheVariable) {
  constexpr std::string_view kTemplate = "test://template/{id}/data";
  EXPECT_EQ(MatchTemplate(kTemplate, "test://template/123/data"), "123");
  EXPECT_EQ(MatchTemplate(kTemplate, "test://template/hello%20world/data"), "hello world");
  EXPECT_EQ(MatchTemplate(kTemplate, "test://template/a%2Fb/data"), "a/b");
  EXPECT_FALSE(MatchTemplate(kTemplate, "test://template//data"));
  EXPECT_FALSE(MatchTemplate(kTemplate, "test://template/a/b/data"));
  EXPECT_FALSE(MatchTemplate(kTemplate, "test://template/%FF/data"));
  EXPECT_FALSE(MatchTemplate(kTemplate, "test://template/1"));
}

}  // namespace
}  // namespace assay::reference
