// Faults that show in a certain order of messages only: no scripted case catches them, exploring
// does, and what it writes shows the fault again and passes without it.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "case/writer.h"
#include "property/explorer.h"
#include "selftest/reference_run.h"
#include "selftest/written_case.h"

namespace assay {
namespace {

struct OrderFault {
  std::string name;
  std::string model;  // that finds it; the others would take their time
  std::string requirement;
  std::size_t messages;  // of the client, in the shortest sequence that shows it
  std::vector<std::string> arguments = {};
};

const std::vector<OrderFault>& OrderFaults() {
  static const std::vector<OrderFault> faults = {
      {"order-id-as-text", "handshake", "L-BASE-response-id-echo", 3},
      {"order-notification-flips-era", "races-modern", "M-RPC-RESULTTYPE-PRESENT", 3},
      {"order-ping-null", "handshake", "L-BASE-result-is-object", 4},
      {"order-second-initialize-swallows", "handshake", "L-PING-respond", 3},
      {"order-list-revives-task", "tasks-legacy", "L-TASK-terminal-final", 4},
      {"order-cursor-of-another-list",
       "pages-modern",
       "M-TOOLS-LIST-SHAPE",
       3,
       {"--page-size", "4"}},
      {"order-resubscribed-without-id", "listen", "M-SUB-ID-ON-EVERY-NOTIFICATION", 5},
      {"order-progress-after-answer", "races-modern", "M-PROG-STOPS", 5},
  };
  return faults;
}

ExploreSettings SettingsFor(std::vector<std::string> command) {
  ExploreSettings settings;
  settings.run.command.argv = std::move(command);
  settings.run.timeout = std::chrono::milliseconds(1000);
  settings.run.jobs = 8;
  settings.run.seed = 1;
  settings.run.required = {"must"};
  // However slow the machine is: all short ones, and so many more.
  settings.iterations = 2000;
  return settings;
}

std::vector<std::string> CommandOf(const OrderFault& fault, bool faulty) {
  std::vector<std::string> command = {ASSAY_REFERENCE_SERVER};
  command.insert(command.end(), fault.arguments.begin(), fault.arguments.end());
  if (faulty) command.insert(command.end(), {"--fault", fault.name});
  return command;
}

bool Names(const Result& result, const std::string& requirement) {
  return std::any_of(
      result.findings.begin(), result.findings.end(),
      [&](const ReportedFinding& finding) { return finding.requirement == requirement; });
}

std::size_t MessagesIn(const std::vector<Step>& steps) {
  std::size_t messages = 0;
  for (const Step& step : steps) {
    const bool is_one = step.verb == Step::Verb::kRequest || step.verb == Step::Verb::kNotify ||
                        step.verb == Step::Verb::kRaw;
    messages += is_one ? 1 : 0;
    for (const std::vector<Step>& branch : step.branches) messages += MessagesIn(branch);
  }
  return messages;
}

class OrderFaultTest : public testing::TestWithParam<std::size_t> {};

TEST_P(OrderFaultTest, IsFoundShrunkAndWritten) {
  const OrderFault& fault = OrderFaults()[GetParam()];
  ExploreSettings settings = SettingsFor(CommandOf(fault, true));
  settings.most_findings = 1;
  settings.models = {fault.model};
  const ExploreOutcome outcome = Explore(BuiltinLibrary(), settings, {});
  ASSERT_FALSE(outcome.found.empty());
  const Discovered& found = outcome.found.front();
  EXPECT_TRUE(Names(found.result, fault.requirement));
  EXPECT_EQ(MessagesIn(found.test_case.steps), fault.messages) << found.test_case.id;

  const std::string text = WriteCaseFile({found.test_case});
  const Result faulty = RunWritten(text, CommandOf(fault, true));
  EXPECT_EQ(faulty.verdict, Verdict::kFail) << text;
  EXPECT_TRUE(Names(faulty, fault.requirement));
  const Result clean = RunWritten(text, CommandOf(fault, false));
  EXPECT_EQ(clean.verdict, Verdict::kPass) << text << clean.skip_detail << clean.error;
}

TEST_P(OrderFaultTest, HidesFromEveryScriptedCase) {
  const OrderFault& fault = OrderFaults()[GetParam()];
  std::vector<std::string> arguments = fault.arguments;
  arguments.insert(arguments.end(), {"--fault", fault.name});
  ExpectHidden(arguments);
}

INSTANTIATE_TEST_SUITE_P(, OrderFaultTest, testing::Range<std::size_t>(0, OrderFaults().size()),
                         [](const auto& tested) {
                           return TestName(OrderFaults()[tested.param].name);
                         });

TEST(Explore, EveryOrderFaultIsTriedHere) {
  std::vector<std::string> listed;
  for (const std::vector<std::string>& fault : ListFaults()) {
    if (fault[0].starts_with("order-")) listed.push_back(fault[0]);
  }
  std::vector<std::string> tried;
  for (const OrderFault& fault : OrderFaults()) tried.push_back(fault.name);
  EXPECT_EQ(tried, listed);
}

TEST(Explore, NothingIsFoundWithoutAFault) {
  ExploreSettings settings = SettingsFor({ASSAY_REFERENCE_SERVER, "--page-size", "4"});
  settings.run.timeout = std::chrono::milliseconds(5000);
  settings.run.required = {"must", "should", "contract"};
  settings.length = 2;
  settings.iterations = 200;
  const ExploreOutcome outcome = Explore(BuiltinLibrary(), settings, {});
  EXPECT_EQ(outcome.ran_short, outcome.all_short);
  EXPECT_EQ(outcome.ran_random, 200U);
  for (const Result& result : outcome.report.results) {
    if (result.verdict == Verdict::kPass) continue;
    ADD_FAILURE() << result.case_id << ": "
                  << (result.findings.empty() ? result.error : result.findings.front().message);
  }
  EXPECT_TRUE(outcome.unconfirmed.empty()) << outcome.unconfirmed.front().letters;
  for (const ExploredModel& model : outcome.models) {
    EXPECT_GT(model.ran, 0U) << model.name;
    EXPECT_EQ(model.without_set_up, 0U) << model.name << ": " << model.why;
  }
}

TEST(Explore, TheSameSeedGivesTheSameSequences) {
  ExploreSettings settings = SettingsFor({ASSAY_REFERENCE_SERVER});
  settings.length = 1;
  settings.iterations = 50;
  const std::vector<std::string> once = Explore(BuiltinLibrary(), settings, {}).sequences;
  EXPECT_EQ(Explore(BuiltinLibrary(), settings, {}).sequences, once);
  settings.run.seed = 2;
  EXPECT_NE(Explore(BuiltinLibrary(), settings, {}).sequences, once);
}

}  // namespace
}  // namespace assay
