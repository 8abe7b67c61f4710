#include "testing/scripted_server.h"

#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <type_traits>
#include <utility>

namespace assay {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// The value of Content-Length in `head`, which this client writes in one way only.
std::size_t BodyLength(const std::string& head) {
  const std::string name = "Content-Length: ";
  const std::size_t at = head.find(name);
  return at == std::string::npos ? 0 : std::stoul(head.substr(at + name.size()));
}

template <typename Stream>
class Connection final : public ScriptedConnection {
 public:
  explicit Connection(Stream stream) : stream_(std::move(stream)) {
    error_code ignored;
    stream_.lowest_layer().set_option(tcp::no_delay(true), ignored);
  }

  Task<bool> Greet() {
    error_code error;
    if constexpr (kTls) {
      co_await stream_.async_handshake(ssl::stream_base::server,
                                       asio::redirect_error(asio::use_awaitable, error));
    }
    co_return !error;
  }

  Task<std::string> Read() override {
    for (;;) {
      const std::size_t end = came_.find("\r\n\r\n");
      if (end != std::string::npos) {
        const std::size_t size = end + 4 + BodyLength(came_.substr(0, end));
        if (came_.size() >= size) {
          std::string request = came_.substr(0, size);
          came_.erase(0, size);
          co_return request;
        }
      }
      error_code error;
      char buffer[4096];
      const std::size_t size = co_await stream_.async_read_some(
          asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return "";
      came_.append(buffer, size);
    }
  }

  Task<bool> Write(std::string bytes) override {
    error_code error;
    co_await asio::async_write(stream_, asio::buffer(bytes),
                               asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

  void Close() override {
    error_code ignored;
    stream_.lowest_layer().close(ignored);
  }

  void Reset() override {
    error_code ignored;
    stream_.lowest_layer().set_option(asio::socket_base::linger(true, 0), ignored);
    Close();
  }

  std::string server_name() override {
    if constexpr (kTls) {
      const char* const name =
          SSL_get_servername(stream_.native_handle(), TLSEXT_NAMETYPE_host_name);
      if (name != nullptr) return name;
    }
    return "";
  }

 private:
  static constexpr bool kTls = !std::is_same_v<Stream, tcp::socket>;

  Stream stream_;
  std::string came_;
};

}  // namespace

struct ScriptedServer::Listener : std::enable_shared_from_this<Listener> {
  Listener(Loop& loop, ScriptedPlay its_play)
      : play(std::move(its_play)),
        acceptor(loop.context(), tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {}

  static Task<void> Accept(std::shared_ptr<Listener> self) {
    for (;;) {
      error_code error;
      tcp::socket socket =
          co_await self->acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return;
      const int number = ++self->connections;
      if (self->tls) {
        using Tls = ssl::stream<tcp::socket>;
        auto connection = std::make_shared<Connection<Tls>>(Tls(std::move(socket), *self->tls));
        asio::co_spawn(self->acceptor.get_executor(), Serve(self, std::move(connection), number),
                       asio::detached);
      } else {
        auto connection = std::make_shared<Connection<tcp::socket>>(std::move(socket));
        asio::co_spawn(self->acceptor.get_executor(), Serve(self, std::move(connection), number),
                       asio::detached);
      }
    }
  }

  template <typename Connection>
  static Task<void> Serve(std::shared_ptr<Listener> self, std::shared_ptr<Connection> connection,
                          int number) {
    if (!co_await connection->Greet()) co_return;
    const std::weak_ptr<ScriptedConnection> weak = connection;
    self->open.push_back(weak);
    co_await self->play(*connection, number);
    connection->Close();
  }

  ScriptedPlay play;
  tcp::acceptor acceptor;
  std::optional<ssl::context> tls;
  int connections = 0;
  std::vector<std::weak_ptr<ScriptedConnection>> open;
};

ScriptedServer::ScriptedServer(Loop& loop, ScriptedPlay play, const Certificate* certificate)
    : listener_(std::make_shared<Listener>(loop, std::move(play))) {
  target_.tls = certificate != nullptr;
  target_.host = "127.0.0.1";
  target_.port = std::to_string(listener_->acceptor.local_endpoint().port());
  target_.path = "/mcp";
  if (certificate != nullptr) {
    listener_->tls.emplace(ssl::context::tls_server);
    listener_->tls->use_certificate(asio::buffer(certificate->pem), ssl::context::pem);
    listener_->tls->use_private_key(asio::buffer(certificate->key), ssl::context::pem);
  }
  asio::co_spawn(loop.context(), Listener::Accept(listener_), asio::detached);
}

ScriptedServer::~ScriptedServer() {
  error_code ignored;
  listener_->acceptor.close(ignored);
  for (const auto& weak : listener_->open) {
    if (const auto connection = weak.lock()) connection->Close();
  }
}

int ScriptedServer::connections() const { return listener_->connections; }

std::string HttpAnswerOf(int status, const std::string& type, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " Whatever\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string EventStreamHead() {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
}

}  // namespace assay
