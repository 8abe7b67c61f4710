#include "protocol/base64.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

TEST(Base64, GoesBothWays) {
  for (const auto& [bytes, text] : {std::pair<std::string, std::string>{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {std::string("\0\xFF\xBF", 3), "AP+/"}}) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
  }
}

TEST(Base64, OtherSpellingsAreRefused) {
  for (const char* text : {"Zg", "Zg=", "Zg===", "====", "Zh==", "Zm9=", " Zg==", "Zg==\n",
                           "Zm9v\nZg=", "AP-_", "Z===", "Zg==Zg==", "Zm9*"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace assay::reference
