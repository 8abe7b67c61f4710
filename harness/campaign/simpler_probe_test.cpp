// Simpler forms lead to the smallest one that still shows something.

#include "campaign/simpler_probe.h"

#include <gtest/gtest.h>

#include <functional>

namespace assay {
namespace {

// The smallest form of `bytes` for which `shows` holds, by always taking the first that does.
std::string Smallest(std::string bytes, const std::function<bool(const std::string&)>& shows,
                     const std::function<std::vector<Probe>(const Probe&)>& forms) {
  Probe probe{.family = "x", .bytes = std::move(bytes)};
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (Probe& form : forms(probe)) {
      if (!shows(form.bytes)) continue;
      probe = std::move(form);
      smaller = true;
      break;
    }
  }
  return probe.bytes;
}

bool Holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(SimplerProbe, MembersGoAndTextsShrink) {
  EXPECT_EQ(
      Smallest(R"({"jsonrpc":"2.0","id":17,"method":"a","params":{"x":[1,{"y":"long text!"}]}})",
               [](const std::string& text) { return Holds(text, "!"); }, WithFewerMembers),
      R"({"p":"!"})");
}

TEST(SimplerProbe, TowersAreTakenDown) {
  std::string tower = "0";
  for (int i = 0; i < 300; ++i) tower = R"({"a":)" + tower + "}";
  const std::string smallest =
      Smallest(R"({"m":)" + tower + "}",
               [](const std::string& text) {
                 return std::count(text.begin(), text.end(), '{') > 20 && Holds(text, "\"m\"");
               },
               WithFewerMembers);
  EXPECT_EQ(std::count(smallest.begin(), smallest.end(), '{'), 21);
}

TEST(SimplerProbe, BytesGoWhereThereIsNoObject) {
  EXPECT_EQ(Smallest(
                "{\"a\":tru\xFF"
                "e, and more",
                [](const std::string& text) { return Holds(text, "\xFF"); }, WithFewerBytes),
            "\xFF");
  EXPECT_TRUE(WithFewerBytes({.family = "x", .bytes = R"({"a":1})"}).empty());
}

TEST(SimplerProbe, WhatIsOddAboutItsSendingGoesToo) {
  const Probe odd{.family = "x", .bytes = "x", .end = "\r\n", .split = {1}};
  const std::vector<Probe> forms = WithFewerMembers(odd);
  ASSERT_EQ(forms.size(), 2U);
  EXPECT_TRUE(forms[0].split.empty());
  EXPECT_EQ(forms[1].end, "\n");
}

}  // namespace
}  // namespace assay
