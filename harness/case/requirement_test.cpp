#include "case/requirement.h"

#include <gtest/gtest.h>

#include "case/catalogue_loader.h"

namespace assay {
namespace {

TEST(RequirementTest, IsInForceFromSinceToUntil) {
  Requirement requirement;
  requirement.since = "2025-03-26";
  EXPECT_FALSE(requirement.InForceAt("2024-11-05"));
  EXPECT_TRUE(requirement.InForceAt("2025-03-26"));
  EXPECT_TRUE(requirement.InForceAt("2026-07-28"));
  requirement.until = "2025-06-18";
  EXPECT_TRUE(requirement.InForceAt("2025-06-18"));
  EXPECT_FALSE(requirement.InForceAt("2025-11-25"));
}

TEST(CatalogueTest, FindsById) {
  Catalogue catalogue;
  Requirement requirement;
  requirement.id = "M-A";
  requirement.place = {"r.yaml", 3, 5};
  catalogue.Add(requirement);
  ASSERT_NE(catalogue.Find("M-A"), nullptr);
  EXPECT_EQ(catalogue.Find("M-B"), nullptr);
  requirement.place.line = 9;
  try {
    catalogue.Add(requirement);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 9);
    EXPECT_STREQ(error.what(), "requirement M-A is already defined at r.yaml:3:5");
  }
  EXPECT_EQ(catalogue.all().size(), 1U);
}

std::vector<std::string> Load(std::string_view text, Catalogue* catalogue) {
  std::vector<InputError> problems;
  LoadCatalogueFile("r.yaml", text, catalogue, &problems);
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const InputError& problem : problems) {
    lines.push_back(ToString(problem));
  }
  return lines;
}

TEST(CatalogueLoaderTest, ReadsRequirements) {
  Catalogue catalogue;
  const auto problems = Load(R"(requirements:
  - id: L-A
    level: must_not
    basis: jsonrpc
    since: "2024-11-05"
    until: 2025-11-25
    where: basic § Messages
    link: https://example.org/basic
    transport: stdio
    observable: wire
    text: >-
      Two
      lines.
  - { id: C-B, level: contract, transport: any, observable: process, text: Ours. }
)",
                             &catalogue);
  EXPECT_EQ(problems, std::vector<std::string>{});
  ASSERT_EQ(catalogue.all().size(), 2U);
  const Requirement& first = catalogue.all()[0];
  EXPECT_EQ(first.level, Level::kMustNot);
  EXPECT_EQ(first.basis, Basis::kJsonRpc);
  EXPECT_EQ(first.until, "2025-11-25");
  EXPECT_EQ(first.link, "https://example.org/basic");
  EXPECT_EQ(first.text, "Two lines.");
  EXPECT_EQ(first.place.line, 2);
  EXPECT_EQ(catalogue.Find("C-B")->basis, Basis::kNone);
  EXPECT_TRUE(catalogue.Find("C-B")->InForceAt("2024-11-05"));
}

TEST(CatalogueLoaderTest, ReportsAllThatIsWrongAndKeepsTheRest) {
  Catalogue catalogue;
  const auto problems = Load(R"(requirements:
  - { id: A, level: might, basis: prose, since: "2024-11-05", where: x, transport: any, observable: wire, text: t }
  - { id: B, level: must, since: "2024-11-05", where: x, transport: any, observable: wire, text: t }
  - { id: C, level: contract, basis: prose, transport: any, observable: wire, text: t }
  - { id: D, level: may, basis: prose, since: "2025-11-25", until: "2024-11-05", where: x, transport: any, observable: wire, text: t }
  - { id: E, level: contract, transport: any, observable: wire, txt: t }
  - { id: F, level: contract, transport: any, observable: wire, text: t }
  - { id: F, level: contract, transport: any, observable: wire, text: t }
extra: 1
)",
                             &catalogue);
  EXPECT_EQ(problems, (std::vector<std::string>{
                          std::string("r.yaml:2:21: level: expected must, must_not, should, ") +
                              "should_not, may or contract, got 'might'",
                          "r.yaml:3:5: missing key 'basis'",
                          "r.yaml:4:5: a contract item has no basis in the specification",
                          "r.yaml:5:5: 'until' is before 'since'",
                          "r.yaml:6:5: missing key 'text'",
                          "r.yaml:6:65: unknown key 'txt'; did you mean 'text'?",
                          "r.yaml:8:5: requirement F is already defined at r.yaml:7:5",
                          "r.yaml:9:1: unknown key 'extra'; expected one of requirements",
                      }));
  EXPECT_EQ(catalogue.all().size(), 1U);
}

}  // namespace
}  // namespace assay
