// Several instances of the server under test behind a balancer, as the steps of a case see them.

#pragma once

#include <memory>
#include <string>

#include "exchange/connection.h"
#include "transport/loop.h"

namespace assay {

class Fleet {
 public:
  virtual ~Fleet() = default;

  // A new client of the instance of this name or, of any other name, of the balancer.
  virtual std::shared_ptr<Connection> Connect(const std::string& name) = 0;
  virtual bool Has(const std::string& instance) const = 0;

  // Ends an instance as its operator would, and starts it again with the same arguments: "" then,
  // or why it does not start. It comes back at another port: who was connected to it directly
  // connects anew.
  virtual Task<std::string> Restart(std::string instance) = 0;
  // SIGKILL. Returns when it is gone.
  virtual Task<void> Kill(std::string instance) = 0;
  // SIGSTOP: it keeps its connections, and answers nothing until it is restarted.
  virtual void Pause(const std::string& instance) = 0;
};

}  // namespace assay
