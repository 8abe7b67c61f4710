#include "exchange/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "testing/playback.h"

namespace assay {
namespace {

using Event = Entry::Event;

constexpr std::chrono::milliseconds kShort{1000};
const char kId[] = "L-BASE-response-id-echo";

// Steps of a legacy case that proves kId.
ExchangeOutcome PlayLegacy(Script script, const std::string& steps,
                           std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
  return Play(script.Legacy(), CaseOf(Era::kLegacy, kId, steps), {.timeout = timeout});
}

ExchangeOutcome PlayBare(const Script& script, const std::string& steps,
                         std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
  return Play(script, CaseOf(Era::kNone, kId, steps), {.timeout = timeout});
}

// The lines that steps sent, and not the engine of its own accord.
std::vector<std::string> SentBySteps(const ExchangeOutcome& outcome) {
  std::vector<std::string> lines;
  for (const Entry& entry : outcome.transcript.entries) {
    if (entry.direction == Entry::Direction::kOut && !entry.by_harness)
      lines.push_back(entry.bytes);
  }
  return lines;
}

std::string Wire(const ExchangeOutcome& outcome) {
  std::string wire;
  for (const Entry& entry : outcome.transcript.entries) {
    wire += (entry.direction == Entry::Direction::kOut ? "> " : "< ") + entry.bytes + "\n";
  }
  return wire;
}

bool SentByHarness(const ExchangeOutcome& outcome, const std::string& part) {
  return std::any_of(outcome.transcript.entries.begin(), outcome.transcript.entries.end(),
                     [&](const Entry& entry) {
                       return entry.direction == Entry::Direction::kOut && entry.by_harness &&
                              entry.bytes.find(part) != std::string::npos;
                     });
}

void ExpectHeld(const ExchangeOutcome& outcome) {
  EXPECT_EQ(Messages(outcome.findings), "");
  EXPECT_EQ(Messages(outcome.unmet), "");
  EXPECT_EQ(outcome.precondition, "");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.proved.count(kId), 1U);
}

// --- requests ----------------------------------------------------------------------------------

TEST(Exchange, ProvesWhatHolds) {
  ExpectHeld(PlayLegacy(Script(),
                        "- request: { method: ping }\n"
                        "  expect: { result: {} }\n"));
}

TEST(Exchange, LooksAtMemoryInEvenDistances) {
  const ExchangeOutcome outcome = PlayLegacy(Script(),
                                             "- repeat: 20\n"
                                             "  memory: settles\n"
                                             "  steps:\n"
                                             "    - request: { method: ping }\n"
                                             "      expect: { result: {} }\n");
  ExpectHeld(outcome);
  std::size_t pings = 0;
  std::vector<std::size_t> looked_after;
  for (const Entry& entry : outcome.transcript.entries) {
    if (entry.step == "steps/0/steps/0" && entry.direction == Entry::Direction::kOut &&
        !entry.by_harness) {
      ++pings;
    }
    if (entry.event != Event::kMemory) continue;
    looked_after.push_back(pings);
    EXPECT_GT(entry.memory, 100'000U);
  }
  EXPECT_EQ(looked_after, (std::vector<std::size_t>{3, 5, 8, 10, 13, 15, 18, 20}));
}

TEST(Exchange, ReportsWhatDoesNotHoldAndWhere) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script().On("tools/list").Say(ResultLine(R"({"tools":5})")),
                 "- request: { method: ping }\n"
                 "- request: { method: tools/list }\n"
                 "  expect: { result: { tools: $array } }\n");
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].requirement, kId);
  EXPECT_EQ(outcome.findings[0].step, "steps/1");
  EXPECT_NE(outcome.findings[0].message.find("/tools"), std::string::npos);
  EXPECT_EQ(outcome.proved.count(kId), 0U);
}

TEST(Exchange, JudgesTheSameAnswerAgainAfterADisagreementAndThenStops) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script().On("tools/list").Say(ResultLine(R"({"tools":5,"a":1})")),
                 "- request: { method: tools/list }\n"
                 "  expect: { result: { tools: $array } }\n"
                 "- expect: { result: { a: 2 } }\n"
                 "- request: { method: ping }\n"
                 "  expect: { result: { never: reached } }\n");
  EXPECT_EQ(outcome.findings.size(), 2U) << Messages(outcome.findings);
  EXPECT_EQ(SentBySteps(outcome).size(), 1U);
}

TEST(Exchange, AnErrorInPlaceOfAResultEndsTheCase) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("tools/list").Say(ErrorLine(-32603)),
                                             "- request: { method: tools/list }\n"
                                             "  expect: { result: { tools: $array } }\n"
                                             "- expect: { result: { tools: $array } }\n");
  EXPECT_EQ(Messages(outcome.findings), std::string(kId) + ": expected a result, got an error");
}

