// TCP and TLS (asio::ssl, which is OpenSSL).

#include "transport/http_socket.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

struct HttpServerPlace {
  HttpServerPlace(Loop& its_loop, const HttpTarget& its_target)
      : loop(its_loop), target(its_target) {
    if (target.tls) SetUpTls();
  }

  void SetUpTls() {
    tls.emplace(ssl::context::tls_client);
    error_code error;
    tls->set_verify_mode(target.insecure ? ssl::verify_none : ssl::verify_peer, error);
    if (target.ca_file.empty()) {
      tls->set_default_verify_paths(error);
    } else {
      tls->load_verify_file(target.ca_file, error);
      if (error) tls_error = "no certificates in " + target.ca_file + ": " + error.message();
    }
  }

  Loop& loop;
  const HttpTarget target;
  std::optional<ssl::context> tls;
  std::string tls_error;                 // why no TLS can be spoken
  std::vector<tcp::endpoint> endpoints;  // looked up once; the one that answered comes first
};

namespace {

// A look-up of a host name. It cannot be stopped; who waits for it can.
struct LookUp {
  explicit LookUp(Loop& loop) : resolver(loop.context()), bell(loop) {}

  tcp::resolver resolver;
  Bell bell;
  bool done = false;
  error_code error;
  std::vector<tcp::endpoint> endpoints;
};

template <typename Stream>
class StreamSocket final : public HttpSocket,
                           public std::enable_shared_from_this<StreamSocket<Stream>> {
 public:
  template <typename... Arguments>
  explicit StreamSocket(std::shared_ptr<HttpServerPlace> place, Arguments&&... arguments)
      : place_(std::move(place)), stream_(std::forward<Arguments>(arguments)...) {}

  Task<std::string> Connect(Clock::time_point deadline) override {
    const auto self = this->shared_from_this();
    asio::steady_timer timer(place_->loop.context(), deadline);
    bool timed_out = false;
    connecting_ = true;
    timer.async_wait([weak = this->weak_from_this(), &timed_out](const error_code& stopped) {
      const auto late = weak.lock();
      if (stopped || !late || !late->connecting_) return;
      timed_out = true;
      late->Close();
    });
    const std::string why = co_await Open();
    connecting_ = false;
    if (why.empty()) co_return "";
    co_return "cannot connect to " + place_->target.Authority() + ": " +
        (timed_out ? "no connection in time" : why);
  }

  Task<void> Write(std::string_view bytes, error_code& error) override {
    const auto self = this->shared_from_this();
    co_await asio::async_write(stream_, asio::buffer(bytes),
                               asio::redirect_error(asio::use_awaitable, error));
  }

  Task<std::size_t> Read(char* to, std::size_t size, error_code& error) override {
    const auto self = this->shared_from_this();
    const std::size_t came = co_await stream_.async_read_some(
        asio::buffer(to, size), asio::redirect_error(asio::use_awaitable, error));
    // Hardly anybody says good-bye over TLS; whether an answer is whole, HTTP tells.
    if (error == asio::error::eof || error == ssl::error::stream_truncated) error.clear();
    co_return came;
  }

  void CloseWriting() override {
    error_code ignored;
    if constexpr (!kTls) stream_.shutdown(tcp::socket::shutdown_send, ignored);
  }

  void Close() override {
    closed_ = true;
    error_code ignored;
    stream_.lowest_layer().close(ignored);
    if (look_up_) look_up_->bell.Ring();
  }

 private:
  static constexpr bool kTls = !std::is_same_v<Stream, tcp::socket>;

  Task<std::string> Open() {
    if (!place_->tls_error.empty()) co_return place_->tls_error;
    if (place_->endpoints.empty()) {
      const error_code error = co_await FindEndpoints();
      if (error) co_return error.message();
    }
    error_code error = asio::error::operation_aborted;
    const std::vector<tcp::endpoint> endpoints = place_->endpoints;
    for (const tcp::endpoint& endpoint : endpoints) {
      if (closed_) break;
      error_code ignored;
      stream_.lowest_layer().close(ignored);  // the last attempt's
      co_await stream_.lowest_layer().async_connect(
          endpoint, asio::redirect_error(asio::use_awaitable, error));
      if (error) continue;
      const auto used = std::ranges::find(place_->endpoints, endpoint);
      if (used != place_->endpoints.end()) std::rotate(place_->endpoints.begin(), used, used + 1);
      break;
    }
    if (error) co_return error.message();
    stream_.lowest_layer().set_option(tcp::no_delay(true), error);
    if constexpr (kTls) co_return co_await Greet();
    co_return "";
  }

  Task<error_code> FindEndpoints() {
    const HttpTarget& target = place_->target;
    error_code error;
    const asio::ip::address address = asio::ip::make_address(target.host, error);
    const auto port = static_cast<asio::ip::port_type>(std::stoul(target.port));
    if (!error) {
      place_->endpoints = {tcp::endpoint(address, port)};
      co_return error_code();
    }
    if (target.host == "localhost") {
      // RFC 6761, section 6.3: the loopback addresses, whatever the system's tables say or lack.
      place_->endpoints = {tcp::endpoint(asio::ip::address_v4::loopback(), port),
                           tcp::endpoint(asio::ip::address_v6::loopback(), port)};
      co_return error_code();
    }
    const auto look_up = std::make_shared<LookUp>(place_->loop);
    look_up_ = look_up;
    look_up->resolver.async_resolve(
        target.host, target.port,
        [look_up](const error_code& failure, const tcp::resolver::results_type& found) {
          look_up->done = true;
          look_up->error = failure;
          look_up->endpoints.assign(found.begin(), found.end());
          look_up->bell.Ring();
        });
    while (!look_up->done && !closed_) co_await look_up->bell.Wait(Clock::time_point::max());
    look_up_ = nullptr;
    if (!look_up->done) co_return asio::error::operation_aborted;
    place_->endpoints = look_up->endpoints;
    co_return look_up->error;
  }

  // Greets the server over TLS: Server Name Indication, and its certificate must be for its name.
  Task<std::string> Greet() {
    SSL* const tls = stream_.native_handle();
    const std::string& host = place_->target.host;
    error_code error;
    asio::ip::make_address(host, error);
    const bool has_name = error.failed();
    if (has_name) SSL_set_tlsext_host_name(tls, host.c_str());
    if (!place_->target.insecure) SSL_set1_host(tls, host.c_str());
    error.clear();
    co_await stream_.async_handshake(ssl::stream_base::client,
                                     asio::redirect_error(asio::use_awaitable, error));
    if (!error) co_return "";
    std::string why = "TLS failed: " + error.message();
    const long verified = SSL_get_verify_result(tls);
    if (!place_->target.insecure && verified != X509_V_OK) {
      why += std::string(": ") + X509_verify_cert_error_string(verified);
    }
    co_return why;
  }

  const std::shared_ptr<HttpServerPlace> place_;
  Stream stream_;
  std::shared_ptr<LookUp> look_up_;
  bool connecting_ = false;
  bool closed_ = false;
};

}  // namespace

HttpDialer::HttpDialer(Loop& loop, const HttpTarget& target)
    : place_(std::make_shared<HttpServerPlace>(loop, target)) {}

std::shared_ptr<HttpSocket> HttpDialer::Dial() {
  asio::io_context& context = place_->loop.context();
  if (place_->tls) {
    return std::make_shared<StreamSocket<ssl::stream<tcp::socket>>>(place_, context, *place_->tls);
  }
  return std::make_shared<StreamSocket<tcp::socket>>(place_, context);
}

}  // namespace assay
