#include "runner/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace assay {
namespace {

struct PlanTest : testing::Test {
  PlanTest() {
    facts.legacy.served = true;
    facts.legacy.revisions = {"2025-11-25", "2025-06-18"};
    facts.legacy.capabilities =
        *ParseJson(R"({"tools":{"listChanged":true},"resources":{"subscribe":false}})").value;
    facts.modern.served = true;
    facts.modern.revisions = {"2026-07-28"};
    facts.modern.capabilities = *ParseJson(R"({"tools":{}})").value;
    Require("L", "2024-11-05", "2025-11-25");
    Require("OLD", "2024-11-05", "2025-06-18");
    Require("M", "2026-07-28", "");
    Requirement contract;
    contract.id = "C";
    contract.level = Level::kContract;
    contract.since = "2024-11-05";
    catalogue.Add(contract);
  }

  void Require(const std::string& id, const std::string& since, const std::string& until) {
    Requirement requirement;
    requirement.id = id;
    requirement.since = since;
    requirement.until = until;
    catalogue.Add(requirement);
  }
  static Case CaseWith(Era era, const std::string& requirement, const std::string& id = "s/c") {
    Case test_case;
    test_case.id = id;
    test_case.era = era;
    test_case.requires_ids = {requirement};
    return test_case;
  }
  std::vector<PlannedRun> Plan(const Case& test_case) {
    cases = {test_case};
    return PlanRuns(cases, catalogue, facts, settings);
  }
  // The revisions it runs at, or why it does not.
  std::string Fate(const Case& test_case) {
    std::string fate;
    for (const PlannedRun& run : Plan(test_case)) {
      if (!run.skip_reason.empty()) {
        EXPECT_NE(run.skip_detail, "");
        return run.skip_reason;
      }
      fate += (fate.empty() ? "" : " ") + (run.revision.empty() ? "-" : run.revision);
    }
    return fate;
  }

  Catalogue catalogue;
  ServerFacts facts;
  PlanSettings settings;
  std::vector<Case> cases;
};

TEST_F(PlanTest, AFleetTakesAServerOfOursOverHttp) {
  Case test_case = CaseWith(Era::kModern, "M");
  test_case.transport = "http";
  test_case.topology = Topology{.instances = 2};
  EXPECT_EQ(Fate(test_case), "not-this-transport");
  settings.over_http = true;
  EXPECT_EQ(Fate(test_case), "2026-07-28");
  settings.is_ours = false;
  EXPECT_EQ(Fate(test_case), "not-this-transport");
}

TEST_F(PlanTest, WhatInstancesShareAProfileMustSay) {
  settings.over_http = true;
  Case test_case = CaseWith(Era::kModern, "M");
  test_case.transport = "http";
  test_case.topology = Topology{.instances = 2, .shares = true};
  EXPECT_EQ(Fate(test_case), "needs-role");
  facts.fleet = FleetSetup{};
  EXPECT_EQ(Fate(test_case), "2026-07-28");
  test_case.topology->short_lived = true;
  EXPECT_EQ(Fate(test_case), "needs-role");
  facts.fleet->short_lived = {"--quick"};
  EXPECT_EQ(Fate(test_case), "2026-07-28");
}

TEST_F(PlanTest, AContractItemThatEndedWithAnEraBelongsToIt) {
  Requirement requirement;
  requirement.id = "C-OLD";
  requirement.level = Level::kContract;
  requirement.since = "2024-11-05";
  requirement.until = "2025-11-25";
  catalogue.Add(requirement);
  EXPECT_EQ(Fate(CaseWith(Era::kNone, "C-OLD")), "-");
  facts.legacy.served = false;
  EXPECT_EQ(Fate(CaseWith(Era::kNone, "C-OLD")), "not-this-era");
}

TEST_F(PlanTest, RunsAtTheNewestRevisionOfTheEra) {
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "2025-11-25");
  EXPECT_EQ(Fate(CaseWith(Era::kModern, "M")), "2026-07-28");
  EXPECT_EQ(Fate(CaseWith(Era::kNone, "L")), "-");
}

TEST_F(PlanTest, RunsOverTheTransportThatItIsAbout) {
  Case over_stdio = CaseWith(Era::kModern, "M");
  over_stdio.transport = "stdio";
  Case over_http = CaseWith(Era::kModern, "M");
  over_http.transport = "http";
  Case about_process = CaseWith(Era::kModern, "M");
  about_process.steps.resize(1);
  about_process.steps[0].verb = Step::Verb::kClose;
  Case about_lines = CaseWith(Era::kModern, "M");
  about_lines.steps.resize(1);
  about_lines.steps[0].verb = Step::Verb::kRaw;
  about_lines.steps[0].split = {3};
  EXPECT_EQ(Fate(over_http), "not-this-transport");
  EXPECT_EQ(Fate(about_process), "2026-07-28");
  settings.over_http = true;
  EXPECT_EQ(Fate(over_http), "2026-07-28");
  EXPECT_EQ(Fate(over_stdio), "not-this-transport");
  EXPECT_EQ(Fate(about_process), "not-this-transport");
  EXPECT_EQ(Fate(about_lines), "not-this-transport");
}