TEST(Exchange, SetUpThatDoesNotHoldSkips) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("tools/list").Say(ErrorLine(-32603)),
                                             "- request: { method: tools/list }\n"
                                             "  expect: { for: ~, result: { tools: $array } }\n"
                                             "- request: { method: ping }\n"
                                             "  expect: { result: {} }\n");
  EXPECT_NE(outcome.precondition, "");
  EXPECT_EQ(Messages(outcome.findings), "");
  EXPECT_EQ(outcome.proved.count(kId), 0U);
}

TEST(Exchange, ARefusedHandshakeSkips) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("initialize").Say(ErrorLine(-32603)),
                                             "- request: { method: ping }\n"
                                             "  expect: { result: {} }\n");
  EXPECT_NE(outcome.precondition.find("initialize was refused"), std::string::npos);
}

TEST(Exchange, SavesValuesWithTheirTypes) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script().On("tools/list").Say(ResultLine(R"({"n":1.50,"s":"7","o":{"a":[1]}})")),
                 "- request: { method: tools/list }\n"
                 "  expect: { result: {} }\n"
                 "  save: { n: /result/n, s: /result/s, o: /result/o }\n"
                 "- request: { method: ping, params: { n: \"${n}\", s: \"${s}\", a: \"${o.a}\", "
                 "t: \"<${s}>\" } }\n");
  const auto sent = SentBySteps(outcome);
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_NE(sent[1].find(R"("params":{"n":1.50,"s":"7","a":[1],"t":"<7>"})"), std::string::npos)
      << sent[1];
}

TEST(Exchange, WhatCannotBeSavedSkips) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script(),
                 "- request: { method: ping }\n"
                 "  save: { cursor: /result/nextCursor }\n"
                 "- request: { method: ping, params: { c: \"${cursor}\" } }\n"
                 "  expect: { result: {} }\n");
  EXPECT_NE(outcome.precondition.find("/result/nextCursor"), std::string::npos);
}

TEST(Exchange, ARoleThatIsMissingSkips) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script(),
                 "- request: { method: tools/call, params: { name: \"${role.echo.tool}\" } }\n"
                 "  expect: { result: {} }\n");
  EXPECT_NE(outcome.precondition, "");
}

// --- ids ---------------------------------------------------------------------------------------

TEST(Exchange, IdsGoOutAsWrittenAndTheirAnswersAreFound) {
  for (const std::string id : {"0", "-1", "\"7\"", "\"\"", "9007199254740993", "1.0", "1e400"}) {
    const ExchangeOutcome outcome = PlayLegacy(Script(),
                                               "- request: { method: ping }\n"
                                               "  id: " +
                                                   id +
                                                   "\n"
                                                   "  expect: { result: {} }\n");
    ExpectHeld(outcome);
    const auto sent = SentBySteps(outcome);
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_NE(sent[0].find("\"id\":" + id + ","), std::string::npos) << sent[0];
  }
}

TEST(Exchange, AnAlteredIdIsTheAnswerAllTheSame) {
  const auto answer = [](const std::string& id) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})";
  };
  const std::string ask =
      "- request: { method: x/y }\n  id: 9007199254740993\n"
      "  expect: { result: {} }\n";
  for (const char* id : {"\"9007199254740993\"", "9007199254740992", "null"}) {
    const ExchangeOutcome outcome =
        PlayLegacy(Script().On("x/y").Say(answer(id)), ask, std::chrono::seconds(1));
    ExpectHeld(outcome);
    EXPECT_FALSE(outcome.timed_out) << id;
  }
}

TEST(Exchange, TheAnswerWithTheVeryIdIsPreferred) {
  // Two requests that differ only in the type of the id, answered the other way round.
  ExpectHeld(PlayLegacy(Script()
                            .On("first/one")
                            .Say(R"({"jsonrpc":"2.0","id":7,"result":{"n":1}})")
                            .Hold("h")
                            .On("second/one")
                            .Say(R"({"jsonrpc":"2.0","id":"7","result":{"n":2}})")
                            .Release("h"),
                        "- parallel:\n"
                        "    - request: { method: first/one }\n"
                        "      id: 7\n"
                        "      expect: { response: { id: 7, result: { n: 1 } } }\n"
                        "    - request: { method: second/one }\n"
                        "      id: \"7\"\n"
                        "      expect: { response: { id: \"7\", result: { n: 2 } } }\n"));
}

