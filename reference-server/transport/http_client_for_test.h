// A blocking HTTP client, for what only real sockets show.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "transport/http/endpoint_for_test.h"
#include "transport/http/http_message.h"

namespace assay::reference {

/// Patience of a test that waits for what must come.
inline constexpr std::chrono::seconds kPatience(60);

/// One connection.
class HttpClient {
 public:
  /// Throws std::system_error if nobody listens.
  explicit HttpClient(std::uint16_t port)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{kPatience.count(), 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return;
    const int why = errno;
    ::close(socket_);
    throw std::system_error(why, std::generic_category(), "connect");
  }
  ~HttpClient() { ::close(socket_); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // the server hung up, as it may
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void CloseOutput() { ::shutdown(socket_, SHUT_WR); }

  /// Until `end` has arrived, or the server hangs up.
  std::string ReadUntil(std::string_view end) {
    std::array<char, 65536> chunk;
    while (read_.find(end) == std::string::npos) {
      const ssize_t count = ::recv(socket_, chunk.data(), chunk.size(), 0);
      if (count <= 0) return std::exchange(read_, {});
      read_.append(chunk.data(), static_cast<std::size_t>(count));
    }
    const std::size_t size = read_.find(end) + end.size();
    std::string taken = read_.substr(0, size);
    read_.erase(0, size);
    return taken;
  }
  /// Until the server hangs up.
  std::string ReadAll() {
    std::string all = std::exchange(read_, {});
    std::array<char, 65536> chunk;
    ssize_t count = 0;
    while ((count = ::recv(socket_, chunk.data(), chunk.size(), 0)) > 0) {
      all.append(chunk.data(), static_cast<std::size_t>(count));
    }
    EXPECT_FALSE(count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) << "not hung up";
    return all;
  }

 private:
  int socket_;
  std::string read_;
};

/// One request on a connection of its own, and its answer, which must be no stream. Throws a
/// std::runtime_error if the server is not there, or goes away before it has answered.
inline Received ExchangeWith(std::uint16_t port, const HttpRequest& request) {
  constexpr std::string_view kLineEnd = "\r\n";
  std::string bytes = request.method + " " + request.target +
                      " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                      "\r\nConnection: close\r\n";
  for (const HttpHeader& header : request.headers) {
    bytes += header.name + ": " + header.value + "\r\n";
  }
  bytes += "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
  HttpClient client(port);
  client.Send(bytes);
  std::string head = client.ReadUntil("\r\n\r\n");
  // Whoever connects to a port that was just given up may even reach himself.
  if (!head.starts_with("HTTP/1.1 ")) throw std::runtime_error("no answer");
  Received received;
  received.body = client.ReadAll();
  received.ended = true;
  received.status = std::stoi(head.substr(9));
  for (head.erase(0, head.find(kLineEnd) + 2); head != kLineEnd && !head.empty();
       head.erase(0, head.find(kLineEnd) + 2)) {
    const std::size_t colon = head.find(": ");
    received.headers.push_back(
        {head.substr(0, colon), head.substr(colon + 2, head.find(kLineEnd) - colon - 2)});
  }
  const std::string length = received.Header("Content-Length");
  if (received.status != 204 && length != std::to_string(received.body.size())) {
    throw std::runtime_error("half an answer");
  }
  return received;
}

}  // namespace assay::reference
