// The commands of `assay`, one file each. Each adds its subcommand to the command line; main.cpp
// runs the one that was chosen.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "runner/exit_codes.h"

namespace assay {

// What main hands to every command.
struct CommandLine {
  CLI::App& app;
  // What stands behind `--`: the server's command.
  const std::vector<std::string>& server;
  // Set by the chosen command: does the work, returns the exit code.
  std::function<int()>& chosen;
};

void AddRun(CommandLine line);
void AddDiscover(CommandLine line);
void AddExplore(CommandLine line);
void AddFuzz(CommandLine line);
void AddReplay(CommandLine line);
void AddRecord(CommandLine line);
void AddCall(CommandLine line);
void AddList(CommandLine line);
void AddExplain(CommandLine line);
void AddCheck(CommandLine line);
void AddSchema(CommandLine line);
void AddSelftest(CommandLine line);
void AddCompare(CommandLine line);
void AddMatrix(CommandLine line);
void AddMerge(CommandLine line);

}  // namespace assay
