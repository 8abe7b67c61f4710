#include "runner/server_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/place.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ServerListTest, ReadsHowEachServerIsReached) {
  const auto servers = ReadServerList("s.yaml", R"(servers:
  - name: one
    command: [node, "a b.js"]
    env: { LEVEL: error }
    profile: everything
  - name: two
    url: https://host/mcp
  - name: three
    profile: there/assay.yaml
    http: true
)");
  ASSERT_EQ(servers.size(), 3U);
  EXPECT_THAT(servers[0].command, ElementsAre("node", "a b.js"));
  EXPECT_EQ(servers[0].environment.at("LEVEL"), "error");
  EXPECT_EQ(servers[0].profile, "everything");
  EXPECT_EQ(servers[1].url, "https://host/mcp");
  EXPECT_EQ(servers[2].profile_file, "there/assay.yaml");
  EXPECT_TRUE(servers[2].http);
}

std::string ProblemOf(const char* text) {
  try {
    ReadServerList("s.yaml", text);
  } catch (const InputError& problem) {
    return ToString(problem);
  }
  return "";
}

TEST(ServerListTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(ProblemOf("servers: [{name: a, comand: [x]}]"), HasSubstr("unknown key 'comand'"));
  EXPECT_THAT(ProblemOf("servers: [{name: ../a, command: [x]}]"), HasSubstr("s.yaml:1:"));
  EXPECT_THAT(ProblemOf("servers: [{name: .., command: [x]}]"), HasSubstr("a name is made of"));
  EXPECT_THAT(ProblemOf("servers: [{command: [x]}]"), HasSubstr("needs a name"));
  EXPECT_THAT(ProblemOf("servers: [{name: \"\", command: [x]}]"), HasSubstr("a name is made of"));
  EXPECT_THAT(ProblemOf("servers: [{name: a}]"), HasSubstr("needs a command"));
  EXPECT_THAT(ProblemOf("servers:\n  - {name: a, url: u}\n  - {name: a, url: v}\n"),
              HasSubstr("two servers called 'a'"));
  EXPECT_THAT(ProblemOf("- {name: a, url: u}"), HasSubstr("'servers'"));
}

}  // namespace
}  // namespace assay
