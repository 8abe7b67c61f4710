// A thread for each connection: whoever is made slow holds nobody else up.

#include "testing/http_relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "testing/http_variation.h"
#include "transport/http_answer.h"

namespace assay {
namespace {

namespace http = boost::beast::http;

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  return address;
}

int NewSocket() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) throw std::system_error(errno, std::generic_category(), "socket");
  return socket;
}

// False once the other side has hung up.
bool SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Follows what a client asks, as far as it is HTTP.
class RequestReader {
 public:
  void Feed(std::string_view bytes) {
    pending_.append(bytes);
    while (!broken_ && !pending_.empty()) {
      if (!parser_) {
        parser_.emplace();
        parser_->eager(true);
        parser_->body_limit(boost::none);
      }
      boost::system::error_code error;
      pending_.erase(0, parser_->put(boost::asio::buffer(pending_), error));
      if (error == http::error::need_more) return;
      broken_ = error.failed();
      if (broken_ || !parser_->is_done()) return;
      const auto& request = parser_->get();
      const JsonParse message = ParseJson(request.body());
      asked_.push_back(
          {.http_method = std::string(request.method_string()),
           .revision = std::string(request["MCP-Protocol-Version"]),
           .method = message.value ? message.value->FindString("method").value_or("") : ""});
      parser_.reset();
    }
  }

  // The request that is answered next. Nothing is known of one that is answered before it is whole.
  Asked Next() {
    if (asked_.empty()) return {};
    Asked next = std::move(asked_.front());
    asked_.pop_front();
    return next;
  }

 private:
  std::optional<http::request_parser<http::string_body>> parser_;
  std::string pending_;
  std::deque<Asked> asked_;
  bool broken_ = false;
};

bool IsResponse(std::string_view request) {
  const std::size_t body = request.find("\r\n\r\n");
  if (!request.starts_with("POST ") || body == std::string_view::npos) return false;
  const JsonParse message = ParseJson(request.substr(body + 4));
  return message.value && message.value->Find("jsonrpc") != nullptr &&
         message.value->Find("method") == nullptr;
}

// A count that the threads of all connections share.
class SharedCount {
 public:
  void Add(int change) {
    const std::scoped_lock lock(mutex_);
    count_ += change;
    changed_.notify_all();
  }
  // Returns once `holds(before, now)` of the counts at the call and now, or after `limit`.
  template <typename Condition>
  void Await(std::chrono::milliseconds limit, Condition holds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [&, before = count_] { return holds(before, count_); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

SharedCount& EndedSessions() {
  static SharedCount ended;
  return ended;
}

SharedCount& Connections() {
  static SharedCount carried;
  return carried;
}

class Carrier {
 public:
  Carrier(Variation& variation, int client, int server)
      : variation_(variation), client_(client), server_(server) {}
  ~Carrier() {
    ::close(client_);
    ::close(server_);
  }
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  void Run() {
    std::array<pollfd, 2> ends{{{client_, POLLIN, 0}, {server_, POLLIN, 0}}};
    for (bool open = true; open;) {
      const bool may_idle = answer_ && variation_.Is("keep-alives");
      const int count =
          ::poll(ends.data(), ends.size(), may_idle ? static_cast<int>(kMoment.count()) : -1);
      if (count == 0) answer_->written.Idle();
      if (ends[0].revents != 0) open = FromClient();
      if (ends[1].revents != 0) open = FromServer() && open;
    }
  }

 private:
  struct Answer {
    Answer(Variation& variation, const Asked& asked, int client)
        : written(variation, asked, [client](std::string_view bytes) { SendAll(client, bytes); }),
          read(asked.http_method == "HEAD",
               {[this](HttpHead head, const std::string& status_line) {
                  written.Head(std::move(head), status_line);
                },
                [this](std::string_view piece) { written.Body(piece); }}) {}

    VariedAnswer written;
    HttpAnswer read;
  };

  bool FromClient() {
    const ssize_t size = ::recv(client_, buffer_.data(), buffer_.size(), 0);
    if (size <= 0) return false;
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(size));
    requests_.Feed(bytes);
    if (IsResponse(bytes) && variation_.Makes("late-responses")) {
      EndedSessions().Await(5 * kMoment, [](int before, int now) { return now > before; });
    }
    SendAll(server_, bytes);  // a server may answer, and close, before it has read everything
    if (bytes.starts_with("DELETE ") && variation_.Is("late-responses")) {
      EndedSessions().Add(1);
      std::this_thread::sleep_for(kMoment);  // the answer waits
    }
    return true;
  }

  bool FromServer() {
    const ssize_t size = ::recv(server_, buffer_.data(), buffer_.size(), 0);
    if (size > 0) {
      if (!answer_) answer_ = std::make_unique<Answer>(variation_, requests_.Next(), client_);
      answer_->read.Feed({buffer_.data(), static_cast<std::size_t>(size)});
    } else if (answer_) {
      answer_->read.End();
    }
    if (!answer_ || !answer_->read.done()) {
      return size > 0 && (!answer_ || answer_->read.error().empty());
    }
    answer_->written.End();
    const bool closes = answer_->written.closes();
    answer_.reset();
    return size > 0 && !closes;
  }

  Variation& variation_;
  const int client_;
  const int server_;
  RequestReader requests_;
  std::unique_ptr<Answer> answer_;
  std::array<char, 65536> buffer_{};
};

void Carry(Variation& variation, int client, int server_port) {
  const int on = 1;
  const int server = NewSocket();
  const sockaddr_in address = Loopback(server_port);
  // Without a server, Carrier finds the connection closed and does likewise.
  static_cast<void>(::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  for (const int end : {client, server}) {
    ::setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  Carrier(variation, client, server).Run();
  Connections().Add(-1);
}

}  // namespace

void StartHttpRelay(Variation& variation, int port, int server_port) {
  const auto check = [](int result) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), "listening");
  };
  const int listener = NewSocket();
  const int on = 1;
  const sockaddr_in address = Loopback(port);
  check(::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  check(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  check(::listen(listener, SOMAXCONN));
  std::thread([&variation, listener, server_port] {
    for (int client = 0; (client = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      Connections().Add(1);
      std::thread(Carry, std::ref(variation), client, server_port).detach();
    }
  }).detach();
}

void AwaitHttpRelay() {
  Connections().Await(20 * kMoment, [](int, int now) { return now == 0; });
}

}  // namespace assay
