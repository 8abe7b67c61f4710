// The program as people and scripts use it: exit codes, streams, files.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "message/json.h"
#include "testing/playback.h"

extern char** environ;

namespace assay {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using ByCase = std::map<std::string, std::string>;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `held` holds, `broken` breaks a MUST, `soft` what is only described, each against a server that
// plays BrokenServer().
const char kCases[] = R"(suite: s
era: legacy
cases:
  - id: held
    title: A ping is answered
    requires: [L-PING-respond]
    steps:
      - request: { method: ping }
        expect: { result: {} }
  - id: broken
    title: The tools can be listed
    requires: [L-BASE-response-id-echo]
    steps:
      - request: { method: tools/list }
        expect: { result: { tools: $array } }
  - id: soft
    title: An unknown method is refused as such
    requires: [L-BASE-error-message-concise]
    steps:
      - request: { method: assay/unknown }
        expect: { error: { code: -1 } }
)";

const char kGoodCases[] = R"(suite: good
era: legacy
cases:
  - id: ping
    title: A ping is answered
    requires: [L-PING-respond]
    vary:
      one: { word: a }
      two: { word: b }
      three: { word: c }
    steps:
      - request: { method: ping, params: { word: "${word}" } }
        expect: { result: {} }
)";

Script BrokenServer() {
  Script script;
  script.On("tools/list").Say(ErrorLine(-32603));
  script.On("assay/unknown").Say(ErrorLine(-32601));
  return script.Legacy();
}

struct CliTest : testing::Test {
  CliTest() {
    std::string path = (fs::temp_directory_path() / "assay-cli-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = path;
  }
  ~CliTest() override { fs::remove_all(folder); }

  struct Ran {
    int code = -1;
    std::string out;
    std::string err;
  };

  // Runs `assay` with these words in `folder`. `meanwhile` is called when it has started.
  Ran Assay(const Words& words, const std::function<void(pid_t)>& meanwhile = nullptr) const {
    Words argv = {ASSAY};
    argv.insert(argv.end(), words.begin(), words.end());
    std::vector<char*> pointers;
    for (std::string& word : argv) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string out = (folder / "stdout").string();
    const std::string err = (folder / "stderr").string();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t pid = -1;
    EXPECT_EQ(::posix_spawn(&pid, ASSAY, &actions, nullptr, pointers.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    if (meanwhile) meanwhile(pid);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(out), ReadFile(err)};
  }

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }

  // assay run --only-cases `cases` OPTIONS -- SERVER
  Ran Run(const std::string& cases, Words options, const Words& server,
          const std::function<void(pid_t)>& meanwhile = nullptr) const {
    Words words = {"run", "--only-cases", Write("cases.yaml", cases)};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), server.begin(), server.end());
    return Assay(words, meanwhile);
  }
  Ran RunBroken(Words options) const {
    const Playback server(BrokenServer());
    return Run(kCases, std::move(options), server.command().argv);
  }

  static Json Parsed(const std::string& text) {
    const JsonParse parse = ParseJson(text);
    EXPECT_TRUE(parse.value) << parse.error << " in:\n" << text.substr(0, 500);
    return parse.value.value_or(Json());
  }
  // Case id -> verdict of a report.
  static ByCase Verdicts(const Json& report) {
    ByCase verdicts;
    for (const Json& result : report.Find("results")->items()) {
      verdicts[*result.FindString("case")] = *result.FindString("verdict");
    }
    return verdicts;
  }

  fs::path folder;
  const Words reference = {ASSAY_REFERENCE_SERVER};
};

// --- exit codes
// ------------------------------------------------------------------------------------

TEST_F(CliTest, MeetingWhatIsRequiredIsZero) {
  const Ran ran = Run(kGoodCases, {}, reference);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("3"), std::string::npos);
}

TEST_F(CliTest, AFindingIsOne) {
  const Ran ran = RunBroken({});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("L-BASE-response-id-echo"), std::string::npos) << ran.out;
}

