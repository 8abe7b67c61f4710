// What the specification leaves open is nobody's fault: behind a relay that changes what the
// reference server says within what is permitted, nothing fails, warns or differs.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runner/temporary_folder.h"
#include "selftest/reference_run.h"

namespace assay {
namespace {

int CountLines(const std::string& path) {
  std::ifstream file(path);
  int count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

// Where the contract asks for certain words, as it is free to.
bool AsksForWords(const ReportedFinding& finding) {
  return finding.requirement == "C-INIT-BEFORE-REFUSED" ||
         finding.requirement == "C-ERA-HALF-ENVELOPE-OPENS-MODERN";
}

void ExpectNoFinding(const Report& report, const std::string& variation) {
  EXPECT_GT(report.counts.at(Verdict::kPass), 500);
  for (const Result& result : report.results) {
    const bool other_words = variation == "other-words" && result.verdict == Verdict::kDiffers &&
                             std::ranges::all_of(result.findings, AsksForWords);
    const bool fine =
        result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip || other_words;
    EXPECT_TRUE(fine) << result.case_id << ": " << ToString(result.verdict) << " "
                      << (result.findings.empty() ? result.error
                                                  : result.findings.front().requirement + ": " +
                                                        result.findings.front().message);
  }
}

using Variant = std::tuple<Over, const char*>;

std::string NameOf(const testing::TestParamInfo<Variant>& variant) {
  std::string name = std::get<1>(variant.param);
  std::erase(name, '-');
  return name;
}

class LegalVariation : public testing::TestWithParam<Variant> {};

// The report on the reference server behind the relay; fails if that changed nothing.
Report RunRelayed(Over transport, const std::string& variation,
                  const std::vector<std::string>& arguments = {}) {
  const TemporaryFolder folder("variation");
  const std::string tally = (folder.path() / "tally").string();
  std::vector<std::string> command = {ASSAY_RELAY, variation, "--tally", tally};
  if (transport == Over::kHttp) command.insert(command.end(), {"--port", "{port}"});
  command.insert(command.end(), {"--", ASSAY_REFERENCE_SERVER});
  command.insert(command.end(), arguments.begin(), arguments.end());
  Report report = RunCommand(command, {}, {}, transport);
  EXPECT_GT(CountLines(tally), 0) << "nothing was varied";
  return report;
}

TEST_P(LegalVariation, IsNeverAFinding) {
  const auto [transport, variation] = GetParam();
  ExpectNoFinding(RunRelayed(transport, variation), variation);
}

const auto kOfMessages =
    testing::Values("key-order", "unknown-members", "escapes", "other-words", "meta",
                    "more-versions", "no-descriptions", "extra-tool", "spaces", "numbers", "slow",
                    "out-of-order", "chatter", "slow-start");
const auto kOfHttp = testing::Values("data-lines", "comments", "keep-alives", "event-fields", "cr",
                                     "crlf", "as-stream", "media-type", "field-case", "more-fields",
                                     "chunks", "until-close", "connection-close", "late-responses");

INSTANTIATE_TEST_SUITE_P(OverStdio, LegalVariation,
                         testing::Combine(testing::Values(Over::kStdio), kOfMessages), NameOf);
INSTANTIATE_TEST_SUITE_P(OverHttp, LegalVariation,
                         testing::Combine(testing::Values(Over::kHttp), kOfMessages), NameOf);
INSTANTIATE_TEST_SUITE_P(OfHttp, LegalVariation,
                         testing::Combine(testing::Values(Over::kHttp), kOfHttp), NameOf);

// Pages are up to the server.
class LegalVariationInPages : public testing::TestWithParam<Over> {};

TEST_P(LegalVariationInPages, IsNeverAFinding) {
  const Report report = RunRelayed(GetParam(), "key-order", {"--page-size", "2"});
  ExpectNoFinding(report, "key-order");
  int read_on = 0;  // by cases that need a second page
  for (const Result& result : report.results) {
    const bool needs_pages = result.case_id == "legacy/pagination/the-next-page-goes-on" ||
                             result.case_id == "modern/pagination/pages-do-not-overlap";
    if (needs_pages && result.verdict == Verdict::kPass) ++read_on;
  }
  EXPECT_EQ(read_on, 2) << "there was one page";
}

INSTANTIATE_TEST_SUITE_P(Over, LegalVariationInPages, testing::Values(Over::kStdio, Over::kHttp),
                         [](const auto& over) {
                           return over.param == Over::kHttp ? "Http" : "Stdio";
                         });

}  // namespace
}  // namespace assay
