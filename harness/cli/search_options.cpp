// How long, and where chance begins.

#include "cli/search_options.h"

#include <random>

namespace assay {
namespace {

constexpr std::chrono::seconds kDefaultDuration(60);

}  // namespace

void AddSearchOptions(CLI::App& command, SearchOptions& options, const SearchWords& words) {
  command
      .add_option("--duration", options.duration_s,
                  words.duration + " (default: " + std::to_string(kDefaultDuration.count()) +
                      ", unless --iterations is given)")
      ->type_name("S")
      ->check(CLI::PositiveNumber);
  command.add_option("--iterations", options.iterations, words.iterations)->type_name("N");
  command.add_option("--seed", options.seed, words.seed + " (default: another each time)")
      ->type_name("N");
}

std::optional<std::chrono::milliseconds> DurationOf(const SearchOptions& options) {
  if (options.duration_s > 0) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(options.duration_s * 1000));
  }
  if (options.iterations) return std::nullopt;
  return kDefaultDuration;
}

std::uint64_t SeedOf(const SearchOptions& options) {
  return options.seed ? *options.seed : std::random_device{}();
}

}  // namespace assay
