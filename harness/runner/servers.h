// Where connections to the server under test come from.

#pragma once

#include <memory>
#include <string>

#include "exchange/connection.h"
#include "transport/loop.h"

namespace assay {

class Servers {
 public:
  virtual ~Servers() = default;

  // A connection nobody has spoken on yet, to a server that nobody else speaks to meanwhile (as far
  // as that is ours to say). Over HTTP returns when the server answers, or is known not to: then
  // its requests fail and tell why.
  virtual Task<std::shared_ptr<Connection>> Take() = 0;
  // Another connection: over stdio to a new server, over HTTP to the one behind `connection`.
  virtual std::shared_ptr<Connection> Beside(const Connection& connection) = 0;
  // From now on nothing is started ahead; what waits is ended.
  virtual Task<void> Close() = 0;
  // Kills every server that is alive, in use or not: the run was interrupted.
  virtual void Abort() = 0;
};

}  // namespace assay
