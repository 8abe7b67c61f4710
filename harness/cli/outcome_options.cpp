// What counts, and the files of --report.

#include "cli/outcome_options.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "case/place.h"
#include "reports/html_report.h"
#include "reports/json_report.h"
#include "reports/junit.h"
#include "reports/markdown.h"

namespace assay {

namespace fs = std::filesystem;

void AddOutcomeOptions(CLI::App& command, OutcomeOptions& options) {
  command
      .add_option("--require", options.require,
                  "What makes exit code 1: must, should (every warn), contract (every differs)")
      ->type_name("L,...");
  command.add_flag("--strict", options.strict, "The same as --require must,should,contract");
  command
      .add_option("--report", options.report_directory,
                  "Write report.json, junit.xml, summary.md there")
      ->type_name("DIR");
}

std::vector<std::string> RequiredLevels(const OutcomeOptions& options,
                                        const std::optional<Profile>& profile) {
  if (options.strict) return {"must", "should", "contract"};
  if (!options.require.empty()) {
    std::vector<std::string> levels = SplitAtCommas(options.require);
    for (const std::string& level : levels) {
      if (level != "must" && level != "should" && level != "contract") {
        throw InputError({.file = "--require"},
                         "expected must, should or contract, got '" + level + "'");
      }
    }
    return levels;
  }
  if (profile && !profile->require.empty()) return profile->require;
  return {"must"};
}

void WriteReports(const Report& report, const std::string& directory) {
  fs::create_directories(directory);
  const auto write = [&](const char* name, auto writer) {
    const fs::path path = fs::path(directory) / name;
    std::ofstream file(path, std::ios::binary);
    writer(report, file);
    file.close();
    if (!file) throw InputError({.file = path.string()}, "cannot be written");
  };
  write("report.json", WriteJsonReport);
  write("report.html", WriteHtmlReport);
  write("junit.xml", WriteJUnit);
  write("summary.md", WriteMarkdown);
}

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

}  // namespace assay
