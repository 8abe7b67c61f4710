// Probes -> a case that repeats them.

#include "campaign/endurance.h"

#include <iterator>
#include <string>
#include <utility>

#include "oracle/memory.h"

namespace assay {

Case EnduranceOf(const Manner& manner, const std::vector<Probe>& probes, std::size_t times) {
  std::vector<Probe> round = probes;
  round.push_back({.family = "fence", .fence = true});
  Case test_case = CaseOf(manner, round, std::string(kEnduranceRequirement));
  Step repeat;
  repeat.verb = Step::Verb::kRepeat;
  repeat.count = times;
  repeat.memory_settles = true;
  const auto first = test_case.steps.begin() + static_cast<std::ptrdiff_t>(FirstStep(manner));
  const auto end = first + static_cast<std::ptrdiff_t>(round.size());
  repeat.branches.emplace_back(std::make_move_iterator(first), std::make_move_iterator(end));
  test_case.steps.insert(test_case.steps.erase(first, end), std::move(repeat));
  return test_case;
}

std::string MemorySymptom() {
  return std::string(kEnduranceRequirement) + ": " + std::string(oracle::kMemoryGrows);
}

bool MemoryMightGrow(const Transcript& transcript) {
  constexpr std::size_t kWorthALook = std::size_t{2} << 20U;
  return oracle::SteadyGrowth(oracle::MemoryMarks(transcript), kWorthALook) > 0;
}

}  // namespace assay
