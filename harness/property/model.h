// Models: what a client may do next, in any order, and what a server owes it whatever the order
// was. A sequence of letters becomes a case, which is run and judged like any other.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "case/case.h"
#include "exchange/facts.h"

namespace assay {

// Indices into a model's alphabet.
using Sequence = std::vector<std::size_t>;

struct Model {
  std::string name;                   // opening, tasks-legacy, ...
  std::string title;                  // what it is about, in words
  std::vector<std::string> alphabet;  // the simplest letters first
  Era era = Era::kNone;               // of its cases, and so is the next
  std::string revision;               // "" with era none
  bool is_slow = false;               // its sequences wait for calls that take their time
  // The case of a sequence; nothing where a letter cannot stand at its place (a cursor that nobody
  // has given out). Then no longer sequence that begins alike has a case either. Pure.
  std::function<std::optional<Case>(const Sequence&)> build;
};

// The models of what this server serves. Where the specification leaves a choice, what was
// discovered of the server (its era policy, its dialect of Tasks, what it declares) decides what is
// expected of it.
std::vector<Model> ModelsFor(const ServerFacts& facts, bool over_http);

// "ping, cancel, list".
std::string Spell(const Model& model, const Sequence& sequence);

}  // namespace assay
