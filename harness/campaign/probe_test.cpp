// Probes as steps.

#include "campaign/probe.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

const Manner kModern = {.era = Era::kModern, .revision = "2026-07-28"};

TEST(Probe, IsSentAsItStands) {
  const Case test_case = CaseOf(kModern, {{.family = "x", .bytes = "a$b ${c} $$"},
                                          {.family = "x", .bytes = "\xFF", .end = "\r\n"}});
  ASSERT_EQ(FirstStep(kModern), 1U);
  EXPECT_EQ(test_case.steps[1].verb, Step::Verb::kRaw);
  EXPECT_EQ(test_case.steps[1].text.text(), "a$$b $${c} $$$$");
  EXPECT_EQ(test_case.steps[2].verb, Step::Verb::kBytes);
  EXPECT_EQ(test_case.steps[2].text.text(), "/w0K");
}

TEST(Probe, NamesWhatWasMadeBefore) {
  const Manner legacy = {.era = Era::kLegacy, .revision = "2025-11-25"};
  const Probe producer{.family = "x", .bytes = "p", .save = {{MadeName(1), "/result/cursor"}}};
  const Probe consumer{.family = "x", .bytes = "c ${made1} ${made2}"};
  const Case both = CaseOf(legacy, {producer, consumer});
  EXPECT_EQ(both.steps[0].save.size(), 1U);
  EXPECT_EQ(both.steps[1].text.text(), "c ${made1} $${made2}");
  // Nobody uses it: then its answer need not be waited for.
  EXPECT_TRUE(CaseOf(legacy, {producer}).steps[0].save.empty());
  // Nobody made it.
  EXPECT_EQ(CaseOf(legacy, {consumer}).steps[0].text.text(), "c $${made1} $${made2}");
}

TEST(Probe, AtTheEndTheServerMustAnswer) {
  const Case set_up = CaseOf(kModern, {});
  ASSERT_EQ(set_up.steps.size(), 2U);  // at the beginning, too
  EXPECT_EQ(set_up.steps[1].message.FindString("method"), "server/discover");
  EXPECT_TRUE(set_up.steps[1].expect->set_up);
  const Case proves = CaseOf({.era = Era::kNone}, {}, "L-PING-respond");
  ASSERT_EQ(proves.steps.size(), 2U);
  EXPECT_EQ(proves.steps[0].message.FindString("method"), "ping");
  EXPECT_EQ(proves.steps[1].verb, Step::Verb::kExpect);
  EXPECT_EQ(proves.steps[1].expect->requirements, std::vector<std::string>{"L-PING-respond"});
  EXPECT_EQ(proves.requires_ids, std::vector<std::string>{"L-PING-respond"});
}

}  // namespace
}  // namespace assay
