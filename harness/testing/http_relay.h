// The relay over HTTP.

#pragma once

#include <string>

#include "testing/variation.h"

namespace assay {

// Listens on `port` of 127.0.0.1 and carries each connection that comes to one of its own to
// `server_port`: requests as they are, answers varied and as they arrive. When one side hangs up,
// the other is hung up on. Returns at once; the connections live on threads of their own. Throws
// std::system_error if the port cannot be had.
void StartHttpRelay(Variation& variation, int port, int server_port);

// Returns when all that servers said has been passed on, or after twenty moments.
void AwaitHttpRelay();

}  // namespace assay