// --- no answer -----------------------------------------------------------------------------------

TEST(Exchange, ARequestWithoutAnswerThatOthersOvertakeWasDropped) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("tools/list"),
                                             "- request: { method: tools/list }\n"
                                             "  expect: { result: {} }\n",
                                             kShort);
  EXPECT_TRUE(Happened(outcome.transcript, Event::kDropped));
  EXPECT_FALSE(Happened(outcome.transcript, Event::kHang));
  EXPECT_EQ(Messages(outcome.findings), std::string(kId) + ": expected an answer, got none");
  EXPECT_TRUE(outcome.timed_out);
}

TEST(Exchange, ALateAnswerBehindTheFenceIsStillTheAnswer) {
  ExpectHeld(PlayLegacy(Script()
                            .On("tools/list")
                            .Say(ResultLine("{}"))
                            .Hold("late")
                            .On("ping")
                            .Say(ResultLine("{}"))
                            .Release("late"),
                        "- request: { method: tools/list }\n"
                        "  expect: { result: {} }\n",
                        std::chrono::milliseconds(600)));
}

TEST(Exchange, AnErrorWithoutAnIdIsNotTakenForAnAnswerThatStillComes) {
  ExpectHeld(PlayLegacy(Script()
                            .On("tools/list")
                            .Say(R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}})")
                            .Say(ResultLine("{}")),
                        "- request: { method: tools/list }\n"
                        "  expect: { result: {} }\n"));
}

TEST(Exchange, AnErrorWithoutAnIdIsTheAnswerIfNoOtherComesBeforeThatToALaterRequest) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script()
                     .On("tools/list")
                     .Say(R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}})"),
                 "- request: { method: tools/list }\n"
                 "  expect: { error: { code: -1 } }\n",
                 std::chrono::minutes(10));
  ExpectHeld(outcome);
  EXPECT_FALSE(outcome.timed_out);
}

TEST(Exchange, AServerThatDoesNotAnswerTheHandshakeHasNotStarted) {
  const ExchangeOutcome outcome = Play(Script().On("initialize").On("ping"),
                                       CaseOf(Era::kLegacy, kId,
                                              "- request: { method: tools/list }\n"
                                              "  expect: { result: {} }\n"),
                                       {.timeout = std::chrono::milliseconds(200)});
  EXPECT_NE(outcome.error.find("did not start within 200 ms"), std::string::npos) << outcome.error;
  EXPECT_EQ(Messages(outcome.findings), "");
}

TEST(Exchange, AServerThatAnswersNothingMoreHangs) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("tools/list").On("ping"),
                                             "- request: { method: tools/list }\n"
                                             "  expect: { result: {} }\n"
                                             "- request: { method: tools/list }\n",
                                             kShort);
  EXPECT_TRUE(Happened(outcome.transcript, Event::kHang));
  EXPECT_EQ(Messages(outcome.findings), "");  // the oracle's to judge
  EXPECT_EQ(Messages(outcome.unmet), std::string(kId) + "?: the server stopped answering");
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(SentBySteps(outcome).size(), 1U);
}

TEST(Exchange, ACrashIsSeenWithoutWaiting) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script().On("tools/list").Write(R"({"jsonrpc":"2.0",)").Exit(7),
                 "- request: { method: tools/list }\n"
                 "  expect: { result: {} }\n",
                 std::chrono::minutes(10));
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(Messages(outcome.unmet),
            std::string(kId) + "?: the server was gone before it answered");
  EXPECT_EQ(outcome.proved.count(kId), 0U);
  const auto& entries = outcome.transcript.entries;
  const auto last_words = std::find_if(entries.begin(), entries.end(),
                                       [](const Entry& entry) { return entry.unterminated; });
  ASSERT_NE(last_words, entries.end());
  EXPECT_EQ(last_words->bytes, R"({"jsonrpc":"2.0",)");
  const auto exit = std::find_if(entries.begin(), entries.end(),
                                 [](const Entry& entry) { return entry.event == Event::kExited; });
  ASSERT_NE(exit, entries.end());
  EXPECT_EQ(exit->exit_code, 7);
  EXPECT_FALSE(Happened(outcome.transcript, Event::kOutputClosed));
}

TEST(Exchange, AClosedStdoutIsTold) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("tools/list").CloseOutput(),
                                             "- request: { method: tools/list }\n"
                                             "  expect: { result: {} }\n",
                                             kShort);
  EXPECT_TRUE(Happened(outcome.transcript, Event::kOutputClosed));
  EXPECT_FALSE(outcome.unmet.empty());
}

