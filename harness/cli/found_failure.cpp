// Failures, written and printed.

#include "cli/found_failure.h"

#include <algorithm>
#include <iostream>

#include "case/writer.h"
#include "reports/evidence.h"
#include "reports/visible_text.h"
#include "runner/files.h"

namespace assay {

namespace fs = std::filesystem;

fs::path FailureFile(const fs::path& folder, const Case& test_case) {
  constexpr std::size_t kLongestName = 120;
  std::string name = test_case.id.substr(test_case.id.find('/') + 1);
  std::replace(name.begin(), name.end(), '/', '-');
  name.resize(std::min(name.size(), kLongestName));
  return folder / "failures" / (name + ".yaml");
}

void WriteFailure(const FoundFailure& found, const fs::path& path) {
  std::string text = "# " + found.found_by + "\n";
  for (const ReportedFinding& finding : found.result.findings) {
    text += "# " + finding.requirement + ": " + Visible(finding.message) + "\n";
  }
  if (!found.last_words.empty()) text += "# stderr: " + Visible(found.last_words) + "\n";
  WriteFile(path, text + WriteCaseFile({found.test_case}));
}

void PrintFailure(const FoundFailure& found, const fs::path& path) {
  std::cout << "\n" << ToString(found.result.verdict) << "  " << found.title << "\n";
  for (const ReportedFinding& finding : found.result.findings) {
    std::cout << "  " << finding.requirement << ": " << Visible(finding.message) << "\n";
    const std::vector<std::string> exchange = ExchangeOf(finding, found.result);
    for (const std::string& line : exchange) std::cout << "    " << line << "\n";
    if (exchange.empty() && finding.actual) {
      std::cout << "    actual: " << Visible(finding.actual->Dump()) << "\n";
    }
  }
  if (!found.last_words.empty()) std::cout << "  stderr: " << Visible(found.last_words) << "\n";
  std::cout << "  " << path.string() << std::endl;
}

}  // namespace assay
