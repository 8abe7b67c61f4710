// What is sent: never a tool that must not be called, the same for the same seed, and always
// something that a case file can hold.

#include "campaign/generator.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "case/loader.h"
#include "case/writer.h"
#include "runner/library.h"

namespace assay {
namespace {

Json J(std::string_view text) { return ParseJson(text).value.value(); }

// Two tools, of which only `look` may be called.
ServerFacts Facts() {
  ServerFacts facts;
  for (EraFacts* era : {&facts.legacy, &facts.modern}) {
    era->served = true;
    era->tools = J(R"([
      {"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
      {"name":"delete_all","inputSchema":{"type":"object"}}])");
    era->resources = J(R"([{"uri":"test://one","name":"one"}])");
    era->paged = {"tools/list"};
  }
  facts.legacy.revisions = {"2025-11-25"};
  facts.modern.revisions = {"2026-07-28"};
  return facts;
}

std::vector<Manner> Manners() {
  return {{.era = Era::kModern, .revision = "2026-07-28"},
          {.era = Era::kLegacy, .revision = "2025-11-25"},
          {.era = Era::kNone},
          {.era = Era::kModern, .revision = "2026-07-28", .over_http = true}};
}

// `count` plays, all kept in the corpus, so that they are changed further.
std::vector<Play> PlaysOf(const Subject& subject, std::uint64_t seed, int count) {
  Corpus corpus;
  Generator generator(subject, corpus);
  Chance chance(seed);
  Names names;
  std::vector<Play> plays;
  for (int i = 0; i < count; ++i) {
    plays.push_back(generator.Next(chance, names));
    corpus.Add(subject.manner, plays.back());
  }
  return plays;
}

std::string BytesOf(const std::vector<Play>& plays) {
  std::string bytes;
  for (const Play& play : plays) {
    for (const Probe& probe : play) bytes += probe.bytes + probe.end;
  }
  return bytes;
}

TEST(Generator, CallsNoToolThatMustNotBeCalled) {
  for (const Manner& manner : Manners()) {
    const Subject subject = MakeSubject(Facts(), manner, false);
    EXPECT_EQ(subject.forbidden_tools.front(), "delete_all");
    const std::string sent = BytesOf(PlaysOf(subject, 1, 1000));
    EXPECT_NE(sent.find(R"("name":"look")"), std::string::npos);
    EXPECT_EQ(sent.find("delete_all"), std::string::npos);
  }
}

TEST(Generator, SendsNoMessageThatWeCannotReadOurselves) {
  const Subject subject = MakeSubject(Facts(), Manners().front(), false);
  for (const Play& play : PlaysOf(subject, 1, 3000)) {
    for (const Probe& probe : play) {
      const bool is_message = probe.bytes.find("\"method\"") != std::string::npos;
      const bool too_deep = ParseJson(probe.bytes).error.find("deep") != std::string::npos;
      EXPECT_FALSE(is_message && too_deep) << probe.bytes.substr(0, 300);
    }
  }
}

TEST(Generator, CallsAllToolsWhereThatIsAllowed) {
  const Subject subject = MakeSubject(Facts(), Manners().front(), true);
  EXPECT_TRUE(subject.forbidden_tools.empty());
  EXPECT_NE(BytesOf(PlaysOf(subject, 1, 1000)).find("delete_all"), std::string::npos);
}

TEST(Subject, NoSpellingHidesAToolThatMustNotBeCalled) {
  const Subject subject = MakeSubject(Facts(), Manners().front(), false);
  EXPECT_TRUE(IsHarmless(subject, R"({"method":"tools/call","params":{"name":"look"}})"));
  EXPECT_TRUE(IsHarmless(subject, R"({"method":"prompts/get","params":{"name":"delete_all"}})"));
  EXPECT_FALSE(IsHarmless(subject, R"({"method":"tools/call","params":{"name":"delete_all"}})"));
  EXPECT_FALSE(
      IsHarmless(subject, R"({"method":"tools\/\u0063all","params":{"name":"delete\u005fall"}})"));
  EXPECT_FALSE(IsHarmless(subject, R"({"method":"TOOLS/CALL","params":{"name":" Delete_All )"));
}

TEST(Generator, TheSameSeedGivesTheSamePlays) {
  const Subject subject = MakeSubject(Facts(), Manners().front(), false);
  const std::string once = BytesOf(PlaysOf(subject, 7, 500));
  EXPECT_EQ(BytesOf(PlaysOf(subject, 7, 500)), once);
  EXPECT_NE(BytesOf(PlaysOf(subject, 8, 500)), once);
}

TEST(Generator, EveryPlayIsACaseThatCanBeWritten) {
  const Library library = LoadBuiltinRules();
  for (const Manner& manner : Manners()) {
    const Subject subject = MakeSubject(Facts(), manner, false);
    for (const Play& play : PlaysOf(subject, 3, 700)) {
      Case test_case = CaseOf(manner, play, "M-BASE-MANDATORY-COMPONENTS");
      test_case.id = test_case.suite + "/one";
      test_case.title = "One";
      const std::string text = WriteCaseFile({test_case});
      if (text.size() > 500'000) continue;  // more than a case file may be
      std::vector<InputError> problems;
      const std::vector<Case> read = LoadCaseFile("one.yaml", text, library.catalogue, &problems);
      ASSERT_TRUE(problems.empty()) << problems.front().what() << "\n" << text;
      ASSERT_EQ(read.size(), 1U);
      ASSERT_EQ(read.front().steps.size(), test_case.steps.size());
      for (std::size_t i = 0; i < test_case.steps.size(); ++i) {
        EXPECT_EQ(read.front().steps[i].text.text(), test_case.steps[i].text.text());
        if (test_case.steps[i].verb != Step::Verb::kRaw) continue;
        EXPECT_EQ(read.front().steps[i].end, test_case.steps[i].end);
      }
    }
  }
}

TEST(Generator, WhatIsNotProducedIsNotAskedForAgain) {
  const Subject subject = MakeSubject(Facts(), Manners().front(), false);
  Corpus corpus;
  Generator generator(subject, corpus);
  generator.Disable("/result/nextCursor");
  Chance chance(1);
  Names names;
  for (int i = 0; i < 1000; ++i) {
    for (const Probe& probe : generator.Next(chance, names)) EXPECT_TRUE(probe.save.empty());
  }
}

}  // namespace
}  // namespace assay
