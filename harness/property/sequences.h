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

// Every sequence that has a case, up to `length` letters: the shortest first, those of the models
// in turn. 0 = for each model as long as there are not too many of them (some two thousand, of a
// slow model two hundred), but two letters at least.
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
