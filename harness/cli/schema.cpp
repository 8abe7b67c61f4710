// assay schema: the format of case files, for editors and for people.

#include "case/schema.h"

#include <iostream>
#include <memory>

#include "case/reference.h"
#include "cli/commands.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(Examples:
  assay schema > case.schema.json
  assay schema --markdown)";

}  // namespace

void AddSchema(CommandLine line) {
  CLI::App* command = line.app.add_subcommand("schema", "JSON Schema of case files, for editors");
  const auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "The same as tables for people, in Markdown");
  command->footer(kExamples);
  command->callback([line, markdown] {
    line.chosen = [markdown] {
      std::cout << (*markdown ? CaseReference() : CaseFileSchema().Dump() + "\n");
      return 0;
    };
  });
}

}  // namespace assay