TEST_F(CliTest, BadUsageIsTwo) {
  const Words bad[] = {{},
                       {"frobnicate"},
                       {"run", "--no-such-option"},
                       {"run", "--jobs", "0", "--", "x"},
                       {"run", "--jobs", "many", "--", "x"},
                       {"run", "--format", "xml", "--", "x"},
                       {"run", "--era", "stone", "--", "x"},
                       {"run", "--revision", "1999-01-01", "--", "x"},
                       {"run", "--shard", "3/2", "--", "x"},
                       {"run", "--shard", "0/2", "--", "x"},
                       {"run", "--shard", "1", "--", "x"},
                       {"run", "--require", "everything", "--", "x"},
                       {"run", "--profile", "unknown", "--", "x"},
                       {"run", "--config", "missing.yaml", "--", "x"},
                       {"run", "--baseline", "missing.yaml", "--", "x"},
                       {"run", "--update-baseline", "--", "x"},
                       {"run", "--only-cases", "missing.yaml", "--", "x"},
                       {"run"},
                       {"run", "--"},
                       {"discover"},
                       {"explain", "NO-SUCH-THING"},
                       {"check"},
                       {"check", "missing.yaml"},
                       {"replay"},
                       {"replay", "missing.yaml", "--", "x"},
                       {"explore"},
                       {"explore", "--duration", "-1", "--", "x"},
                       {"explore", "--length", "0", "--", "x"},
                       {"explore", "--resume", "nowhere", "--", "x"},
                       {"explore", "--resume", "out", "--seed", "1", "--", "x"}};
  for (const Words& words : bad) {
    const Ran ran = Assay(words);
    std::string line;
    for (const std::string& word : words) line += " " + word;
    EXPECT_EQ(ran.code, 2) << "assay" << line << "\n" << ran.out;
    EXPECT_NE(ran.err, "") << "assay" << line;
  }
}

// --- replay and explore --------------------------------------------------------------------------

TEST_F(CliTest, ReplayTellsOfEachFailureWhatBecameOfIt) {
  const std::string saved = Write("saved.yaml", kCases);
  const Playback broken(BrokenServer());
  Words words = {"replay", saved, "--"};
  const Words& argv = broken.command().argv;
  words.insert(words.end(), argv.begin(), argv.end());
  const Ran failed = Assay(words);
  EXPECT_EQ(failed.code, 1) << failed.err;
  EXPECT_NE(failed.out.find("FIXED   s/held"), std::string::npos) << failed.out;
  EXPECT_NE(failed.out.find("FAILED  s/broken"), std::string::npos) << failed.out;

  const Ran fixed = Assay({"replay", Write("good.yaml", kGoodCases), "--", ASSAY_REFERENCE_SERVER});
  EXPECT_EQ(fixed.code, 0) << fixed.out << fixed.err;
  EXPECT_EQ(fixed.out.find("FAILED"), std::string::npos);
}

