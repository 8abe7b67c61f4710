// Faults that show with certain values only: no scripted case catches them, fuzzing does, and what
// it writes shows the fault again and passes without it.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "case/writer.h"
#include "selftest/reference_run.h"
#include "selftest/written_case.h"

namespace assay {
namespace {

struct ValueFault {
  std::string name;
  std::size_t messages = 1;  // of the shortest sequence that shows it
  Verdict verdict = Verdict::kFail;
};

const std::vector<ValueFault>& ValueFaults() {
  static const std::vector<ValueFault> faults = {{"value-id-32-bits"},
                                                 {"value-paragraph-separator"},
                                                 {"value-deep-meta"},
                                                 {"value-meta-key-hangs"},
                                                 {"value-odd-meta-kept", 1, Verdict::kDiffers}};
  return faults;
}

std::vector<std::string> CommandOf(const std::string& fault) {
  if (fault.empty()) return {ASSAY_REFERENCE_SERVER};
  return {ASSAY_REFERENCE_SERVER, "--fault", fault};
}

CampaignSettings SettingsFor(std::vector<std::string> command) {
  CampaignSettings settings;
  settings.run.command.argv = std::move(command);
  settings.run.timeout = std::chrono::milliseconds(500);
  settings.run.jobs = 2;
  settings.run.isolate = true;
  settings.run.seed = 1;
  settings.run.required = {"must"};
  return settings;
}

CampaignOutcome Campaign(const CampaignSettings& settings, const CampaignListener& listener = {}) {
  Corpus corpus;
  return Fuzz(BuiltinLibrary(), settings, corpus, listener);
}

class ValueFaultTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ValueFaultTest, IsFoundShrunkAndWritten) {
  const ValueFault& fault = ValueFaults()[GetParam()];
  CampaignSettings settings = SettingsFor(CommandOf(fault.name));
  settings.iterations = 200'000;
  settings.most_findings = 1;
  const CampaignOutcome outcome = Campaign(settings);
  ASSERT_FALSE(outcome.found.empty());
  const CampaignFinding& found = outcome.found.front();
  EXPECT_EQ(found.probes, fault.messages) << WriteCaseFile({found.test_case});
  EXPECT_EQ(found.result.verdict, fault.verdict);

  const std::string text = WriteCaseFile({found.test_case});
  EXPECT_EQ(RunWritten(text, CommandOf(fault.name)).verdict, fault.verdict) << text;
  const Result clean = RunWritten(text, CommandOf(""));
  EXPECT_EQ(clean.verdict, Verdict::kPass) << text << clean.skip_detail << clean.error;
}

TEST_P(ValueFaultTest, HidesFromEveryScriptedCase) {
  const ValueFault& fault = ValueFaults()[GetParam()];
  ExpectHidden({"--fault", fault.name});
}

INSTANTIATE_TEST_SUITE_P(, ValueFaultTest, testing::Range<std::size_t>(0, ValueFaults().size()),
                         [](const auto& tested) {
                           return TestName(ValueFaults()[tested.param].name);
                         });

TEST(Fuzz, EveryValueFaultIsTriedHere) {
  std::vector<std::string> listed;
  for (const std::vector<std::string>& fault : ListFaults()) {
    if (fault[0].starts_with("value-")) listed.push_back(fault[0]);
  }
  std::vector<std::string> tried;
  for (const ValueFault& fault : ValueFaults()) tried.push_back(fault.name);
  EXPECT_EQ(tried, listed);
}

TEST(Fuzz, NothingIsFoundWithoutAFault) {
  CampaignSettings settings = SettingsFor({ASSAY_REFERENCE_SERVER, "--page-size", "4"});
  settings.run.timeout = std::chrono::milliseconds(5000);
  settings.run.required = {"must", "should", "contract"};
  settings.iterations = 10000;
  const CampaignOutcome outcome = Campaign(settings);
  for (const Result& result : outcome.report.results) {
    ADD_FAILURE() << result.case_id << ": "
                  << (result.findings.empty() ? result.error : result.findings.front().message);
  }
  EXPECT_TRUE(outcome.unconfirmed.empty()) << outcome.unconfirmed.front();
  EXPECT_GE(outcome.tally.messages, 10000U);
  EXPECT_GT(outcome.tally.states, 3U);
  EXPECT_GT(outcome.tally.corpus, 50U);
}

// Round by round all that is sent.
std::map<std::uint64_t, std::string> SentWith(std::uint64_t seed) {
  // Whether a task can still be cancelled is chance: then a server does not answer the same.
  CampaignSettings settings = SettingsFor({ASSAY_REFERENCE_SERVER, "--tasks", "off"});
  settings.run.timeout = std::chrono::milliseconds(5000);
  settings.run.jobs = 1;
  settings.run.seed = seed;
  settings.iterations = 5000;
  std::map<std::uint64_t, std::string> sent;
  CampaignListener listener;
  listener.sent = [&](std::uint64_t round, const Manner&, const std::vector<Probe>& probes) {
    for (const Probe& probe : probes) sent[round] += probe.fence ? "|" : probe.bytes + probe.end;
  };
  Campaign(settings, listener);
  return sent;
}

TEST(Fuzz, TheSameSeedSendsTheSameBytes) {
  const auto once = SentWith(7);
  EXPECT_GT(once.size(), 5U);
  auto again = SentWith(7);
  EXPECT_EQ(again.size(), once.size());
  for (const auto& [round, bytes] : once) {
    const std::string& other = again[round];
    const auto differs = std::mismatch(bytes.begin(), bytes.end(), other.begin(), other.end());
    ASSERT_TRUE(other == bytes) << "round " << round << ", at "
                                << std::string(differs.first, bytes.end()).substr(0, 300);
  }
  EXPECT_NE(SentWith(8), once);
}

TEST(Fuzz, WhatWasFoundBeforeIsTriedFirst) {
  CampaignSettings settings = SettingsFor(CommandOf("value-deep-meta"));
  settings.iterations = 20000;
  settings.most_findings = 1;
  const CampaignOutcome first = Campaign(settings);
  ASSERT_FALSE(first.found.empty());

  settings.known = {first.found.front().test_case};
  settings.iterations = 0;
  const CampaignOutcome again = Campaign(settings);
  ASSERT_EQ(again.found.size(), 1U);
  EXPECT_EQ(again.found.front().test_case.id, settings.known.front().id);

  settings.run.command.argv = {ASSAY_REFERENCE_SERVER};
  const CampaignOutcome mended = Campaign(settings);
  EXPECT_TRUE(mended.found.empty());
  EXPECT_EQ(mended.fixed, std::vector<std::string>{settings.known.front().id});
}

}  // namespace
}  // namespace assay
