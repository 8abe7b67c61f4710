#include "selftest/written_case.h"

#include <gtest/gtest.h>

#include <chrono>

#include "case/loader.h"
#include "runner/runner.h"
#include "selftest/reference_run.h"

namespace assay {

Result RunWritten(const std::string& text, const std::vector<std::string>& command) {
  Library library = LoadBuiltinRules();
  library.cases = LoadCaseFile("written.yaml", text, library.catalogue, &library.problems);
  EXPECT_TRUE(library.problems.empty()) << ToString(library.problems.front()) << "\n" << text;
  RunSettings settings;
  settings.command.argv = command;
  settings.timeout = std::chrono::milliseconds(1000);
  settings.isolate = true;
  const Report report = RunCases(library, settings, {}).report;
  EXPECT_EQ(report.results.size(), 1U);
  return report.results.empty() ? Result{} : report.results.front();
}

void ExpectHidden(const std::vector<std::string>& arguments) {
  for (const Result& result : RunReference({}, arguments).results) {
    EXPECT_TRUE(result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip)
        << result.case_id << ": "
        << (result.findings.empty() ? result.error : result.findings.front().message);
  }
}

std::string TestName(std::string fault) {
  std::erase(fault, '-');
  return fault;
}

}  // namespace assay
