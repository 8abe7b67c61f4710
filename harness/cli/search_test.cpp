// The commands that find failures, and look whether they are fixed: explore, fuzz, replay.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "runner/files.h"
#include "testing/playback.h"
#include "testing/program.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using SearchCommand = ProgramTest;

TEST_F(SearchCommand, ReplayTellsOfEachFailureWhatBecameOfIt) {
  const std::string saved = Write("saved.yaml", kCases);
  const Ran failed = Assay(Against(broken(), {"replay", saved}));
  EXPECT_EQ(failed.code, 1) << failed.err;
  EXPECT_NE(failed.out.find("FIXED   s/held"), std::string::npos) << failed.out;
  EXPECT_NE(failed.out.find("FAILED  s/broken"), std::string::npos) << failed.out;

  const Ran fixed = Assay({"replay", Write("good.yaml", kGoodCases), "--", ASSAY_REFERENCE_SERVER});
  EXPECT_EQ(fixed.code, 0) << fixed.out << fixed.err;
  EXPECT_EQ(fixed.out.find("FAILED"), std::string::npos);
}

TEST_F(SearchCommand, WhatCannotBeReplayedIsAnError) {
  const std::string saved = Write("saved.yaml", R"(suite: s
era: modern
cases:
  - id: elsewhere
    requires: [M-DISCOVER-IMPLEMENTED]
    steps: [{ request: { method: server/discover }, expect: { result: {} } }]
)");
  const Ran ran = Assay({"replay", saved, "--", ASSAY_REFERENCE_SERVER, "--era", "legacy"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("ERROR   s/elsewhere"), std::string::npos) << ran.out;
}

TEST_F(SearchCommand, WhatExploreFindsIsWrittenRunAndReplayed) {
  const Words faulty = {ASSAY_REFERENCE_SERVER, "--fault", "order-id-as-text"};
  const Ran explored =
      Assay(Against(faulty, {"explore", "--model", "handshake", "--iterations", "5", "--seed", "3",
                             "--report", "out", "--length", "3"}));
  EXPECT_EQ(explored.code, 1) << explored.out << explored.err;
  EXPECT_NE(explored.out.find("seed 3"), std::string::npos);
  EXPECT_NE(explored.out.find("8 letters: "), std::string::npos) << explored.out;
  const std::string file = "out/failures/handshake-ping.cancel.list.yaml";
  EXPECT_NE(explored.out.find(file), std::string::npos) << explored.out;
  EXPECT_TRUE(fs::exists(folder / "out/sequences.txt"));
  const Json report = Parsed(ReadFile(folder / "out/report.json"));
  for (const Json& result : report.Find("results")->items()) {
    EXPECT_EQ(result.FindString("source"), "explore");
  }

  EXPECT_EQ(Assay({"check", file}).code, 0);
  EXPECT_EQ(Assay(Against(faulty, {"run", "--only-cases", file})).code, 1);
  EXPECT_EQ(Assay(Against(reference, {"run", "--only-cases", file})).code, 0);
  EXPECT_EQ(Assay(Against(faulty, {"replay", file})).code, 1);
  const Ran fixed = Assay(Against(reference, {"replay", file}));
  EXPECT_EQ(fixed.code, 0);
  EXPECT_NE(fixed.out.find("FIXED"), std::string::npos) << fixed.out;
}

TEST_F(SearchCommand, ExploreFindsNothingWhereNothingIsWrong) {
  const Words over_http = {ASSAY_REFERENCE_SERVER, "--transport", "http", "--port", "{port}"};
  const Words explore = {"explore", "--length", "1", "--iterations", "10", "--strict"};
  Words explore_http = explore;
  explore_http.emplace_back("--http");
  for (const Words& words : {Against(reference, explore), Against(over_http, explore_http)}) {
    const Ran ran = Assay(words);
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  }
}

TEST_F(SearchCommand, AnInterruptedExplorationWritesWhatThereIs) {
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Script script;
  script.On("assay/no-such-method").Tell(pipe);
  const Playback server(script.Legacy());
  const Words words = {"explore", "--model",  "handshake", "--jobs",   "1",  "--timeout",
                       "600000",  "--length", "1",         "--report", "out"};
  const Ran ran = Assay(Against(server.command().argv, words), [&](pid_t assay) {
    ::close(::open(pipe.c_str(), O_RDONLY));  // until the sequence `unknown` is at it
    ::kill(assay, SIGINT);
  });
  EXPECT_EQ(ran.code, 130) << ran.out << ran.err;
  EXPECT_TRUE(Parsed(ReadFile(folder / "out/report.json")).Find("partial")->boolean());
  EXPECT_EQ(ReadFile(folder / "out/sequences.txt"),
            "handshake: initialize\nhandshake: initialized\nhandshake: ping\nhandshake: cancel\n"
            "handshake: list\n");
}

TEST_F(SearchCommand, AnExplorationIsGoneOnWith) {
  const Words faulty = {ASSAY_REFERENCE_SERVER, "--fault", "order-id-as-text"};
  const Ran once = Assay(Against(faulty, {"explore", "--model", "handshake", "--length", "3",
                                          "--iterations", "3", "--seed", "5", "--report", "out"}));
  EXPECT_EQ(once.code, 1) << once.out << once.err;
  const std::string ran_once = ReadFile(folder / "out/sequences.txt");

  const Ran again = Assay(Against(faulty, {"explore", "--model", "handshake", "--length", "3",
                                           "--iterations", "3", "--resume", "out"}));
  EXPECT_NE(again.out.find("seed 5"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("3 longer ones: 0 found"), std::string::npos) << again.out;
  // What was known is told again, and counts.
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  const Json report = Parsed(ReadFile(folder / "out/report.json"));
  EXPECT_EQ(report.Find("results")->items().front().FindString("case"),
            "explore/handshake/ping.cancel.list");
  const std::string ran_both = ReadFile(folder / "out/sequences.txt");
  EXPECT_TRUE(ran_both.starts_with(ran_once));
  std::set<std::string> different;
  std::istringstream lines(ran_both);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(different.insert(line).second) << line;
  }
}

TEST_F(SearchCommand, WhatFuzzFindsIsWrittenAndReplayed) {
  const Words faulty = {ASSAY_REFERENCE_SERVER, "--fault", "value-id-32-bits"};
  const Ran fuzzed = Assay(Against(
      faulty, {"fuzz", "--jobs", "1", "--seed", "1", "--iterations", "3000", "--report", "out"}));
  EXPECT_EQ(fuzzed.code, 1) << fuzzed.out << fuzzed.err;
  EXPECT_TRUE(fuzzed.out.starts_with("seed 1\n")) << fuzzed.out;
  for (const char* name : {"report.json", "corpus", "states.dot"}) {
    EXPECT_TRUE(fs::exists(folder / "out" / name)) << name;
  }
  const std::string failures = "out/failures";
  ASSERT_TRUE(fs::exists(folder / failures)) << fuzzed.out;
  for (const auto& file : fs::directory_iterator(folder / failures)) {
    const std::string name = file.path().filename().string();
    EXPECT_NE(fuzzed.out.find(failures + "/" + name), std::string::npos) << fuzzed.out;
    EXPECT_TRUE(ReadFile(file.path()).starts_with("# Found by `assay fuzz --seed 1`")) << name;
  }

  EXPECT_EQ(Assay({"check", failures}).code, 0);
  const Ran failed = Assay(Against(faulty, {"replay", failures}));
  EXPECT_EQ(failed.code, 1) << failed.err;
  EXPECT_TRUE(failed.out.starts_with("FAILED  fuzz/")) << failed.out;
  const Ran fixed = Assay(Against(reference, {"replay", failures}));
  EXPECT_EQ(fixed.code, 0) << fixed.out << fixed.err;
  EXPECT_TRUE(fixed.out.starts_with("FIXED   fuzz/")) << fixed.out;
}

TEST_F(SearchCommand, FuzzFindsNothingWhereNothingIsWrong) {
  const Ran ran = Assay(Against(reference, {"fuzz", "--jobs", "1", "--seed", "1", "--iterations",
                                            "3000", "--report", "out"}));
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_FALSE(fs::exists(folder / "out/failures"));
}

}  // namespace
}  // namespace assay
