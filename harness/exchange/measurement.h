// How long requests held their connections, and who served them: what sets the eras apart behind a
// balancer, in numbers.

#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "transcript/transcript.h"

namespace assay {

// The HTTP requests that a case measures under one name.
struct Measurement {
  std::string name;
  int requests = 0;
  std::chrono::microseconds held{0};     // from a request to the end of its answer, all together
  std::chrono::microseconds thought{0};  // how long the person of the case thought, all together
  std::chrono::microseconds held_while_thinking{0};
  std::string began_on;     // the instance that answered the first one; "" when not known
  std::string finished_on;  // likewise the last one that is a request
  std::size_t bytes = 0;    // of what came back, without heads and framing
};

// What is measured: by name, the entries of requests; and the entries between which a person
// thinks.
struct ToMeasure {
  std::map<std::string, std::vector<std::size_t>> requests;
  std::vector<std::pair<std::size_t, std::size_t>> thoughts;
};

// In the order of the names. A request that has no end yet is held to the end of the transcript.
std::vector<Measurement> Measure(const Transcript& transcript, const ToMeasure& measured);

// Who served the request that `entry` belongs to: the instance that the balancer named, or the one
// whose name the connection has; "" when that is not known yet.
std::string InstanceOf(const Transcript& transcript, std::size_t entry);

}  // namespace assay
