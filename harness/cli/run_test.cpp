// assay run: exit codes, streams, files.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "runner/files.h"
#include "testing/playback.h"
#include "testing/program.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using RunCommand = ProgramTest;

TEST_F(RunCommand, MeetingWhatIsRequiredIsZero) {
  const Ran ran = Run(kGoodCases, {}, reference);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("3"), std::string::npos);
}

TEST_F(RunCommand, AFindingIsOne) {
  const Ran ran = RunBroken({});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("L-BASE-response-id-echo"), std::string::npos) << ran.out;
}

TEST_F(RunCommand, ABadCaseFileIsTwoAndSaysWhere) {
  const Ran ran = Run("suite: s\nera: legacy\ncases:\n  - id: c\n    titel: T\n", {}, reference);
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find((folder / "cases.yaml").string() + ":5:5: "), std::string::npos)
      << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST_F(RunCommand, AServerThatCannotBeTestedIsThree) {
  for (const Words& server :
       {Words{"/no/such/server"}, Words{"sh", "-c", "echo I am lost >&2; exit 1"}}) {
    const Ran ran = Run(kGoodCases, {"--report", "out"}, server);
    EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
    EXPECT_NE(ran.err.find(server.size() == 1 ? "/no/such/server" : "I am lost"), std::string::npos)
        << ran.err;
    EXPECT_TRUE(fs::exists(folder / "out" / "report.json"));
  }
}

TEST_F(RunCommand, WhatCouldNotBeJudgedIsThree) {
  const Ran ran = Run(
      "suite: s\nera: legacy\ncases:\n  - id: lost\n    title: T\n    requires: [L-PING-respond]\n"
      "    steps:\n      - http: { method: GET }\n        expect: { status: 200 }\n",
      {"--format", "json"}, reference);
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_EQ(Verdicts(Parsed(ran.out)), (ByCase{{"s/lost", "error"}}));
}

TEST_F(RunCommand, AnInterruptWritesWhatThereIs) {
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

TEST_F(RunCommand, JsonGoesToStdoutAndTheTalkToStderr) {
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

TEST_F(RunCommand, TapHasAPlanAndALineForEachResult) {
  const Ran ran = RunBroken({"--format", "tap"});
  EXPECT_TRUE(ran.out.starts_with("TAP version 1")) << ran.out;
  EXPECT_NE(ran.out.find("\n1..3"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\nok 1"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\nnot ok 2"), std::string::npos) << ran.out;
}

TEST_F(RunCommand, ReportsAreWritten) {
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

TEST_F(RunCommand, TracesShowTheWire) {
  const std::string failed = RunBroken({"--trace"}).out;
  EXPECT_NE(failed.find(R"("method":"tools/list")"), std::string::npos) << failed;
  EXPECT_EQ(failed.find(R"("method":"ping")"), std::string::npos) << failed;
  EXPECT_NE(RunBroken({"--trace=all"}).out.find(R"("method":"ping")"), std::string::npos);
}

TEST_F(RunCommand, FiltersChoose) {
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

TEST_F(RunCommand, ShardsTogetherAreTheWhole) {
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

TEST_F(RunCommand, AQuickRunJudgesTheSameRequirementsWithFewerCases) {
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

TEST_F(RunCommand, OrderAndIsolationDoNotChangeVerdicts) {
  const ByCase plain = Verdicts(Parsed(RunBroken({"--format", "json"}).out));
  for (const Words& options :
       {Words{"--isolate"}, Words{"--seed", "3"}, Words{"--jobs", "1"}, Words{"--jobs", "7"}}) {
    Words all = options;
    all.insert(all.end(), {"--format", "json"});
    EXPECT_EQ(Verdicts(Parsed(RunBroken(all).out)), plain) << options[0];
  }
}

TEST_F(RunCommand, RequireDecidesWhatCounts) {
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

TEST_F(RunCommand, ABaselineToleratesWhatItKnows) {
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

TEST_F(RunCommand, ABaselineIsUpdated) {
  const std::string known = (folder / "known.yaml").string();
  EXPECT_EQ(RunBroken({"--baseline", known, "--update-baseline"}).code, 0);
  const std::string written = ReadFile(known);
  EXPECT_NE(written.find("s/broken"), std::string::npos) << written;
  EXPECT_EQ(written.find("s/soft"), std::string::npos) << written;  // a warning does not count
  EXPECT_EQ(RunBroken({"--baseline", known}).code, 0);
  EXPECT_EQ(RunBroken({"--baseline", known, "--update-baseline"}).code, 0);
  EXPECT_EQ(ReadFile(known), written);
}

TEST_F(RunCommand, WhatStandsBehindTheDashesIsTheServersAlone) {
  const Ran ran = Run(kGoodCases, {"--format", "json"},
                      {ASSAY_REFERENCE_SERVER, "--era", "legacy", "--page-size", "3"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Json report = Parsed(ran.out);
  EXPECT_EQ(report.Find("target", "command")->items().size(), 5U);
  EXPECT_EQ(report.Find("target")->FindString("era_policy"), "legacy-only");
}

TEST_F(RunCommand, AConfigSaysHowToStartTheServer) {
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

TEST_F(RunCommand, AConfigSaysHowToReachTheServerOverBothTransports) {
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

TEST_F(RunCommand, ABadConfigIsTwoAndSaysWhere) {
  Write("assay.yaml", "server:\n  comand: [x]\n");
  const Ran ran = Run(kGoodCases, {}, reference);
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("assay.yaml:2:"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace assay
