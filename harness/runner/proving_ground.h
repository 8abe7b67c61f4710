// Where generated cases meet a server: each on one of its own, judged as any case is.

#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "exchange/facts.h"
#include "runner/library.h"
#include "runner/run_settings.h"
#include "runner/servers.h"
#include "runner/trial.h"

namespace assay {

class ProvingGround {
 public:
  // All must outlive it. `facts` may be filled in later, but before the first Run. `source`: that
  // of its results, explore or fuzz.
  ProvingGround(Loop& loop, Servers& servers, const Library& library, const RunSettings& settings,
                const ServerFacts& facts, std::string source)
      : loop_(loop),
        servers_(servers),
        library_(library),
        settings_(settings),
        facts_(facts),
        source_(std::move(source)) {}

  const Shapes& shapes() const { return library_.shapes; }

  // Of the findings those are left that are looked for: of the contract, what is required or what
  // the case itself is for. `timeout`: of a step. `hand_over`: with the transcript. The case of
  // `run` must outlive the task.
  Task<Trial> Run(PlannedRun run, std::chrono::milliseconds timeout, bool hand_over);

 private:
  Task<std::shared_ptr<Connection>> Beside(std::shared_ptr<Connection> connection) {
    co_return servers_.Beside(*connection);
  }

  Loop& loop_;
  Servers& servers_;
  const Library& library_;
  const RunSettings& settings_;
  const ServerFacts& facts_;
  const std::string source_;
};

}  // namespace assay
