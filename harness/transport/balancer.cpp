// Each connection of a client is a coroutine, which carries one request at a time.

#include "transport/balancer.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "message/balancer_fields.h"
#include "transport/http_answer.h"
#include "transport/http_socket.h"

namespace assay {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

using Parser = http::request_parser<http::string_body>;

constexpr milliseconds kConnectTime{5000};
constexpr std::size_t kPiece = std::size_t{16} << 10;

// Fields about one connection only (RFC 9110 § 7.6.1), and how long the body is: said anew.
bool IsOfConnection(std::string_view name) {
  return SameFieldName(name, "Connection") || SameFieldName(name, "Keep-Alive") ||
         SameFieldName(name, "Transfer-Encoding") || SameFieldName(name, "Upgrade");
}

std::string Chunk(std::string_view piece) {
  char size[16];
  char* const end = std::to_chars(size, size + sizeof size, piece.size(), 16).ptr;
  return std::string(size, end) + "\r\n" + std::string(piece) + "\r\n";
}

// The request as the instance is to see it: as it came, but for whom it is addressed to.
std::string Forwarded(const Parser& parser, const std::string& ours, const HttpTarget& target) {
  const auto& request = parser.get();
  std::string bytes =
      std::string(request.method_string()) + " " + std::string(request.target()) + " HTTP/1.1\r\n";
  for (const auto& field : request) {
    const std::string name(field.name_string());
    std::string value(field.value());
    if (IsOfConnection(name) || SameFieldName(name, "Content-Length")) continue;
    if (SameFieldName(name, "Host") && value == ours) value = target.Authority();
    bytes.append(name).append(": ").append(value).append("\r\n");
  }
  if (request.method() == http::verb::post || !request.body().empty()) {
    bytes += "Content-Length: " + std::to_string(request.body().size()) + "\r\n";
  }
  return bytes + "\r\n" + request.body();
}

// Turns the answer of an instance into that of the balancer, piece by piece.
class AnswerWriter {
 public:
  AnswerWriter(bool bodiless, std::string instance)
      : bodiless_(bodiless), instance_(std::move(instance)) {}

  void TakeHead(const HttpHead& head, const std::string& status_line) {
    begun_ = true;
    bodiless_ = bodiless_ || head.status == 204 || head.status == 304;
    chunked_ = !bodiless_ && head.Find("Content-Length") == nullptr;
    bytes_ += status_line;
    // The reason may be left out, but not the space before it (RFC 9112 section 4).
    if (std::ranges::count(status_line, ' ') == 1) bytes_ += ' ';
    bytes_ += "\r\n";
    for (const HttpField& field : head.fields) {
      if (IsOfConnection(field.name)) continue;
      bytes_.append(field.name).append(": ").append(field.value).append("\r\n");
    }
    bytes_ += std::string(kInstanceField) + ": " + instance_ + "\r\n";
    if (chunked_) bytes_ += "Transfer-Encoding: chunked\r\n";
    bytes_ += "\r\n";
  }
  void TakeBody(std::string_view piece) {
    if (!piece.empty()) bytes_ += chunked_ ? Chunk(piece) : std::string(piece);
  }
  void End() {
    if (chunked_) bytes_ += "0\r\n\r\n";
  }
  // An answer of our own.
  void Fail(const std::string& why) {
    begun_ = true;
    bytes_ = "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\n" +
             std::string(kInstanceField) + ": " + instance_ + "\r\n" + std::string(kBalancerField) +
             ": " + why + "\r\nContent-Length: " + std::to_string(why.size()) + "\r\n\r\n" +
             (bodiless_ ? "" : why);
  }

  bool begun() const { return begun_; }
  std::string Take() { return std::exchange(bytes_, {}); }

