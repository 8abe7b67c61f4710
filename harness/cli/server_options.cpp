// Which server.

#include "cli/server_options.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace assay {
namespace {

namespace fs = std::filesystem;
constexpr char kDefaultConfig[] = "assay.yaml";

Profile FindBuiltin(const std::string& name) {
  std::string names;
  for (Profile& profile : BuiltinProfiles()) {
    if (profile.name == name) return profile;
    names += (names.empty() ? "" : ", ") + profile.name;
  }
  throw InputError({.file = "--profile"}, "no profile '" + name + "'; there are: " + names);
}

}  // namespace

void AddServerOptions(CLI::App& command, ServerOptions& options) {
  command
      .add_option("--config", options.config,
                  "The server's profile (default: assay.yaml in the working directory)")
      ->type_name("FILE");
  command
      .add_option("--profile", options.profile, "A built-in profile (see assay list --profiles)")
      ->type_name("NAME");
  command.add_option("--timeout", options.timeout_ms, "How long a step may take")
      ->type_name("MS")
      ->check(CLI::Range(1, 3'600'000))
      ->capture_default_str();
  command.add_flag("--allow-tool-calls", options.allow_tool_calls,
                   "Call tools that neither a profile names nor are annotated read-only");
  command.footer("The server's command stands behind `--`: assay " + command.get_name() +
                 " -- COMMAND [ARG...]");
}

ChosenProfile ChooseProfile(const ServerOptions& options) {
  ChosenProfile chosen;
  if (!options.profile.empty()) chosen.profile = FindBuiltin(options.profile);
  std::string path = options.config;
  if (path.empty() && fs::exists(kDefaultConfig)) path = kDefaultConfig;
  if (path.empty()) return chosen;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({.file = path}, "cannot be read");
  Profile own = LoadProfile(path, std::string{std::istreambuf_iterator<char>(file), {}});
  chosen.folder = fs::path(path).parent_path().string();
  if (own.name.empty()) own.name = path;
  if (chosen.profile) own.roles.merge(chosen.profile->roles);
  chosen.profile = std::move(own);
  return chosen;
}

void ApplyServerOptions(const ServerOptions& options, const ChosenProfile& chosen,
                        const std::vector<std::string>& server, RunSettings& settings) {
  settings.timeout = std::chrono::milliseconds(options.timeout_ms);
  settings.allow_tool_calls = options.allow_tool_calls;
  settings.command.argv = server;
  // A config without roles leaves the choice of roles to the server's name.
  if (chosen.profile) {
    const Profile& profile = *chosen.profile;
    if (server.empty()) settings.command.argv = profile.command;
    settings.command.environment = profile.environment;
    if (profile.start_within) settings.start_within = *profile.start_within;
    if (!profile.roles.empty()) settings.profile = profile;
  }
  if (settings.command.argv.empty()) {
    throw InputError({.file = "assay"},
                     "no server: put its command behind `--`, or `server: {command: [...]}` into "
                     "assay.yaml");
  }
}

}  // namespace assay
