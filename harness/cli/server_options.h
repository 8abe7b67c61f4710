// The options that say which server is meant and how it is treated, common to several commands.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "discover/profile.h"
#include "runner/run_settings.h"

namespace assay {

struct ServerOptions {
  std::string config;   // --config
  std::string profile;  // --profile
  int timeout_ms = 5000;
  bool allow_tool_calls = false;
  std::string url;                   // --url
  bool http = false;                 // --http
  std::vector<std::string> headers;  // --header
  std::string bearer;                // --bearer
  std::string ca_file;               // --ca
  bool insecure = false;             // --insecure
};

void AddServerOptions(CLI::App& command, ServerOptions& options);

// The profile the options lead to: --profile, merged under `assay.yaml` (or --config). Throws
// InputError.
struct ChosenProfile {
  std::optional<Profile> profile;
  std::string folder;  // the config file's: paths in it are relative to that
};
ChosenProfile ChooseProfile(const ServerOptions& options);

// Fills in the server's part of `settings`. Throws InputError when there is no command.
void ApplyServerOptions(const ServerOptions& options, const ChosenProfile& chosen,
                        const std::vector<std::string>& server, RunSettings& settings);

}  // namespace assay
