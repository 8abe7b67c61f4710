// The sequences that are tried: first every short one, in order, then longer ones at random, which
// depend on nothing but the models and the seed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "property/model.h"

namespace assay {

struct PlannedSequence {
  std::size_t model = 0;
  Sequence letters;
};

// How long the short sequences of a model are: as long as there are no more than some two thousand
// of them, whatever they say, but two letters at least.
std::size_t ShortLength(const Model& model);

// Every sequence that has a case, up to `length` letters (0 = ShortLength of each model): the
// shortest first, those of the models in turn.
std::vector<PlannedSequence> ShortSequences(const std::vector<Model>& models, std::size_t length);

// Longer ones, the models in turn. Not thread-safe.
class RandomSequences {
 public:
  RandomSequences(const std::vector<Model>& models, std::uint64_t seed);
  ~RandomSequences();
  RandomSequences(const RandomSequences&) = delete;
  RandomSequences& operator=(const RandomSequences&) = delete;

  // Letters that cannot stand at their place have been left out.
  PlannedSequence Next();

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace assay
