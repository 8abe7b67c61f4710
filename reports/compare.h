// Two reports of one server: what got better and what got worse.

#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "reports/report.h"

namespace assay {

// One case at one revision and transport, in both reports or in one. Points into them.
struct Change {
  const Result* before = nullptr;
  const Result* after = nullptr;
  std::vector<std::string> broken;  // requirements with a worse finding than before
  std::vector<std::string> mended;  // requirements with a lesser finding than before, or none
};

// What a baseline knows counts as no finding. Every change is in one list only.
struct Comparison {
  std::vector<Change> regressions;  // something is broken, whatever else is mended
  std::vector<Change> fixes;        // something is mended, and nothing broken
  std::vector<Change> lost;         // judged before, and now skipped or an error
  std::vector<Change> gained;       // skipped or an error before, and now judged and good
  std::vector<Change> added;        // only in the new report
  std::vector<Change> gone;         // only in the old report
};

Comparison Compare(const Report& before, const Report& after);

// Headings with the number of changes below them, and each change with its findings.
void PrintComparison(const Comparison& comparison, std::ostream& out);
void WriteComparisonMarkdown(const Comparison& comparison, std::ostream& out);
// One page that loads nothing.
void WriteComparisonHtml(const Comparison& comparison, const Report& after, std::ostream& out);

}  // namespace assay
