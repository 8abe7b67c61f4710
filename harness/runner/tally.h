// What all results together say: counts, the state of every requirement, and causes that many cases
// share.

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.h"
#include "case/requirement.h"
#include "exchange/facts.h"
#include "oracle/oracle.h"
#include "reports/report.h"

namespace assay {

void CountVerdicts(Report& report);

// Findings with the same requirement, words and weight in three cases or more have one cause. The
// worst come first, of these the greatest.
void FindCauses(Report& report);

// The requirements of the eras that the server speaks. `proved`: those whose expectations held.
// Where a rule could not judge all that it looked at, the requirement has not passed.
void TellRequirements(const Catalogue& catalogue, const std::vector<Case>& cases,
                      const ServerFacts& facts, const std::set<std::string>& proved, bool over_http,
                      Report& report);

// The `why` of a requirement whose judges had nothing to do in this run.
inline constexpr std::string_view kCasesDidNotRun = "its cases did not run";

// What was looked at and could not be judged: requirement -> why.
std::map<std::string, std::set<std::string>> UnjudgedIn(const std::vector<Result>& results);
// The reasons (at least one) why a requirement was left open, as its `why`.
std::string WhyUnjudged(const std::vector<std::string>& reasons);

// Why nothing judges a requirement, in words; "" when something does. `judges`: cases and rules.
std::string WhyNotJudged(const Requirement& requirement, const std::vector<std::string>& judges);

// Who judges what: requirement id -> case ids (without variants) and `oracle/NAME`. With a
// transport, "stdio" or "http": who does so there.
std::map<std::string, std::vector<std::string>> JudgesOf(const std::vector<Case>& cases,
                                                         std::string_view transport = "");

}  // namespace assay
