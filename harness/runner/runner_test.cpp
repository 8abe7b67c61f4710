// Sharing, second looks, and what becomes of the cases on a server that dies or mixes things up.

#include "runner/runner.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "testing/playback.h"
#include "testing/processes.h"

namespace assay {
namespace {

std::string ModernCase(const std::string& id, const std::string& cursor) {
  return "  - id: " + id +
         "\n    title: A list can be asked for\n    requires: [M-BASE-MANDATORY-COMPONENTS]\n"
         "    steps:\n"
         "      - request: { method: tools/list, params: { cursor: " +
         cursor + " } }\n        expect: { result: { tools: $array } }\n";
}

struct RunnerTest : testing::Test {
  RunnerTest() { ::signal(SIGPIPE, SIG_IGN); }
  ~RunnerTest() override { EXPECT_EQ(CountServersAlive(), 0); }

  // `cases`: a list as it stands under `cases:`.
  RunOutcome Run(const Script& script, const std::string& era, const std::string& cases) {
    const Playback server(script);
    settings.command = server.command();
    settings.jobs = 2;
    settings.required = {"must"};
    settings.keep_all_transcripts = true;
    RunListener listener;
    listener.started = [this](const std::string& id) { ++started[id]; };
    return RunCases(LibraryWith(CasesOf("suite: s\nera: " + era + "\ncases:\n" + cases)), settings,
                    listener);
  }

  static const Result& At(const RunOutcome& outcome, const std::string& id) {
    const auto& results = outcome.report.results;
    const auto found = std::find_if(results.begin(), results.end(), [&](const Result& result) {
      return result.case_id == "s/" + id;
    });
    if (found == results.end()) throw std::out_of_range("no result of " + id);
    return *found;
  }
  static std::string Told(const Result& result) {
    std::string text = result.case_id + " " + std::string(ToString(result.verdict)) + " " +
                       result.skip_detail + result.error;
    for (const ReportedFinding& finding : result.findings) {
      text += "\n  " + finding.requirement + ": " + finding.message;
    }
    for (const TranscriptLine& line : result.transcript) {
      text += "\n  " + line.direction + " " + line.bytes;
    }
    return text;
  }
  static bool HasProcess(const Result& result) {  // of its own
    return std::any_of(result.transcript.begin(), result.transcript.end(), [](const auto& line) {
      return line.bytes == "we closed the server's stdin";
    });
  }
  static std::string ModernCases(int count) {
    std::string cases;
    for (int i = 0; i < count; ++i) cases += ModernCase("n" + std::to_string(i), "c");
    return cases;
  }

