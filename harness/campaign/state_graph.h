// The states that a server was seen in, and what led from one to another.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "campaign/observation.h"

namespace assay {

class StateGraph {
 public:
  // Whether such a thing (method, answer, state) was never seen before.
  bool Add(const Observation& seen);

  std::size_t states() const;
  std::size_t size() const { return edges_.size(); }  // different things seen

  // In Graphviz' language. Edges that lead from the same state to the same one are one, which names
  // the most frequent of them.
  std::string ToDot() const;

 private:
  struct Edge {
    std::string to;
    std::size_t count = 0;
  };
  using Key = std::tuple<std::string, std::string, std::string>;  // from, method, signature
  std::map<Key, Edge> edges_;
};

}  // namespace assay
