// What a campaign sends: probes, one after another, and the case that a list of them is.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.h"
#include "runner/plan.h"

namespace assay {

// One thing that is sent: a line as a rule, or the part of one, or several.
struct Probe {
  std::string family;  // which generator made it: meta, framing, ...
  // The bytes, whatever they are. `${madeN}` stands for what the answer to an earlier probe has
  // saved under that name.
  std::string bytes = {};
  std::string end = "\n";               // what follows them
  std::vector<std::size_t> split = {};  // written in pieces that begin there
  std::optional<Json> http = {};        // over HTTP: changes to the request that carries it
  std::vector<Save> save = {};          // its answer is awaited, and must have this
  bool awaited = false;                 // its answer is awaited all the same
  bool fence = false;  // nothing of the above: a request that any server must answer
};

// Probes that only have a meaning together.
using Play = std::vector<Probe>;

// How a server is spoken to.
struct Manner {
  Era era = Era::kNone;       // with none the probes open the connection themselves
  std::string revision = {};  // "" with era none
  bool over_http = false;

  bool operator==(const Manner&) const = default;
};

// The name under which the `number`th value of a round is saved.
std::string MadeName(std::size_t number);

// The number of the step that sends the first probe, in the cases of CaseOf.
std::size_t FirstStep(const Manner& manner);

// A case that sees the server up, sends `probes`, one a step, and at last a fence. With
// `requirement` that is what the answer to the last fence is judged for.
Case CaseOf(const Manner& manner, const std::vector<Probe>& probes,
            const std::string& requirement = "");

// How it is run. `test_case` must outlive the run.
PlannedRun PlanOf(const Manner& manner, const Case& test_case);

}  // namespace assay
