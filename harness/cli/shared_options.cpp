// One by one.

#include "cli/shared_options.h"

#include <algorithm>
#include <array>
#include <thread>

namespace assay {

CLI::Option* AddRepeatable(CLI::App& command, const char* name, std::vector<std::string>& values,
                           const char* type, const std::string& help) {
  return command.add_option(name, values, help + " (repeatable)")
      ->type_name(type)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* AddChoice(CLI::App& command, const char* name, std::string& value, const char* type,
                       const std::vector<std::string>& words, const std::string& help) {
  return command.add_option(name, value, help)
      ->type_name(type)
      ->check(CLI::IsMember(words))
      ->capture_default_str();
}

void AddFilterOption(CLI::App& command, std::vector<std::string>& globs) {
  AddRepeatable(command, "--filter", globs, "GLOB",
                "Only ids that match; * crosses /, !GLOB excludes");
}

void AddJsonFlag(CLI::App& command, bool& json) { command.add_flag("--json", json, "Print JSON"); }

void AddToolCallsFlag(CLI::App& command, bool& allow) {
  command.add_flag("--allow-tool-calls", allow,
                   "Call tools that neither a profile names nor are annotated read-only");
}

// Servers mostly wait: where there is one core, there are as many as for two.
int Jobs::Count() const {
  const int cores = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
  return said > 0 ? said : for_each_core * cores;
}

void AddJobsOption(CLI::App& command, Jobs& jobs) {
  constexpr std::array kNumbers = {"none", "one", "two", "three", "four"};
  const std::string number = kNumbers.at(static_cast<std::size_t>(jobs.for_each_core));
  command
      .add_option("--jobs", jobs.said,
                  "Server processes at work at once (default: " + number + " for each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
}

}  // namespace assay
