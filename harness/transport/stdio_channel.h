// A server as a child process that speaks over stdin and stdout (the stdio transport).

#pragma once

#include <memory>

#include "transport/channel.h"

namespace assay {

// Starts `command` in a process group and session of its own. Never fails: a command that cannot be
// started is a channel that ends at once, saying why.
std::unique_ptr<Channel> StartStdioServer(Loop& loop, const Command& command,
                                          const ChannelLimits& limits);

}  // namespace assay
