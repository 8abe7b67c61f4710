#include <gtest/gtest.h>

#include <stdexcept>

#include "transport/http_channel.h"

namespace assay {
namespace {

TEST(ParseUrl, TakesAUrlApart) {
  const HttpTarget target = ParseUrl("http://example.org:8080/mcp?key=1#part");
  EXPECT_FALSE(target.tls);
  EXPECT_EQ(target.host, "example.org");
  EXPECT_EQ(target.port, "8080");
  EXPECT_EQ(target.path, "/mcp?key=1");
  EXPECT_EQ(target.Authority(), "example.org:8080");
}

TEST(ParseUrl, KnowsTheUsualPortsAndLeavesThemOutOfHost) {
  EXPECT_EQ(ParseUrl("HTTPS://example.org").port, "443");
  EXPECT_TRUE(ParseUrl("HTTPS://example.org").tls);
  EXPECT_EQ(ParseUrl("https://example.org").Authority(), "example.org");
  EXPECT_EQ(ParseUrl("http://example.org").port, "80");
  EXPECT_EQ(ParseUrl("http://example.org:443").Authority(), "example.org:443");
}

TEST(ParseUrl, APathBeginsWithASlash) {
  EXPECT_EQ(ParseUrl("http://example.org").path, "/");
  EXPECT_EQ(ParseUrl("http://example.org?a=/b").path, "/?a=/b");
  EXPECT_EQ(ParseUrl("http://example.org/").path, "/");
}

TEST(ParseUrl, AnIpv6AddressHasBracketsInTheUrlOnly) {
  const HttpTarget target = ParseUrl("http://[::1]:81/mcp");
  EXPECT_EQ(target.host, "::1");
  EXPECT_EQ(target.port, "81");
  EXPECT_EQ(target.Authority(), "[::1]:81");
}

TEST(ParseUrl, RefusesWhatIsNone) {
  for (const char* url :
       {"", "example.org", "ftp://example.org", "http:/example.org", "http://", "http://:80/",
        "http://example.org:", "http://example.org:http", "http://example.org:0",
        "http://example.org:65536", "http://[::1", "http://[::1]80", "http://me:secret@example.org",
        "http://example.org/a b", "http://example.org/\r\nX: y"}) {
    EXPECT_THROW(ParseUrl(url), std::invalid_argument) << url;
  }
}

}  // namespace
}  // namespace assay
