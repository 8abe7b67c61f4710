#include "reports/measured.h"

#include <gtest/gtest.h>

#include <chrono>

namespace assay {
namespace {

using std::chrono::milliseconds;

Measured Named(std::string_view name, int requests) {
  Measured measured;
  measured.name = name;
  measured.requests = requests;
  return measured;
}

Report Measuring(Measured one) {
  Report report;
  Result result;
  result.era = "modern";
  result.measured.push_back(std::move(one));
  report.results.push_back(std::move(result));
  return report;
}

TEST(Measured, ARowTellsWhatWasHeldOfTheTimeThatAPersonThought) {
  const Report report = Measuring({.name = "checkout",
                                   .requests = 2,
                                   .held = milliseconds(1510),
                                   .thought = milliseconds(1500),
                                   .held_while_thinking = milliseconds(1500),
                                   .began_on = "a",
                                   .finished_on = "b",
                                   .bytes = 900});
  const MeasuredRow expected = {"checkout",           "modern", "2", "1510 ms",
                                "1500 ms of 1500 ms", "a",      "b"};
  EXPECT_EQ(MeasuredRows(report), std::vector{expected});
}

TEST(Measured, NothingIsSaidOfThinkingWhereNobodyThought) {
  EXPECT_EQ(MeasuredRows(Measuring(Named("x", 1))).front()[4], "");
}

TEST(Measured, AnUnstableListCostsTheDifferenceToACachedOne) {
  Measured list = Named(kToolListMeasure, 2);
  list.bytes = 8'000'000;
  const std::string cost = MeasuredInWords(Measuring(list)).front();
  EXPECT_NE(cost.find("4000000 bytes, about 1000000 tokens"), std::string::npos) << cost;
  EXPECT_NE(cost.find("$3000.00 for it instead of $300.00"), std::string::npos) << cost;
}

TEST(Measured, WithoutAListThereIsNoCost) {
  EXPECT_EQ(MeasuredInWords(Measuring(Named("checkout", 1))), std::vector<std::string>{});
}

TEST(Measured, WhereTheLegacyEraBreaksIsSaidOnceAndInWords) {
  Report report;
  Result result;
  result.case_id = "fleet/x/y";
  result.title = "The handshake breaks";
  result.requires_ids = {"C-FLEET-LEGACY-NEEDS-STICKINESS"};
  result.verdict = Verdict::kSkip;
  report.results = {result};
  EXPECT_EQ(MeasuredInWords(report), std::vector<std::string>{}) << "it was not seen";
  result.verdict = Verdict::kPass;
  report.results = {result, result};
  EXPECT_EQ(MeasuredInWords(report), std::vector<std::string>{"The handshake breaks (fleet/x/y)."});
}

}  // namespace
}  // namespace assay