TEST(Exchange, NothingHoldsWhereNothingComes) {
  ExpectHeld(PlayLegacy(Script().On("x/y"),
                        "- request: { method: x/y }\n"
                        "  expect: nothing\n"
                        "- request: { method: ping }\n"));
}

TEST(Exchange, NothingIsBrokenByAnAnswer) {
  for (const char* line : {R"({"jsonrpc":"2.0","id":$ID,"result":{}})",
                           R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}})"}) {
    const ExchangeOutcome outcome = PlayLegacy(Script().On("x/y").Say(line),
                                               "- request: { method: x/y }\n"
                                               "  expect: nothing\n");
    EXPECT_EQ(Messages(outcome.findings), std::string(kId) + ": expected no answer, got one");
  }
}

TEST(Exchange, AnAnswerAfterTheFenceIsOnlyWorthAWarning) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script().On("x/y").Say(ResultLine("{}")).Hold("late").On("eof").Release("late"),
                 "- request: { method: x/y }\n"
                 "  expect: nothing\n");
  EXPECT_EQ(Messages(outcome.findings), std::string(kId) + "?: expected no answer, got one");
}

// --- silence -------------------------------------------------------------------------------------

const char kNotifyAndListen[] =
    "- notify: { method: notifications/x }\n"
    "- silence: ~\n"
    "- request: { method: ping }\n";

TEST(Silence, HoldsBehindAFence) {
  const ExchangeOutcome outcome = PlayLegacy(Script(), kNotifyAndListen);
  ExpectHeld(outcome);
  EXPECT_TRUE(SentByHarness(outcome, "\"ping\""));
}

TEST(Silence, LeavesLinesThatAreNoMessagesToTheOracle) {
  ExpectHeld(PlayLegacy(Script().On("notifications/x").Say("no JSON"), kNotifyAndListen));
}

TEST(Silence, IsBrokenByAnyMessage) {
  for (const std::string& line : {ErrorLine(-32601), NotificationLine("notifications/y")}) {
    const ExchangeOutcome outcome =
        PlayLegacy(Script().On("notifications/x").Say(line), kNotifyAndListen);
    EXPECT_EQ(Messages(outcome.findings),
              std::string(kId) + ": expected nothing to come, got a message")
        << Wire(outcome);
  }
}

TEST(Silence, CountsFromWhereTheStepBeforeItBegan) {
  // What an earlier request brought is not the notification's doing.
  ExpectHeld(PlayLegacy(
      Script().On("tools/list").Say(NotificationLine("notifications/y")).Say(ResultLine("{}")),
      "- request: { method: tools/list }\n"
      "- notify: { method: notifications/x }\n"
      "- silence: ~\n"));
  // But what the step before it brought is.
  const ExchangeOutcome outcome = PlayLegacy(
      Script().On("tools/list").Say(NotificationLine("notifications/y")).Say(ResultLine("{}")),
      "- request: { method: tools/list }\n"
      "- silence: ~\n");
  EXPECT_EQ(outcome.findings.size(), 1U);
}

TEST(Silence, CountsSeveralNotificationsInARowAsOneStep) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("notifications/x").Say(ErrorLine(-32601)),
                                             "- notify: { method: notifications/x }\n"
                                             "- notify: { method: notifications/other }\n"
                                             "- notify: { method: notifications/other }\n"
                                             "- silence: ~\n");
  EXPECT_EQ(outcome.findings.size(), 1U);
}

TEST(Silence, AllowsWhatItLists) {
  Script script;
  script.On("notifications/x").Say(NotificationLine("notifications/y"));
  ExpectHeld(PlayLegacy(script,
                        "- notify: { method: notifications/x }\n"
                        "- silence: [ { method: notifications/y } ]\n"));
  EXPECT_EQ(PlayLegacy(script,
                       "- notify: { method: notifications/x }\n"
                       "- silence: [ { method: notifications/z } ]\n")
                .findings.size(),
            1U);
}

TEST(Silence, IsBrokenAtMostSoftlyByWhatComesAfterTheFence) {
  Script script;
  script.On("notifications/x").Say(NotificationLine("notifications/y")).Hold("late");
  script.On("eof").Release("late");
  const ExchangeOutcome outcome =
      PlayLegacy(script, "- notify: { method: notifications/x }\n- silence: ~\n");
  EXPECT_EQ(Messages(outcome.findings),
            std::string(kId) + "?: expected nothing to come, got a message");
}

TEST(Silence, IsNotBrokenByWhatALaterStepCauses) {
  ExpectHeld(PlayLegacy(
      Script().On("tools/list").Say(NotificationLine("notifications/y")).Say(ResultLine("{}")),
      "- notify: { method: notifications/x }\n"
      "- silence: ~\n"
      "- request: { method: tools/list }\n"));
}

