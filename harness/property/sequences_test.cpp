// Which sequences are tried; and that every one of every model is a case that can be written.

#include "property/sequences.h"

#include <gtest/gtest.h>

#include <set>

#include "case/loader.h"
#include "case/writer.h"
#include "runner/library.h"

namespace assay {
namespace {

// Letters a, b and c, where c cannot come first.
Model Toy() {
  return {.name = "toy",
          .title = "",
          .alphabet = {"a", "b", "c"},
          .era = Era::kNone,
          .revision = "",
          .is_slow = false,
          .build = [](const Sequence& sequence) -> std::optional<Case> {
            if (!sequence.empty() && sequence.front() == 2) return std::nullopt;
            return Case{};
          }};
}

TEST(Sequences, EveryShortOneThatHasACaseIsThereOnce) {
  const auto planned = ShortSequences({Toy()}, 3);
  EXPECT_EQ(planned.size(), 2U + 6U + 18U);
  std::set<Sequence> all;
  std::size_t length = 0;
  for (const PlannedSequence& one : planned) {
    EXPECT_TRUE(all.insert(one.letters).second);
    EXPECT_GE(one.letters.size(), length);
    length = one.letters.size();
  }
}

TEST(Sequences, TheSmallerTheAlphabetTheLongerTheyAre) {
  const auto longest = [](const Model& model) {
    return ShortSequences({model}, 0).back().letters.size();
  };
  Model model = Toy();
  EXPECT_EQ(longest(model), 6U);
  model.alphabet.assign(12, "x");
  EXPECT_EQ(longest(model), 3U);
  model.alphabet.assign(60, "x");
  EXPECT_EQ(longest(model), 2U);
  model.alphabet.assign(3, "x");
  model.is_slow = true;
  EXPECT_EQ(longest(model), 4U);
}

TEST(Sequences, ChanceComesFromTheSeedAlone) {
  const std::vector<Model> models = {Toy()};
  RandomSequences one(models, 7);
  RandomSequences same(models, 7);
  RandomSequences other(models, 8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const Sequence letters = one.Next().letters;
    EXPECT_TRUE(models.front().build(letters));
    EXPECT_EQ(same.Next().letters, letters);
    differs = differs || other.Next().letters != letters;
  }
  EXPECT_TRUE(differs);
}

// A server that has everything.
ServerFacts Facts() {
  ServerFacts facts;
  for (EraFacts* era : {&facts.legacy, &facts.modern}) {
    era->served = true;
    era->paged = {"tools/list"};
    for (Json* list : {&era->tools, &era->prompts, &era->resources, &era->resource_templates}) {
      *list = Json::Array({Json::Object()});
    }
    const Json changes = ParseJson(R"({"listChanged":true,"subscribe":true})").value.value();
    era->capabilities =
        Json::Object({{"tools", changes},
                      {"prompts", changes},
                      {"resources", changes},
                      {"tasks", ParseJson(R"({"list":{},"cancel":{}})").value.value()}});
  }
  facts.legacy.revisions = {"2025-11-25"};
  facts.modern.revisions = {"2026-07-28"};
  facts.era_policy = "locked";
  facts.tasks = {"legacy", "extension", "handle"};
  for (const char* role : {"slow", "task", "long-task", "asking-task", "changes-tools",
                           "changes-prompts", "changes-resource"}) {
    facts.roles[role] = {};
  }
  return facts;
}

TEST(Models, EveryShortSequenceIsACaseThatCanBeWritten) {
  const Library library = LoadBuiltinRules();
  for (const bool over_http : {false, true}) {
    const std::vector<Model> models = ModelsFor(Facts(), over_http);
    EXPECT_GE(models.size(), 10U);
    for (const PlannedSequence& planned : ShortSequences(models, 2)) {
      const Case test_case = *models[planned.model].build(planned.letters);
      // One that only tells, and asks nothing, proves nothing.
      if (test_case.requires_ids.empty()) continue;
      const std::string text = WriteCaseFile({test_case});
      std::vector<InputError> problems;
      std::vector<Case> again = LoadCaseFile("t.yaml", text, library.catalogue, &problems);
      ASSERT_TRUE(problems.empty()) << ToString(problems.front()) << "\n" << text;
      ASSERT_EQ(again.size(), 1U);
      // The roles that it uses are found by whoever reads it.
      again.front().when.roles.clear();
      EXPECT_EQ(WriteCaseFile(again), text);
    }
  }
}

}  // namespace
}  // namespace assay
