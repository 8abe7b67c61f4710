// assay discover: what a server is.

#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/server_options.h"
#include "reports/visible_text.h"
#include "runner/runner.h"

namespace assay {
namespace {

std::string Join(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ", ") + word;
  return joined.empty() ? "none" : joined;
}

Json Strings(const std::vector<std::string>& words) {
  std::vector<Json> items;
  items.reserve(words.size());
  for (const std::string& word : words) items.push_back(Json::String(word));
  return Json::Array(std::move(items));
}

Json DescribeEra(const EraFacts& era) {
  Json json = Json::Object({{"served", Json::Boolean(era.served)}});
  if (!era.served) {
    json.Set("why_not", Json::String(era.refusal));
    return json;
  }
  json.Set("revisions", Strings(era.revisions));
  json.Set("capabilities", era.capabilities);
  json.Set("tools", era.tools);
  json.Set("prompts", era.prompts);
  json.Set("resources", era.resources);
  json.Set("resourceTemplates", era.resource_templates);
  return json;
}

void PrintJson(const Discovery& discovery) {
  const ServerFacts& facts = discovery.facts;
  Json roles = Json::Object();
  for (const auto& [name, role] : facts.roles) roles.Set(name, Json::String(role.tool));
  const Json json = Json::Object({{"name", Json::String(facts.name)},
                                  {"version", Json::String(facts.version)},
                                  {"era_policy", Json::String(facts.era_policy)},
                                  {"tasks", Strings(facts.tasks)},
                                  {"profile", Json::String(discovery.profile)},
                                  {"roles", roles},
                                  {"legacy", DescribeEra(facts.legacy)},
                                  {"modern", DescribeEra(facts.modern)}});
  std::cout << json.Dump() << "\n";
}

std::vector<std::string> Names(const Json& list, const char* member) {
  std::vector<std::string> names;
  for (const Json& item : list.items()) {
    names.push_back(Visible(item.FindString(member).value_or("?")));
  }
  return names;
}

void PrintEra(const char* title, const EraFacts& era) {
  std::cout << title;
  if (!era.served) {
    std::cout << "no (" << Visible(era.refusal) << ")\n";
    return;
  }
  std::cout << Join(era.revisions) << "\n";
  std::vector<std::string> capabilities;
  for (const JsonMember& member : era.capabilities.members()) {
    capabilities.push_back(Visible(member.key));
  }
  std::cout << "  capabilities  " << Join(capabilities) << "\n"
            << "  tools         " << Join(Names(era.tools, "name")) << "\n"
            << "  prompts       " << Join(Names(era.prompts, "name")) << "\n"
            << "  resources     " << Join(Names(era.resources, "uri")) << "\n"
            << "  templates     " << Join(Names(era.resource_templates, "uriTemplate")) << "\n";
}

void PrintText(const Discovery& discovery) {
  const ServerFacts& facts = discovery.facts;
  std::cout << "server        " << Visible(facts.name) << " " << Visible(facts.version) << "\n"
            << "era policy    " << facts.era_policy << "\n"
            << "tasks         " << Join(facts.tasks) << "\n"
            << "profile       " << (discovery.profile.empty() ? "none" : discovery.profile) << "\n";
  PrintEra("legacy        ", facts.legacy);
  PrintEra("modern        ", facts.modern);
  for (const auto& [role, why] : facts.withheld_roles) {
    std::cout << "role " << role << " is not used: " << Visible(why) << "\n";
  }
}

int Discover(const ServerOptions& options, const std::vector<std::string>& server) {
  RunSettings settings;
  ApplyServerOptions(options, ChooseProfile(options), server, settings);
  const DiscoverOutcome outcome = RunDiscovery(settings);
  if (outcome.interrupted) return kExitInterrupted;
  const ServerFacts& facts = outcome.discovery.facts;
  if (options.json) {
    PrintJson(outcome.discovery);
  } else {
    PrintText(outcome.discovery);
  }
  if (facts.legacy.served || facts.modern.served) return 0;
  std::cerr << "assay: this server speaks no MCP that Assay knows\n"
            << Visible(outcome.discovery.last_words) << "\n";
  return kExitUntestable;
}

}  // namespace

void AddDiscover(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "discover", "What this server is: eras, versions, capabilities, policies");
  const auto options = std::make_shared<ServerOptions>();
  AddServerOptions(*command, *options);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, line] {
    line.chosen = [options, line] { return Discover(*options, line.server); };
  });
}

}  // namespace assay
