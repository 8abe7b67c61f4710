#include "reports/measured.h"

#include <gtest/gtest.h>

#include <chrono>

namespace assay {
namespace {

using std::chrono::milliseconds;

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
                                   .finished_on = "b"});
  const MeasuredRow expected = {"checkout",           "modern", "2", "1510 ms",
                                "1500 ms of 1500 ms", "a",      "b"};
  EXPECT_EQ(MeasuredRows(report), std::vector{expected});
}

TEST(Measured, NothingIsSaidOfThinkingWhereNobodyThought) {
  const Report report = Measuring({.name = "x", .requests = 1, .held = milliseconds(2)});
  EXPECT_EQ(MeasuredRows(report).front()[4], "");
}

TEST(Measured, AnUnstableListCostsTheDifferenceToACachedOne) {
  const Report report =
      Measuring({.name = std::string(kToolListMeasure), .requests = 2, .bytes = 8'000'000});
  const std::string cost = CostOfAnUnstableList(report);
  EXPECT_NE(cost.find("4000000 bytes, about 1000000 tokens"), std::string::npos) << cost;
  EXPECT_NE(cost.find("$3000.00 for it instead of $300.00"), std::string::npos) << cost;
}

TEST(Measured, WithoutAListThereIsNoCost) {
  EXPECT_EQ(CostOfAnUnstableList(Measuring({.name = "checkout", .requests = 1, .bytes = 9})), "");
}

}  // namespace
}  // namespace assay
