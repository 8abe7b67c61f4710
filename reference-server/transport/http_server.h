// HTTP/1.1 on the loopback interface, one thread, one event loop. What is served is somebody else's
// business.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "transport/http/http_message.h"
#include "transport/http_reader.h"

namespace boost::asio {
class io_context;
}

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

class HttpServer {
 public:
  /// Listens on 127.0.0.1. Throws boost::system::system_error if the port cannot be had. The loop
  /// and the handler must outlive the server.
  HttpServer(boost::asio::io_context& loop, const HttpServerSettings& settings,
             HttpHandler& handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;

  /// Serves until SIGTERM, SIGINT or Stop.
  void Run();
  /// Accepts nothing any more, lets the handler end what waits for events, and stops the loop when
  /// everything is answered or the grace is over. On the loop's thread only.
  void Stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace assay::reference