TEST(Silence, OfAnUndecidedEraIsJudgedByTheNextRequest) {
  Script script;
  script.On("notifications/x").Say(NotificationLine("notifications/y"));
  script.On("ping").Say(ResultLine("{}"));
  const ExchangeOutcome broken = PlayBare(script, kNotifyAndListen);
  EXPECT_EQ(Messages(broken.findings),
            std::string(kId) + ": expected nothing to come, got a message");

  const ExchangeOutcome held =
      PlayBare(Script().On("ping").Say(ResultLine("{}")), kNotifyAndListen);
  ExpectHeld(held);
  EXPECT_FALSE(SentByHarness(held, "{"));  // no fence: it would decide the era
}

// --- awaiting ------------------------------------------------------------------------------------

TEST(Await, FindsWhatComesAndWhatHasCome) {
  Script script;
  script.On("notifications/x").Say(NotificationLine("notifications/y"));
  ExpectHeld(PlayLegacy(script,
                        "- notify: { method: notifications/x }\n"
                        "- await: { method: notifications/y }\n"));
  ExpectHeld(PlayLegacy(script,
                        "- notify: { method: notifications/x }\n"
                        "- request: { method: ping }\n"
                        "- await: { method: notifications/y }\n"));
}

TEST(Await, ReportsWhatDoesNotCome) {
  const ExchangeOutcome outcome = PlayLegacy(Script(),
                                             "- notify: { method: notifications/x }\n"
                                             "- await: { method: notifications/y }\n"
                                             "  within: 50ms\n");
  EXPECT_EQ(Messages(outcome.findings),
            std::string(kId) + ": the expected message did not come within 50 ms");
  EXPECT_TRUE(outcome.timed_out);
}

TEST(Await, LeavesADeathToTheOracle) {
  const ExchangeOutcome outcome = PlayLegacy(Script().On("notifications/x").Exit(1),
                                             "- notify: { method: notifications/x }\n"
                                             "- await: { method: notifications/y }\n");
  EXPECT_EQ(Messages(outcome.findings), "");
  EXPECT_EQ(Messages(outcome.unmet),
            std::string(kId) + "?: the server was gone before the expected message came");
  EXPECT_FALSE(outcome.timed_out);
}

TEST(Poll, AsksUntilTheStateComes) {
  Script script;
  script.On("tasks/get").Once().Say(ResultLine(R"({"status":"working"})"));
  script.On("tasks/get").Once().Say(ResultLine(R"({"status":"working"})"));
  script.On("tasks/get").Say(ResultLine(R"({"status":"completed","answer":42})"));
  const ExchangeOutcome outcome =
      PlayLegacy(script,
                 "- poll:\n"
                 "    request: { method: tasks/get, params: { taskId: t } }\n"
                 "    until: { result: { status: completed } }\n"
                 "    every: 1ms\n"
                 "    within: 10s\n"
                 "  save: { answer: /result/answer }\n"
                 "- request: { method: ping, params: { answer: \"${answer}\" } }\n"
                 "  expect: { result: {} }\n");
  ExpectHeld(outcome);
  ASSERT_EQ(SentBySteps(outcome).size(), 4U);
  EXPECT_NE(SentBySteps(outcome)[3].find("\"answer\":42"), std::string::npos);
}

TEST(Poll, GivesUp) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script().On("tasks/get").Say(ResultLine(R"({"status":"working"})")),
                 "- poll:\n"
                 "    request: { method: tasks/get, params: { taskId: t } }\n"
                 "    until: { result: { status: completed } }\n"
                 "    every: 10ms\n"
                 "    within: 40ms\n"
                 "  expect: { result: { status: completed } }\n");
  EXPECT_EQ(Messages(outcome.findings),
            std::string(kId) + ": the awaited state did not come within 40 ms");
}

// --- side by side --------------------------------------------------------------------------------

const char kCancel[] =
    "- parallel:\n"
    "    - request: { method: tools/call, params: { name: slow, _meta: { progressToken: p } } }\n"
    "      id: 7\n"
    "      expect: nothing\n"
    "    - - await: { method: notifications/progress }\n"
    "      - notify: { method: notifications/cancelled, params: { requestId: 7 } }\n"
    "- request: { method: ping }\n"
    "  expect: { result: {} }\n";

TEST(Parallel, CancelsARequestInFlight) {
  ExpectHeld(PlayLegacy(Script().On("tools/call").Say(NotificationLine("notifications/progress")),
                        kCancel));
}