TEST_F(PlanTest, OverHttpNothingRunsThatHoldsOnlyOverStdio) {
  Requirement lines;
  lines.id = "LINES";
  lines.since = "2026-07-28";
  lines.transport = "stdio";
  catalogue.Add(lines);
  EXPECT_EQ(Fate(CaseWith(Era::kModern, "LINES")), "2026-07-28");
  settings.over_http = true;
  EXPECT_EQ(Fate(CaseWith(Era::kModern, "LINES")), "not-this-transport");
}

TEST_F(PlanTest, WhatComparesTransportsNeedsBoth) {
  facts.legacy.revisions = {"2025-11-25", "2024-11-05"};
  settings.revisions = {"all"};
  Case compares = CaseWith(Era::kLegacy, "L");
  compares.steps.resize(1);
  compares.steps[0].verb = Step::Verb::kConnect;
  compares.steps[0].transport = "http";
  EXPECT_EQ(Fate(compares), "not-this-transport");
  settings.both_transports = true;
  EXPECT_EQ(Fate(compares), "2025-11-25");
}

TEST_F(PlanTest, TheOldestRevisionHasAnotherTransport) {
  facts.legacy.revisions = {"2025-03-26", "2024-11-05"};
  settings.revisions = {"all"};
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "2025-03-26 2024-11-05");
  settings.over_http = true;
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "2025-03-26");
}

TEST_F(PlanTest, RunsAtTheRevisionsAskedForThatItProvesSomethingAt) {
  settings.revisions = {"all"};
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "2025-11-25 2025-06-18");
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "OLD")), "2025-06-18");
  settings.revisions = {"2025-06-18"};
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "2025-06-18");
  EXPECT_EQ(Fate(CaseWith(Era::kModern, "M")), "not-this-era");
  settings.revisions = {"2024-11-05"};  // which the server does not speak
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "not-this-era");
}

TEST_F(PlanTest, ACaseMayRestrictItsRevisions) {
  Case test_case = CaseWith(Era::kLegacy, "L");
  test_case.revisions = {"2025-06-18"};
  EXPECT_EQ(Fate(test_case), "not-this-era");  // the newest is under test
  settings.revisions = {"all"};
  EXPECT_EQ(Fate(test_case), "2025-06-18");
}

TEST_F(PlanTest, ErasThatAreNotServedOrNotAskedForAreSkipped) {
  settings.era = "modern";
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "not-this-era");
  EXPECT_EQ(Fate(CaseWith(Era::kModern, "M")), "2026-07-28");
  settings.era = "both";
  facts.modern.served = false;
  EXPECT_EQ(Fate(CaseWith(Era::kLegacy, "L")), "2025-11-25");
  EXPECT_EQ(Fate(CaseWith(Era::kModern, "M")), "not-this-era");
  EXPECT_EQ(Fate(CaseWith(Era::kNone, "M")), "not-this-era");
  EXPECT_EQ(Fate(CaseWith(Era::kNone, "L")), "-");
  EXPECT_EQ(Fate(CaseWith(Era::kNone, "C")), "-");
}

TEST_F(PlanTest, CasesForOneKindOfServer) {
  Case test_case = CaseWith(Era::kNone, "C");
  test_case.when.server = "dual";
  EXPECT_EQ(Fate(test_case), "-");
  settings.era = "legacy";
  EXPECT_EQ(Fate(test_case), "not-this-era");
  settings.era = "auto";
  test_case.when.server = "modern";
  EXPECT_EQ(Fate(test_case), "not-this-era");
  facts.legacy.served = false;
  EXPECT_EQ(Fate(test_case), "-");
  test_case.when.server = "dual";
  EXPECT_EQ(Fate(test_case), "not-this-era");
}

TEST_F(PlanTest, HttpCasesNeedHttp) {
  Case test_case = CaseWith(Era::kModern, "M");
  test_case.transport = "http";
  EXPECT_EQ(Fate(test_case), "not-this-transport");
}

TEST_F(PlanTest, CapabilitiesMustBeDeclared) {
  Case test_case = CaseWith(Era::kLegacy, "L");
  test_case.when.capabilities = {"tools.listChanged"};
  EXPECT_EQ(Fate(test_case), "2025-11-25");
  test_case.when.capabilities = {"tools", "prompts"};
  EXPECT_EQ(Fate(test_case), "not-declared");
  test_case.when.capabilities = {"resources.subscribe"};  // false
  EXPECT_EQ(Fate(test_case), "not-declared");
  Case modern = CaseWith(Era::kModern, "M");
  modern.when.capabilities = {"tools.listChanged"};
  EXPECT_EQ(Fate(modern), "not-declared");
}

