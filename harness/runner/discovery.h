// The discovery, and nothing after it.

#pragma once

#include "discover/discover.h"
#include "runner/run_settings.h"

namespace assay {

struct DiscoverOutcome {
  Discovery discovery;
  bool interrupted = false;
};

// Looks what the server is, at all revisions that there are. SIGINT and SIGTERM end it early.
// Blocks until all is done.
DiscoverOutcome RunDiscovery(const RunSettings& settings);

}  // namespace assay
