#include "transport/http_server.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <csignal>
#include <ctime>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace assay::reference {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

/// What a client may send ahead of an answer. It is read only to notice that the client left.
constexpr std::size_t kMostReadAhead = std::size_t{64} << 10U;
/// No further request is begun while that much of earlier answers waits.
constexpr std::size_t kMostBacklog = std::size_t{1} << 20U;
/// After the last answer the client gets that long to hang up first: closing with unread input
/// would make its kernel drop the answer.
constexpr std::chrono::seconds kLinger(1);

std::string_view Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";
  }
}

/// The value of the Date header, made once a second.
std::string_view Date() {
  static std::time_t made_at = 0;
  static std::array<char, 32> text;
  static std::size_t size = 0;
  const std::time_t now = std::time(nullptr);
  if (now != made_at) {
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    size = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    made_at = now;
  }
  return {text.data(), size};
}

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

void AppendHead(std::string& out, int status, const HttpHeaders& headers, bool keeps_alive) {
  out += "HTTP/1.1 ";
  out += std::to_string(status);
  out += ' ';
  out += Reason(status);
  out += "\r\n";
  AppendHeader(out, "Date", Date());
  for (const HttpHeader& header : headers) AppendHeader(out, header.name, header.value);
  if (!keeps_alive) AppendHeader(out, "Connection", "close");
}

void AppendChunk(std::string& out, std::string_view bytes) {
  if (bytes.empty()) return;  // would end the body
  std::array<char, 16> size;
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16);
  out.append(size.data(), end.ptr);
  out += "\r\n";
  out += bytes;
  out += "\r\n";
}

class Peer;

/// What all connections share.
struct Shared {
  asio::io_context& loop;
  HttpServerSettings settings;
  HttpHandler& handler;
  std::set<std::shared_ptr<Peer>> peers;
  bool stopping = false;
};

/// The answer to one request of a peer.
class Reply : public HttpReply {
 public:
  Reply(std::weak_ptr<Peer> peer, const HttpReader::Complete& request)
      : peer_(std::move(peer)),
        keeps_alive_(request.keeps_alive),
        takes_chunks_(request.takes_chunks),
        wants_body_(request.request.method != "HEAD") {}
  ~Reply() override;
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;

  void Respond(HttpResponse response) override;
  void Start(HttpResponse head) override;
  void Write(std::string bytes) override;
  void End() override;
  void OnGone(std::function<void()> gone) override { gone_ = std::move(gone); }

  /// The client went away. Not to be called from within the above.
  void Gone() {
    if (std::exchange(ended_, true) || !gone_) return;
    std::exchange(gone_, nullptr)();
  }

 private:
  std::weak_ptr<Peer> peer_;
  bool keeps_alive_;
  bool takes_chunks_;
  bool wants_body_;
  bool ended_ = false;
  std::function<void()> gone_;
};

/// One connection.
class Peer : public std::enable_shared_from_this<Peer> {
 public:
  Peer(tcp::socket socket, std::shared_ptr<Shared> shared)
      : socket_(std::move(socket)),
        shared_(std::move(shared)),
        reader_(shared_->settings.limits),
        timer_(shared_->loop) {}

  void Start() {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    NoteState();
    Tick();
    Read();
  }

  /// Has no place here.
  void Refuse() {
    Fail(503);
    Start();
    Flush();
  }

  bool is_closed() const { return closed_; }

  /// To be appended to. What is there goes out at the end of this turn.
  std::string& output() {
    FlushLater();
    return output_;
  }

  /// Whether the client takes what is sent; gives it up if not.
  bool KeepsUp() {
    if (output_.size() + writing_.size() - written_ <= shared_->settings.most_pending_output) {
      return true;
    }
    Close();
    return false;
  }

  /// The current request is answered.
  void Finish(bool keeps_alive) {
    is_busy_ = false;
    if (!keeps_alive || shared_->stopping) is_ending_ = true;
    if (is_processing_) return;
    // Not at once: the caller need not be ready for the next request.
    asio::post(shared_->loop, [self = shared_from_this()] {
      self->Process();
      self->Read();
    });
  }

  /// Ends as soon as nothing is being answered.
  void EndSoon() {
    if (is_busy_) return;
    is_ending_ = true;
    if (output_.empty() && writing_.empty()) return Close();
    Flush();
  }

  void Close() {
    if (std::exchange(closed_, true)) return;
    error_code ignored;
    socket_.close(ignored);
    timer_.cancel();
    if (const std::shared_ptr<Reply> reply = reply_.lock()) {
      asio::post(shared_->loop, [reply] { reply->Gone(); });
    }
    shared_->peers.erase(shared_from_this());
    if (shared_->stopping && shared_->peers.empty()) shared_->loop.stop();
  }

