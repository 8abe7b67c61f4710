// HTTP over TLS: whom a channel trusts.

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "transport/http_channel_for_test.h"

namespace assay {
namespace {

struct HttpsChannelTest : HttpChannelTest {
  // What is told of a request to a server with a certificate for `name`. `trusts`: that one is
  // given as the only authority.
  Told AskOverTls(const std::string& name, bool trusts) {
    const Certificate certificate = MakeCertificate(name);
    const std::string file = testing::TempDir() + "assay-ca-" + std::to_string(::getpid()) + ".pem";
    std::ofstream(file) << certificate.pem;
    const auto change = change_target;
    change_target = [&](HttpTarget& target) {
      if (change) change(target);
      if (trusts) target.ca_file = file;
    };
    Told told;
    Run(
        [&](ScriptedConnection& connection, int number) -> Task<void> {
          server_name = connection.server_name();
          co_await AnswerAll(connection, number);
        },
        [&](HttpClient& client) -> Task<void> {
          told = co_await client.Ask(Post());
          if (told.size() == 3) {
            const Told second = co_await client.Ask(Post());
            EXPECT_EQ(second, told);
          }
        },
        &certificate);
    ::unlink(file.c_str());
    return told;
  }

  std::string server_name;
};

TEST_F(HttpsChannelTest, SpeaksTlsAndNamesTheServer) {
  change_target = [](HttpTarget& target) { target.host = "localhost"; };
  EXPECT_EQ(AskOverTls("DNS:localhost", true), kAnswered);
  EXPECT_EQ(server_name, "localhost");
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpsChannelTest, AnAddressIsVerifiedButNotNamed) {
  EXPECT_EQ(AskOverTls("IP:127.0.0.1", true), kAnswered);
  EXPECT_EQ(server_name, "");
}

TEST_F(HttpsChannelTest, AnUnknownAuthorityIsRefused) {
  const Told told = AskOverTls("IP:127.0.0.1", false);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: TLS failed: ")) << told[0];
  EXPECT_TRUE(told[0].ends_with(": self-signed certificate")) << told[0];
}

TEST_F(HttpsChannelTest, ACertificateForAnotherNameIsRefused) {
  const Told other_address = AskOverTls("IP:127.0.0.2", true);
  ASSERT_EQ(other_address.size(), 1U);
  EXPECT_TRUE(other_address[0].ends_with(": IP address mismatch")) << other_address[0];
  change_target = [](HttpTarget& target) { target.host = "localhost"; };
  const Told other_name = AskOverTls("DNS:example.org", true);
  ASSERT_EQ(other_name.size(), 1U);
  EXPECT_TRUE(other_name[0].ends_with(": hostname mismatch")) << other_name[0];
}

TEST_F(HttpsChannelTest, InsecureTakesAnyCertificate) {
  change_target = [](HttpTarget& target) { target.insecure = true; };
  EXPECT_EQ(AskOverTls("DNS:example.org", false), kAnswered);
}

TEST_F(HttpsChannelTest, AFileWithoutCertificatesSaysSo) {
  change_target = [](HttpTarget& target) { target.ca_file = "/no/such/file"; };
  const Told told = AskOverTls("IP:127.0.0.1", false);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: no certificates in /no/such/file"))
      << told[0];
}

TEST_F(HttpsChannelTest, AServerWithoutTlsIsNoHttpsServer) {
  change_target = [](HttpTarget& target) { target.tls = true; };
  Told told;
  Run(
      [&](ScriptedConnection& connection, int) -> Task<void> {
        co_await connection.Write(HttpAnswerOf(400, "text/plain", "TLS?"));
      },
      [&](HttpClient& client) -> Task<void> { told = co_await client.Ask(Post()); });
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("end cannot connect to SERVER: TLS failed: ")) << told[0];
}

}  // namespace
}  // namespace assay
