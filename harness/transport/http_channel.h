// A server that is reached over HTTP: one client of it, with as many connections as there are
// requests under way (http_socket.h has TCP and TLS, http_answer.h has Beast).

#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "message/http_message.h"
#include "transport/channel.h"

namespace assay {

// Where a server is, and what every request to it carries.
struct HttpTarget {
  bool tls = false;
  std::string host;  // name or address, without brackets
  std::string port;
  std::string path = "/";         // path and query
  std::vector<HttpField> fields;  // of `--header` and `--bearer`: added unless a request has them
  std::string ca_file;            // PEM; "" = the system's
  bool insecure = false;          // accept any certificate

  // What goes into the Host field.
  std::string Authority() const;
};

// Reads http:// and https:// URLs. Throws std::invalid_argument that says what is wrong.
HttpTarget ParseUrl(const std::string& url);

// A new client. Opens nothing yet. No proxy is ever used. Bodies and events are bounded by
// `limits.line`, all that comes unasked by `limits.output`.
std::unique_ptr<Channel> ConnectHttp(Loop& loop, const HttpTarget& target,
                                     const ChannelLimits& limits);

// A server of ours that speaks HTTP, as a child process: `{port}` in its arguments and PORT in its
// environment name a port that is its own (port_lease.h).
class HttpServerProcess {
 public:
  virtual ~HttpServerProcess() = default;
  virtual const HttpTarget& target() const = 0;
  // Returns when something answers HTTP there ("" then), when the process has ended, or at
  // `deadline`: then why not, in words, with its last words.
  virtual Task<std::string> Ready(Clock::time_point deadline) = 0;
  virtual bool ended() const = 0;
  // What it wrote to stderr and how it ended, from the beginning, to all listeners alike: kError,
  // kNotStarted, kExited, kKilled, kOrphans.
  virtual void Listen(std::function<void(const ChannelEvent&)> listener) = 0;
  virtual void Signal(int signal) = 0;
  // As Channel::ResidentBytes.
  virtual std::size_t ResidentBytes() const = 0;
  // Ends the server: SIGTERM, and after `grace` as Channel::Shutdown does.
  virtual Task<void> Shutdown(std::chrono::milliseconds grace) = 0;
};

// `path` is that of the endpoint, e.g. /mcp. Never fails, like StartStdioServer.
std::unique_ptr<HttpServerProcess> StartHttpServer(Loop& loop, const Command& command,
                                                   const std::string& path,
                                                   const ChannelLimits& limits);

}  // namespace assay
