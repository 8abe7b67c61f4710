// What goes wrong at the end (basic/transports/stdio#shutdown).
#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

Script SurvivesEndOfInput() {
  return {
      .configure = [](Settings&, StdioSettings& stdio) { stdio.exits_at_end_of_input = false; }};
}

Script SurvivesEndAndSigterm() {
  return {.configure = [](Settings&, StdioSettings& stdio) {
    stdio.exits_at_end_of_input = false;
    stdio.exits_on_signals = false;
  }};
}

/// A worker that a call or a subscription started is never told to stop.
Script WorkerLeftBehind() {
  const auto working = std::make_shared<bool>(false);
  return {
      .line =
          [working](FaultyLine& line) {
            *working =
                *working || line.method == "tools/call" || line.method == "subscriptions/listen";
          },
      .busy = [working] { return *working; },
      .configure = [](Settings&, StdioSettings& stdio) { stdio.grace = std::chrono::hours(1); }};
}

Script ShutdownTextOnStdout() {
  return {.end = [](Fault& fault) { fault.Write("shutting down...\n"); }};
}

Script ListenEndsSilently() {
  const auto ending = std::make_shared<bool>(false);
  return {.answer = [ending](FaultyMessage& answer) { answer.drop = *ending; },
          .end = [ending](Fault&) { *ending = true; }};
}

}  // namespace

std::vector<NamedFault> ShutdownFaults() {
  return {
      {"survives-end-of-input", "L-INIT-stdio-exit-on-eof", "BUG-256",
       "goes on running when its input ends", SurvivesEndOfInput},
      {"survives-end-and-sigterm", "L-INIT-stdio-exit-on-sigterm", "BUG-259",
       "goes on running when its input ends and when it is told to stop", SurvivesEndAndSigterm},
      {"worker-left-behind", "M-STDIO-EXIT-ON-EOF", "BUG-259",
       "does not exit at the end of input once a tool was called", WorkerLeftBehind},
      {"shutdown-text-on-stdout", "L-STDIO-stdout-clean", "BUG-001", "prints a farewell on stdout",
       ShutdownTextOnStdout},
      {"listen-ends-silently", "M-SUB-GRACEFUL-RESULT", "BUG-260",
       "does not answer open subscriptions when it stops", ListenEndsSilently},
  };
}

}  // namespace assay::reference
