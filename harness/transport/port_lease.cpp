#include "transport/port_lease.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

namespace assay {
namespace {

constexpr int kLowest = 15000;
constexpr int kHighest = 32767;
constexpr int kAttempts = 1000;

class Socket {
 public:
  Socket(int domain, int type) : fd_(::socket(domain, type | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool ok() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

[[noreturn]] void Fail() {
  throw std::system_error(errno, std::generic_category(), "looking for a free port");
}

// Whether nothing is bound to the port, at any address.
bool IsFree(int port) {
  const Socket both(AF_INET6, SOCK_STREAM);
  if (both.ok()) {
    const int only = 0;
    ::setsockopt(both.fd(), IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_any;
    address.sin6_port = htons(static_cast<std::uint16_t>(port));
    return ::bind(both.fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  const Socket socket(AF_INET, SOCK_STREAM);  // a machine without IPv6
  if (!socket.ok()) Fail();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(socket.fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

// An abstract name (unix(7)): it is seen just where the port is, in the same network namespace, and
// goes with its socket, however the process ends.
bool Mark(const Socket& socket, int port) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "assay-port-" + std::to_string(port);
  std::ranges::copy(name, address.sun_path + 1);  // behind the NUL that makes it abstract
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.fd(), reinterpret_cast<sockaddr*>(&address), size) == 0) return true;
  if (errno != EADDRINUSE) Fail();
  return false;
}

}  // namespace

PortLease::PortLease() {
  std::random_device random;
  std::uniform_int_distribution<int> ports(kLowest, kHighest);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int port = ports(random);
    Socket mark(AF_UNIX, SOCK_STREAM);
    if (!mark.ok()) Fail();
    if (!Mark(mark, port) || !IsFree(port)) continue;
    mark_ = mark.Release();
    port_ = std::to_string(port);
    return;
  }
  errno = EADDRINUSE;
  Fail();
}

PortLease::~PortLease() { ::close(mark_); }

}  // namespace assay
