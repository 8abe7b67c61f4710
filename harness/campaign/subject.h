// The server as a generator sees it: what may be asked of it, in requests that are good.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/probe.h"
#include "exchange/facts.h"

namespace assay {

// A request that gives something which later requests can name.
struct Producer {
  Json request;         // {method, params}
  std::string pointer;  // where in the response it stands
  // {method, params} of requests that take it: where it stands there is kMadePlace.
  std::vector<Json> consumers;
};

inline constexpr std::string_view kMadePlace = "\x01made\x01";

struct Subject {
  Manner manner;
  std::vector<Json> requests;  // {method, params}, without an envelope
  std::vector<Producer> producers;
  std::vector<std::string> words;  // names, URIs and versions that mean something to the server
  std::vector<std::string> forbidden_tools;  // those that must not be called
};

// Tools are called as everywhere: those that a profile gives roles to, those that say they are
// read-only, all with `allow_tool_calls`.
Subject MakeSubject(const ServerFacts& facts, const Manner& manner, bool allow_tool_calls);

// Whether nothing in `bytes`, however a lenient reader takes them, calls a tool that must not be
// called.
bool IsHarmless(const Subject& subject, std::string_view bytes);

}  // namespace assay