TEST_F(CliTest, WhatCannotBeReplayedIsAnError) {
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

TEST_F(CliTest, WhatExploreFindsIsWrittenRunAndReplayed) {
  const Words faulty = {ASSAY_REFERENCE_SERVER, "--fault", "order-id-as-text"};
  const auto on = [](Words words, const Words& server) {
    words.emplace_back("--");
    words.insert(words.end(), server.begin(), server.end());
    return words;
  };
  const Ran explored = Assay(on({"explore", "--model", "handshake", "--iterations", "5", "--seed",
                                 "3", "--report", "out", "--length", "3"},
                                faulty));
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
  EXPECT_EQ(Assay(on({"run", "--only-cases", file}, faulty)).code, 1);
  EXPECT_EQ(Assay(on({"run", "--only-cases", file}, reference)).code, 0);
  EXPECT_EQ(Assay(on({"replay", file}, faulty)).code, 1);
  const Ran fixed = Assay(on({"replay", file}, reference));
  EXPECT_EQ(fixed.code, 0);
  EXPECT_NE(fixed.out.find("FIXED"), std::string::npos) << fixed.out;
}

TEST_F(CliTest, ExploreFindsNothingWhereNothingIsWrong) {
  for (const Words& more : {Words{}, Words{"--http"}}) {
    Words words = {"explore", "--length", "1", "--iterations", "10", "--strict"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", ASSAY_REFERENCE_SERVER});
    if (!more.empty()) words.insert(words.end(), {"--transport", "http", "--port", "{port}"});
    const Ran ran = Assay(words);
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  }
}

TEST_F(CliTest, AnInterruptedExplorationWritesWhatThereIs) {
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Script script;
  script.On("assay/no-such-method").Tell(pipe);
  const Playback server(script.Legacy());
  Words words = {"explore", "--model",  "handshake", "--jobs",   "1",   "--timeout",
                 "600000",  "--length", "1",         "--report", "out", "--"};
  const Words& argv = server.command().argv;
  words.insert(words.end(), argv.begin(), argv.end());
  const Ran ran = Assay(words, [&](pid_t assay) {
    ::close(::open(pipe.c_str(), O_RDONLY));  // until the sequence `unknown` is at it
    ::kill(assay, SIGINT);
  });
  EXPECT_EQ(ran.code, 130) << ran.out << ran.err;
  EXPECT_TRUE(Parsed(ReadFile(folder / "out/report.json")).Find("partial")->boolean());
  EXPECT_EQ(ReadFile(folder / "out/sequences.txt"),
            "handshake: initialize\nhandshake: initialized\nhandshake: ping\nhandshake: cancel\n"
            "handshake: list\n");
}

TEST_F(CliTest, AnExplorationIsGoneOnWith) {
  const Words faulty = {"--", ASSAY_REFERENCE_SERVER, "--fault",
                        "order-second-initialize-swallows"};
  const auto on_faulty = [&](Words words) {
    words.insert(words.end(), faulty.begin(), faulty.end());
    return words;
  };
  const Ran once = Assay(on_faulty({"explore", "--model", "handshake", "--length", "3", "--timeout",
                                    "200", "--iterations", "3", "--seed", "5", "--report", "out"}));
  EXPECT_EQ(once.code, 1) << once.out << once.err;
  const std::string ran_once = ReadFile(folder / "out/sequences.txt");

  const Ran again = Assay(on_faulty({"explore", "--model", "handshake", "--length", "3",
                                     "--timeout", "200", "--iterations", "3", "--resume", "out"}));
  EXPECT_NE(again.out.find("seed 5"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("3 longer ones: 0 found"), std::string::npos) << again.out;
  // What was known is told again, and counts.
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  const Json report = Parsed(ReadFile(folder / "out/report.json"));
  EXPECT_EQ(report.Find("results")->items().front().FindString("case"),
            "explore/handshake/initialize.initialize.ping");
  const std::string ran_both = ReadFile(folder / "out/sequences.txt");
  EXPECT_TRUE(ran_both.starts_with(ran_once));
  std::set<std::string> different;
  std::istringstream lines(ran_both);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(different.insert(line).second) << line;
  }
}

TEST_F(CliTest, HelpAndVersionAreZero) {
  for (const Words& words : {Words{"--help"}, Words{"run", "--help"}, Words{"explore", "--help"},
                             Words{"replay", "--help"}, Words{"--version"}}) {
    const Ran ran = Assay(words);
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out, "");
  }
}

TEST_F(CliTest, ABadCaseFileIsTwoAndSaysWhere) {
  const Ran ran = Run("suite: s\nera: legacy\ncases:\n  - id: c\n    titel: T\n", {}, reference);
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find((folder / "cases.yaml").string() + ":5:5: "), std::string::npos)
      << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST_F(CliTest, AServerThatCannotBeTestedIsThree) {
  for (const Words& server :
       {Words{"/no/such/server"}, Words{"sh", "-c", "echo I am lost >&2; exit 1"}}) {
    const Ran ran = Run(kGoodCases, {"--report", "out"}, server);
    EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
    EXPECT_NE(ran.err.find(server.size() == 1 ? "/no/such/server" : "I am lost"), std::string::npos)
        << ran.err;
    EXPECT_TRUE(fs::exists(folder / "out" / "report.json"));
  }
}

TEST_F(CliTest, WhatCouldNotBeJudgedIsThree) {
  const Ran ran = Run(
      "suite: s\nera: legacy\ncases:\n  - id: lost\n    title: T\n    requires: [L-PING-respond]\n"
      "    steps:\n      - http: { method: GET }\n        expect: { status: 200 }\n",
      {"--format", "json"}, reference);
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_EQ(Verdicts(Parsed(ran.out)), (ByCase{{"s/lost", "error"}}));
}

TEST_F(CliTest, AnInterruptWritesWhatThereIs) {
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Script script;
  script.On("assay/hang").Tell(pipe);
  const Playback server(script.Legacy());
  const std::string cases = std::string(kGoodCases) +
                            "  - id: hang\n    title: It answers\n    session: fresh\n"
                            "    requires: [L-PING-respond]\n    steps:\n"
                            "      - request: { method: assay/hang }\n"
                            "        expect: { error: { code: -32601 } }\n";
  const Ran ran =
      Run(cases, {"--jobs", "1", "--timeout", "600000", "--report", "out", "--format", "json"},
          server.command().argv, [&](pid_t assay) {
            ::close(::open(pipe.c_str(), O_RDONLY));  // until the case is at it
            ::kill(assay, SIGINT);
          });
  EXPECT_EQ(ran.code, 130) << ran.err;
  const Json report = Parsed(ReadFile(folder / "out" / "report.json"));
  EXPECT_TRUE(report.Find("partial")->boolean());
  EXPECT_EQ(Verdicts(report), Verdicts(Parsed(ran.out)));
  EXPECT_EQ(Verdicts(report).size(), 3U);
  EXPECT_EQ(Verdicts(report)["good/ping@one"], "pass");
  EXPECT_TRUE(fs::exists(folder / "out" / "junit.xml"));
}

// --- what is printed and written
// -------------------------------------------------------------------

TEST_F(CliTest, JsonGoesToStdoutAndTheTalkToStderr) {
  const Ran ran = RunBroken({"--format", "json", "--seed", "5"});
  const Json report = Parsed(ran.out);
  EXPECT_EQ(report.Find("schema")->AsInteger(), 1);
  EXPECT_EQ(report.Find("seed")->AsInteger(), 5);
  EXPECT_FALSE(report.Find("partial")->boolean());
  EXPECT_EQ(report.Find("counts", "fail")->AsInteger(), 1);
  EXPECT_EQ(report.Find("target", "server")->FindString("name"), "playback");
  EXPECT_EQ(Verdicts(report),
            (ByCase{{"s/broken", "fail"}, {"s/held", "pass"}, {"s/soft", "warn"}}));
}

TEST_F(CliTest, TapHasAPlanAndALineForEachResult) {
  const Ran ran = RunBroken({"--format", "tap"});
  EXPECT_TRUE(ran.out.starts_with("TAP version 1")) << ran.out;
  EXPECT_NE(ran.out.find("\n1..3"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\nok 1"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\nnot ok 2"), std::string::npos) << ran.out;
}

TEST_F(CliTest, ReportsAreWritten) {
  const Ran ran = RunBroken({"--report", "some/where", "--format", "json"});
  EXPECT_EQ(Verdicts(Parsed(ReadFile(folder / "some/where/report.json"))),
            Verdicts(Parsed(ran.out)));
  EXPECT_NE(ReadFile(folder / "some/where/junit.xml").find("<testsuite"), std::string::npos);
  EXPECT_NE(ReadFile(folder / "some/where/summary.md").find("s/broken"), std::string::npos);
  EXPECT_NE(ReadFile(folder / "some/where/report.html").find("s/broken"), std::string::npos);
  EXPECT_NE(ReadFile(folder / "some/where/results.sarif").find("s/broken"), std::string::npos);
  EXPECT_NE(ReadFile(folder / "some/where/results.tap").find("s/broken"), std::string::npos);
  EXPECT_NE(ReadFile(folder / "some/where/badge.svg").find("<svg"), std::string::npos);
  EXPECT_NE(ReadFile(folder / "some/where/badge.json").find("schemaVersion"), std::string::npos);
}

// --- reports of several runs
// -------------------------------------------------------------------------

// A report but for its times.
Json WithoutTimes(const Json& report) {
  Json timeless = report;
  timeless.Remove("started");
  timeless.Remove("duration_ms");
  for (JsonMember& member : timeless.members()) {
    if (member.key != "results") continue;
    for (Json& result : member.value.items()) {
      result.Remove("duration_ms");
      for (JsonMember& inner : result.members()) {
        if (inner.key != "transcript") continue;
        for (Json& line : inner.value.items()) line.Remove("t_us");
      }
    }
  }
  return timeless;
}

TEST_F(CliTest, MergedShardsAreTheReportOfTheWholeApartFromTimes) {
  const auto run = [&](const std::string& name, Words options) {
    Words words = {"run", "--filter", "modern/resources/*", "--isolate", "--report", name};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", ASSAY_REFERENCE_SERVER, "--fault", "retired-not-found-code"});
    return Assay(words).code;
  };
  EXPECT_EQ(run("whole", {}), 1);
  Words merge = {"merge", "--report", "merged"};
  for (const char* shard : {"3", "1", "4", "2"}) {
    run(shard, {"--shard", std::string(shard) + "/4"});
    merge.push_back(std::string(shard) + "/report.json");
  }
  EXPECT_EQ(Assay(merge).code, 1);
  EXPECT_EQ(WithoutTimes(Parsed(ReadFile(folder / "merged/report.json"))).Dump(),
            WithoutTimes(Parsed(ReadFile(folder / "whole/report.json"))).Dump());
  merge.pop_back();
  const Ran incomplete = Assay(merge);
  EXPECT_EQ(incomplete.code, 2);
  EXPECT_NE(incomplete.err.find("shard 2 is missing"), std::string::npos) << incomplete.err;
}

TEST_F(CliTest, CompareNamesExactlyWhatBroke) {
  const auto run = [&](const std::string& name, Words fault) {
    Words words = {"run", "--filter", "modern/resources/*",  "--report",
                   name,  "--",       ASSAY_REFERENCE_SERVER};
    words.insert(words.end(), fault.begin(), fault.end());
    Assay(words);
  };
  run("clean", {});
  run("faulty", {"--fault", "retired-not-found-code"});
  std::set<std::string> failed;
  const Json faulty = Parsed(ReadFile(folder / "faulty/report.json"));
  for (const auto& [id, verdict] : Verdicts(faulty)) {
    if (verdict == "fail") failed.insert(id);
  }
  EXPECT_FALSE(failed.empty());
  const Ran compared = Assay({"compare", "clean/report.json", "faulty/report.json"});
  EXPECT_EQ(compared.code, 1);
  std::set<std::string> named;
  std::istringstream lines(compared.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string course = "  pass → fail  ";
    if (line.starts_with(course)) {
      named.insert(line.substr(course.size(), line.find(" (") - course.size()));
    }
  }
  EXPECT_EQ(named, failed);
  EXPECT_EQ(Assay({"compare", "faulty/report.json", "clean/report.json"}).code, 0);
  EXPECT_EQ(Assay({"compare", "clean/report.json", "no/report.json"}).code, 2);
}

TEST_F(CliTest, OneBrokenServerDoesNotStopTheMatrix) {
  const std::string reference_server = ASSAY_REFERENCE_SERVER;
  const std::string list = Write("servers.yaml",
                                 "servers:\n"
                                 "  - { name: missing, command: [/no/such/server] }\n"
                                 "  - { name: mute, command: [\"true\"] }\n"
                                 "  - { name: whole, command: [\"" +
                                     reference_server + "\"] }\n");
  Write("assay.yaml", "server: { command: [\"false\"] }\nroles: { echo: { tool: none } }\n");
  const Ran ran = Assay({"matrix", list, "--report", "matrix"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.out.find("whole: exit 0"), std::string::npos) << ran.out;
  const std::string page = ReadFile(folder / "matrix/matrix.html");
  for (const char* name : {"missing", "mute", "whole"}) {
    EXPECT_NE(page.find(name), std::string::npos) << name;
  }
  EXPECT_TRUE(fs::exists(folder / "matrix/whole/report.html"));
  const Json report = Parsed(ReadFile(folder / "matrix/whole/report.json"));
  EXPECT_EQ(report.Find("target")->FindString("profile"), "reference");
}

TEST_F(CliTest, TracesShowTheWire) {
  const std::string failed = RunBroken({"--trace"}).out;
  EXPECT_NE(failed.find(R"("method":"tools/list")"), std::string::npos) << failed;
  EXPECT_EQ(failed.find(R"("method":"ping")"), std::string::npos) << failed;
  EXPECT_NE(RunBroken({"--trace=all"}).out.find(R"("method":"ping")"), std::string::npos);
}

// --- which cases, and what counts
// --------------------------------------------------------------------

TEST_F(CliTest, FiltersChoose) {
  const auto chosen = [&](Words options) {
    options.insert(options.end(), {"--format", "json"});
    std::string ids;
    for (const auto& [id, verdict] : Verdicts(Parsed(RunBroken(options).out))) ids += id + " ";
    return ids;
  };
  EXPECT_EQ(chosen({"--filter", "s/h*"}), "s/held ");
  EXPECT_EQ(chosen({"--filter", "!s/broken"}), "s/held s/soft ");
  EXPECT_EQ(chosen({"--filter", "s/*", "--filter", "!*o*"}), "s/held ");
  EXPECT_EQ(chosen({"--filter", "*held", "--filter", "*soft"}), "s/held s/soft ");
}

TEST_F(CliTest, ShardsTogetherAreTheWhole) {
  const ByCase whole = Verdicts(Parsed(Run(kGoodCases, {"--format", "json"}, reference).out));
  ByCase parts;
  std::size_t count = 0;
  for (const char* shard : {"1/2", "2/2"}) {
    const ByCase part =
        Verdicts(Parsed(Run(kGoodCases, {"--format", "json", "--shard", shard}, reference).out));
    count += part.size();
    parts.insert(part.begin(), part.end());
  }
  EXPECT_EQ(parts, whole);
  EXPECT_EQ(count, whole.size());
}

TEST_F(CliTest, AQuickRunJudgesTheSameRequirementsWithFewerCases) {
  const auto judged = [](const Json& report) {
    std::string ids;
    for (const Json& requirement : report.Find("requirements")->items()) {
      if (requirement.FindString("state") != "not-judged")
        ids += *requirement.FindString("id") + " ";
    }
    return ids;
  };
  const Json whole = Parsed(Run(kGoodCases, {"--format", "json"}, reference).out);
  const Json quick = Parsed(Run(kGoodCases, {"--format", "json", "--quick"}, reference).out);
  EXPECT_EQ(judged(quick), judged(whole));
  EXPECT_NE(judged(quick), "");
  EXPECT_LT(Verdicts(quick).size(), Verdicts(whole).size());
}

TEST_F(CliTest, ACallPrintsWhatTheToolSaysAndShowsTheWire) {
  for (const char* era : {"auto", "legacy"}) {
    Words words = {"call", "echo", "--arguments", R"({"message":"hello"})", "--era", era, "--"};
    words.insert(words.end(), reference.begin(), reference.end());
    const Ran ran = Assay(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "hello\n");
    EXPECT_NE(ran.err.find("tools/call"), std::string::npos) << ran.err;
  }
}

TEST_F(CliTest, ACallAnswersWhatItIsAsked) {
  const auto ask = [&](const char* era, const Words& answer) {
    Words words = {"call", "test_elicitation", "--arguments", R"({"message":"who?"})", "--era",
                   era,    "--quiet"};
    words.insert(words.end(), answer.begin(), answer.end());
    words.emplace_back("--");
    words.insert(words.end(), reference.begin(), reference.end());
    return Assay(words).out;
  };
  EXPECT_NE(ask("legacy", {"--accept", R"({"username":"ann","email":"a@b.c"})"}).find("accept"),
            std::string::npos);
  EXPECT_NE(ask("legacy", {"--decline"}).find("decline"), std::string::npos);
}

TEST_F(CliTest, ACallThatCannotBeMadeSaysWhy) {
  Words words = {"call", "no-such-tool", "--quiet", "--"};
  words.insert(words.end(), reference.begin(), reference.end());
  const Ran ran = Assay(words);
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("-32602"), std::string::npos) << ran.err;
  EXPECT_EQ(Assay({"call", "echo", "--arguments", "{", "--", "x"}).code, 2);
}

TEST_F(CliTest, ARecorderChangesNothingAndWritesACaseThatPassesAgain) {
  const std::string out = (folder / "my session.yaml").string();
  Words recorder = {ASSAY, "record", "--out", out, "--"};
  recorder.insert(recorder.end(), reference.begin(), reference.end());
  const ByCase direct = Verdicts(Parsed(Run(kGoodCases, {"--format", "json"}, reference).out));
  const ByCase through = Verdicts(Parsed(Run(kGoodCases, {"--format", "json"}, recorder).out));
  EXPECT_EQ(through, direct);

  const Ran check = Assay({"check", out});
  EXPECT_EQ(check.code, 0) << check.out << check.err;
  const std::string text = ReadFile(out);
  EXPECT_NE(text.find("id: my-session\n"), std::string::npos) << text;
  Words again = {"run", "--strict", "--format", "json", "--only-cases", out, "--"};
  again.insert(again.end(), reference.begin(), reference.end());
  EXPECT_EQ(Verdicts(Parsed(Assay(again).out)), (ByCase{{"recorded/my-session", "pass"}})) << text;
}

TEST_F(CliTest, ARecorderEndsAsItsServerDoes) {
  const std::string out = (folder / "session.yaml").string();
  EXPECT_EQ(Assay({"record", "--out", out, "--", "sh", "-c", "echo last words >&2; exit 7"}).code,
            7);
  const Ran killed = Assay({"record", "--out", out, "--", "sh", "-c", "kill -9 $$"});
  EXPECT_EQ(killed.code, 128 + 9);
  EXPECT_NE(killed.err.find("there is no case to write"), std::string::npos) << killed.err;
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(Assay({"record", "--out", out, "--", "/no/such/server"}).code, 3);
}

TEST_F(CliTest, OrderAndIsolationDoNotChangeVerdicts) {
  const ByCase plain = Verdicts(Parsed(RunBroken({"--format", "json"}).out));
  for (const Words& options :
       {Words{"--isolate"}, Words{"--seed", "3"}, Words{"--jobs", "1"}, Words{"--jobs", "7"}}) {
    Words all = options;
    all.insert(all.end(), {"--format", "json"});
    EXPECT_EQ(Verdicts(Parsed(RunBroken(all).out)), plain) << options[0];
  }
}

TEST_F(CliTest, RequireDecidesWhatCounts) {
  const Words soft = {"--filter", "s/soft"};
  const auto with = [&](Words options) {
    options.insert(options.end(), soft.begin(), soft.end());
    return RunBroken(options).code;
  };
  EXPECT_EQ(with({}), 0);
  EXPECT_EQ(with({"--require", "must"}), 0);
  EXPECT_EQ(with({"--require", "should"}), 1);
  EXPECT_EQ(with({"--require", "must,contract"}), 0);
  EXPECT_EQ(with({"--strict"}), 1);
}

TEST_F(CliTest, ABaselineToleratesWhatItKnows) {
  const std::string known = Write("known.yaml",
                                  "- case: s/broken\n  requirement: L-BASE-response-id-echo\n"
                                  "  reason: it is old\n");
  EXPECT_EQ(RunBroken({"--baseline", known}).code, 0);
  EXPECT_EQ(RunBroken({"--baseline", known, "--strict"}).code, 1);

  Write("known.yaml", "- case: s/held\n  requirement: L-PING-respond\n  reason: it was broken\n");
  const Ran stale = RunBroken({"--baseline", known, "--filter", "s/held"});
  EXPECT_EQ(stale.code, 1);
  EXPECT_NE(stale.out.find("known.yaml:1:"), std::string::npos) << stale.out;
  EXPECT_EQ(RunBroken({"--baseline", known, "--filter", "s/soft"}).code, 0);  // it did not run
}

TEST_F(CliTest, ABaselineIsUpdated) {
  const std::string known = (folder / "known.yaml").string();
  EXPECT_EQ(RunBroken({"--baseline", known, "--update-baseline"}).code, 0);
  const std::string written = ReadFile(known);
  EXPECT_NE(written.find("s/broken"), std::string::npos) << written;
  EXPECT_EQ(written.find("s/soft"), std::string::npos) << written;  // a warning does not count
  EXPECT_EQ(RunBroken({"--baseline", known}).code, 0);
  EXPECT_EQ(RunBroken({"--baseline", known, "--update-baseline"}).code, 0);
  EXPECT_EQ(ReadFile(known), written);
}

// --- which server
// ------------------------------------------------------------------------------------

TEST_F(CliTest, WhatStandsBehindTheDashesIsTheServersAlone) {
  const Ran ran = Run(kGoodCases, {"--format", "json"},
                      {ASSAY_REFERENCE_SERVER, "--era", "legacy", "--page-size", "3"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Json report = Parsed(ran.out);
  EXPECT_EQ(report.Find("target", "command")->items().size(), 5U);
  EXPECT_EQ(report.Find("target")->FindString("era_policy"), "legacy-only");
}

TEST_F(CliTest, AConfigSaysHowToStartTheServer) {
  Write("assay.yaml", std::string("server:\n  command: [") + ASSAY_REFERENCE_SERVER +
                          ", --era, legacy]\nrequire: [must, should]\nbaseline: known.yaml\n");
  Write("known.yaml", "[]\n");
  const std::string cases = Write("mine.yaml", kGoodCases);
  const Ran ran = Assay({"run", "--only-cases", cases, "--format", "json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(Verdicts(Parsed(ran.out)).size(), 3U);
  EXPECT_EQ(Assay({"discover"}).code, 0);

  fs::create_directory(folder / "other");
  fs::rename(folder / "assay.yaml", folder / "other" / "a.yaml");
  fs::rename(folder / "known.yaml", folder / "other" / "known.yaml");
  EXPECT_EQ(Assay({"run", "--only-cases", cases, "--config", "other/a.yaml"}).code, 0);
}

const char kComparison[] = R"(suite: compare
cases:
  - id: tools
    title: The tools are the same over both transports
    requires: [C-LIST-PARITY]
    era: modern
    transport: stdio
    steps:
      - request: { method: tools/list }
        expect: { for: ~, result: $object }
        save: { tools: /result/tools }
      - connect: web
        transport: http
      - on: web
        request: { method: tools/list }
        expect: { result: { tools: { $sameAs: tools } } }
)";

TEST_F(CliTest, AConfigSaysHowToReachTheServerOverBothTransports) {
  const std::string server = ASSAY_REFERENCE_SERVER;
  Write("assay.yaml", "server:\n  command: [" + server + "]\n  http: { command: [" + server +
                          ", --transport, http, --port, '{port}'] }\n");
  const std::string good = Write("good.yaml", kGoodCases);
  const std::string comparison = Write("compare.yaml", kComparison);
  const Ran over_http = Assay({"run", "--http", "--only-cases", good, "--format", "json"});
  EXPECT_EQ(Parsed(over_http.out).Find("target")->FindString("transport"), "http");

  const Words compare = {"run", "--only-cases", comparison, "--format", "json"};
  EXPECT_EQ(Verdicts(Parsed(Assay(compare).out)), (ByCase{{"compare/tools", "pass"}}));

  Write("assay.yaml", "server:\n  command: [" + server + "]\n  http: { command: [" + server +
                          R"(, --transport, http, --port, '{port}', --fault,
                  'http-body=[{"op":"remove","path":"/result/tools/1"}]'] })"
                          "\n");
  EXPECT_EQ(Verdicts(Parsed(Assay(compare).out)), (ByCase{{"compare/tools", "differs"}}));

  // Of a server of which one transport is known, nothing can be compared.
  const Ran alone = Assay({"run", "--only-cases", comparison, "--format", "json", "--", server});
  EXPECT_EQ(Verdicts(Parsed(alone.out)), (ByCase{{"compare/tools", "skip"}}));
}

TEST_F(CliTest, ABadConfigIsTwoAndSaysWhere) {
  Write("assay.yaml", "server:\n  comand: [x]\n");
  const Ran ran = Run(kGoodCases, {}, reference);
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("assay.yaml:2:"), std::string::npos) << ran.err;
}

