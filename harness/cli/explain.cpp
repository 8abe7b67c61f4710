// assay explain: a requirement or a case, in full.

#include <iostream>
#include <memory>

#include "cli/case_options.h"
#include "cli/commands.h"
#include "runner/tally.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(Examples:
  assay explain M-META-MISSING-VERSION
  assay explain legacy/ping/answered
  assay explain mine/first --cases my-cases)";

struct ExplainOptions {
  CaseOptions cases;
  std::string id;
};

void Field(const char* name, const std::string& value) {
  if (!value.empty()) std::cout << name << value << "\n";
}

std::string Range(const Requirement& requirement) {
  if (requirement.until.empty()) return requirement.since + " and later";
  if (requirement.since == requirement.until) return requirement.since;
  return requirement.since + " to " + requirement.until;
}

void ExplainRequirement(const Requirement& requirement, const Library& library) {
  std::cout << requirement.id << "\n  " << requirement.text << "\n\n";
  std::string level(ToString(requirement.level));
  if (requirement.basis != Basis::kNone)
    level += " (" + std::string(ToString(requirement.basis)) + ")";
  Field("level       ", level);
  Field("in force    ", Range(requirement));
  Field("said in     ", requirement.where);
  Field("link        ", requirement.link);
  Field("transport   ", requirement.transport);
  Field("observable  ", requirement.observable);
  const auto judges = JudgesOf(library.cases);
  const auto found = judges.find(requirement.id);
  if (found == judges.end()) {
    Field("judged by   ", "nothing: " + WhyNotJudged(requirement, {}));
    return;
  }
  for (const std::string& judge : found->second) {
    Field(judge == found->second.front() ? "judged by   " : "            ", judge);
  }
}

void ExplainCase(const Case& test_case, const Library& library) {
  std::cout << test_case.id << "\n  " << test_case.title << "\n\n";
  Field("at          ", ToString(test_case.place));
  Field("era         ", std::string(ToString(test_case.era)));
  Field("transport   ", test_case.transport);
  Field("process     ", MayShare(test_case) ? "shared with other cases" : "its own");
  Field("needs       ", [&] {
    std::string needs;
    for (const std::string& word : test_case.when.capabilities) needs += " capability:" + word;
    for (const std::string& word : test_case.when.roles) needs += " role:" + word;
    for (const std::string& word : test_case.when.features) needs += " feature:" + word;
    if (!test_case.when.server.empty()) needs += " server:" + test_case.when.server;
    return needs.empty() ? needs : needs.substr(1);
  }());
  Field("notes       ", test_case.notes);
  for (const std::string& id : test_case.requires_ids) {
    std::cout << "\n";
    ExplainRequirement(*library.catalogue.Find(id), library);
  }
}

int Explain(const ExplainOptions& options) {
  const LoadedLibrary loaded = LoadLibrary(options.cases);
  if (!loaded.sound) return kExitUsage;
  if (const Requirement* requirement = loaded.contents.catalogue.Find(options.id)) {
    ExplainRequirement(*requirement, loaded.contents);
    return 0;
  }
  bool found = false;
  for (const Case& test_case : loaded.contents.cases) {
    if (test_case.id != options.id && !test_case.id.starts_with(options.id + "@")) continue;
    if (found) std::cout << "\n";
    ExplainCase(test_case, loaded.contents);
    found = true;
    if (test_case.id != options.id) break;  // the variants differ in values only
  }
  if (found) return 0;
  std::cerr << "assay: neither a requirement nor a case is called '" << options.id
            << "'; assay list and assay list --requirements name them all\n";
  return kExitUsage;
}

}  // namespace

void AddExplain(CommandLine line) {
  CLI::App* command =
      line.app.add_subcommand("explain", "A requirement or case: text, level, link, who checks it");
  const auto options = std::make_shared<ExplainOptions>();
  command->add_option("ID", options->id, "e.g. M-META-MISSING-VERSION or legacy/ping/answered")
      ->required();
  AddCaseOptions(*command, options->cases);
  command->footer(kExamples);
  command->callback([options, line] { line.chosen = [options] { return Explain(*options); }; });
}

}  // namespace assay
