// Whatever a server does, a run ends, says what happened, and leaves nothing running.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <string>

#include "runner/runner.h"
#include "testing/playback.h"
#include "testing/processes.h"

namespace assay {
namespace {

// What a hostile server may make us take. AddressSanitizer keeps freed memory for a while.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kMostMemory = std::size_t{1} << 30;
#else
constexpr std::size_t kMostMemory = std::size_t{120} << 20;
#endif

const char kCases[] = R"(
suite: hostile
era: legacy
cases:
  - id: list
    title: The tools can be listed
    requires: [L-TOOLS-list-works]
    steps:
      - request: { method: tools/list }
        expect: { result: { tools: $array } }
  - id: ping
    title: A ping is answered
    requires: [L-PING-respond]
    steps:
      - request: { method: ping }
        expect: { result: {} }
  - id: silence
    title: A notification is not answered
    requires: [L-BASE-notification-no-response]
    steps:
      - notify: { method: notifications/never-heard-of }
      - silence: ~
  - id: exit
    title: The server ends with its input
    requires: [L-INIT-stdio-exit-on-eof]
    steps:
      - close: stdin
      - exit: { within: 500ms }
)";

struct HostileTest : testing::Test {
  HostileTest() { ::signal(SIGPIPE, SIG_IGN); }
  ~HostileTest() override { EXPECT_EQ(CountServersAlive(), 0) << "something is left running"; }

  RunOutcome Run(const std::string& mode) {
    settings.command.argv = {ASSAY_HOSTILE_SERVER, mode};
    settings.timeout = patience;
    settings.start_within = patience;
    settings.jobs = 2;
    settings.required = {"must"};
    return RunCases(LibraryWith(CasesOf(kCases)), settings, {});
  }

  // The verdict of each case, and what was found.
  static std::string Told(const RunOutcome& outcome) {
    if (!outcome.testable) return "untestable: " + outcome.why_not;
    std::string text;
    for (const Result& result : outcome.report.results) {
      text += result.case_id.substr(8) + " " + std::string(ToString(result.verdict));
      if (!result.skip_detail.empty()) text += " (" + result.skip_detail + ")";
      if (!result.error.empty()) text += " (" + result.error + ")";
      for (const ReportedFinding& finding : result.findings) text += "; " + finding.message;
      text += "\n";
    }
    return text;
  }
  static const Result& At(const RunOutcome& outcome, const std::string& name) {
    static const Result none;
    const auto& results = outcome.report.results;
    const auto found = std::find_if(results.begin(), results.end(), [&](const Result& result) {
      return result.case_id == "hostile/" + name;
    });
    return found == results.end() ? none : *found;
  }
  static bool Found(const Result& result, const std::string& words) {
    return std::any_of(result.findings.begin(), result.findings.end(), [&](const auto& finding) {
      return finding.message.find(words) != std::string::npos;
    });
  }

