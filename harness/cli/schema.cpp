// assay schema: the JSON Schema of case files.

#include "case/schema.h"

#include <iostream>

#include "cli/commands.h"

namespace assay {

void AddSchema(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("schema", "JSON Schema of case files, for editors");
  command->callback([line] {
    line.chosen = [] {
      std::cout << CaseFileSchema().Dump() << "\n";
      return 0;
    };
  });
}

}  // namespace assay
