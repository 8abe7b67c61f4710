// The options that say which cases there are, common to several commands.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "runner/library.h"

namespace assay {

struct CaseOptions {
  std::vector<std::string> added;  // --cases
  std::vector<std::string> only;   // --only-cases
};

void AddCaseOptions(CLI::App& command, CaseOptions& options);
// --only-cases alone.
void AddOnlyCasesOption(CLI::App& command, CaseOptions& options);

// The library that the options ask for. Prints every problem of the case files as
// file:line:column: message; then `sound` is false.
struct LoadedLibrary {
  Library contents;
  bool sound = true;
};
LoadedLibrary LoadLibrary(const CaseOptions& options);

}  // namespace assay