  RunSettings settings;
  // Short, where something must be waited for; where the server's own doing ends the wait, long.
  std::chrono::milliseconds patience{500};
};

// What a server says before it is asked anything, cases that share its process may not see: those
// that have one of their own do.
TEST_F(HostileTest, BinaryJunkOnStdoutFails) {
  const RunOutcome outcome = Run("binary-junk");
  ASSERT_TRUE(outcome.testable);
  EXPECT_EQ(At(outcome, "exit").verdict, Verdict::kFail) << Told(outcome);
  EXPECT_TRUE(Found(At(outcome, "exit"), "UTF-8")) << Told(outcome);
}

TEST_F(HostileTest, ABannerOnStdoutFails) {
  const RunOutcome outcome = Run("prints-banner");
  ASSERT_TRUE(outcome.testable);
  EXPECT_EQ(At(outcome, "exit").verdict, Verdict::kFail) << Told(outcome);
  EXPECT_TRUE(Found(At(outcome, "exit"), "not JSON")) << Told(outcome);
}

TEST_F(HostileTest, AnEndlessLineIsCut) {
  patience = std::chrono::seconds(30);
  const std::size_t before = PeakMemory();
  const RunOutcome outcome = Run("endless-line");
  EXPECT_LT(PeakMemory() - before, kMostMemory);
  EXPECT_FALSE(outcome.testable);
  EXPECT_NE(outcome.why_not.find("a line passed"), std::string::npos) << outcome.why_not;
}

TEST_F(HostileTest, AFloodOfLinesIsStopped) {
  patience = std::chrono::seconds(30);
  const std::size_t before = PeakMemory();
  const RunOutcome outcome = Run("flood-lines");
  EXPECT_LT(PeakMemory() - before, kMostMemory);
  EXPECT_FALSE(outcome.testable);
  EXPECT_NE(outcome.why_not.find("far more output"), std::string::npos)
      << outcome.why_not.substr(0, 2000);
  EXPECT_LT(outcome.why_not.size(), 10'000U);
}

TEST_F(HostileTest, AFloodOfMessagesIsStoppedAndTold) {
  patience = std::chrono::seconds(30);
  const std::size_t before = PeakMemory();
  const RunOutcome outcome = Run("flood-messages");
  EXPECT_LT(PeakMemory() - before, kMostMemory);
  ASSERT_TRUE(outcome.testable) << outcome.why_not;
  EXPECT_TRUE(Found(At(outcome, "list"), "flooded")) << Told(outcome);
  EXPECT_NE(At(outcome, "list").verdict, Verdict::kPass);
  EXPECT_EQ(At(outcome, "ping").verdict, Verdict::kPass) << Told(outcome);
  // A report holds what happened, not all of it.
  std::size_t kept = 0;
  for (const TranscriptLine& line : At(outcome, "list").transcript) kept += line.bytes.size();
  EXPECT_GT(kept, 1000U);
  EXPECT_LT(kept, std::size_t{2} << 20);
}

TEST_F(HostileTest, AFloodOfStderrIsBounded) {
  const std::size_t before = PeakMemory();
  const RunOutcome outcome = Run("flood-stderr");
  EXPECT_LT(PeakMemory() - before, kMostMemory);
  ASSERT_TRUE(outcome.testable) << outcome.why_not;
  EXPECT_EQ(At(outcome, "ping").verdict, Verdict::kPass) << Told(outcome);
}

TEST_F(HostileTest, AServerThatNeverReadsCannotBeTested) {
  const RunOutcome outcome = Run("never-reads");
  EXPECT_FALSE(outcome.testable);
  EXPECT_NE(outcome.why_not.find("initialize was not answered"), std::string::npos)
      << outcome.why_not;
}

TEST_F(HostileTest, AServerThatExitsAtOnceCannotBeTestedAndHasLastWords) {
  const RunOutcome outcome = Run("exits-at-once");
  EXPECT_FALSE(outcome.testable);
  EXPECT_NE(outcome.why_not.find("cannot read the configuration"), std::string::npos)
      << outcome.why_not;
  EXPECT_NE(outcome.why_not.find("exited with code 3"), std::string::npos) << outcome.why_not;
}

TEST_F(HostileTest, ACommandThatDoesNotExistCannotBeTested) {
  settings.command.argv = {"/no/such/server"};
  const RunOutcome outcome = RunCases(LibraryWith(CasesOf(kCases)), settings, {});
  EXPECT_FALSE(outcome.testable);
  EXPECT_NE(outcome.why_not.find("/no/such/server"), std::string::npos) << outcome.why_not;
}

TEST_F(HostileTest, AServerThatWillNotEndIsKilledAndThatIsTold) {
  const RunOutcome outcome = Run("ignores-sigterm");
  ASSERT_TRUE(outcome.testable);
  EXPECT_EQ(At(outcome, "ping").verdict, Verdict::kPass) << Told(outcome);
  EXPECT_NE(At(outcome, "exit").verdict, Verdict::kPass) << Told(outcome);
  EXPECT_TRUE(Found(At(outcome, "exit"), "had not ended")) << Told(outcome);
}

TEST_F(HostileTest, WhatIsLeftRunningIsKilledAndTold) {
  for (const char* mode : {"leaves-child", "leaves-daemon"}) {
    const RunOutcome outcome = Run(mode);
    ASSERT_TRUE(outcome.testable) << mode;
    EXPECT_TRUE(Found(At(outcome, "silence"), "were left")) << mode << "\n" << Told(outcome);
    EXPECT_EQ(CountServersAlive(), 0) << mode;
  }
}

TEST_F(HostileTest, ACrashInMidAnswerFailsWithItsLastWords) {
  const RunOutcome outcome = Run("crashes-in-answer");
  ASSERT_TRUE(outcome.testable) << outcome.why_not;
  const Result& list = At(outcome, "list");
  EXPECT_EQ(list.verdict, Verdict::kFail) << Told(outcome);
  EXPECT_TRUE(Found(list, "died of signal 6")) << Told(outcome);
  EXPECT_TRUE(std::any_of(list.transcript.begin(), list.transcript.end(), [](const auto& line) {
    return line.direction == "err" && line.bytes == "about to crash\n";
  }));
  EXPECT_EQ(At(outcome, "ping").verdict, Verdict::kPass) << Told(outcome);
}

TEST_F(HostileTest, ASecondAnswerFails) {
  const RunOutcome outcome = Run("answers-twice");
  ASSERT_TRUE(outcome.testable);
  EXPECT_EQ(At(outcome, "list").verdict, Verdict::kFail) << Told(outcome);
  EXPECT_EQ(At(outcome, "ping").verdict, Verdict::kPass) << Told(outcome);
}

TEST_F(HostileTest, AnAnswerLongAfterTheTimeoutIsNoPass) {
  const RunOutcome outcome = Run("answers-late");
  ASSERT_TRUE(outcome.testable) << outcome.why_not;
  EXPECT_EQ(At(outcome, "list").verdict, Verdict::kFail) << Told(outcome);
  EXPECT_TRUE(Found(At(outcome, "list"), "stopped answering")) << Told(outcome);
  EXPECT_EQ(At(outcome, "ping").verdict, Verdict::kPass) << Told(outcome);
}

TEST_F(HostileTest, AClosedStdoutFails) {
  const RunOutcome outcome = Run("closes-stdout");
  ASSERT_TRUE(outcome.testable) << outcome.why_not;
  EXPECT_EQ(At(outcome, "list").verdict, Verdict::kFail) << Told(outcome);
  EXPECT_TRUE(Found(At(outcome, "list"), "closed its stdout")) << Told(outcome);
}

TEST_F(HostileTest, AHangAfterTheHandshakeIsNoPass) {
  const RunOutcome outcome = Run("hangs-after-initialize");
  ASSERT_TRUE(outcome.testable) << outcome.why_not;
  for (const char* name : {"list", "ping"}) {
    EXPECT_EQ(At(outcome, name).verdict, Verdict::kFail) << Told(outcome);
  }
  EXPECT_NE(At(outcome, "silence").verdict, Verdict::kPass) << Told(outcome);
}

TEST_F(HostileTest, AHangOfOneRequestDoesNotTakeTheOthersAlong) {
  const RunOutcome outcome = Run("hangs-on-list");
  ASSERT_TRUE(outcome.testable) << outcome.why_not;
  EXPECT_EQ(At(outcome, "list").verdict, Verdict::kFail) << Told(outcome);
  EXPECT_EQ(At(outcome, "ping").verdict, Verdict::kPass) << Told(outcome);
  EXPECT_EQ(At(outcome, "silence").verdict, Verdict::kPass) << Told(outcome);
}

}  // namespace
}  // namespace assay
