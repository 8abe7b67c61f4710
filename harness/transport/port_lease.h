// A TCP port for a server that is told where to listen.

#pragma once

#include <string>

namespace assay {

// A port of this machine that was free when this was made, and that nobody else who asks here, in
// whatever process, gets as long as this lives: two servers that are started at the same time never
// meet. It is taken from below the range that outgoing connections use (ip(7),
// ip_local_port_range).
class PortLease {
 public:
  // Throws std::system_error when sockets cannot be made, or a long search finds no port.
  PortLease();
  ~PortLease();
  PortLease(const PortLease&) = delete;
  PortLease& operator=(const PortLease&) = delete;

  const std::string& port() const { return port_; }

 private:
  int mark_ = -1;  // a socket whose name only one process can have
  std::string port_;
};

}  // namespace assay
