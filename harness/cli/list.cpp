// assay list: what there is.

#include <iostream>
#include <map>
#include <memory>

#include "cli/case_options.h"
#include "cli/commands.h"
#include "cli/shared_options.h"
#include "discover/profile.h"
#include "runner/plan.h"
#include "runner/tally.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(Examples:
  assay list                                  cases, with their titles
  assay list --filter 'http/*' --json
  assay list --requirements --filter '*CANCEL*'
                                              level, how many judge it, what it asks
  assay list --profiles

`assay explain ID` says more of each.)";

struct ListOptions {
  CaseOptions cases;
  std::vector<std::string> filters;
  bool requirements = false;
  bool profiles = false;
  bool json = false;
};

void PrintArray(const std::vector<Json>& items) {
  std::cout << "[";
  for (const Json& item : items) std::cout << (&item == items.data() ? "\n" : ",\n") << item.Dump();
  std::cout << "\n]\n";
}

Json Strings(const std::vector<std::string>& words) {
  std::vector<Json> items;
  items.reserve(words.size());
  for (const std::string& word : words) items.push_back(Json::String(word));
  return Json::Array(std::move(items));
}

void ListCases(const Library& library, const ListOptions& options) {
  std::vector<Json> items;
  for (const Case& test_case : library.cases) {
    if (!Selected(options.filters, test_case.id)) continue;
    if (!options.json) {
      std::cout << test_case.id << "\t" << test_case.title << "\n";
      continue;
    }
    items.push_back(Json::Object({{"id", Json::String(test_case.id)},
                                  {"title", Json::String(test_case.title)},
                                  {"era", Json::String(std::string(ToString(test_case.era)))},
                                  {"transport", Json::String(test_case.transport)},
                                  {"requires", Strings(test_case.requires_ids)},
                                  {"place", Json::String(ToString(test_case.place))}}));
  }
  if (options.json) PrintArray(items);
}

void ListRequirements(const Library& library, const ListOptions& options) {
  const auto judges = JudgesOf(library.cases);
  const std::map<std::string, std::map<std::string, std::vector<std::string>>> by_transport = {
      {"stdio", JudgesOf(library.cases, "stdio")}, {"http", JudgesOf(library.cases, "http")}};
  std::vector<Json> items;
  for (const Requirement& requirement : library.catalogue.all()) {
    if (!Selected(options.filters, requirement.id)) continue;
    const auto found = judges.find(requirement.id);
    const std::vector<std::string> judged_by =
        found == judges.end() ? std::vector<std::string>() : found->second;
    const std::string level(ToString(requirement.level));
    if (!options.json) {
      std::cout << requirement.id << "\t" << level << "\t" << judged_by.size() << "\t"
                << requirement.text << "\n";
      continue;
    }
    std::vector<std::string> judged_over;
    for (const auto& [transport, there] : by_transport) {
      const bool holds = requirement.transport == "any" || requirement.transport == transport;
      if (holds && there.contains(requirement.id)) judged_over.push_back(transport);
    }
    const std::string basis(requirement.basis == Basis::kNone ? "" : ToString(requirement.basis));
    items.push_back(
        Json::Object({{"id", Json::String(requirement.id)},
                      {"level", Json::String(level)},
                      {"basis", Json::String(basis)},
                      {"transport", Json::String(requirement.transport)},
                      {"observable", Json::String(requirement.observable)},
                      {"since", Json::String(requirement.since)},
                      {"until", Json::String(requirement.until)},
                      {"where", Json::String(requirement.where)},
                      {"link", Json::String(requirement.link)},
                      {"text", Json::String(requirement.text)},
                      {"judged_by", Strings(judged_by)},
                      {"judged_over", Strings(judged_over)},
                      {"why_not", Json::String(WhyNotJudged(requirement, judged_by))}}));
  }
  if (options.json) PrintArray(items);
}

void ListProfiles(const ListOptions& options) {
  std::vector<Json> items;
  for (const Profile& profile : BuiltinProfiles()) {
    if (!options.json) {
      std::cout << profile.name << "\t" << profile.title
                << (profile.match.empty() ? ""
                                          : " (chosen for servers named " + profile.match + ")")
                << "\n";
      continue;
    }
    std::vector<std::string> roles;
    for (const auto& [name, role] : profile.roles) roles.push_back(name);
    items.push_back(Json::Object({{"name", Json::String(profile.name)},
                                  {"title", Json::String(profile.title)},
                                  {"match", Json::String(profile.match)},
                                  {"roles", Strings(roles)}}));
  }
  if (options.json) PrintArray(items);
}

int List(const ListOptions& options) {
  if (options.profiles) {
    ListProfiles(options);
    return 0;
  }
  CaseOptions cases = options.cases;
  std::erase(cases.added, "");  // a bare --cases
  const LoadedLibrary loaded = LoadLibrary(cases);
  if (!loaded.sound) return kExitUsage;
  if (options.requirements) {
    ListRequirements(loaded.contents, options);
  } else {
    ListCases(loaded.contents, options);
  }
  return 0;
}

}  // namespace

void AddList(CommandLine line) {
  CLI::App* command =
      line.app.add_subcommand("list", "The cases, the requirements or the built-in profiles");
  const auto options = std::make_shared<ListOptions>();
  command
      ->add_option("--cases", options->cases.added,
                   "List cases (the default); with a file or folder, its cases too")
      ->type_name("[DIR]")
      ->expected(0, 1);
  command->add_flag("--requirements", options->requirements,
                    "List requirements and who judges them");
  command->add_flag("--profiles", options->profiles, "List profiles");
  AddJsonFlag(*command, options->json);
  AddFilterOption(*command, options->filters);
  AddOnlyCasesOption(*command, options->cases);
  command->footer(kExamples);
  command->callback([options, line] { line.chosen = [options] { return List(*options); }; });
}

}  // namespace assay
