#include "case/case.h"

#include <gtest/gtest.h>

#include "case/loader.h"

namespace assay {
namespace {

// The one case of a file whose suite has `suite_keys` and whose steps are `steps`, lines each.
Case Load(const std::string& suite_keys, const std::string& case_keys, const std::string& steps) {
  Catalogue catalogue;
  Requirement requirement;
  requirement.id = "R-1";
  catalogue.Add(requirement);
  const std::string text = "suite: s\n" + suite_keys + "\ncases:\n  - id: c\n    title: t\n" +
                           "    requires: [R-1]\n    " + case_keys + "\n    steps:\n" + steps;
  std::vector<InputError> problems;
  std::vector<Case> cases = LoadCaseFile("f.yaml", text, catalogue, &problems);
  for (const InputError& problem : problems) {
    ADD_FAILURE() << ToString(problem) << "\n" << text;
  }
  return cases.empty() ? Case() : cases.front();
}

const std::string kList =
    "      - request: { method: tools/list }\n"
    "        expect: { result: {} }\n";

bool Shares(const std::string& steps, const std::string& suite_keys = "era: modern",
            const std::string& case_keys = "") {
  return MayShare(Load(suite_keys, case_keys, steps));
}

TEST(SharingTest, PlainRequestsShare) {
  EXPECT_TRUE(Shares(kList));
  EXPECT_TRUE(Shares(kList, "era: legacy"));
  EXPECT_TRUE(
      Shares("      - repeat: 3\n        steps:\n          - request: { method: a }\n" + kList));
  EXPECT_TRUE(Shares("      - poll: { request: { method: a }, until: { result: {} } }\n" + kList));
  EXPECT_TRUE(Shares(kList + "      - expect: { result: {} }\n"));
  EXPECT_TRUE(
      Shares("      - request: { method: tools/call, params: { name: \"${role.echo.tool}\" } }\n" +
             kList));
}

TEST(SharingTest, FreshAndUndecidedDoNot) {
  EXPECT_FALSE(Shares(kList, "era: none"));
  EXPECT_FALSE(Shares(kList, "era: modern", "session: fresh"));
}

TEST(SharingTest, OtherStepsDoNot) {
  for (const char* step : {
           "notify: { method: notifications/x }",
           "silence: ~",
           "await: { method: notifications/x }",
           "respond: { method: roots/list, result: {} }",
           "raw: x",
           "bytes: eA==",
           "quiet: 10ms",
           "restart: ~",
           "connect: other",
           "signal: HUP",
           "parallel: [ { request: { method: a } } ]",
           "repeat: 2\n        steps:\n          - raw: x",
       }) {
    EXPECT_FALSE(Shares("      - " + std::string(step) + "\n" + kList)) << step;
  }
  EXPECT_FALSE(Shares(kList + "      - close: stdin\n"));
  EXPECT_FALSE(Shares(kList + "      - close: stdin\n      - exit: ~\n"));
}

TEST(SharingTest, RequestsThatOthersNoticeDoNot) {
  for (const char* request : {
           "{ method: logging/setLevel, params: { level: debug } }",
           "{ method: resources/subscribe, params: { uri: \"a:b\" } }",
           "{ method: resources/unsubscribe, params: { uri: \"a:b\" } }",
           "{ method: subscriptions/listen }",
           "{ method: initialize }",
           "{ method: tasks/get, params: { taskId: x } }",
           "{ method: tools/call, params: { name: x, task: {} } }",
           "{ method: tools/list, params: { _meta: { progressToken: 1 } } }",
           "{ method: tools/list, params: { _meta: { io.modelcontextprotocol/logLevel: debug } } }",
           "{ method: tools/list, jsonrpc: ~ }",
           "{ method: tools/list, params: \"${fresh.string}\" }",
           "{ method: tools/list }\n        id: 7",
           "{ method: tools/list }\n        http: { headers: { A: b } }",
           "{ method: tools/list }\n        expect: nothing",
           "{ method: tools/list }\n        expect: { anyOf: [nothing, { result: {} }] }",
           "{ method: tools/list }\n        envelope: { logLevel: debug }",
           "{ method: tools/list }\n        envelope: none",
           "{ method: tools/list }\n        envelope: { protocolVersion: ~ }",
       }) {
    EXPECT_FALSE(Shares("      - request: " + std::string(request) + "\n" + kList)) << request;
  }
  const std::string enveloped = "      - request: { method: a }\n        envelope: good\n" + kList;
  EXPECT_TRUE(Shares(enveloped));
  EXPECT_FALSE(Shares(enveloped, "era: legacy"));
}

TEST(SharingTest, ClientOfALegacyCaseNeedsItsOwnHandshake) {
  const std::string client = "client: { capabilities: { roots: {} } }";
  EXPECT_FALSE(Shares(kList, "era: legacy", client));
  EXPECT_FALSE(Shares(kList, "era: legacy", "client: { info: { name: x, version: \"1\" } }"));
  EXPECT_TRUE(Shares(kList, "era: modern", client)) << "each modern request says it itself";
}

TEST(SharingTest, ToolsThatMayKeepStateDoNot) {
  const std::string call =
      "      - request: { method: tools/call, params: { name: \"${role.cart.tool}\" } }\n" + kList;
  EXPECT_FALSE(Shares(call));
  EXPECT_FALSE(Shares(kList, "era: modern", "when: { role: slow }"));
  EXPECT_TRUE(Shares(call, "era: modern", "session: shared")) << "its author vouches for it";
}

TEST(MustBeAlone, WhoChangesWhatAllAreToldOfAndWaitsForIt) {
  const std::string await = "      - await: { method: ping }\n        for: R-1\n";
  const auto must = [](const std::string& keys, const std::string& steps) {
    return MustBeAlone(Load("era: legacy", keys, steps + kList));
  };
  EXPECT_TRUE(must("when: { role: changes-tools }", await));
  EXPECT_FALSE(must("when: { role: changes-tools }", ""));
  EXPECT_FALSE(must("when: { role: echo }", await));
}

TEST(ExpectsToBeSpokenTo, WhoWaitsAnswersOrSaysThatItCan) {
  const auto expects = [](const std::string& keys, const std::string& steps) {
    return ExpectsToBeSpokenTo(Load("era: legacy", keys, steps + kList));
  };
  EXPECT_FALSE(expects("", ""));
  EXPECT_TRUE(expects("", "      - await: { method: ping }\n        for: R-1\n"));
  EXPECT_TRUE(expects("", "      - respond: { method: ping, result: {} }\n"));
  EXPECT_TRUE(expects("client: { capabilities: { roots: {} } }", ""));
}

}  // namespace
}  // namespace assay
