// Starts and ends fleets: instances of a command, each with its own port, one store for all of
// them, and a balancer.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "case/case.h"
#include "exchange/facts.h"
#include "exchange/fleet.h"
#include "runner/reach.h"

namespace assay {

// A fleet that was started, until Close.
class StartedFleet : public Fleet {
 public:
  // Ends all that it has started; removes the store. Returns when nothing is left.
  virtual Task<void> Close() = 0;
  // Kills every instance: the run was interrupted.
  virtual void Abort() = 0;
};

// What became of starting one.
struct FleetStart {
  std::shared_ptr<StartedFleet> fleet;  // to be closed in any case
  std::string why_not;                  // why an instance does not answer, "" when all do
};

// Starts `topology.instances` of the command of `source`, with what `setup` adds to each, and waits
// until all answer over HTTP. They are called a, b, c, ...
Task<FleetStart> StartFleet(Loop& loop, ServerSource source, Topology topology, FleetSetup setup);

}  // namespace assay
