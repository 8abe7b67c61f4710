#include "transport/http_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <set>
#include <utility>

#include "transport/http_connection.h"

namespace assay::reference {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

class HttpServer::Impl : public std::enable_shared_from_this<HttpServer::Impl> {
 public:
  Impl(asio::io_context& loop, const HttpServerSettings& settings, HttpHandler& handler)
      : connections_(std::make_shared<HttpConnections>(HttpConnections{loop, settings, handler})),
        acceptor_(loop, tcp::endpoint(asio::ip::address_v4::loopback(), settings.port)),
        signals_(loop),
        timer_(loop) {}

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void Run() {
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    signals_.async_wait([weak = weak_from_this()](const error_code& failed, int) {
      const std::shared_ptr<Impl> self = weak.lock();
      if (!failed && self != nullptr) self->Stop();
    });
    Accept();
    connections_->loop.run();
  }

  void Stop() {
    if (std::exchange(connections_->stopping, true)) return;
    error_code ignored;
    acceptor_.close(ignored);
    connections_->handler.HandleEnd();
    // EndSoon takes connections out of the set.
    for (const auto& connection : std::set(connections_->open)) connection->EndSoon();
    if (connections_->open.empty()) return connections_->loop.stop();
    timer_.expires_after(connections_->settings.grace);
    timer_.async_wait([connections = connections_](const error_code& cancelled) {
      if (!cancelled) connections->loop.stop();
    });
  }

  void CloseAll() {
    error_code ignored;
    acceptor_.close(ignored);
    signals_.cancel(ignored);
    timer_.cancel();
    for (const auto& connection : std::set(connections_->open)) connection->Close();
  }

 private:
  void Accept() {
    acceptor_.async_accept([weak = weak_from_this()](const error_code& failed, tcp::socket socket) {
      const std::shared_ptr<Impl> self = weak.lock();
      if (self == nullptr || !self->acceptor_.is_open()) return;
      if (failed) return self->AcceptLater();
      self->Welcome(std::move(socket));
      self->Accept();
    });
  }

  /// Out of descriptors, most likely: those who leave give some back.
  void AcceptLater() {
    timer_.expires_after(std::chrono::milliseconds(100));
    timer_.async_wait([weak = weak_from_this()](const error_code& cancelled) {
      const std::shared_ptr<Impl> self = weak.lock();
      if (!cancelled && self != nullptr) self->Accept();
    });
  }

  void Welcome(tcp::socket socket) {
    // Beyond the limit there is room for some refusals, and then for none.
    constexpr std::size_t kMostRefusals = 64;
    const std::size_t most = connections_->settings.most_connections;
    if (connections_->open.size() >= most + kMostRefusals) return;
    const auto connection = std::make_shared<HttpConnection>(std::move(socket), connections_);
    connections_->open.insert(connection);
    if (connections_->open.size() > most) return connection->Refuse();
    connection->Start();
  }

  std::shared_ptr<HttpConnections> connections_;
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer timer_;
};

HttpServer::HttpServer(asio::io_context& loop, const HttpServerSettings& settings,
                       HttpHandler& handler)
    : impl_(std::make_shared<Impl>(loop, settings, handler)) {}

HttpServer::~HttpServer() { impl_->CloseAll(); }

std::uint16_t HttpServer::port() const { return impl_->port(); }
void HttpServer::Run() { impl_->Run(); }
void HttpServer::Stop() { impl_->Stop(); }

}  // namespace assay::reference
