#include "discover/profile.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace assay {
namespace {

// Where and why a profile is refused.
std::string Refusal(const std::string& text) {
  try {
    LoadProfile("assay.yaml", text);
  } catch (const InputError& error) {
    return ToString(error.place()) + ": " + error.what();
  }
  return "";
}

TEST(LoadProfile, ReadsAllOfIt) {
  const Profile profile = LoadProfile("assay.yaml", R"(
title: Mine
match: { server: "mine*" }
server:
  command: [node, build/index.js, "8080"]
  http: { command: [node, build/index.js, "{port}"] }
  env: { LOG_LEVEL: error, N: 1 }
  start_within: 2.5s
roles:
  echo: { tool: say, arguments: { message: "hi", n: 1.0 }, text: "hi" }
  resource: { uri: "file:///a" }
tokens: { other: "abc.def", narrow: 12 }
fleet: { arguments: [--store, "{store}"], env: { NAME: "{instance}" }, short_lived: [--quick] }
require: [must, contract]
baseline: known.yaml
)");
  EXPECT_EQ(profile.title, "Mine");
  EXPECT_EQ(profile.match, "mine*");
  EXPECT_EQ(profile.command, (std::vector<std::string>{"node", "build/index.js", "8080"}));
  EXPECT_EQ(profile.http_command, (std::vector<std::string>{"node", "build/index.js", "{port}"}));
  EXPECT_EQ(profile.environment.at("LOG_LEVEL"), "error");
  EXPECT_EQ(profile.environment.at("N"), "1");
  EXPECT_EQ(profile.start_within, std::chrono::milliseconds(2500));
  EXPECT_EQ(profile.roles.at("echo").tool, "say");
  EXPECT_EQ(profile.roles.at("echo").arguments.Dump(), R"({"message":"hi","n":1.0})");
  EXPECT_EQ(profile.roles.at("echo").extra.FindString("text"), "hi");
  EXPECT_EQ(profile.roles.at("resource").tool, "");
  EXPECT_EQ(profile.tokens,
            (std::map<std::string, std::string>{{"other", "abc.def"}, {"narrow", "12"}}));
  ASSERT_TRUE(profile.fleet);
  EXPECT_EQ(profile.fleet->arguments, (std::vector<std::string>{"--store", "{store}"}));
  EXPECT_EQ(profile.fleet->environment.at("NAME"), "{instance}");
  EXPECT_EQ(profile.fleet->short_lived, std::vector<std::string>{"--quick"});
  EXPECT_EQ(profile.require, (std::vector<std::string>{"must", "contract"}));
  EXPECT_EQ(profile.baseline, "known.yaml");
}

TEST(LoadProfile, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(Refusal("roles: { echo: { tool: [x] } }").find("assay.yaml:1:"), std::string::npos);
  EXPECT_NE(Refusal("server: { command: [] }").find("expected a program"), std::string::npos);
  EXPECT_NE(Refusal("server:\n  commands: [x]\n").find("unknown key 'commands'"),
            std::string::npos);
  EXPECT_NE(Refusal("servers: {}").find("unknown key 'servers'"), std::string::npos);
  EXPECT_NE(Refusal("server: { http: {} }").find("either a command or a url"), std::string::npos);
  EXPECT_NE(Refusal("server: { http: { command: [a], url: b } }").find("either a command or a url"),
            std::string::npos);
  EXPECT_NE(Refusal("fleet: { store: x }").find("unknown key 'store'"), std::string::npos);
  EXPECT_NE(Refusal("match: { name: x }").find("unknown key 'name'"), std::string::npos);
  EXPECT_NE(Refusal("require: [always]").find("'always'"), std::string::npos);
  EXPECT_NE(Refusal("tokens: { other: [x] }").find("expected text"), std::string::npos);
  const std::string refusal = Refusal("tokens: { other: \"a secret\" }");
  EXPECT_NE(refusal.find("without spaces"), std::string::npos);
  EXPECT_EQ(refusal.find("secret"), std::string::npos) << "it may be one";
  EXPECT_NE(Refusal("[1]").find("expected a profile"), std::string::npos);
  EXPECT_NE(Refusal("roles: { echo: { tool: t, arguments: [1] } }").find("arguments"),
            std::string::npos);
  for (const char* text : {"10", "s", "-1s", "1m", "x"}) {
    EXPECT_NE(Refusal(std::string("server: { start_within: ") + text + " }").find("duration"),
              std::string::npos)
        << text;
  }
}

TEST(LoadProfile, AnEmptyFileSaysNothing) {
  EXPECT_TRUE(LoadProfile("p.yaml", "").command.empty());
  EXPECT_TRUE(LoadProfile("p.yaml", "# nothing yet\n").roles.empty());
}

TEST(BuiltinProfiles, AllLoadUnderTheirOwnNames) {
  std::set<std::string> names;
  for (const Profile& profile : BuiltinProfiles()) {
    EXPECT_NE(profile.name, "");
    EXPECT_NE(profile.title, "");
    EXPECT_FALSE(profile.roles.empty());
    EXPECT_TRUE(names.insert(profile.name).second) << profile.name;
  }
  EXPECT_TRUE(names.contains("reference"));
}

}  // namespace
}  // namespace assay
