// The commands that speak to one server for a person: discover, call, record.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "runner/files.h"
#include "testing/program.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using ByHandCommand = ProgramTest;

TEST_F(ByHandCommand, ACallPrintsWhatTheToolSaysAndShowsTheWire) {
  for (const char* era : {"auto", "legacy"}) {
    const Ran ran = Assay(Against(
        reference, {"call", "echo", "--arguments", R"({"message":"hello"})", "--era", era}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "hello\n");
    EXPECT_NE(ran.err.find("tools/call"), std::string::npos) << ran.err;
  }
}

TEST_F(ByHandCommand, ACallAnswersWhatItIsAsked) {
  const auto ask = [&](const char* era, const Words& answer) {
    Words words = {"call", "test_elicitation", "--arguments", R"({"message":"who?"})", "--era",
                   era,    "--quiet"};
    words.insert(words.end(), answer.begin(), answer.end());
    return Assay(Against(reference, words)).out;
  };
  EXPECT_NE(ask("legacy", {"--accept", R"({"username":"ann","email":"a@b.c"})"}).find("accept"),
            std::string::npos);
  EXPECT_NE(ask("legacy", {"--decline"}).find("decline"), std::string::npos);
}

TEST_F(ByHandCommand, ACallThatCannotBeMadeSaysWhy) {
  const Words words = Against(reference, {"call", "no-such-tool", "--quiet"});
  const Ran ran = Assay(words);
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("-32602"), std::string::npos) << ran.err;
  EXPECT_EQ(Assay({"call", "echo", "--arguments", "{", "--", "x"}).code, 2);
}

TEST_F(ByHandCommand, ACallSaysWhatItDoesNotAnswer) {
  Script script;
  script.On("tools/call")
      .Say(ResultLine(
          R"({"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage"}}})"));
  const Playback asks(script.Modern());
  const Ran ran = Assay(Against(asks.command().argv, {"call", "t", "--quiet"}));
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("asks for sampling/createMessage, which is not answered here"),
            std::string::npos)
      << ran.err;
}

TEST_F(ByHandCommand, ACallEndsThoughTheServerAsksForEver) {
  Script script;
  script.On("tools/call")
      .Say(ResultLine(R"({"resultType":"input_required","requestState":"s","inputRequests":)"
                      R"({"a":{"method":"roots/list"},"b":{"method":"ping"}}})"));
  const Playback asks(script.Modern());
  const Ran ran = Assay(Against(asks.command().argv, {"call", "t", "--quiet"}));
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("times"), std::string::npos) << ran.err;
}

TEST_F(ByHandCommand, WithoutAToolACallListsThem) {
  for (const Words& more : {Words{}, Words{"--page-size", "2"}}) {
    Words server = reference;
    server.insert(server.end(), more.begin(), more.end());
    const Ran ran = Assay(Against(server, {"call", "--quiet"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("echo"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("test_elicitation"), std::string::npos) << "on another page";
  }
}

TEST_F(ByHandCommand, ARecorderChangesNothingAndWritesACaseThatPassesAgain) {
  const std::string out = (folder / "my session.yaml").string();
  const Words recorder = Against(reference, {ASSAY, "record", "--out", out});
  const ByCase direct = Verdicts(Parsed(Run(kGoodCases, {"--format", "json"}, reference).out));
  const ByCase through = Verdicts(Parsed(Run(kGoodCases, {"--format", "json"}, recorder).out));
  EXPECT_EQ(through, direct);

  const Ran check = Assay({"check", out});
  EXPECT_EQ(check.code, 0) << check.out << check.err;
  const std::string text = ReadFile(out);
  EXPECT_NE(text.find("id: my-session\n"), std::string::npos) << text;
  const Words again =
      Against(reference, {"run", "--strict", "--format", "json", "--only-cases", out});
  EXPECT_EQ(Verdicts(Parsed(Assay(again).out)), (ByCase{{"recorded/my-session", "pass"}})) << text;
}

TEST_F(ByHandCommand, ARecorderEndsAsItsServerDoes) {
  const std::string out = (folder / "session.yaml").string();
  EXPECT_EQ(Assay({"record", "--out", out, "--", "sh", "-c", "echo last words >&2; exit 7"}).code,
            7);
  const Ran killed = Assay({"record", "--out", out, "--", "sh", "-c", "kill -9 $$"});
  EXPECT_EQ(killed.code, 128 + 9);
  EXPECT_NE(killed.err.find("there is no case to write"), std::string::npos) << killed.err;
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(Assay({"record", "--out", out, "--", "/no/such/server"}).code, 3);
}

TEST_F(ByHandCommand, DiscoverTellsWhatTheServerIs) {
  const Ran ran = Assay({"discover", "--json", "--", ASSAY_REFERENCE_SERVER});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(Parsed(ran.out).Dump().find("\"locked\""), std::string::npos) << ran.out;
  const Ran text = Assay({"discover", "--", ASSAY_REFERENCE_SERVER});
  EXPECT_NE(text.out.find("assay-reference-server"), std::string::npos);
}

TEST_F(ByHandCommand, DiscoverSaysWhyAServerIsNone) {
  const Ran ran = Assay({"discover", "--", "sh", "-c", "echo I am lost >&2; exit 1"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("could not be tested"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("I am lost"), std::string::npos) << ran.err;
  EXPECT_EQ(Assay({"discover", "--", "/no/such/server"}).code, 3);
}

}  // namespace
}  // namespace assay
