// Options that several commands have, each declared once. Those that come in groups:
// case_options.h, outcome_options.h, search_options.h, server_options.h.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay {

// An option that may be given again and again, with one value each time; its help says so.
CLI::Option* AddRepeatable(CLI::App& command, const char* name, std::vector<std::string>& values,
                           const char* type, const std::string& help);

// An option that takes one of these words; `value` holds the default.
CLI::Option* AddChoice(CLI::App& command, const char* name, std::string& value, const char* type,
                       const std::vector<std::string>& words, const std::string& help);

void AddFilterOption(CLI::App& command, std::vector<std::string>& globs);  // --filter
void AddJsonFlag(CLI::App& command, bool& json);                           // --json
void AddToolCallsFlag(CLI::App& command, bool& allow);                     // --allow-tool-calls

// How many servers are at work at once.
struct Jobs {
  int for_each_core = 2;  // unless something is said
  int said = 0;           // --jobs; 0 = nothing

  int Count() const;
};
void AddJobsOption(CLI::App& command, Jobs& jobs);

}  // namespace assay
