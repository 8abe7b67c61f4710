// What the command line itself says, before any command does its work.

#include <gtest/gtest.h>

#include <string>

#include "testing/program.h"

namespace assay {
namespace {

using UsageCommand = ProgramTest;

TEST_F(UsageCommand, BadUsageIsTwo) {
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

TEST_F(UsageCommand, HelpAndVersionAreZero) {
  for (const Words& words : {Words{"--help"}, Words{"--version"}}) {
    const Ran ran = Assay(words);
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out, "");
  }
}

TEST_F(UsageCommand, TheHelpOfEachCommandShowsHowItIsUsed) {
  for (const char* name :
       {"run", "discover", "explore", "fuzz", "replay", "record", "call", "list", "explain",
        "check", "schema", "selftest", "compare", "matrix", "merge"}) {
    const Ran ran = Assay({name, "--help"});
    EXPECT_EQ(ran.code, 0) << name;
    const std::string example = "\n  assay " + std::string(name);
    EXPECT_NE(ran.out.find(example), std::string::npos) << ran.out;
  }
}

TEST_F(UsageCommand, ACommandThatThereIsNotHasNoHelp) {
  for (const Words& words : {Words{"frobnicate"}, Words{"frobnicate", "--help"}}) {
    const Ran ran = Assay(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("assay: there is no command 'frobnicate'; there are: run, "))
        << ran.err;
  }
}

TEST_F(UsageCommand, WhatIsWrongIsToldWithWhoKnowsBetter) {
  const Ran ran = Assay({"run", "--no-such-option"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(ran.err.starts_with("assay run: ")) << ran.err;
  EXPECT_NE(ran.err.find("--no-such-option"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("`assay run --help`"), std::string::npos) << ran.err;
}

TEST_F(UsageCommand, AFileThatCannotBeReadOrWrittenIsTwoAndSaysWhy) {
  EXPECT_EQ(Assay({"check", "missing.yaml"}).err,
            "missing.yaml: cannot be read: No such file or directory\n");
  Write("file", "");
  const Ran ran = Run(kGoodCases, {"--report", "file"}, reference);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "file/report.json: cannot be written: Not a directory\n");
}

}  // namespace
}  // namespace assay