 private:
  enum class State : unsigned char { kNew, kIdle, kReading, kBusy, kWriting, kLingering };

  void Read() {
    if (is_reading_ || closed_) return;
    if (is_busy_ && reader_.buffered() > kMostReadAhead) return;
    if (!is_lingering_ && Backlog() > kMostBacklog) return;
    is_reading_ = true;
    socket_.async_read_some(asio::buffer(input_), [self = shared_from_this()](
                                                      const error_code& failed, std::size_t count) {
      self->is_reading_ = false;
      if (self->closed_) return;
      if (failed) return self->InputEnded();
      if (!self->is_ending_) {
        self->reader_.Feed({self->input_.data(), count});
        self->Process();
      }
      self->Read();
    });
  }

  void InputEnded() {
    // Who closes the connection wants no answer any more; only what is on its way still goes out.
    if (is_busy_ || is_lingering_ || Backlog() == 0) return Close();
    is_ending_ = true;
  }

  void Process() {
    if (closed_) return;
    is_processing_ = true;
    while (!is_busy_ && !is_ending_ && !closed_ && Backlog() <= kMostBacklog) {
      auto next = reader_.Next();
      if (auto* complete = std::get_if<HttpReader::Complete>(&next)) {
        Handle(std::move(*complete));
        continue;
      }
      if (const auto* broken = std::get_if<HttpReader::Broken>(&next)) {
        Fail(broken->status);
      } else if (reader_.TakeExpectation()) {
        output_ += "HTTP/1.1 100 Continue\r\n\r\n";
      }
      break;
    }
    is_processing_ = false;
    NoteState();
    Flush();
  }

  void Handle(HttpReader::Complete complete) {
    is_busy_ = true;
    state_ = State::kNew;
    const auto reply = std::make_shared<Reply>(weak_from_this(), complete);
    reply_ = reply;
    shared_->handler.Handle(std::move(complete.request), reply);
  }

  void Fail(int status) {
    is_ending_ = true;
    AppendHead(output_, status, {{"Content-Length", "0"}}, false);
    output_ += "\r\n";
  }

  std::size_t Backlog() const { return output_.size() + writing_.size() - written_; }

  void FlushLater() {
    if (is_processing_ || std::exchange(is_flush_posted_, true)) return;
    asio::post(shared_->loop, [self = shared_from_this()] {
      self->is_flush_posted_ = false;
      self->Flush();
    });
  }

  void Flush() {
    if (closed_ || is_writing_) return;
    if (output_.empty()) {
      if (is_ending_ && !is_busy_) Linger();
      return;
    }
    writing_.swap(output_);
    written_ = 0;
    Write();
  }

  void Write() {
    is_writing_ = true;
    NoteState();
    socket_.async_write_some(
        asio::buffer(writing_.data() + written_, writing_.size() - written_),
        [self = shared_from_this()](const error_code& failed, std::size_t count) {
          self->is_writing_ = false;
          if (self->closed_) return;
          if (failed) return self->Close();
          self->Written(count);
        });
  }

  void Written(std::size_t count) {
    written_ += count;
    state_ = State::kNew;  // there was progress: whatever comes next has its full time
    if (written_ < writing_.size()) return Write();
    writing_.clear();
    written_ = 0;
    // One large answer must not cost memory for as long as the connection lasts.
    if (writing_.capacity() > kMostBacklog) writing_.shrink_to_fit();
    NoteState();
    Flush();
    // What had to wait for room.
    if (!is_busy_ && !is_ending_ && reader_.buffered() > 0) Process();
    Read();
  }

  void Linger() {
    if (std::exchange(is_lingering_, true)) return;
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    NoteState();
    Read();
  }

  State CurrentState() const {
    if (is_lingering_) return State::kLingering;
    if (is_writing_) return State::kWriting;
    if (is_busy_) return State::kBusy;
    return reader_.in_request() ? State::kReading : State::kIdle;
  }

  /// The time a state may last counts from when it began.
  void NoteState() {
    const State state = CurrentState();
    if (std::exchange(state_, state) == state) return;
    const HttpServerSettings& settings = shared_->settings;
    switch (state) {
      case State::kReading:
        return ExpireAfter(settings.request_time);
      case State::kWriting:
        return ExpireAfter(settings.stall_time);
      case State::kLingering:
        return ExpireAfter(kLinger);
      case State::kBusy:
        deadline_ = Clock::time_point::max();
        return;
      default:
        return ExpireAfter(settings.idle_time);
    }
  }

  void ExpireAfter(std::chrono::milliseconds time) { deadline_ = Clock::now() + time; }

