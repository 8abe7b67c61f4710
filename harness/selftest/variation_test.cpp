// What the specification leaves open is nobody's fault: behind a relay that changes what the
// reference server says within what is permitted, nothing fails and nothing warns.

#include <gtest/gtest.h>

#include <string>

#include "selftest/reference_run.h"

namespace assay {
namespace {

class LegalVariation : public testing::TestWithParam<const char*> {};

TEST_P(LegalVariation, IsNeverAFinding) {
  const Report report =
      RunCommand({ASSAY_RELAY, GetParam(), ASSAY_REFERENCE_SERVER}, {}, {}, Over::kStdio);
  EXPECT_GT(report.counts.at(Verdict::kPass), 500);
  for (const Result& result : report.results) {
    // The contract asks for certain words, and is free to.
    const bool fine = result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip ||
                      result.verdict == Verdict::kDiffers;
    EXPECT_TRUE(fine) << result.case_id << ": " << ToString(result.verdict) << " "
                      << (result.findings.empty() ? result.error
                                                  : result.findings.front().requirement + ": " +
                                                        result.findings.front().message);
  }
}

INSTANTIATE_TEST_SUITE_P(Relay, LegalVariation,
                         testing::Values("key-order", "unknown-members", "escapes", "other-words",
                                         "meta", "more-versions", "no-descriptions", "extra-tool",
                                         "spaces", "numbers", "slow", "out-of-order", "chatter",
                                         "slow-start"),
                         [](const auto& variation) {
                           std::string name = variation.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace assay
