// When two findings are the same one.

#include "campaign/symptom.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

Result Said(const std::string& stderr_text) {
  Result result;
  result.transcript.push_back({.connection = "main", .direction = "err", .bytes = stderr_text});
  return result;
}

ReportedFinding Found(const std::string& message) {
  ReportedFinding finding;
  finding.requirement = "M-X";
  finding.message = message;
  return finding;
}

TEST(Symptom, ACrashIsTheSameWhateverWaited) {
  EXPECT_EQ(SymptomOf(Found("The server died of signal 11"), Said("")),
            SymptomOf(Found("The server died of signal 11 while ping waited"), Said("")));
  EXPECT_NE(SymptomOf(Found("The server died of signal 11"), Said("")),
            SymptomOf(Found("The server died of signal 6"), Said("")));
  EXPECT_NE(SymptomOf(Found("The server ended with code 1 while ping waited"), Said("")),
            SymptomOf(Found("The server ended with code 70 while ping waited"), Said("")));
}

TEST(Symptom, WhatTheServerSaidTellsCrashesApart) {
  const ReportedFinding crash = Found("The server ended with code 1 while ping waited");
  const auto said = [&](const std::string& text) { return SymptomOf(crash, Said(text)); };
  EXPECT_EQ(said("==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020\nmore"),
            said("==34==ERROR: AddressSanitizer: heap-use-after-free on address 0x7f30\nother"));
  EXPECT_NE(said("TypeError: Cannot read properties of undefined"),
            said("RangeError: Maximum call stack size exceeded"));
  EXPECT_EQ(said("listening on 4711"), said(""));
}

TEST(Symptom, OtherFindingsGoByRequirementAndWords) {
  EXPECT_EQ(SymptomOf(Found("ping was late by 3 ms"), Said("")),
            SymptomOf(Found("ping was late by 44 ms"), Said("Error: x")));
  EXPECT_FALSE(IsDeath(Found("ping was late by 3 ms")));
  EXPECT_TRUE(IsDeath(Found("The server stopped answering")));
}

TEST(Symptom, AWeakerFindingIsAnotherOne) {
  Result result = Said("");
  result.findings.push_back(Found("a"));
  result.findings.back().counts_as = Verdict::kWarn;
  const std::string symptom = SymptomOf(result.findings.back(), result);
  EXPECT_EQ(FindSymptom(result, symptom, Verdict::kFail), nullptr);
  EXPECT_NE(FindSymptom(result, symptom, Verdict::kWarn), nullptr);
  result.findings.back().counts_as = Verdict::kFail;
  EXPECT_NE(FindSymptom(result, symptom, Verdict::kWarn), nullptr);
}

}  // namespace
}  // namespace assay
