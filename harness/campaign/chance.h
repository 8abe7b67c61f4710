// Chance that can be repeated: the same seed gives the same choices, on every machine.

#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}

  // SplitMix64.
  std::uint64_t Next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }
  // From 0 to `count` - 1; 0 where there is no choice.
  std::size_t Below(std::size_t count) {
    return count < 2 ? 0 : static_cast<std::size_t>(Next() % count);
  }
  bool OneIn(std::size_t count) { return Below(count) == 0; }
  // One of `choices`, which are not empty.
  template <typename Choices>
  const auto& Of(const Choices& choices) {
    return choices[Below(choices.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace assay