 private:
  bool bodiless_;
  const std::string instance_;
  std::string bytes_;
  bool begun_ = false;
  bool chunked_ = false;
};

// The part that its coroutines keep alive.
class Proxy : public std::enable_shared_from_this<Proxy> {
 public:
  Proxy(Loop& loop, std::vector<Balancer::Instance> instances)
      : loop_(loop),
        instances_(std::move(instances)),
        acceptor_(loop.context(), tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
        changed_(loop) {
    target_ = {.host = "127.0.0.1",
               .port = std::to_string(acceptor_.local_endpoint().port()),
               .path = instances_.front().target.path,
               .fields = {},
               .ca_file = ""};
  }

  void Start() { loop_.Spawn(Accept(shared_from_this())); }
  const HttpTarget& target() const { return target_; }

  void Move(const std::string& name, const HttpTarget& target) {
    for (Balancer::Instance& instance : instances_) {
      if (instance.name == name) instance.target = target;
    }
  }

  Task<void> Close() {
    const auto self = shared_from_this();
    Abandon();
    while (running_ > 0) co_await changed_.Wait(Clock::time_point::max());
  }

  void Abandon() {
    closed_ = true;
    error_code ignored;
    acceptor_.close(ignored);
    for (const auto& client : clients_) client->Close();
  }

 private:
  // A connection of a client, and the one to an instance while there is one.
  struct Client : std::enable_shared_from_this<Client> {
    explicit Client(tcp::socket its_socket) : socket(std::move(its_socket)) {}

    void Close() {
      error_code ignored;
      socket.close(ignored);
      if (upstream) upstream->Close();
    }
    // While an answer is on its way nothing should come but the end.
    void WatchForEnd() {
      socket.async_wait(tcp::socket::wait_read, [weak = weak_from_this()](error_code error) {
        const auto client = weak.lock();
        if (error || client == nullptr || !client->upstream) return;
        char byte = 0;
        client->socket.non_blocking(true, error);
        const std::size_t size =
            client->socket.receive(asio::buffer(&byte, 1), tcp::socket::message_peek, error);
        if (size == 0) client->upstream->Close();
      });
    }

    tcp::socket socket;
    std::string pending;  // read and not used yet
    std::shared_ptr<HttpSocket> upstream;
  };

  class Running {
   public:
    explicit Running(Proxy& proxy) : proxy_(proxy) { ++proxy_.running_; }
    ~Running() {
      --proxy_.running_;
      proxy_.changed_.Ring();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    Proxy& proxy_;
  };

  static Task<void> Accept(std::shared_ptr<Proxy> self) {
    const Running running(*self);
    while (!self->closed_) {
      error_code error;
      tcp::socket socket =
          co_await self->acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error || self->closed_) co_return;
      socket.set_option(tcp::no_delay(true), error);
      self->loop_.Spawn(Serve(self, std::make_shared<Client>(std::move(socket))));
    }
  }

  static Task<void> Serve(std::shared_ptr<Proxy> self, std::shared_ptr<Client> client) {
    const Running running(*self);
    self->clients_.insert(client);
    for (bool open = true; open && !self->closed_;) {
      Parser parser;
      parser.body_limit(boost::none);
      parser.eager(true);
      open = co_await Read(*client, parser);
      if (open) open = co_await self->Carry(*client, parser);
    }
    client->Close();
    self->clients_.erase(client);
  }

  // False when the client sends no more, or no HTTP.
  static Task<bool> Read(Client& client, Parser& parser) {
    std::vector<char> buffer(kPiece);
    while (!parser.is_done()) {
      error_code error;
      if (!client.pending.empty()) {
        client.pending.erase(0, parser.put(asio::buffer(client.pending), error));
        if (error && error != http::error::need_more) co_return false;
        if (parser.is_done()) break;
      }
      const std::size_t size = co_await client.socket.async_read_some(
          asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return false;
      client.pending.append(buffer.data(), size);
    }
    co_return true;
  }

  // Whether the connection may carry another request.
  Task<bool> Carry(Client& client, const Parser& parser) {
    const Balancer::Instance instance = instances_[next_++ % instances_.size()];
    const bool bodiless = parser.get().method() == http::verb::head;
    AnswerWriter writer(bodiless, instance.name);
    HttpAnswer answer(bodiless, {[&](const HttpHead& head, const std::string& status_line) {
                                   writer.TakeHead(head, status_line);
                                 },
                                 [&](std::string_view piece) { writer.TakeBody(piece); }});
    HttpDialer dialer(loop_, instance.target);
    client.upstream = dialer.Dial();
    std::string why = co_await client.upstream->Connect(Clock::now() + kConnectTime);
    if (why.empty()) {
      client.WatchForEnd();
      why = co_await Relay(client, Forwarded(parser, target_.Authority(), instance.target), answer,
                           writer);
    }
    client.upstream->Close();
    client.upstream = nullptr;
    error_code ignored;
    client.socket.cancel(ignored);  // the watch
    if (answer.done()) {
      writer.End();
    } else if (!writer.begun()) {
      writer.Fail("instance " + instance.name + " gave no answer: " + why);
    } else {
      co_return false;  // broken off there, so here
    }
    const bool written = co_await Write(client, writer.Take());
    co_return written&& parser.keep_alive();
  }

  // Returns why there is no whole answer, "" if there is.
  static Task<std::string> Relay(Client& client, const std::string& request, HttpAnswer& answer,
                                 AnswerWriter& writer) {
    const std::shared_ptr<HttpSocket> upstream = client.upstream;
    error_code error;
    co_await upstream->Write(request, error);
    std::vector<char> buffer(kPiece);
    while (!answer.done() && answer.error().empty()) {
      const std::size_t size = co_await upstream->Read(buffer.data(), buffer.size(), error);
      if (size == 0) {
        answer.End();
        break;
      }
      answer.Feed({buffer.data(), size});
      const bool written = co_await Write(client, writer.Take());
      if (!written) break;
    }
    if (!answer.error().empty()) co_return answer.error();
    if (answer.done()) co_return "";
    co_return error ? error.message() : "it closed the connection";
  }

  static Task<bool> Write(Client& client, std::string bytes) {
    if (bytes.empty()) co_return true;
    error_code error;
    co_await asio::async_write(client.socket, asio::buffer(bytes),
                               asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

  Loop& loop_;
  std::vector<Balancer::Instance> instances_;
  tcp::acceptor acceptor_;
  HttpTarget target_;
  std::size_t next_ = 0;
  std::set<std::shared_ptr<Client>> clients_;
  int running_ = 0;
  bool closed_ = false;
  Bell changed_;
};

class LocalBalancer final : public Balancer {
 public:
  explicit LocalBalancer(std::shared_ptr<Proxy> proxy) : proxy_(std::move(proxy)) {
    proxy_->Start();
  }
  ~LocalBalancer() override { proxy_->Abandon(); }
  LocalBalancer(const LocalBalancer&) = delete;
  LocalBalancer& operator=(const LocalBalancer&) = delete;

  const HttpTarget& target() const override { return proxy_->target(); }
  void Move(const std::string& name, const HttpTarget& target) override {
    proxy_->Move(name, target);
  }
  Task<void> Close() override { return proxy_->Close(); }

 private:
  std::shared_ptr<Proxy> proxy_;
};

}  // namespace

std::unique_ptr<Balancer> StartBalancer(Loop& loop, std::vector<Balancer::Instance> instances) {
  return std::make_unique<LocalBalancer>(std::make_shared<Proxy>(loop, std::move(instances)));
}

}  // namespace assay
