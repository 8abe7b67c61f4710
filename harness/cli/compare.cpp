// assay compare: what got better and what got worse between two reports.

#include "reports/compare.h"

#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/report_files.h"
#include "cli/shared_options.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(Examples:
  assay compare old/report.json new/report.json
  assay compare --format markdown old/report.json new/report.json)";

struct CompareOptions {
  std::string before;
  std::string after;
  std::string format = "text";
};

int RunCompare(const CompareOptions& options) {
  const Report before = LoadReport(options.before);
  const Report after = LoadReport(options.after);
  const Comparison comparison = Compare(before, after);
  if (options.format == "html") {
    WriteComparisonHtml(comparison, after, std::cout);
  } else if (options.format == "markdown") {
    WriteComparisonMarkdown(comparison, std::cout);
  } else {
    PrintComparison(comparison, std::cout);
  }
  return comparison.regressions.empty() ? 0 : 1;
}

}  // namespace

void AddCompare(CommandLine line) {
  CLI::App* command =
      line.app.add_subcommand("compare", "What got better, worse, new; exit 1 on regressions");
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("OLD.json", options->before, "The report.json of the earlier run")
      ->required();
  command->add_option("NEW.json", options->after, "The report.json of the later run")->required();
  AddChoice(*command, "--format", options->format, "FORMAT", {"text", "markdown", "html"},
            "What to print");
  command->footer(kExamples);
  command->callback([options, line] { line.chosen = [options] { return RunCompare(*options); }; });
}

}  // namespace assay
