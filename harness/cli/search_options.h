// The options that say how long to look for something and where chance begins, common to the
// commands that search.

#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace assay {

// Where the reports go, and with them what was found, without --report.
inline constexpr char kDefaultFolder[] = "assay-report";

struct SearchOptions {
  double duration_s = 0;                    // --duration; 0 = nothing was said
  std::optional<std::uint64_t> iterations;  // --iterations
  std::optional<std::uint64_t> seed;        // --seed
};

// What the options mean to a command, in the words of its help.
struct SearchWords {
  std::string duration;    // e.g. "How long"
  std::string iterations;  // e.g. "How many inputs"
  std::string seed;        // e.g. "Of the random sequences"
};
void AddSearchOptions(CLI::App& command, SearchOptions& options, const SearchWords& words);

// When to stop: after a minute where nothing is said; never where the number decides.
std::optional<std::chrono::milliseconds> DurationOf(const SearchOptions& options);

// Another one each time, where none is said.
std::uint64_t SeedOf(const SearchOptions& options);

}  // namespace assay
