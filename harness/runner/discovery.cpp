// One question after another.

#include "runner/discovery.h"

#include <memory>

#include "transport/containment.h"
#include "transport/loop.h"

namespace assay {

DiscoverOutcome RunDiscovery(const RunSettings& settings) {
  AdoptOrphans();
  DiscoverOutcome outcome;
  Loop loop;
  const std::unique_ptr<Servers> servers = MakeServers(loop, SourceOf(settings), 0);
  auto guard = loop.OnInterrupt([&] {
    outcome.interrupted = true;
    servers->Abort();
  });
  DiscoverSettings discover = DiscoverSettingsOf(settings, [&] { return servers->Take(); });
  discover.legacy_revisions = LegacyRevisions();
  const auto main = [&]() -> Task<void> {
    outcome.discovery = co_await DiscoverServer(loop, discover);
    co_await servers->Close();
    guard.reset();
  };
  loop.Spawn(main());
  loop.Run();
  return outcome;
}

}  // namespace assay
