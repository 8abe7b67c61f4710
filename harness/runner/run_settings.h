// What is asked of all that speaks to a server: which one, how it is reached, how patiently.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "discover/discover.h"
#include "runner/plan.h"
#include "runner/reach.h"

namespace assay {

// How the same server is reached over the other transport.
struct Counterpart {
  Command command;
  Reach reach;
};

struct RunSettings {
  Command command;
  Reach reach;
  std::optional<Counterpart> counterpart;  // where the profile tells
  ChannelLimits limits;
  PlanSettings plan;
  std::chrono::milliseconds timeout{5000};
  std::chrono::milliseconds start_within{10000};
  std::optional<Profile> profile;
  std::map<std::string, std::string> tokens;  // of the profile
  bool allow_tool_calls = false;
  int jobs = 1;          // server processes at work at once; as many again are started ahead
  bool isolate = false;  // a fresh process for each case
  std::optional<std::uint64_t> seed;  // shuffles the order
  bool keep_all_transcripts = false;
  std::vector<std::string> required;  // levels that decide the exit code
  // The options that decide what a case does, word by word, so that reports can tell how to repeat
  // it.
  std::vector<std::string> told_options;
};

// How the server of `settings` is started and reached.
ServerSource SourceOf(const RunSettings& settings);

// What is asked of the server before anything else. `connect`: see DiscoverSettings.
DiscoverSettings DiscoverSettingsOf(const RunSettings& settings,
                                    std::function<Task<std::shared_ptr<Connection>>()> connect);

}  // namespace assay
