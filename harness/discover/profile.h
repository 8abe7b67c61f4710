// A profile: how to start a server, what its tools are good for in tests, what it must meet.
// Built-in ones know servers by name; `assay.yaml` beside a server's code is its own.

#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"
#include "case/yaml.h"
#include "exchange/facts.h"

namespace assay {

struct Profile {
  std::string name;  // of a built-in one
  std::string title;
  std::string match;                      // glob on serverInfo.name; "" = only chosen by name
  std::vector<std::string> command;       // over stdio
  std::vector<std::string> http_command;  // over HTTP, at the port that {port} or PORT gives it
  std::string url;                        // over HTTP, when it is there already
  std::map<std::string, std::string> environment;
  std::optional<std::chrono::milliseconds> start_within;
  std::map<std::string, Role> roles;
  std::map<std::string, std::string> tokens;  // bearer tokens besides --bearer's, by name
  std::optional<FleetSetup> fleet;            // how instances come to share what they keep
  std::vector<std::string> require;           // must, should, contract
  std::string baseline;                       // path, relative to the profile's folder
};

// Throws InputError.
Profile LoadProfile(const std::string& path, const YamlText& text);

// The built-in profiles.
std::vector<Profile> BuiltinProfiles();

}  // namespace assay
