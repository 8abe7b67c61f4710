// Which server.

#include "cli/server_options.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "cli/shared_options.h"
#include "reports/wording.h"
#include "runner/files.h"
#include "transport/http_channel.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
constexpr char kDefaultConfig[] = "assay.yaml";

Profile FindBuiltin(const std::string& name) {
  std::vector<std::string> names;
  for (Profile& profile : BuiltinProfiles()) {
    if (profile.name == name) return profile;
    names.push_back(profile.name);
  }
  throw InputError({.file = "--profile"},
                   "there is no profile '" + name + "'; there are: " + Joined(names));
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
  AddToolCallsFlag(command, options.allow_tool_calls);
  command.add_option("--url", options.url, "A server that is there already, over HTTP")
      ->type_name("URL");
  command.add_flag("--http", options.http,
                   "Start the command and speak HTTP to /mcp at the port that {port} in its "
                   "arguments, or PORT in its environment, gives it");
  AddRepeatable(command, "--header", options.headers, "'NAME: VALUE'",
                "A header for every HTTP request");
  command.add_option("--bearer", options.bearer, "A token: sent as Authorization: Bearer TOKEN")
      ->type_name("TOKEN");
  command.add_option("--ca", options.ca_file, "Certificates to trust for https (PEM)")
      ->type_name("FILE");
  command.add_flag("--insecure", options.insecure, "Accept any certificate");
  command.footer("The server's command stands behind `--`: assay " + command.get_name() +
                 " -- COMMAND [ARG...]");
}

ChosenProfile ChooseProfile(const ServerOptions& options) {
  ChosenProfile chosen;
  if (!options.profile.empty()) chosen.profile = FindBuiltin(options.profile);
  std::string path = options.config;
  if (path.empty() && fs::exists(kDefaultConfig)) path = kDefaultConfig;
  if (path.empty()) return chosen;
  Profile own = LoadProfile(path, ReadFile(path));
  chosen.folder = fs::path(path).parent_path().string();
  if (own.name.empty()) {
    own.name = chosen.profile && own.roles.empty() ? chosen.profile->name : path;
  }
  if (chosen.profile) {
    own.roles.merge(chosen.profile->roles);
    if (!own.fleet) own.fleet = chosen.profile->fleet;
  }
  chosen.profile = std::move(own);
  return chosen;
}

namespace {

HttpField ReadHeader(const std::string& text) {
  const std::size_t colon = text.find(':');
  const bool printable = std::none_of(text.begin(), text.end(),
                                      [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
  if (colon == std::string::npos || colon == 0 || !printable) {
    throw InputError({.file = "--header"}, "expected 'NAME: VALUE', got '" + text + "'");
  }
  const std::size_t value = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
  return {text.substr(0, colon), text.substr(value)};
}

void CheckUrl(const std::string& where, const std::string& url) {
  try {
    ParseUrl(url);
  } catch (const std::invalid_argument& problem) {
    throw InputError({.file = where}, problem.what());
  }
}

// What all HTTP needs of the options.
Reach OverHttp(const ServerOptions& options) {
  Reach reach;
  reach.over_http = true;
  reach.ca_file = options.ca_file;
  reach.insecure = options.insecure;
  for (const std::string& header : options.headers) reach.fields.push_back(ReadHeader(header));
  if (!options.bearer.empty()) {
    reach.fields.push_back({"Authorization", "Bearer " + options.bearer});
  }
  return reach;
}

// The server that the command line names.
void NameServer(const ServerOptions& options, const std::vector<std::string>& server,
                RunSettings& settings) {
  settings.command.argv = server;
  if (options.http || !options.url.empty()) settings.reach = OverHttp(options);
  settings.reach.url = options.url;
  if (options.url.empty()) return;
  if (options.http || !server.empty()) {
    throw InputError({.file = "--url"}, "either a URL, or a command behind `--`, not both");
  }
  CheckUrl("--url", options.url);
}

// The server that the profile describes, over the transport that is asked for, or the one it has.
void TakeServerFrom(const Profile& profile, const ServerOptions& options, RunSettings& settings) {
  const bool has_http = !profile.http_command.empty() || !profile.url.empty();
  if (!has_http) {
    settings.command.argv = profile.command;
    if (options.http) settings.reach = OverHttp(options);
    return;
  }
  if (!profile.url.empty()) CheckUrl(profile.name, profile.url);
  Counterpart over_http{.command = settings.command, .reach = OverHttp(options)};
  over_http.command.argv = profile.http_command;
  over_http.reach.url = profile.url;
  Counterpart over_stdio{.command = settings.command, .reach = {}};
  over_stdio.command.argv = profile.command;
  const bool http = options.http || profile.command.empty();
  Counterpart& chosen = http ? over_http : over_stdio;
  settings.command = chosen.command;
  settings.reach = chosen.reach;
  if (!profile.command.empty()) settings.counterpart = http ? over_stdio : over_http;
}

}  // namespace

void ApplyServerOptions(const ServerOptions& options, const ChosenProfile& chosen,
                        const std::vector<std::string>& server, RunSettings& settings) {
  settings.timeout = std::chrono::milliseconds(options.timeout_ms);
  settings.allow_tool_calls = options.allow_tool_calls;
  // A config without roles leaves the choice of roles to the server's name.
  if (chosen.profile) {
    const Profile& profile = *chosen.profile;
    settings.command.environment = profile.environment;
    if (profile.start_within) settings.start_within = *profile.start_within;
    if (!profile.roles.empty()) settings.profile = profile;
    settings.tokens = profile.tokens;
  }
  if (chosen.profile && server.empty() && options.url.empty()) {
    TakeServerFrom(*chosen.profile, options, settings);
  } else {
    NameServer(options, server, settings);
  }
  if (settings.command.argv.empty() && settings.reach.url.empty()) {
    throw InputError({.file = "assay"},
                     "no server: put its command behind `--`, name its --url, or put `server: "
                     "{command: [...]}` into assay.yaml");
  }
  const bool http =
      settings.reach.over_http || (settings.counterpart && settings.counterpart->reach.over_http);
  if (!http && !(options.bearer.empty() && options.headers.empty())) {
    throw InputError({.file = options.bearer.empty() ? "--header" : "--bearer"},
                     "only over HTTP: with --url or --http");
  }
}

}  // namespace assay
