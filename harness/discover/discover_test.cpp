#include "discover/discover.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "runner/discovery.h"
#include "testing/playback.h"
#include "testing/processes.h"

namespace assay {
namespace {

struct DiscoverTest : testing::Test {
  DiscoverTest() { ::signal(SIGPIPE, SIG_IGN); }
  ~DiscoverTest() override { EXPECT_EQ(CountServersAlive(), 0); }

  Discovery Ask(std::vector<std::string> command) {
    settings.command.argv = std::move(command);
    return RunDiscovery(settings).discovery;
  }
  Discovery Ask(const Script& script) {
    const Playback server(script);
    return Ask(server.command().argv);
  }

  RunSettings settings;
};

using Words = std::vector<std::string>;

TEST_F(DiscoverTest, TheReferenceServerSpeaksBothErasAndLocks) {
  const Discovery discovery = Ask({ASSAY_REFERENCE_SERVER});
  const ServerFacts& facts = discovery.facts;
  EXPECT_EQ(facts.name, "assay-reference-server");
  EXPECT_TRUE(facts.legacy.served);
  EXPECT_EQ(facts.legacy.revisions,
            (Words{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}));
  EXPECT_TRUE(facts.modern.served);
  EXPECT_EQ(facts.modern.revisions, Words{"2026-07-28"});
  EXPECT_EQ(facts.era_policy, "locked");
  EXPECT_FALSE(facts.legacy.tools.items().empty());
  EXPECT_FALSE(facts.modern.resources.items().empty());
  EXPECT_EQ(discovery.profile, "reference");
  EXPECT_TRUE(facts.roles.contains("echo"));
}

TEST_F(DiscoverTest, TheReferenceServerInItsOtherModes) {
  EXPECT_EQ(Ask({ASSAY_REFERENCE_SERVER, "--lock", "off"}).facts.era_policy, "per-message");
  const ServerFacts legacy = Ask({ASSAY_REFERENCE_SERVER, "--era", "legacy"}).facts;
  EXPECT_EQ(legacy.era_policy, "legacy-only");
  EXPECT_FALSE(legacy.modern.served);
  EXPECT_NE(legacy.modern.refusal, "");
  const ServerFacts modern = Ask({ASSAY_REFERENCE_SERVER, "--era", "modern"}).facts;
  EXPECT_EQ(modern.era_policy, "modern-only");
  EXPECT_FALSE(modern.legacy.served);
  const auto tasks = [this](const char* dialect) {
    return Ask({ASSAY_REFERENCE_SERVER, "--tasks", dialect}).facts.tasks;
  };
  EXPECT_EQ(tasks("ext"), (Words{"legacy", "extension"}));
  EXPECT_EQ(tasks("handle"), (Words{"handle", "legacy"}));
  EXPECT_EQ(tasks("off"), Words{});
}

TEST_F(DiscoverTest, WhetherATokenIsWantedIsAskedWithoutOne) {
  const Words open = {ASSAY_REFERENCE_SERVER, "--transport", "http", "--port", "{port}"};
  Words closed = open;
  closed.insert(closed.end(), {"--bearer", "assay"});
  settings.reach.over_http = true;
  EXPECT_FALSE(Ask(open).facts.asks_for_token);
  settings.reach.fields = {{"authorization", "Bearer assay"}};
  EXPECT_FALSE(Ask(open).facts.asks_for_token);
  EXPECT_TRUE(Ask(closed).facts.asks_for_token);
  EXPECT_TRUE(Ask(closed).facts.legacy.served);
}

TEST_F(DiscoverTest, ListsArePagedThrough) {
  const ServerFacts whole = Ask({ASSAY_REFERENCE_SERVER}).facts;
  const ServerFacts paged = Ask({ASSAY_REFERENCE_SERVER, "--page-size", "2"}).facts;
  EXPECT_EQ(paged.legacy.tools.items().size(), whole.legacy.tools.items().size());
  EXPECT_EQ(paged.modern.tools.items().size(), whole.modern.tools.items().size());
}

TEST_F(DiscoverTest, APageThatNamesItselfAsTheNextDoesNotGoOnForEver) {
  Script script;
  script.On("tools/list").Say(ResultLine(R"({"tools":[{"name":"t"}],"nextCursor":"same"})"));
  const ServerFacts facts = Ask(script.Legacy()).facts;
  EXPECT_EQ(facts.legacy.tools.items().size(), 2U);
}

TEST_F(DiscoverTest, AnEndlessListIsLeftAtSomePage) {
  Script script;
  script.On("tools/list").Say(ResultLine(R"({"tools":[{"name":"t"}],"nextCursor":"$N"})"));
  const ServerFacts facts = Ask(script.Legacy()).facts;
  EXPECT_EQ(facts.legacy.tools.items().size(), 100U);
}

TEST_F(DiscoverTest, AServerWithoutDiscoverMayBeModernAllTheSame) {
  Script script;
  script.On("server/discover").Say(ErrorLine(-32601));
  const ServerFacts facts = Ask(script.Modern()).facts;
  EXPECT_TRUE(facts.modern.served);
  EXPECT_EQ(facts.era_policy, "modern-only");
}

TEST_F(DiscoverTest, LegacyVersionsInSupportedVersionsAreNotModern) {
  Script script;
  script.On("server/discover")
      .Say(ResultLine(R"({"resultType":"complete","capabilities":{},)"
                      R"("supportedVersions":["2025-11-25","2026-07-28",7]})"));
  EXPECT_EQ(Ask(script.Modern()).facts.modern.revisions, Words{"2026-07-28"});
}

TEST_F(DiscoverTest, AnUnknownRevisionIsNoLegacyServer) {
  Script script;
  script.On("initialize").Say(ResultLine(R"({"protocolVersion":"1999-01-01","capabilities":{}})"));
  const ServerFacts facts = Ask(script.Legacy()).facts;
  EXPECT_FALSE(facts.legacy.served);
  EXPECT_NE(facts.legacy.refusal.find("1999-01-01"), std::string::npos);
}

TEST_F(DiscoverTest, NonsenseIsSurvived) {
  for (
      const char* nonsense :
      {R"(5)", R"(null)", R"([])", R"("text")",
       R"({"supportedVersions":5,"protocolVersion":"2025-11-25","capabilities":[]})",
       R"({"supportedVersions":{"a":1},"protocolVersion":"2025-11-25","capabilities":{"tools":1,"prompts":1,"resources":1},"serverInfo":9,"tools":{"a":1},"prompts":"x","resources":[[],7],"resourceTemplates":null,"nextCursor":{}})"}) {
    const Discovery discovery = Ask(Script().On("*").Say(ResultLine(nonsense)));
    EXPECT_FALSE(discovery.facts.roles.contains("callable")) << nonsense;
  }
}

TEST_F(DiscoverTest, TheLastWordsOfWhatSpeaksNoMcpAreKept) {
  const Discovery discovery =
      Ask({"sh", "-c", "echo usage: nothing; echo no configuration >&2; exit 4"});
  EXPECT_FALSE(discovery.facts.legacy.served);
  EXPECT_FALSE(discovery.facts.modern.served);
  for (const char* words : {"usage: nothing", "no configuration", "exited with code 4"}) {
    EXPECT_NE(discovery.last_words.find(words), std::string::npos) << discovery.last_words;
  }
}

}  // namespace
}  // namespace assay