TEST(Parallel, AnAnswerToACancelledRequestIsAtMostAWarning) {
  Script script;
  script.On("tools/call")
      .Write(NotificationLine("notifications/progress") + "\n")
      .Say(ResultLine("{}"))
      .Hold("answer");
  script.On("notifications/cancelled").Release("answer");
  const ExchangeOutcome outcome = PlayLegacy(script, kCancel);
  EXPECT_EQ(Messages(outcome.findings), std::string(kId) + "?: expected no answer, got one");
}

TEST(Parallel, BranchesGoOnWhileOthersWait) {
  Script script;
  script.On("a/b").Say(ResultLine(R"({"n":1})")).Hold("first");
  script.On("c/d").Say(ResultLine(R"({"n":2})"));
  script.On("e/f").Say(ResultLine(R"({"n":3})")).Release("first");
  ExpectHeld(PlayLegacy(script,
                        "- parallel:\n"
                        "    - request: { method: a/b }\n"
                        "      expect: { result: { n: 1 } }\n"
                        "    - - request: { method: c/d }\n"
                        "        expect: { result: { n: 2 } }\n"
                        "      - request: { method: e/f }\n"
                        "        expect: { result: { n: 3 } }\n"));
}

TEST(Repeat, RunsItsStepsSoOften) {
  Script script;
  script.On("x/y").Once().Say(ResultLine(R"({"n":1})"));
  script.On("x/y").Once().Say(ResultLine(R"({"n":1})"));
  script.On("x/y").Say(ResultLine(R"({"n":2})"));
  const std::string steps =
      "  steps:\n"
      "    - request: { method: x/y }\n"
      "      expect: { result: { n: 1 } }\n";
  ExpectHeld(PlayLegacy(script, "- repeat: 2\n" + steps));
  const ExchangeOutcome outcome = PlayLegacy(script, "- repeat: 5\n" + steps);
  EXPECT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(SentBySteps(outcome).size(), 3U);
}

// --- what the server asks ------------------------------------------------------------------------

TEST(Respond, AnswersAServersRequest) {
  Script script;
  script.On("tools/call")
      .Write(R"({"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{}})"
             "\n")
      .Say(ResultLine(R"({"content":[]})"))
      .Hold("answer");
  script.On(R"(/"id":"ask-1","result":{"action":"accept"}/)").Release("answer");
  ExpectHeld(
      PlayLegacy(script,
                 "- parallel:\n"
                 "    - request: { method: tools/call, params: { name: ask } }\n"
                 "      expect: { result: { content: [] } }\n"
                 "    - respond: { method: elicitation/create, result: { action: accept } }\n"));
}

TEST(Respond, WithoutARequestSkips) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script(),
                 "- respond: { method: elicitation/create, result: {} }\n"
                 "- request: { method: ping }\n"
                 "  expect: { result: {} }\n",
                 std::chrono::milliseconds(50));
  EXPECT_NE(outcome.precondition.find("elicitation/create"), std::string::npos);
}

TEST(Respond, AnswersWhatWasAwaitedAndJudgedBefore) {
  Script script;
  script.On("tools/call")
      .Write(R"({"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"m"}})"
             "\n")
      .Say(ResultLine(R"({"content":[]})"))
      .Hold("answer");
  script.On(R"(/"id":"a","result":{"said":"m"}/)").Release("answer");
  ExpectHeld(PlayLegacy(
      script,
      "- parallel:\n"
      "    - request: { method: tools/call, params: { name: ask } }\n"
      "      expect: { result: { content: [] } }\n"
      "    - - await: { method: elicitation/create }\n"
      "        save: { asked: /params/message }\n"
      "      - respond: { method: elicitation/create, result: { said: '${asked}' } }\n"));
}

TEST(Exchange, AnswersPingsAndRefusesOtherRequestsOfTheServer) {
  Script script;
  script.On("x/ping")
      .Write("{\"jsonrpc\":\"2.0\",\"id\":\"p-1\",\"method\":\"ping\"}\n")
      .Say(ResultLine("{}"))
      .Hold("one");
  script.On(R"(/"id":"p-1","result":{}/)").Release("one");
  script.On("x/sample")
      .Write("{\"jsonrpc\":\"2.0\",\"id\":[9],\"method\":\"sampling/createMessage\"}\n")
      .Say(ResultLine("{}"))
      .Hold("two");
  script.On(R"(/"id":[9],"error":{"code":-32601,/)").Release("two");
  ExpectHeld(PlayLegacy(script,
                        "- request: { method: x/ping }\n"
                        "  expect: { result: {} }\n"
                        "- request: { method: x/sample }\n"
                        "  expect: { result: {} }\n"));
}

