#include "discover/roles.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

Json Parsed(const std::string& text) { return *ParseJson(text).value; }

ServerFacts FactsWith(const std::string& tools) {
  ServerFacts facts;
  facts.legacy.served = true;
  facts.legacy.tools = Parsed(tools);
  return facts;
}

TEST(AssignRoles, AReadOnlyToolIsCallable) {
  ServerFacts facts = FactsWith(R"([
    {"name":"delete","inputSchema":{"type":"object"}},
    {"name":"get","inputSchema":{"type":"object","properties":{"k":{"type":"string"}},
     "required":["k"]},"annotations":{"readOnlyHint":true}},
    {"name":"now","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}])");
  AssignRoles(facts, nullptr, false);
  EXPECT_EQ(facts.roles.at("callable").tool, "get");
  EXPECT_EQ(facts.roles.at("callable").arguments.Dump(), R"({"k":"assay"})");
  EXPECT_EQ(facts.roles.at("no-arguments").tool, "now");
}

TEST(AssignRoles, OtherToolsAreNotCalledUnlessThatIsAllowed) {
  const char kTools[] = R"([{"name":"delete","inputSchema":{"type":"object"}}])";
  ServerFacts facts = FactsWith(kTools);
  AssignRoles(facts, nullptr, false);
  EXPECT_FALSE(facts.roles.contains("callable"));
  EXPECT_NE(facts.withheld_roles.at("callable").find("--allow-tool-calls"), std::string::npos);
  facts = FactsWith(kTools);
  AssignRoles(facts, nullptr, true);
  EXPECT_EQ(facts.roles.at("callable").tool, "delete");
}

TEST(AssignRoles, ToolsThatOnlyRunAsTasksAreNotCallable) {
  ServerFacts facts = FactsWith(R"([{"name":"t","inputSchema":{},
    "annotations":{"readOnlyHint":true},"execution":{"taskSupport":"required"}}])");
  AssignRoles(facts, nullptr, false);
  EXPECT_FALSE(facts.roles.contains("callable"));
}

TEST(AssignRoles, AProfileComesFirstButOnlyForToolsThatAreThere) {
  Profile profile;
  profile.roles["echo"] = {.tool = "say", .arguments = Parsed(R"({"m":"x"})")};
  profile.roles["slow"] = {.tool = "missing"};
  profile.roles["other-case"] = {.tool = "SAY"};
  profile.roles["resource"].extra = Parsed(R"({"uri":"x:y"})");
  ServerFacts facts = FactsWith(R"([{"name":"say","inputSchema":{}}])");
  AssignRoles(facts, &profile, false);
  EXPECT_EQ(facts.roles.at("echo").tool, "say");
  EXPECT_EQ(facts.roles.at("callable").tool, "say");  // named by the profile: safe
  EXPECT_EQ(facts.roles.at("other-case").tool, "SAY");
  EXPECT_EQ(facts.roles.at("resource").extra.FindString("uri"), "x:y");
  EXPECT_FALSE(facts.roles.contains("slow"));
  EXPECT_NE(facts.withheld_roles.at("slow").find("missing"), std::string::npos);
}

TEST(AssignRoles, FindsAPromptWithARequiredArgumentAndAResource) {
  ServerFacts facts = FactsWith("[]");
  facts.legacy.prompts = Parsed(R"([{"name":"plain"},{"name":"p","arguments":[
    {"name":"a","required":true},{"name":"b"},{"name":"c","required":false}]}])");
  facts.legacy.resources = Parsed(R"([{"uri":"file:///a","name":"a"}])");
  AssignRoles(facts, nullptr, false);
  EXPECT_EQ(facts.roles.at("prompt").extra.FindString("name"), "p");
  EXPECT_EQ(facts.roles.at("prompt").arguments.Dump(), R"({"a":"assay"})");
  EXPECT_EQ(facts.roles.at("resource").extra.FindString("uri"), "file:///a");
}

TEST(AssignRoles, SurvivesListsThatAreNone) {
  for (const char* list : {R"([5,null,"x",[],{}])", R"([{"name":5,"inputSchema":7}])",
                           R"([{"name":"n","inputSchema":5,"annotations":{"readOnlyHint":true}}])",
                           R"([{"name":"n","arguments":{"a":1},"uri":3,"execution":[]}])",
                           R"({"a":1})", R"("text")"}) {
    ServerFacts facts = FactsWith(list);
    facts.legacy.prompts = Parsed(list);
    facts.legacy.resources = Parsed(list);
    AssignRoles(facts, nullptr, true);
    EXPECT_FALSE(facts.roles.contains("prompt")) << list;
  }
}

}  // namespace
}  // namespace assay
