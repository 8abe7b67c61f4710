#include "oracle/secrets.h"

#include <gtest/gtest.h>

namespace assay::oracle {
namespace {

TEST(SecretsTest, NamesThatLeaveNoDoubt) {
  EXPECT_TRUE(NamesASecret("API_key"));
  EXPECT_TRUE(NamesASecret("creditCardNumber"));
  EXPECT_FALSE(NamesASecret("token"));  // of a page, of a text
  EXPECT_FALSE(NamesASecret("key"));
}

TEST(SecretsTest, PrivateKeys) {
  EXPECT_TRUE(HoldsASecret("loaded -----BEGIN PRIVATE KEY-----\nMIIB"));
  EXPECT_TRUE(HoldsASecret("-----BEGIN RSA PRIVATE KEY-----"));
  EXPECT_FALSE(HoldsASecret("-----BEGIN CERTIFICATE-----\nPRIVATE KEY"));
  EXPECT_FALSE(HoldsASecret("-----BEGIN PUBLIC KEY-----"));
}

TEST(SecretsTest, SignedTokens) {
  const std::string token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhc3NheSJ9.c2lnbmF0dXJlLW9m";
  EXPECT_TRUE(HoldsASecret("Authorization: Bearer " + token));
  EXPECT_TRUE(HoldsASecret("eyJ " + token));
  EXPECT_FALSE(HoldsASecret(token.substr(0, token.rfind('.'))));
  EXPECT_FALSE(HoldsASecret("eyJhbGciOiJIUzI1NiJ9 is a header"));
}

}  // namespace
}  // namespace assay::oracle
