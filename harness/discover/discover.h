// Finds out what a server is, in both eras, without harming it: only openings and lists are asked
// for.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "discover/profile.h"
#include "exchange/connection.h"
#include "exchange/facts.h"
#include "transcript/transcript.h"

namespace assay {

struct DiscoverSettings {
  std::chrono::milliseconds timeout{5000};
  std::chrono::milliseconds start_within{10000};
  // Legacy revisions to try besides the newest that the server offers of itself.
  std::vector<std::string> legacy_revisions;
  bool allow_tool_calls = false;
  bool carries_token = false;      // over HTTP: in every request
  std::optional<Profile> profile;  // otherwise the built-in one that matches the server's name
  std::function<Task<std::shared_ptr<Connection>>()> connect;  // a new server each time
};

struct Discovery {
  ServerFacts facts;
  std::string profile;     // the name of the profile in use, or ""
  std::string last_words;  // stderr and exit of a server that speaks neither era
  // The exchanges in which a server refused, or failed, to speak an era.
  std::vector<Transcript> refusals;
};

Task<Discovery> DiscoverServer(Loop& loop, DiscoverSettings settings);

// All legacy revisions, newest first.
const std::vector<std::string>& LegacyRevisions();

}  // namespace assay
