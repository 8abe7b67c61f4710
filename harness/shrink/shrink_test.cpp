// What is left of a list that shows something.

#include "shrink/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "shrink/signature.h"
#include "shrink/steps.h"

namespace assay {
namespace {

using Numbers = std::vector<int>;

Numbers Shrunk(Numbers numbers, const std::function<bool(const Numbers&)>& shows,
               std::size_t attempts = 1000) {
  Loop loop;
  const ShrinkSettings<int> settings{
      .still_shows = [&](Numbers candidate) -> Task<bool> { co_return shows(candidate); },
      .simpler =
          [](const int& number) {
            return number > 0 ? Numbers{0, number - 1} : Numbers{};
          },
      .attempts = attempts};
  const auto main = [&]() -> Task<void> {
    numbers = co_await Shrink(std::move(numbers), settings);
  };
  loop.Spawn(main());
  loop.Run();
  return numbers;
}

bool Has(const Numbers& numbers, int wanted) {
  return std::find(numbers.begin(), numbers.end(), wanted) != numbers.end();
}

TEST(Shrink, WhatItDoesNotTakeIsDropped) {
  EXPECT_EQ(Shrunk({9, 4, 1, 7, 2, 4, 8}, [](const Numbers& n) { return Has(n, 7); }), Numbers{7});
}

TEST(Shrink, OrderIsKept) {
  const auto seven_before_two = [](const Numbers& n) {
    const auto seven = std::find(n.begin(), n.end(), 7);
    return std::find(seven, n.end(), 2) != n.end();
  };
  EXPECT_EQ(Shrunk({2, 9, 7, 4, 1, 2, 3}, seven_before_two), (Numbers{7, 2}));
}

TEST(Shrink, WhatIsLeftIsMadeSimpler) {
  const auto big_and_another = [](const Numbers& n) {
    return n.size() >= 2 && std::any_of(n.begin(), n.end(), [](int i) { return i >= 5; });
  };
  EXPECT_EQ(Shrunk({9, 9, 9, 9}, big_and_another), (Numbers{0, 5}));
}

TEST(Shrink, IsGivenUpAfterSoManyAttempts) {
  int asked = 0;
  Shrunk(
      Numbers(100, 1), [&](const Numbers&) { return ++asked < 0; }, 10);
  EXPECT_EQ(asked, 10);
}

TEST(Signature, NumbersAndQuotedTextsDoNotTell) {
  ReportedFinding one;
  one.requirement = "M-A";
  one.message = "no answer to 7000001 within 50 ms, got \"abc\"";
  ReportedFinding other = one;
  other.message = "no answer to 12 within 1000 ms, got \"x\"";
  EXPECT_EQ(SignatureOf(one), SignatureOf(other));
  other.requirement = "M-B";
  EXPECT_NE(SignatureOf(one), SignatureOf(other));
  Result result;
  result.findings = {one};
  EXPECT_TRUE(Shows(result, SignatureOf(one)));
  EXPECT_FALSE(Shows(result, SignatureOf(other)));
}

TEST(SimplerSteps, LoseWhatTheyDoNotNeed) {
  Step step;
  step.message = Json::Object({{"method", Json::String("tools/list")},
                               {"params", Json::Object({{"a", Json::Integer(5)}})}});
  step.id = Json::Integer(5);
  std::vector<std::string> forms;
  for (const Step& form : SimplerSteps(step)) {
    EXPECT_EQ(form.message.FindString("method"), "tools/list");
    forms.push_back(form.message.Dump() + (form.id ? " with id" : ""));
  }
  const std::vector<std::string> expected = {R"({"method":"tools/list","params":{"a":5}})",
                                             R"({"method":"tools/list"} with id)",
                                             R"({"method":"tools/list","params":{}} with id)",
                                             R"({"method":"tools/list","params":{"a":1}} with id)"};
  EXPECT_EQ(forms, expected);
}

TEST(SimplerSteps, BytesLoseStretches) {
  Step step;
  step.verb = Step::Verb::kRaw;
  step.text = Json::String("abcd");
  std::vector<std::string> texts;
  for (const Step& form : SimplerSteps(step)) texts.push_back(form.text.text());
  EXPECT_EQ(texts, (std::vector<std::string>{"cd", "ab", "bcd", "acd", "abd", "abc"}));
}

// The simpler forms of a step, as the text that they send.
std::vector<std::string> SimplerTexts(const Step& step) {
  std::vector<std::string> texts;
  for (const Step& simpler : SimplerSteps(step)) {
    const bool writes = step.verb == Step::Verb::kRaw || step.verb == Step::Verb::kBytes;
    texts.push_back(writes ? simpler.text.text() : simpler.message.Dump());
  }
  return texts;
}

Step RequestWith(const std::string& params) {
  Step step;
  step.message = *ParseJson(R"({"method":"m","params":)" + params + "}").value;
  return step;
}

TEST(SimplerSteps, HaveOneMemberOrItemLessOrASimplerValue) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(
      SimplerTexts(RequestWith(R"({"a":[7,"xy"]})")),
      (Texts{R"({"method":"m"})", R"({"method":"m","params":{}})",
             R"({"method":"m","params":{"a":["xy"]}})", R"({"method":"m","params":{"a":[7]}})",
             R"({"method":"m","params":{"a":[1,"xy"]}})",
             R"({"method":"m","params":{"a":[7,"x"]}})",
             R"({"method":"m","params":{"a":[7,"x"]}})"}));
  EXPECT_EQ(SimplerTexts(RequestWith(R"({"a":1,"b":"${x}","c":true})")).size(), 4U)
      << "what is simple, or stands for something else, stays";
  Step raw = RequestWith("{}");
  raw.message.Set("params", Json::Object({{"a", Json::Raw("1e9")}}));
  EXPECT_EQ(SimplerTexts(raw).back(), R"({"method":"m","params":{"a":null}})");
}

TEST(SimplerSteps, LeaveOutWhatWasChosen) {
  Step step = RequestWith("{}");
  step.message.Remove("params");
  step.id = Json::Integer(5);
  step.envelope = Json::Object({{"k", Json::Integer(1)}});
  step.http = Json::Object({{"headers", Json::Object()}});
  step.split = {3};
  const std::vector<Step> simpler = SimplerSteps(step);
  ASSERT_EQ(simpler.size(), 5U);
  EXPECT_FALSE(simpler[0].envelope);
  EXPECT_FALSE(simpler[1].http);
  EXPECT_FALSE(simpler[2].id);
  EXPECT_TRUE(simpler[3].split.empty());
  EXPECT_EQ(simpler[4].envelope->Dump(), "{}");
}

TEST(SimplerSteps, HaveFewerBytes) {
  Step step;
  step.verb = Step::Verb::kRaw;
  step.text = Json::String("abcd");
  const std::vector<std::string> halves_first = {"cd", "ab", "bcd", "acd", "abd", "abc"};
  EXPECT_EQ(SimplerTexts(step), halves_first);
  step.verb = Step::Verb::kBytes;
  step.text = Json::String("AAE=");  // 0, 1
  EXPECT_EQ(SimplerTexts(step), (std::vector<std::string>{"AQ==", "AA=="}));
}

}  // namespace
}  // namespace assay
