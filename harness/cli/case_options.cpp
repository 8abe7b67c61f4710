// Which cases there are.

#include "cli/case_options.h"

#include <iostream>

#include "cli/shared_options.h"

namespace assay {

void AddCaseOptions(CLI::App& command, CaseOptions& options) {
  AddRepeatable(command, "--cases", options.added, "DIR", "Add the cases of this file or folder");
  AddOnlyCasesOption(command, options);
}

void AddOnlyCasesOption(CLI::App& command, CaseOptions& options) {
  AddRepeatable(command, "--only-cases", options.only, "DIR",
                "Use the cases of this file or folder instead of the built-in ones");
}

LoadedLibrary LoadLibrary(const CaseOptions& options) {
  LoadedLibrary loaded{LoadBuiltinRules(), true};
  if (options.only.empty()) AddBuiltinCases(loaded.contents);
  for (const auto* list : {&options.only, &options.added}) {
    for (const std::string& path : *list) AddCasesFrom(path, loaded.contents);
  }
  for (const InputError& problem : loaded.contents.problems) {
    std::cerr << ToString(problem.place()) << ": " << problem.what() << "\n";
  }
  loaded.sound = loaded.contents.problems.empty();
  return loaded;
}

}  // namespace assay
