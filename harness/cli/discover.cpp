// assay discover: what a server is.

#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/server_options.h"
#include "cli/shared_options.h"
#include "cli/untestable.h"
#include "reports/visible_text.h"
#include "reports/wording.h"
#include "runner/discovery.h"
#include "runner/report_frame.h"

namespace assay {
namespace {

constexpr char kExamples[] = R"(

Examples:
  assay discover -- ./server
  assay discover --json --url https://host/mcp

Exit code: 0 when it speaks MCP, 3 when not.)";

struct DiscoverOptions {
  ServerOptions server;
  bool json = false;
};

std::string ListOf(const std::vector<std::string>& words) {
  return words.empty() ? "none" : Joined(words);
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
    names.push_back(item.FindString(member).value_or("?"));
  }
  return names;
}

void PrintEra(const char* title, const EraFacts& era) {
  std::cout << title;
  if (!era.served) {
    std::cout << "no (" << Visible(era.refusal) << ")\n";
    return;
  }
  std::cout << ListOf(era.revisions) << "\n";
  std::vector<std::string> capabilities;
  for (const JsonMember& member : era.capabilities.members()) {
    capabilities.push_back(member.key);
  }
  std::cout << "  capabilities  " << ListOf(capabilities) << "\n"
            << "  tools         " << ListOf(Names(era.tools, "name")) << "\n"
            << "  prompts       " << ListOf(Names(era.prompts, "name")) << "\n"
            << "  resources     " << ListOf(Names(era.resources, "uri")) << "\n"
            << "  templates     " << ListOf(Names(era.resource_templates, "uriTemplate")) << "\n";
}

void PrintText(const Discovery& discovery) {
  const ServerFacts& facts = discovery.facts;
  std::cout << "server        " << Visible(facts.name) << " " << Visible(facts.version) << "\n"
            << "era policy    " << facts.era_policy << "\n"
            << "tasks         " << ListOf(facts.tasks) << "\n"
            << "profile       " << (discovery.profile.empty() ? "none" : discovery.profile) << "\n";
  PrintEra("legacy        ", facts.legacy);
  PrintEra("modern        ", facts.modern);
  for (const auto& [role, why] : facts.withheld_roles) {
    std::cout << "role " << role << " is not used: " << Visible(why) << "\n";
  }
}

int Discover(const DiscoverOptions& options, const std::vector<std::string>& server) {
  RunSettings settings;
  ApplyServerOptions(options.server, ChooseProfile(options.server), server, settings);
  const DiscoverOutcome outcome = RunDiscovery(settings);
  if (outcome.interrupted) return kExitInterrupted;
  const ServerFacts& facts = outcome.discovery.facts;
  if (options.json) {
    PrintJson(outcome.discovery);
  } else {
    PrintText(outcome.discovery);
  }
  if (facts.legacy.served || facts.modern.served) return 0;
  TellUntestable(WhyNotTestable(outcome.discovery), settings.reach.over_http);
  return kExitUntestable;
}

}  // namespace

void AddDiscover(CommandLine line) {
  CLI::App* command = line.app.add_subcommand(
      "discover", "What this server is: eras, versions, capabilities, policies");
  const auto options = std::make_shared<DiscoverOptions>();
  AddServerOptions(*command, options->server);
  AddJsonFlag(*command, options->json);
  command->footer(command->get_footer() + kExamples);
  command->callback([options, line] {
    line.chosen = [options, line] { return Discover(*options, line.server); };
  });
}

}  // namespace assay