// --- lines ---------------------------------------------------------------------------------------

const char kNamelessError[] =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}})";

TEST(Raw, TakesTheAnswerWithoutAnId) {
  for (const char* line :
       {kNamelessError, R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}})",
        R"({"jsonrpc":"2.0","id":5,"error":{"code":-32700,"message":"Parse error"}})"}) {
    ExpectHeld(PlayLegacy(Script().On("/oops/").Say(line),
                          "- raw: 'oops {\"id\":5'\n"
                          "  expect: { error: { code: -32700 } }\n"
                          "- request: { method: ping }\n"));
  }
}

TEST(Raw, AnAnswerWithoutAnIdIsNotTakenForAnothers) {
  // The error comes after the request has been sent.
  const ExchangeOutcome outcome = PlayLegacy(Script()
                                                 .On("/oops/")
                                                 .Say(kNamelessError)
                                                 .Hold("e")
                                                 .On("x/y")
                                                 .Write("")
                                                 .Release("e")
                                                 .Say(ResultLine("{}")),
                                             "- raw: oops\n"
                                             "- request: { method: x/y }\n"
                                             "  expect: { result: {} }\n");
  ExpectHeld(outcome);
}

TEST(Raw, AnAnswerWithoutAnIdIsNotTakenForAnothersEvenOutOfOrder) {
  // The error, the answer to what is sent to see whether another comes, the answer. The second line
  // has an id that no request may have.
  for (const char* line : {"oops", R"({"jsonrpc":"2.0","id":1.5,"method":"a/b"})"}) {
    Script script;
    script.On(line[0] == 'o' ? "/oops/" : "a/b").Say(kNamelessError).Hold("error");
    script.On("x/y").Release("error");
    script.On("ping").Say(ResultLine("{}")).Say(R"({"jsonrpc":"2.0","id":7,"result":{"n":1}})");
    ExpectHeld(PlayLegacy(script, "- raw: '" + std::string(line) +
                                      "'\n"
                                      "- request: { method: x/y }\n"
                                      "  id: 7\n"
                                      "  expect: { result: { n: 1 } }\n"));
  }
}

TEST(Raw, AFenceDoesNotTakeTheAnswerAway) {
  Script script;
  script.On("/oops/").Say(kNamelessError);
  const ExchangeOutcome outcome = PlayLegacy(script, "- raw: oops\n  expect: nothing\n");
  EXPECT_EQ(Messages(outcome.findings), std::string(kId) + ": expected no answer, got one");
  ExpectHeld(PlayLegacy(script,
                        "- raw: oops\n"
                        "  expect: { anyOf: [ { error: { code: -32700 } }, nothing ] }\n"
                        "- request: { method: ping }\n"));
  ExpectHeld(PlayLegacy(Script(),
                        "- raw: oops\n"
                        "  expect: { anyOf: [ { error: { code: -32700 } }, nothing ] }\n"
                        "- request: { method: ping }\n"));
}

TEST(Raw, ARequestWhoseAnswerLostItsIdIsFoundInTheEnd) {
  ExpectHeld(PlayLegacy(Script().On("x/y").Say(R"({"jsonrpc":"2.0","id":null,"result":{}})"),
                        "- raw: oops\n"
                        "- request: { method: x/y }\n"
                        "  expect: { result: {} }\n",
                        kShort));
}

TEST(Raw, PiecesAreOneLine) {
  const ExchangeOutcome outcome =
      PlayLegacy(Script(),
                 "- raw: '{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}'\n"
                 "  split: [1, 20, 38]\n"
                 "  expect: { response: { id: 5, result: {} } }\n");
  ExpectHeld(outcome);
  EXPECT_EQ(SentBySteps(outcome).size(), 1U);
}

TEST(Raw, GoesWithoutANewlineWhereTheCaseSaysSo) {
  ExpectHeld(PlayLegacy(Script(),
                        "- raw: '{\"jsonrpc\":\"2.0\",\"id\":5,'\n"
                        "  end: \"\"\n"
                        "- raw: '\"method\":\"ping\"}'\n"
                        "- request: { method: ping }\n"
                        "  expect: { result: {} }\n"));
}

TEST(Bytes, AreWrittenAsTheyAre) {
  // {"id":5,"method":"ping","jsonrpc":"2.0"} and a newline
  ExpectHeld(PlayLegacy(Script(),
                        "- bytes: eyJpZCI6NSwibWV0aG9kIjoicGluZyIsImpzb25ycGMiOiIyLjAifQo=\n"
                        "  expect: { result: {} }\n"));
}

// --- the process
// -----------------------------------------------------------------------------------

