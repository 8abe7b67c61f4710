// Which cases there are.

#include "cli/case_options.h"

#include <iostream>

namespace assay {

void AddCaseOptions(CLI::App& command, CaseOptions& options) {
  command.add_option("--cases", options.added, "Add the cases of this file or folder (repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option("--only-cases", options.only,
                  "Use the cases of this file or folder instead of the built-in ones (repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false);
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
