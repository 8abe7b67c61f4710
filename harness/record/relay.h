// Stands between a client and a server on stdio and changes nothing.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Who hears what is carried, in the order in which it was read. Both must be set.
struct RelayListener {
  std::function<void(std::string_view bytes)> from_client;
  std::function<void(std::string_view bytes)> from_server;
  std::function<void()> client_gone;  // its end of our stdin is closed
};

// Starts `command`, whose stderr is ours, and carries bytes between our stdin and stdout and it
// until it has ended. SIGINT, SIGTERM and SIGHUP are handed on to it. Returns its exit code, or 128
// and the number of the signal that ended it, as shells do. Throws std::system_error when it cannot
// start.
int RelayStdio(const std::vector<std::string>& command, const RelayListener& listener);

}  // namespace assay
