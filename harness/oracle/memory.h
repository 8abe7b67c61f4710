// Whether a server's memory settles when the same is asked of it over and over. No specification
// speaks of it: C-MEMORY-SETTLES is what a user wants of a server that runs for weeks.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

// How often the memory is looked at while steps are repeated, in even distances.
inline constexpr std::size_t kMemoryMarks = 8;
// What a server may take in the second half of the way and still settle, in bytes: collectors of
// garbage, pools and caches have their fill some time.
inline constexpr std::size_t kMuchMemory = std::size_t{32} << 20U;

inline constexpr std::string_view kMemoryGrows =
    "The same messages over and over make the server's memory grow";

// `marks`: bytes that the server took, in even distances. What it grew by in the second half of
// them; 0 unless it grew by at least `much`, and evenly: in each of the distances there by at least
// half of their mean. Whoever levels off, or grows by leaps, has a reason that we cannot see.
std::size_t SteadyGrowth(const std::vector<std::size_t>& marks, std::size_t much = kMuchMemory);

// The memory that a transcript tells of, in bytes.
std::vector<std::size_t> MemoryMarks(const Transcript& transcript);

std::vector<Rule> MemoryRules();

}  // namespace assay::oracle
