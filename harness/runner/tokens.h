// The tokens that cases/http/tokens.yaml wants to have, as the reference server takes them.

#pragma once

#include <map>
#include <string>
#include <vector>

namespace assay {

// Arguments with which the reference server asks for a token, and is right about those that a run
// has besides its own: another user's, one of lesser scope, one whose scope implies the others, one
// for another server, and one that spells this server in upper case. The first is the run's own.
const std::vector<std::string>& AskForTokens();

// Those of them, by name; each is spelled like its name.
std::map<std::string, std::string> TokensByName();

// The run's own.
std::string OwnToken();

}  // namespace assay
