// `assay`: only dispatches.

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"
#include "cli/commands.h"
#include "reports/wording.h"
#include "runner/exit_codes.h"
#include "version.h"

namespace {

constexpr char kExamples[] = R"(Examples:
  assay run -- node build/index.js         judge a server that speaks over stdin and stdout
  assay run --url https://host/mcp         a server that is there already, over HTTP
  assay discover -- ./server               what is it?
  assay run --filter 'modern/*' --trace -- ./server
  assay call add --arguments '{"a":2,"b":3}' -- ./server    by hand, with the wire
  assay explore -- ./server                 every order of messages, as far as time goes
  assay fuzz -- ./server                    odd messages: does it survive, and stay right?
  assay replay failures/ -- ./server       are the failures that were saved fixed?
  assay explain M-META-MISSING-VERSION     a requirement, and who checks it
)";

std::string Footer() {
  std::string footer = std::string(kExamples) + "\nExit codes:\n";
  for (const assay::ExitCodeMeaning& exit : assay::kExitCodes) {
    std::string code = std::to_string(exit.code);
    code.resize(5, ' ');
    footer += "  " + code + exit.means + "\n";
  }
  return footer + "\n`assay COMMAND --help` tells of each.";
}

std::vector<std::string> CommandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// What is wrong with the words, and who knows better.
std::string UsageProblem(const CLI::App* app, const CLI::Error& error) {
  const auto chosen = app->get_subcommands();
  const std::string program =
      chosen.empty() ? app->get_name() : app->get_name() + " " + chosen.front()->get_name();
  return program + ": " + error.what() + "\n`" + program + " --help` tells what there is.\n";
}

int Run(int argc, char** argv) {
  // The server's command may hold anything, also what looks like an option of ours.
  int own = 1;
  while (own < argc && std::string_view(argv[own]) != "--") ++own;
  const std::vector<std::string> server(argv + std::min(own + 1, argc), argv + argc);

  CLI::App app(
      "Assay finds out what an MCP server does wrong, and shows the exchange that proves it.",
      "assay");
  app.set_version_flag("--version", assay::kVersion);
  app.require_subcommand(1);
  app.failure_message(UsageProblem);
  std::function<int()> chosen;
  const assay::CommandLine line{app, server, chosen};
  assay::AddRun(line);
  assay::AddDiscover(line);
  assay::AddExplore(line);
  assay::AddFuzz(line);
  assay::AddReplay(line);
  assay::AddRecord(line);
  assay::AddCall(line);
  assay::AddList(line);
  assay::AddExplain(line);
  assay::AddCheck(line);
  assay::AddSchema(line);
  assay::AddSelftest(line);
  assay::AddCompare(line);
  assay::AddMatrix(line);
  assay::AddMerge(line);
  app.footer(Footer());  // not before: the commands would inherit it
  // Of `assay NOSUCH --help` the library sees the help that is asked for, and nothing else.
  const std::vector<std::string> commands = CommandsOf(app);
  if (own > 1 && *argv[1] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    std::cerr << "assay: there is no command '" << argv[1]
              << "'; there are: " << assay::Joined(commands) << "\n";
    return assay::kExitUsage;
  }
  try {
    app.parse(own, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : assay::kExitUsage;
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const assay::InputError& error) {
    std::cerr << assay::ToString(error.place()) << ": " << error.what() << "\n";
    return assay::kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << "assay: " << error.what() << "\n";
    return assay::kExitUntestable;
  }
}
