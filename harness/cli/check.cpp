// assay check: lints case files.

#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "runner/library.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(Examples:
  assay check my-cases
  assay check my-cases/first.yaml

Exit code: 0 when there is nothing to complain about, else 2.)";

int Check(const std::vector<std::string>& paths) {
  Library library = LoadBuiltinRules();
  for (const std::string& path : paths) AddCasesFrom(path, library);
  for (const InputError& problem : library.problems) {
    std::cout << ToString(problem.place()) << ": " << problem.what() << "\n";
  }
  if (!library.problems.empty()) return kExitUsage;
  const std::size_t count = library.cases.size();
  std::cout << count << (count == 1 ? " case" : " cases") << ", nothing to complain about\n";
  return 0;
}

}  // namespace

void AddCheck(CommandLine line) {
  CLI::App* command =
      line.app.add_subcommand("check", "Lint case files (file:line:column: message)");
  const auto paths = std::make_shared<std::vector<std::string>>();
  command->add_option("PATH", *paths, "Case files, or folders of them")->required();
  command->footer(kExamples);
  command->callback([paths, line] { line.chosen = [paths] { return Check(*paths); }; });
}

}  // namespace assay
