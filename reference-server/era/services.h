// What all connections of a process share.
#pragma once

namespace assay::reference {

class Catalog;
class Scheduler;
class StateSigner;
class TaskStore;

/// Each outlives every connection.
struct Services {
  Catalog& catalog;
  Scheduler& scheduler;
  TaskStore& tasks;
  const StateSigner& signer;
};

}  // namespace assay::reference
