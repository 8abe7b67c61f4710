// `assay`: only dispatches.

#include <exception>
#include <iostream>

#include "case/place.h"
#include "cli/commands.h"
#include "version.h"

namespace {

constexpr char kFooter[] = R"(Examples:
  assay run -- node build/index.js         judge a server that speaks over stdin and stdout
  assay run --url https://host/mcp         a server that is there already, over HTTP
  assay discover -- ./server               what is it?
  assay run --filter 'modern/*' --trace -- ./server
  assay call add --arguments '{"a":2,"b":3}' -- ./server    by hand, with the wire
  assay explore -- ./server                 every order of messages, as far as time goes
  assay fuzz -- ./server                    odd messages: does it survive, and stay right?
  assay replay failures/ -- ./server       are the failures that were saved fixed?
  assay explain M-META-MISSING-VERSION     a requirement, and who checks it

Exit codes:
  0    meets what is required
  1    findings at a required level, or a stale baseline entry
  2    bad usage or bad case file
  3    the server could not be tested, or something could not be judged
  130  interrupted (reports are written))";

int Run(int argc, char** argv) {
  // The server's command may hold anything, also what looks like an option of ours.
  int own = 1;
  while (own < argc && std::string_view(argv[own]) != "--") ++own;
  const std::vector<std::string> server(argv + std::min(own + 1, argc), argv + argc);

  CLI::App app(
      "Assay finds out what an MCP server does wrong, and shows the exchange that proves it.",
      "assay");
  app.footer(kFooter);
  app.set_version_flag("--version", assay::kVersion);
  app.require_subcommand(1);
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