  RunSettings settings;
  std::map<std::string, int> started;
};

TEST_F(RunnerTest, PlainModernCasesShareOneServer) {
  const RunOutcome outcome = Run(Script().Modern(), "modern", ModernCases(40));
  ASSERT_EQ(outcome.report.results.size(), 40U);
  for (const Result& result : outcome.report.results) {
    EXPECT_EQ(result.verdict, Verdict::kPass) << Told(result);
    EXPECT_FALSE(HasProcess(result));
    EXPECT_FALSE(result.repeat_differs);
    EXPECT_EQ(started[result.case_id], 1);
  }
  EXPECT_EQ(outcome.report.counts.at(Verdict::kPass), 40);
  EXPECT_FALSE(outcome.report.partial);
}

TEST_F(RunnerTest, IsolatedEachHasItsOwn) {
  settings.isolate = true;
  const RunOutcome outcome = Run(Script().Modern(), "modern", ModernCases(4));
  for (const Result& result : outcome.report.results) {
    EXPECT_EQ(result.verdict, Verdict::kPass) << Told(result);
    EXPECT_TRUE(HasProcess(result));
  }
}

TEST_F(RunnerTest, ResultsComeInTheOrderOfTheCasesWhateverTheSeed) {
  settings.seed = 7;
  const RunOutcome outcome = Run(Script().Modern(), "modern", ModernCases(9));
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(outcome.report.results[i].case_id, "s/n" + std::to_string(i));
  }
  EXPECT_EQ(outcome.report.seed, 7U);
}

TEST_F(RunnerTest, AnswersOutOfOrderReachWhoAsked) {
  Script script;
  script.On("/\"first\"/").Say(ModernToolsLine(R"(,"n":1)")).Hold("first");
  script.On("/\"second\"/").Say(ModernToolsLine(R"(,"n":2)")).Release("first");
  const auto one = [](const std::string& id, const std::string& n) {
    return "  - id: " + id +
           "\n    title: T\n    requires: [M-BASE-MANDATORY-COMPONENTS]\n    steps:\n"
           "      - request: { method: tools/list, params: { cursor: " +
           id + " } }\n        expect: { result: { n: " + n + " } }\n";
  };
  const RunOutcome outcome = Run(script.Modern(), "modern", one("first", "1") + one("second", "2"));
  for (const char* id : {"first", "second"}) {
    EXPECT_EQ(At(outcome, id).verdict, Verdict::kPass) << Told(At(outcome, id));
    EXPECT_EQ(started[std::string("s/") + id], 1);
  }
}

TEST_F(RunnerTest, WhatCannotBeAttributedIsLookedAtAgainAlone) {
  Script script;
  script.On("/\"odd\"/")
      .Say(NotificationLine("notifications/tools/list_changed"))
      .Say(ModernToolsLine());
  const RunOutcome outcome =
      Run(script.Modern(), "modern", ModernCases(5) + ModernCase("odd", "odd"));
  EXPECT_TRUE(HasProcess(At(outcome, "odd"))) << Told(At(outcome, "odd"));
  EXPECT_NE(At(outcome, "odd").verdict, Verdict::kPass);  // the oracle: nobody asked for it
  for (int i = 0; i < 5; ++i) {
    const Result& result = At(outcome, "n" + std::to_string(i));
    EXPECT_EQ(result.verdict, Verdict::kPass) << Told(result);
    EXPECT_FALSE(result.repeat_differs);
  }
}

TEST_F(RunnerTest, ASecondAnswerTakesThePassBack) {
  Script script;
  // Long after the exchange is over: when the input ends.
  script.On("/\"twice\"/").Write(ModernToolsLine() + "\n").Say(ModernToolsLine()).Hold("second");
  script.On("eof").Release("second");
  const RunOutcome outcome =
      Run(script.Modern(), "modern", ModernCases(3) + ModernCase("twice", "twice"));
  EXPECT_EQ(started["s/twice"], 2);
  EXPECT_TRUE(HasProcess(At(outcome, "twice")));
  EXPECT_NE(At(outcome, "twice").verdict, Verdict::kPass) << Told(At(outcome, "twice"));
  EXPECT_EQ(At(outcome, "n0").verdict, Verdict::kPass);
}

TEST_F(RunnerTest, AServerThatDiesTakesNobodysVerdictAlong) {
  Script script;
  script.On("/\"fatal\"/").Exit(1);
  const RunOutcome outcome =
      Run(script.Modern(), "modern", ModernCase("fatal", "fatal") + ModernCases(20));
  ASSERT_EQ(outcome.report.results.size(), 21U);
  const Result& fatal = At(outcome, "fatal");
  EXPECT_EQ(fatal.verdict, Verdict::kFail) << Told(fatal);
  EXPECT_EQ(started["s/fatal"], 2);
  for (int i = 0; i < 20; ++i) {
    const Result& result = At(outcome, "n" + std::to_string(i));
    EXPECT_EQ(result.verdict, Verdict::kPass) << Told(result);
    EXPECT_EQ(result.findings.size(), 0U);
  }
}

TEST_F(RunnerTest, AServerThatKeepsDyingIsNotSharedForEver) {
  // It serves three requests, then dies.
  Script script;
  for (int i = 0; i < 3; ++i) {
    script.On("tools/list").Once().Say(ModernToolsLine());
  }
  script.On("tools/list").Exit(1);
  const RunOutcome outcome = Run(script.Modern(), "modern", ModernCases(30));
  for (const Result& result : outcome.report.results) {
    EXPECT_EQ(result.verdict, Verdict::kPass) << Told(result);
  }
}

TEST_F(RunnerTest, DependingOnWhatCameBeforeIsAWarningOfItsOwn) {
  Script script;
  script.On("tools/list").Once().Say(ModernToolsLine());
  script.On("tools/list").Say(ErrorLine(-32603));
  const RunOutcome outcome = Run(script.Modern(), "modern", ModernCases(6));
  int warned = 0;
  for (const Result& result : outcome.report.results) {
    if (result.verdict == Verdict::kPass) continue;
    ++warned;
    EXPECT_EQ(result.verdict, Verdict::kWarn) << Told(result);
    EXPECT_TRUE(result.repeat_differs);
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].requirement, "M-STATE-NO-PRIOR-CONTEXT");
    EXPECT_FALSE(result.transcript.empty());
  }
  EXPECT_EQ(warned, 5);
}

