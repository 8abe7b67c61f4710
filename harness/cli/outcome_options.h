// The options that say what counts and where it is written, common to the commands that judge.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "discover/profile.h"

namespace assay {

struct OutcomeOptions {
  std::string require;           // --require
  bool strict = false;           // --strict
  std::string report_directory;  // --report
};

void AddOutcomeOptions(CLI::App& command, OutcomeOptions& options);

// The levels that decide the exit code: what the options say, else the profile, else must. Throws
// InputError.
std::vector<std::string> RequiredLevels(const OutcomeOptions& options,
                                        const std::optional<Profile>& profile);

std::vector<std::string> SplitAtCommas(const std::string& text);

}  // namespace assay
