// Cuts the bytes of one HTTP/1 connection into requests, however they arrive. No sockets.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <variant>

#include "transport/http/http_message.h"

namespace assay::reference {

struct HttpLimits {
  std::size_t header = std::size_t{16} << 10U;
  std::size_t body = std::size_t{16} << 20U;
};

class HttpReader {
 public:
  struct NeedsMore {};
  struct Complete {
    HttpRequest request;
    /// Whether the connection may carry another request after this one.
    bool keeps_alive;
    /// Whether the client understands chunks (HTTP/1.1).
    bool takes_chunks;
  };
  /// Nothing more can be read from this connection.
  struct Broken {
    int status;
  };

  explicit HttpReader(const HttpLimits& limits = {});
  ~HttpReader();
  HttpReader(const HttpReader&) = delete;
  HttpReader& operator=(const HttpReader&) = delete;

  void Feed(std::string_view bytes);
  std::variant<NeedsMore, Complete, Broken> Next();

  /// Whether a part of a request is there.
  bool in_request() const;
  /// Bytes that are not part of a request yet.
  std::size_t buffered() const;
  /// Whether the client waits for a 100 (Continue) before it sends the body; true once a request.
  bool TakeExpectation();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay::reference
