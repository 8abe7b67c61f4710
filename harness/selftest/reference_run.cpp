// Running the judge on the judged, in this process.

#include "selftest/reference_run.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "runner/runner.h"

namespace assay {

const Library& BuiltinLibrary() {
  static const Library library = [] {
    Library all = LoadBuiltinRules();
    AddBuiltinCases(all);
    return all;
  }();
  return library;
}

namespace {

RunSettings SettingsFor(const std::vector<std::string>& command,
                        const std::vector<std::string>& filters,
                        const std::vector<std::string>& revisions, Over transport) {
  RunSettings settings;
  settings.command.argv = command;
  settings.reach.over_http = transport == Over::kHttp;
  // Whoever asks for a token is shown one, as a user would have it.
  const auto asks = std::find(command.begin(), command.end(), "--bearer");
  if (asks != command.end() && asks + 1 != command.end()) {
    const std::string token = (asks + 1)->substr(0, (asks + 1)->find(';'));
    settings.reach.fields.push_back({"Authorization", "Bearer " + token});
    for (const Case& test_case : BuiltinLibrary().cases) {
      for (const std::string& name : test_case.when.tokens) settings.tokens[name] = name;
    }
  }
  settings.plan.filters = filters;
  settings.plan.revisions = revisions;
  settings.jobs = 4;
  if (std::find(command.begin(), command.end(), "--fault") != command.end()) {
    // It may be silence: then a step waits for this long, and a fence again.
    settings.timeout = std::chrono::milliseconds(1000);
    settings.start_within = std::chrono::milliseconds(1000);
    // "The second answer" is that of a case, not of whoever else asks the same process.
    settings.isolate = true;
  }
  return settings;
}

// A server on stdio has no faults of HTTP.
std::vector<std::string> ForStdio(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool of_http = arguments[i] == "--fault" && i + 1 < arguments.size() &&
                         arguments[i + 1].starts_with("http-");
    if (of_http) {
      ++i;
    } else {
      words.push_back(arguments[i]);
    }
  }
  return words;
}

}  // namespace

Report RunReference(const std::vector<std::string>& filters,
                    const std::vector<std::string>& arguments,
                    const std::vector<std::string>& revisions, Over transport) {
  std::vector<std::string> over_http = {ASSAY_REFERENCE_SERVER, "--transport", "http", "--port",
                                        "{port}"};
  over_http.insert(over_http.end(), arguments.begin(), arguments.end());
  if (transport == Over::kHttp) return RunCommand(over_http, filters, revisions, transport);
  std::vector<std::string> over_stdio = ForStdio(arguments);
  over_stdio.insert(over_stdio.begin(), ASSAY_REFERENCE_SERVER);
  RunSettings settings = SettingsFor(over_stdio, filters, revisions, transport);
  settings.counterpart = Counterpart{.command = settings.command, .reach = {}};
  settings.counterpart->command.argv = over_http;
  settings.counterpart->reach.over_http = true;
  return RunCases(BuiltinLibrary(), settings, {}).report;
}

Report RunCommand(const std::vector<std::string>& command, const std::vector<std::string>& filters,
                  const std::vector<std::string>& revisions, Over transport) {
  return RunCases(BuiltinLibrary(), SettingsFor(command, filters, revisions, transport), {}).report;
}

std::vector<std::vector<std::string>> ListFaults() {
  const std::string command = std::string(ASSAY_REFERENCE_SERVER) + " --list-faults";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    text.append(buffer.data(), size);
  }
  std::vector<std::vector<std::string>> faults;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::stringstream columns(line);
    for (std::string field; std::getline(columns, field, '\t');) fields.push_back(field);
    faults.push_back(std::move(fields));
  }
  return faults;
}

}  // namespace assay
