// The port and the limits of the HTTP server: nobody may keep it busy, or make it remember, for
// ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "transport/http_reader.h"

namespace assay::reference {

struct HttpServerSettings {
  /// 0: the system chooses one.
  std::uint16_t port = 0;
  HttpLimits limits = {};
  /// One more is told 503.
  std::size_t most_connections = 512;
  /// A request that takes longer to arrive gets 408.
  std::chrono::milliseconds request_time = std::chrono::seconds(30);
  /// A connection without a request is closed.
  std::chrono::milliseconds idle_time = std::chrono::seconds(60);
  /// A client that takes nothing of what waits for it is given up, as is one for which too much
  /// waits.
  std::chrono::milliseconds stall_time = std::chrono::seconds(60);
  std::size_t most_pending_output = std::size_t{16} << 20U;
  /// How long answers may still come after the server was told to stop.
  std::chrono::milliseconds grace = std::chrono::milliseconds(250);
};

}  // namespace assay::reference
