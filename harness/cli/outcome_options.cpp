// What counts.

#include "cli/outcome_options.h"

#include <sstream>

#include "case/place.h"

namespace assay {

void AddOutcomeOptions(CLI::App& command, OutcomeOptions& options) {
  command
      .add_option(
          "--require", options.require,
          "What makes exit code 1: must, should (every warn), contract (every differs) (default: "
          "the profile's, else must)")
      ->type_name("L,...");
  command.add_flag("--strict", options.strict, "The same as --require must,should,contract");
  command
      .add_option("--report", options.report_directory,
                  "Write the report there: report.html for people, report.json, junit.xml, "
                  "summary.md, results.sarif, results.tap, badge.svg, badge.json")
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

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

}  // namespace assay
