#include "case/lint.h"

#include <gtest/gtest.h>

#include "case/loader.h"

namespace assay {
namespace {

// What is wrong with a case of these steps, the first of which is on line 8: "8:9: message" each.
std::vector<std::string> Problems(const std::string& steps,
                                  const std::string& suite_keys = "era: legacy\ntransport: any") {
  Catalogue catalogue;
  Requirement requirement;
  requirement.id = "R-1";
  catalogue.Add(requirement);
  std::vector<InputError> problems;
  LoadCaseFile(
      "f",
      "suite: s\n" + suite_keys + "\ncases:\n  - id: c\n    requires: [R-1]\n    steps:\n" + steps,
      catalogue, &problems);
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const InputError& problem : problems) {
    lines.push_back(std::to_string(problem.place().line) + ":" +
                    std::to_string(problem.place().column) + ": " + problem.what());
  }
  return lines;
}

std::vector<std::string> One(const std::string& line) { return {line}; }
const std::vector<std::string> kNone;

const std::string kRequest = "      - request: { method: ping }\n        expect: { result: {} }\n";
const std::string kClose = "      - close: stdin\n";
const std::string kExit = "      - exit: { within: 2s }\n";
const std::string kRestart = "      - restart: ~\n";

TEST(LintTest, NothingIsReachedAfterTheEnd) {
  const std::string ended = "never reached: the server has ended, and nothing restarts it";
  const std::string closed = "never reached: the server's input is closed, and nothing restarts it";
  EXPECT_EQ(Problems(kRequest + kClose + kExit), kNone);
  EXPECT_EQ(Problems(kClose + kExit + kRequest), One("10:9: " + ended));
  EXPECT_EQ(Problems(kClose + kRequest), One("9:9: " + closed));
  EXPECT_EQ(Problems(kClose + kExit + kRestart + kRequest), kNone);
  EXPECT_EQ(Problems(kRequest + kClose + "      - silence: ~\n" + kExit), kNone);
  EXPECT_EQ(
      Problems(kExit + "      - repeat: 2\n        steps:\n          - request: { method: a }\n"),
      One("11:13: " + ended));
  const std::string other = "      - connect: b\n";
  EXPECT_EQ(
      Problems(other + kClose + kExit +
               "      - request: { method: a }\n        on: b\n        expect: { result: {} }\n"),
      kNone)
      << "another connection has another server";
}

TEST(LintTest, OnlyInstancesAreTakenDown) {
  const std::string fleet = "era: modern\ntopology: { instances: 2 }";
  EXPECT_EQ(Problems("      - kill: b\n" + kRequest, fleet), kNone);
  EXPECT_EQ(Problems("      - kill: c\n" + kRequest, fleet).size(), 1U);
  EXPECT_EQ(Problems("      - kill: ab\n" + kRequest, fleet).size(), 1U);
  EXPECT_EQ(Problems("      - kill: A\n" + kRequest, fleet).size(), 1U);
  EXPECT_EQ(Problems("      - restart: ~\n" + kRequest, fleet), One("8:9: no instance 'main'"));
  EXPECT_EQ(Problems("      - pause: main\n" + kRequest).size(), 1U);
}

TEST(LintTest, APersonThinksBeforeSomethingAndNotForEver) {
  EXPECT_EQ(Problems("      - think: 1500ms\n" + kRequest), kNone);
  EXPECT_EQ(Problems(kRequest + "      - think: 1500ms\n").size(), 1U);
  EXPECT_EQ(Problems("      - think: 6s\n" + kRequest),
            One("8:16: nobody thinks for longer than 5000 ms"));
  const std::string open = "      - think: 1500ms\n        open: 0\n" + kRequest;
  EXPECT_EQ(Problems(open), One("8:9: `open` needs `transport: http`, or a topology"));
  EXPECT_EQ(Problems(open, "era: legacy\ntransport: http"), kNone);
}

TEST(LintTest, ConnectionsAreOpenedOnce) {
  EXPECT_EQ(Problems("      - request: { method: a }\n        on: b\n" + kRequest),
            One("8:9: no connection 'b'; `connect` opens one"));
  EXPECT_EQ(Problems("      - connect: b\n      - connect: b\n" + kRequest),
            One("9:9: there is a connection 'b' already"));
}

TEST(LintTest, ExpectNeedsAnAnswer) {
  EXPECT_EQ(Problems("      - expect: { result: {} }\n"),
            One("8:9: there is no answer before this to judge once more"));
  EXPECT_EQ(Problems(kRequest + "      - expect: { result: {} }\n"), kNone);
}

TEST(LintTest, WaitsProveNothing) {
  EXPECT_EQ(Problems(kRequest + "      - quiet: 300ms\n"),
            One("10:9: a wait that nothing follows; `silence` judges what came meanwhile"));
  EXPECT_EQ(Problems(kRequest + "      - quiet: 300ms\n      - silence: ~\n"), kNone);
}

TEST(LintTest, SilenceNeedsAFence) {
  const std::string none = "era: none\ntransport: stdio";
  const std::string silence = "      - silence: ~\n";
  const std::string why =
      "`silence` cannot be the last step with `era: none`: the fence would decide the era; the "
      "request of a next step can be it";
  EXPECT_EQ(Problems(kRequest + silence, none), One("10:9: " + why));
  EXPECT_EQ(Problems(silence + kRequest, none), kNone);
  EXPECT_EQ(Problems(kRequest + silence), kNone);
  EXPECT_EQ(
      Problems(
          "      - parallel:\n          - - request: { method: a }\n            - silence: ~\n",
          none),
      One("10:15: " + why));
}

TEST(LintTest, HttpNeedsHttp) {
  const std::string stdio = "era: legacy\ntransport: stdio";
  const std::string http = "era: legacy\ntransport: http";
  const std::string change =
      "      - request: { method: a }\n        http: { headers: { A: ~ } }\n        expect: { "
      "result: {} }\n";
  EXPECT_EQ(Problems(change, stdio), One("8:9: `http` in a case that is for stdio only"));
  EXPECT_EQ(Problems(change, http), kNone);
  const std::string status = "      - request: { method: a }\n        expect: { status: 400 }\n";
  EXPECT_EQ(Problems(status, stdio),
            One("9:17: an HTTP response is expected in a case that is for stdio only"));
  EXPECT_EQ(Problems(status, http), kNone);
  EXPECT_EQ(Problems(kRequest + kClose, http), One("10:9: `close` needs `transport: stdio`"));
}

TEST(LintTest, NotificationsAreAnsweredOverHttpOnly) {
  const std::string notify = "      - notify: { method: a }\n        expect: { status: 202 }\n";
  EXPECT_EQ(Problems(notify, "era: legacy\ntransport: http"), kNone);
  EXPECT_EQ(
      Problems(notify),
      One("9:17: only over HTTP is there an answer to this; `silence` says that nothing comes"));
}

TEST(LintTest, SharingMustBePossible) {
  EXPECT_EQ(
      Problems("      - silence: ~\n" + kRequest, "era: legacy\nsession: shared"),
      One("5:5: `session: shared` is not possible: the case does more than send requests whose "
          "ids the engine chooses"));
  EXPECT_EQ(Problems(kRequest, "era: legacy\nsession: shared"), kNone);
}

}  // namespace
}  // namespace assay