// --- the other commands
// ------------------------------------------------------------------------------

TEST_F(CliTest, ListIsJsonOnDemand) {
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

TEST_F(CliTest, ExplainTellsOfRequirementsAndCases) {
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

TEST_F(CliTest, SchemaIsAJsonSchema) {
  const Json schema = Parsed(Assay({"schema"}).out);
  EXPECT_TRUE(schema.FindString("$schema"));
}

TEST_F(CliTest, SchemaIsThereForPeopleToo) {
  const Ran ran = Assay({"schema", "--markdown"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.starts_with("# The case format\n"));
}

TEST_F(CliTest, CheckLints) {
  EXPECT_EQ(Assay({"check", Write("good.yaml", kGoodCases)}).code, 0);
  const Ran bad = Assay({"check", Write("bad.yaml", "suite: s\nera: legacy\ncases: []\nx: 1\n")});
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.out.find("bad.yaml:4:1: "), std::string::npos) << bad.out;
  EXPECT_EQ(Assay({"check", std::string(ASSAY_SOURCE_DIR) + "/cases"}).code, 0);
}

TEST_F(CliTest, DiscoverTellsWhatTheServerIs) {
  const Ran ran = Assay({"discover", "--json", "--", ASSAY_REFERENCE_SERVER});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(Parsed(ran.out).Dump().find("\"locked\""), std::string::npos) << ran.out;
  const Ran text = Assay({"discover", "--", ASSAY_REFERENCE_SERVER});
  EXPECT_NE(text.out.find("assay-reference-server"), std::string::npos);
  EXPECT_EQ(Assay({"discover", "--", "/no/such/server"}).code, 3);
}

}  // namespace
}  // namespace assay
