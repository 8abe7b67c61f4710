// assay merge: joins the reports of shards.

#include "runner/merge.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/report_files.h"
#include "reports/terminal.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(Examples:
  assay merge --report out part-1/report.json part-2/report.json

Exit code: that of the whole run.)";

struct MergeOptions {
  std::vector<std::string> paths;
  std::string report_directory;
};

int Merge(const MergeOptions& options) {
  std::vector<PartialReport> parts;
  for (const std::string& path : options.paths) parts.push_back({path, LoadReport(path)});
  const Report report = MergeReports(std::move(parts));
  WriteReports(report, options.report_directory);
  PrintTerminal(report, {.report_directory = options.report_directory}, std::cout);
  return report.exit_code;
}

}  // namespace

void AddMerge(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("merge", "Join the reports of shards");
  const auto options = std::make_shared<MergeOptions>();
  command->add_option("REPORT.json", options->paths, "Reports of assay run --shard I/N")
      ->required();
  command->add_option("--report", options->report_directory, "Write the joined report there")
      ->type_name("DIR")
      ->required();
  command->footer(kExamples);
  command->callback([options, line] { line.chosen = [options] { return Merge(*options); }; });
}

}  // namespace assay
