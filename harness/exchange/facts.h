// What a server turned out to be: the answer to "which cases apply?".

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "message/json.h"

namespace assay {

// What one tool is good for in tests, with its arguments (DESIGN: role).
struct Role {
  std::string tool;
  Json arguments = Json::Object();
  Json extra = Json::Object();  // further members of the profile's entry: text, answer, ...
};

// What each instance of a fleet is started with on top of the command. In all of these texts
// {store} is a path that is the fleet's own and its instances' together, {instance} the instance's
// name.
struct FleetSetup {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
  // Further arguments, with which a requestState expires within half a second.
  std::vector<std::string> short_lived;
};

struct EraFacts {
  bool served = false;
  // Over HTTP: the head of a stream that GET opens is kept back until there is an event to send,
  // which nothing forbids.
  bool heads_come_late = false;
  std::string refusal;                 // why not, in words, when not served
  std::vector<std::string> revisions;  // newest first
  Json capabilities = Json::Object();
  Json tools = Json::Array();  // as listed, all pages; likewise below
  Json prompts = Json::Array();
  Json resources = Json::Array();
  Json resource_templates = Json::Array();
  std::vector<std::string> paged;  // lists of more than one page, by their methods
};

struct ServerFacts {
  std::string name;  // serverInfo
  std::string version;
  EraFacts legacy;
  EraFacts modern;
  std::string era_policy = "unknown";  // locked | per-message | legacy-only | modern-only | unknown
  std::vector<std::string> tasks;      // dialects: legacy, extension, handle
  bool asks_for_token = false;  // over HTTP: what carries no token is refused, in an era or in both
  std::map<std::string, Role> roles;  // from the profile, and `callable` where one is safe
  std::map<std::string, std::string> withheld_roles;  // role -> why it is not used (unsafe-tool)
  std::map<std::string, std::string> tokens;  // from the profile; what they are is never reported
  std::optional<FleetSetup> fleet;  // from the profile: with this, instances share what they keep
};

}  // namespace assay
