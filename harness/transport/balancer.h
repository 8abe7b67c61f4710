// A load balancer in front of several servers: HTTP, one request after another to the next of them,
// and nothing that would make a client stick to one. What it adds to answers is in
// message/balancer_fields.h.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transport/http_channel.h"
#include "transport/loop.h"

namespace assay {

class Balancer {
 public:
  // A server behind it.
  struct Instance {
    std::string name;
    HttpTarget target;
  };

  virtual ~Balancer() = default;
  // Where it listens, on this machine.
  virtual const HttpTarget& target() const = 0;
  // The instance of this name is somewhere else now. What is under way goes on.
  virtual void Move(const std::string& name, const HttpTarget& target) = 0;
  // Breaks all connections. Returns when nothing is left of them.
  virtual Task<void> Close() = 0;
};

// The n-th request that is complete goes to the n-th instance, and round again, whoever sends it
// and whether or not the instance is there: one that is not gives a 502. Nothing is tried again.
// Requests are passed on when they are complete, answers as they come; what breaks off there breaks
// off here. A client that goes away takes its request with it. Throws std::system_error when no
// port can be had.
std::unique_ptr<Balancer> StartBalancer(Loop& loop, std::vector<Balancer::Instance> instances);

}  // namespace assay
