// Connections to one server, in the clear or over TLS. The only place, with its .cpp, that knows
// Asio's sockets and OpenSSL.

#pragma once

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "transport/http_channel.h"
#include "transport/loop.h"

namespace assay {

// One connection. Its coroutines keep it alive.
class HttpSocket {
 public:
  virtual ~HttpSocket() = default;

  // Finds the server, connects, and greets it over TLS. "" or, in words, why it could not be done.
  virtual Task<std::string> Connect(Clock::time_point deadline) = 0;
  virtual Task<void> Write(std::string_view bytes, boost::system::error_code& error) = 0;
  // How many bytes came; 0 at the end of the stream, with an error if it broke off.
  virtual Task<std::size_t> Read(char* to, std::size_t size, boost::system::error_code& error) = 0;
  // Tells the server that nothing more will be written. Over TLS, whose good-bye ends both
  // directions for many, nothing.
  virtual void CloseWriting() = 0;
  // At once. Whoever waits for it gets an error.
  virtual void Close() = 0;
};

// What the connections to a server share.
struct HttpServerPlace;

// Makes connections to one server.
class HttpDialer {
 public:
  HttpDialer(Loop& loop, const HttpTarget& target);
  // A connection that is still to be opened.
  std::shared_ptr<HttpSocket> Dial();

 private:
  std::shared_ptr<HttpServerPlace> place_;
};

}  // namespace assay