TEST(Exit, IsSeenWithItsCode) {
  Script script;
  script.On("eof").Exit(3);
  ExpectHeld(PlayLegacy(script, "- close: stdin\n- exit: { within: 10s, code: 3 }\n"));
  EXPECT_EQ(
      PlayLegacy(script, "- close: stdin\n- exit: { within: 10s, code: 0 }\n").findings.size(), 1U);
}

TEST(Exit, ThatDoesNotComeIsAFinding) {
  const ExchangeOutcome outcome = PlayLegacy(Script(), "- exit: { within: 50ms }\n");
  EXPECT_EQ(Messages(outcome.findings),
            std::string(kId) + ": the server had not ended after 50 ms");
}

TEST(Signal, EndsTheServer) {
  ExpectHeld(PlayLegacy(Script(),
                        "- signal: TERM\n"
                        "- exit: { within: 10s, code: \"signal 15\" }\n"));
}

TEST(Restart, StartsAgainFromNothing) {
  Script script;
  script.On("x/y").Once().Say(ResultLine(R"({"first":true})"));
  script.On("x/y").Say(ResultLine(R"({"first":false})"));
  ExpectHeld(PlayLegacy(script,
                        "- request: { method: x/y }\n"
                        "- request: { method: x/y }\n"
                        "  expect: { for: ~, result: { first: false } }\n"
                        "- restart: ~\n"
                        "- request: { method: x/y }\n"
                        "  expect: { result: { first: true } }\n"));
}

TEST(Connect, OpensAnotherServer) {
  Script script;
  script.On("x/y").Once().Say(ResultLine(R"({"first":true})"));
  script.On("x/y").Say(ResultLine(R"({"first":false})"));
  const ExchangeOutcome outcome = PlayLegacy(script,
                                             "- request: { method: x/y }\n"
                                             "- connect: other\n"
                                             "- request: { method: x/y }\n"
                                             "  on: other\n"
                                             "  expect: { result: { first: true } }\n"
                                             "- request: { method: x/y }\n"
                                             "  expect: { result: { first: false } }\n");
  ExpectHeld(outcome);
  EXPECT_TRUE(std::any_of(outcome.transcript.entries.begin(), outcome.transcript.entries.end(),
                          [](const Entry& entry) { return entry.connection == "other"; }));
}

// --- the envelope
// ----------------------------------------------------------------------------------

TEST(Envelope, IsAddedToModernRequestsAndChangedByTheCase) {
  const Case test_case =
      CaseOf(Era::kModern, "M-META-MISSING-CAPABILITIES",
             "- request: { method: tools/list }\n"
             "  expect: { result: {} }\n"
             "- request: { method: tools/list }\n"
             "  envelope: none\n"
             "- request: { method: tools/list }\n"
             "  envelope: { clientCapabilities: ~, protocolVersion: \"1900-01-01\" }\n"
             "- notify: { method: notifications/x }\n");
  const ExchangeOutcome outcome = Play(Script().Modern(), test_case);
  std::vector<Json> metas;
  for (const std::string& line : SentBySteps(outcome)) {
    const Json message = *ParseJson(line).value;
    const Json* meta = message.Find("params", "_meta");
    metas.push_back(meta == nullptr ? Json() : *meta);
  }
  ASSERT_EQ(metas.size(), 4U);
  EXPECT_EQ(metas[0].FindString("io.modelcontextprotocol/protocolVersion"), "2026-07-28");
  EXPECT_NE(metas[0].Find("io.modelcontextprotocol/clientInfo"), nullptr);
  EXPECT_NE(metas[0].Find("io.modelcontextprotocol/clientCapabilities"), nullptr);
  EXPECT_TRUE(metas[1].is_null());
  EXPECT_EQ(metas[2].FindString("io.modelcontextprotocol/protocolVersion"), "1900-01-01");
  EXPECT_EQ(metas[2].Find("io.modelcontextprotocol/clientCapabilities"), nullptr);
  EXPECT_TRUE(metas[3].is_null());
}

TEST(Fence, OfAModernConnectionIsDiscover) {
  const Case test_case = CaseOf(Era::kModern, "M-META-MISSING-CAPABILITIES",
                                "- notify: { method: notifications/x }\n- silence: ~\n");
  const ExchangeOutcome outcome = Play(Script().Modern(), test_case);
  EXPECT_TRUE(SentByHarness(outcome, "server/discover"));
  EXPECT_FALSE(SentByHarness(outcome, "\"ping\""));
  EXPECT_EQ(outcome.proved.size(), 1U);
}

}  // namespace
}  // namespace assay
