// HTTP/1.1 on the loopback interface, one thread, one event loop. What is served is somebody else's
// business.
#pragma once

#include <cstdint>
#include <memory>

#include "transport/http/http_message.h"
#include "transport/http_server_settings.h"

namespace boost::asio {
class io_context;
}

namespace assay::reference {

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
