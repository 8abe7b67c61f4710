// Roles of a server.

#include "discover/roles.h"

#include <algorithm>

#include "discover/tool_arguments.h"

namespace assay {
namespace {

const Json* FindNamed(const Json& list, const std::string& name) {
  const auto found = std::find_if(list.items().begin(), list.items().end(), [&](const Json& item) {
    return item.FindString("name") == name;
  });
  return found == list.items().end() ? nullptr : &*found;
}

// A name that no tool has is a role of its own: it must be unknown.
bool NamesNoToolOnPurpose(const std::string& role) { return role == "other-case"; }

bool NeedsTask(const Json& tool) {
  const Json* support = tool.Find("execution", "taskSupport");
  return support != nullptr && support->text() == "required";
}

void FindCallable(ServerFacts& facts, const Json& tools, bool allow_tool_calls) {
  std::string withheld = "the server has no tools";
  for (const Json& tool : tools.items()) {
    const auto name = tool.FindString("name");
    const Json* schema = tool.Find("inputSchema");
    if (!name || schema == nullptr || NeedsTask(tool)) continue;
    if (!allow_tool_calls && !SaysReadOnly(tool)) {
      withheld =
          "no tool is annotated read-only and none is named by a profile; "
          "--allow-tool-calls lets Assay call tools anyway";
      continue;
    }
    const auto arguments = MakeArguments(*schema);
    if (!arguments) {
      if (facts.withheld_roles.empty())
        withheld = "no arguments could be made up for any safe tool";
      continue;
    }
    const Role role{.tool = *name, .arguments = *arguments};
    facts.roles.emplace("callable", role);
    if (arguments->members().empty()) facts.roles.emplace("no-arguments", role);
  }
  for (const char* role : {"callable", "no-arguments"}) {
    if (!facts.roles.contains(role)) facts.withheld_roles[role] = withheld;
  }
}

void FindPrompt(ServerFacts& facts, const Json& prompts) {
  for (const Json& prompt : prompts.items()) {
    const auto name = prompt.FindString("name");
    if (!name || facts.roles.contains("prompt")) continue;
    Role role;
    const Json* arguments = prompt.Find("arguments");
    bool any_required = false;
    if (arguments != nullptr) {
      for (const Json& argument : arguments->items()) {
        const Json* required = argument.Find("required");
        if (required == nullptr || !required->boolean()) continue;
        any_required = true;
        role.arguments.Set(argument.FindString("name").value_or(""), Json::String("assay"));
      }
    }
    // Cases that use this role leave out a required argument: it must have one.
    if (!any_required) continue;
    role.extra.Set("name", Json::String(*name));
    facts.roles.emplace("prompt", role);
  }
}

void FindResource(ServerFacts& facts, const Json& resources) {
  if (resources.items().empty()) return;
  const auto uri = resources.items().front().FindString("uri");
  if (!uri) return;
  Role role;
  role.extra.Set("uri", Json::String(*uri));
  role.extra.Set("missing", Json::String("assay://no-such-resource"));
  facts.roles.emplace("resource", role);
}

}  // namespace

void AssignRoles(ServerFacts& facts, const Profile* profile, bool allow_tool_calls) {
  const EraFacts& era = facts.legacy.served ? facts.legacy : facts.modern;
  const auto listed = [&](const std::string& tool) {
    return FindNamed(facts.legacy.tools, tool) != nullptr ||
           FindNamed(facts.modern.tools, tool) != nullptr;
  };
  if (profile != nullptr) {
    for (const auto& [name, role] : profile->roles) {
      if (!role.tool.empty() && !NamesNoToolOnPurpose(name) && !listed(role.tool)) {
        facts.withheld_roles[name] = "the server lists no tool '" + role.tool + "'";
      } else {
        facts.roles[name] = role;
      }
    }
  }
  for (const char* role : {"echo", "progress", "slow"}) {
    const auto found = facts.roles.find(role);
    if (found != facts.roles.end()) facts.roles.emplace("callable", found->second);
  }
  FindCallable(facts, era.tools, allow_tool_calls);
  FindPrompt(facts, era.prompts);
  FindResource(facts, era.resources);
}

}  // namespace assay