TEST_F(RunnerTest, ATimeoutAmongOthersIsNotHeldAgainstStatelessness) {
  settings.timeout = std::chrono::milliseconds(300);
  Script script;
  script.On("tools/list").Once().Say(ModernToolsLine());
  script.On("tools/list");  // dropped
  const RunOutcome outcome = Run(script.Modern(), "modern", ModernCases(3));
  for (const Result& result : outcome.report.results) {
    EXPECT_EQ(result.verdict, Verdict::kPass) << Told(result);
    EXPECT_TRUE(result.findings.empty());
  }
}

TEST_F(RunnerTest, LegacyCasesShareOneAfterAnother) {
  std::string cases;
  for (int i = 0; i < 5; ++i) {
    cases += "  - id: n" + std::to_string(i) +
             "\n    title: T\n    requires: [L-PING-respond]\n    steps:\n"
             "      - request: { method: ping }\n        expect: { result: {} }\n";
  }
  const RunOutcome outcome = Run(Script().Legacy(), "legacy", cases);
  for (const Result& result : outcome.report.results) {
    EXPECT_EQ(result.verdict, Verdict::kPass) << Told(result);
    EXPECT_FALSE(HasProcess(result));
  }
}

TEST_F(RunnerTest, AHarnessThatCannotDoItsWorkIsAnErrorAndNoFinding) {
  const RunOutcome outcome =
      Run(Script().Legacy(), "legacy",
          "  - id: lost\n    title: T\n    requires: [L-PING-respond]\n    steps:\n"
          "      - http: { method: GET }\n        expect: { status: 200 }\n");
  EXPECT_EQ(At(outcome, "lost").verdict, Verdict::kError) << Told(At(outcome, "lost"));
  EXPECT_TRUE(At(outcome, "lost").findings.empty());
  EXPECT_NE(At(outcome, "lost").error, "");
}

TEST_F(RunnerTest, SetUpThatDoesNotHoldIsASkip) {
  const RunOutcome outcome =
      Run(Script().Legacy(), "legacy",
          "  - id: unmet\n    title: T\n    requires: [L-PING-respond]\n    steps:\n"
          "      - request: { method: tools/list }\n"
          "        expect: { for: ~, result: { tools: { $length: 5 } } }\n"
          "      - request: { method: ping }\n        expect: { result: {} }\n");
  EXPECT_EQ(At(outcome, "unmet").verdict, Verdict::kSkip);
  EXPECT_EQ(At(outcome, "unmet").skip_reason, "precondition");
}

TEST_F(RunnerTest, ADeathThatTheOracleExcusesIsStillNoPass) {
  // After a line that is no JSON nothing is owed; but neither is anything proved.
  const RunOutcome outcome =
      Run(Script().On("/oops/").Exit(0).Legacy(), "legacy",
          "  - id: dies\n    title: T\n    requires: [L-BASE-invalid-request]\n    steps:\n"
          "      - raw: oops\n        expect: { error: { code: $integer } }\n");
  EXPECT_EQ(At(outcome, "dies").verdict, Verdict::kWarn) << Told(At(outcome, "dies"));
}

TEST_F(RunnerTest, WhatIsLeftOutIsListed) {
  settings.plan.filters = {"s/n1"};
  const RunOutcome outcome = Run(Script().Modern(), "modern", ModernCases(3));
  EXPECT_EQ(outcome.report.results.size(), 1U);
  EXPECT_EQ(outcome.left_out, (std::vector<std::string>{"s/n0", "s/n2"}));
}

TEST_F(RunnerTest, TheTargetIsDescribed) {
  const RunOutcome outcome = Run(Script().Modern(), "modern", ModernCases(1));
  const Target& target = outcome.report.target;
  EXPECT_EQ(target.server_name, "playback");
  EXPECT_EQ(target.eras, std::vector<std::string>{"modern"});
  EXPECT_EQ(target.revisions, std::vector<std::string>{"2026-07-28"});
  EXPECT_EQ(target.era_policy, "modern-only");
  EXPECT_EQ(target.command.front(), ASSAY_PLAYBACK);
}

}  // namespace
}  // namespace assay