  /// Deadlines move with every request, so they are looked at now and then instead of waited for.
  void Tick() {
    timer_.expires_at(std::min(deadline_, Clock::now() + std::chrono::seconds(1)));
    timer_.async_wait([weak = weak_from_this()](const error_code& cancelled) {
      const std::shared_ptr<Peer> self = weak.lock();
      if (cancelled || self == nullptr || self->closed_) return;
      if (Clock::now() >= self->deadline_) self->OutOfTime();
      if (!self->closed_) self->Tick();
    });
  }

  void OutOfTime() {
    if (state_ != State::kReading) return Close();
    Fail(408);
    Flush();
  }

  tcp::socket socket_;
  std::shared_ptr<Shared> shared_;
  HttpReader reader_;
  asio::steady_timer timer_;
  std::weak_ptr<Reply> reply_;
  std::array<char, 16384> input_;
  std::string output_;
  std::string writing_;
  std::size_t written_ = 0;
  Clock::time_point deadline_;
  State state_ = State::kNew;
  bool is_reading_ = false;
  bool is_writing_ = false;
  bool is_processing_ = false;
  bool is_flush_posted_ = false;
  bool is_busy_ = false;       // a request is being answered
  bool is_ending_ = false;     // no further request is taken
  bool is_lingering_ = false;  // everything is said
  bool closed_ = false;
};

Reply::~Reply() {
  if (ended_) return;
  if (const std::shared_ptr<Peer> peer = peer_.lock()) peer->Close();
}

void Reply::Respond(HttpResponse response) {
  const std::shared_ptr<Peer> peer = peer_.lock();
  if (peer == nullptr || peer->is_closed() || std::exchange(ended_, true)) return;
  std::string& out = peer->output();
  AppendHead(out, response.status, response.headers, keeps_alive_);
  // RFC 9110 section 8.6: none with 204.
  if (response.status != 204) {
    AppendHeader(out, "Content-Length", std::to_string(response.body.size()));
  }
  out += "\r\n";
  if (wants_body_) out += response.body;
  peer->Finish(keeps_alive_);
}

void Reply::Start(HttpResponse head) {
  const std::shared_ptr<Peer> peer = peer_.lock();
  if (peer == nullptr || peer->is_closed()) return;
  if (takes_chunks_) {
    head.headers.push_back({"Transfer-Encoding", "chunked"});
  } else {
    keeps_alive_ = false;  // the end of the connection ends the body
  }
  std::string& out = peer->output();
  AppendHead(out, head.status, head.headers, keeps_alive_);
  out += "\r\n";
}

void Reply::Write(std::string bytes) {
  const std::shared_ptr<Peer> peer = peer_.lock();
  if (ended_ || peer == nullptr || peer->is_closed() || !peer->KeepsUp()) return;
  if (takes_chunks_) {
    AppendChunk(peer->output(), bytes);
  } else {
    peer->output() += bytes;
  }
}

void Reply::End() {
  const std::shared_ptr<Peer> peer = peer_.lock();
  if (peer == nullptr || peer->is_closed() || std::exchange(ended_, true)) return;
  if (takes_chunks_) peer->output() += "0\r\n\r\n";
  peer->Finish(keeps_alive_);
}

}  // namespace

class HttpServer::Impl : public std::enable_shared_from_this<HttpServer::Impl> {
 public:
  Impl(asio::io_context& loop, const HttpServerSettings& settings, HttpHandler& handler)
      : shared_(std::make_shared<Shared>(Shared{loop, settings, handler, {}})),
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
    shared_->loop.run();
  }

  void Stop() {
    if (std::exchange(shared_->stopping, true)) return;
    error_code ignored;
    acceptor_.close(ignored);
    shared_->handler.HandleEnd();
    // EndSoon takes peers out of the set.
    for (const auto& peer : std::set(shared_->peers)) peer->EndSoon();
    if (shared_->peers.empty()) return shared_->loop.stop();
    timer_.expires_after(shared_->settings.grace);
    timer_.async_wait([shared = shared_](const error_code& cancelled) {
      if (!cancelled) shared->loop.stop();
    });
  }

  void CloseAll() {
    error_code ignored;
    acceptor_.close(ignored);
    signals_.cancel(ignored);
    timer_.cancel();
    for (const auto& peer : std::set(shared_->peers)) peer->Close();
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
    const std::size_t most = shared_->settings.most_connections;
    if (shared_->peers.size() >= most + kMostRefusals) return;
    const auto peer = std::make_shared<Peer>(std::move(socket), shared_);
    shared_->peers.insert(peer);
    if (shared_->peers.size() > most) return peer->Refuse();
    peer->Start();
  }

  std::shared_ptr<Shared> shared_;
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