TEST_F(PlanTest, FeaturesMustBeOffered) {
  Case test_case = CaseWith(Era::kModern, "M");
  test_case.when.features = {"tasks-extension"};
  EXPECT_EQ(Fate(test_case), "not-declared");
  facts.tasks = {"extension"};
  EXPECT_EQ(Fate(test_case), "2026-07-28");
  test_case.when.features = {"!tasks-extension"};
  EXPECT_EQ(Fate(test_case), "not-declared");
  facts.tasks = {"legacy"};
  EXPECT_EQ(Fate(test_case), "2026-07-28");
}

TEST_F(PlanTest, AuthorizationIsAFeatureOfServersThatAskForAToken) {
  Case test_case = CaseWith(Era::kModern, "M");
  test_case.when.features = {"authorization"};
  EXPECT_EQ(Fate(test_case), "not-declared");
  facts.asks_for_token = true;
  EXPECT_EQ(Fate(test_case), "2026-07-28");
}

TEST_F(PlanTest, ACaseThatOpensItselfLooksAtTheCapabilitiesOfTheEraItIsAbout) {
  Case test_case = CaseWith(Era::kNone, "M");
  test_case.when.capabilities = {"!resources"};  // declared in the legacy era only
  EXPECT_EQ(Fate(test_case), "-");
  EXPECT_EQ(Fate([&] {
              Case legacy = test_case;
              legacy.requires_ids = {"L"};
              legacy.when.capabilities = {"!tools"};
              return legacy;
            }()),
            "not-declared");
}

TEST_F(PlanTest, RolesMustBePlayed) {
  Case test_case = CaseWith(Era::kModern, "M");
  test_case.when.roles = {"echo"};
  EXPECT_EQ(Fate(test_case), "needs-role");
  facts.withheld_roles["echo"] = "--allow-tool-calls lets Assay call tools anyway";
  EXPECT_EQ(Fate(test_case), "unsafe-tool");
  facts.roles["echo"] = {};
  EXPECT_EQ(Fate(test_case), "2026-07-28");
}

TEST_F(PlanTest, TokensMustBeGiven) {
  Case test_case = CaseWith(Era::kModern, "M");
  test_case.when.tokens = {"other"};
  EXPECT_EQ(Fate(test_case), "needs-role");
  facts.tokens["other"] = "t";
  EXPECT_EQ(Fate(test_case), "2026-07-28");
}

TEST_F(PlanTest, FiltersLeaveOut) {
  settings.filters = {"s/*", "!s/b"};
  cases = {CaseWith(Era::kModern, "M", "s/a"), CaseWith(Era::kModern, "M", "s/b"),
           CaseWith(Era::kModern, "M", "t/a")};
  const auto plan = PlanRuns(cases, catalogue, facts, settings);
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0].test_case->id, "s/a");
}

TEST_F(PlanTest, ShardsTogetherAreTheWholeAndNothingTwice) {
  for (int i = 0; i < 10; ++i) {
    cases.push_back(CaseWith(Era::kLegacy, i % 3 == 0 ? "M" : "L", "s/" + std::to_string(i)));
  }
  settings.revisions = {"all"};
  const auto keys = [&] {
    std::vector<std::string> names;
    for (const PlannedRun& run : PlanRuns(cases, catalogue, facts, settings)) {
      names.push_back(run.test_case->id + "@" + run.revision);
    }
    return names;
  };
  std::vector<std::string> whole = keys();
  std::vector<std::string> parts;
  settings.shards = 3;
  for (settings.shard = 1; settings.shard <= 3; ++settings.shard) {
    const auto part = keys();
    EXPECT_LE(part.size(), whole.size() / 3 + 1);
    parts.insert(parts.end(), part.begin(), part.end());
  }
  std::sort(whole.begin(), whole.end());
  std::sort(parts.begin(), parts.end());
  EXPECT_EQ(parts, whole);
  EXPECT_EQ(std::adjacent_find(parts.begin(), parts.end()), parts.end());
}

TEST(Selected, PositiveGlobsAddUpAndNegativeOnesWin) {
  EXPECT_TRUE(Selected({}, "a"));
  EXPECT_TRUE(Selected({"a", "b"}, "b"));
  EXPECT_FALSE(Selected({"a", "b"}, "c"));
  EXPECT_TRUE(Selected({"!a"}, "b"));
  EXPECT_FALSE(Selected({"!a"}, "a"));
  EXPECT_FALSE(Selected({"*", "!a"}, "a"));
  EXPECT_FALSE(Selected({"!a", "*"}, "a"));
}

}  // namespace
}  // namespace assay
