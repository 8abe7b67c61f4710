// The commands that need no server: list, explain, schema, check.

#include <gtest/gtest.h>

#include <string>

#include "testing/program.h"

namespace assay {
namespace {

using CatalogueCommand = ProgramTest;

TEST_F(CatalogueCommand, ListIsJsonOnDemand) {
  const Json cases = Parsed(Assay({"list", "--json"}).out);
  ASSERT_GT(cases.items().size(), 100U);
  for (const char* member : {"id", "title", "era"}) {
    EXPECT_TRUE(cases.items()[0].FindString(member)) << member;
  }
  const Json requirements = Parsed(Assay({"list", "--requirements", "--json"}).out);
  ASSERT_GT(requirements.items().size(), 300U);
  for (const Json& requirement : requirements.items()) {
    for (const char* member : {"id", "level", "basis", "transport", "observable", "since", "until",
                               "where", "text", "judged_by", "why_not"}) {
      ASSERT_NE(requirement.Find(member), nullptr) << member;
    }
  }
  EXPECT_GT(Parsed(Assay({"list", "--profiles", "--json"}).out).items().size(), 1U);
  EXPECT_NE(Assay({"list", "--requirements"}).out.find("L-PING-respond"), std::string::npos);
}

TEST_F(CatalogueCommand, ExplainTellsOfRequirementsAndCases) {
  const Ran requirement = Assay({"explain", "L-PING-respond"});
  EXPECT_EQ(requirement.code, 0);
  EXPECT_NE(requirement.out.find("https://modelcontextprotocol.io/specification/"),
            std::string::npos);
  const std::string cases = Write("cases.yaml", kGoodCases);
  for (const char* id : {"good/ping", "good/ping@two"}) {
    const Ran ran = Assay({"explain", id, "--cases", cases});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("A ping is answered"), std::string::npos);
    EXPECT_NE(ran.out.find("L-PING-respond"), std::string::npos);
  }
}

TEST_F(CatalogueCommand, SchemaIsAJsonSchema) {
  const Json schema = Parsed(Assay({"schema"}).out);
  EXPECT_TRUE(schema.FindString("$schema"));
}

TEST_F(CatalogueCommand, SchemaIsThereForPeopleToo) {
  const Ran ran = Assay({"schema", "--markdown"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.starts_with("# The case format\n"));
}

TEST_F(CatalogueCommand, CheckLints) {
  EXPECT_EQ(Assay({"check", Write("good.yaml", kGoodCases)}).code, 0);
  const Ran bad = Assay({"check", Write("bad.yaml", "suite: s\nera: legacy\ncases: []\nx: 1\n")});
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.out.find("bad.yaml:4:1: "), std::string::npos) << bad.out;
  EXPECT_EQ(Assay({"check", std::string(ASSAY_SOURCE_DIR) + "/cases"}).code, 0);
}

}  // namespace
}  // namespace assay
