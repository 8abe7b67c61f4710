// One connection of the HTTP server: requests come in one after another, each is answered before
// the next is begun, and nobody keeps it open for ever.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <set>
#include <string>

#include "transport/http/http_message.h"
#include "transport/http_reader.h"
#include "transport/http_server_settings.h"

namespace assay::reference {

class HttpConnection;

/// What the connections of one server share. The loop and the handler must outlive it.
struct HttpConnections {
  boost::asio::io_context& loop;
  HttpServerSettings settings;
  HttpHandler& handler;
  std::set<std::shared_ptr<HttpConnection>> open = {};
  /// No further request is taken, and the loop stops with the last connection.
  bool stopping = false;
};

/// Lives as long as it is one of `HttpConnections::open` or something of it is under way; takes
/// itself out when it is closed. On the loop's thread only.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<HttpConnections> all);

  /// Begins to read requests.
  void Start();
  /// Answers 503, whatever is asked, and closes.
  void Refuse();
  /// Closes as soon as nothing is being answered and everything is sent.
  void EndSoon();
  /// Closes now; whoever still answers a request here is told that the client has gone.
  void Close();

 private:
  using Clock = std::chrono::steady_clock;
  enum class State : unsigned char { kNew, kIdle, kReading, kBusy, kWriting, kLingering };
  /// The answer to one request.
  class Reply;

  // Input.
  void Read();
  void InputEnded();
  /// Begins the requests that have arrived, as far as their turn has come.
  void Process();
  void Handle(HttpReader::Complete complete);

  // Output.
  /// To be appended to. What is there goes out at the end of this turn.
  std::string& Output();
  /// What was answered and is not sent yet, in bytes.
  std::size_t Backlog() const { return output_.size() + writing_.size() - written_; }
  /// Whether the client takes what is sent; gives it up if not.
  bool KeepsUp();
  /// The current request is answered.
  void Finish(bool keeps_alive);
  /// An answer of our own, and the last one.
  void Fail(int status);
  void FlushLater();
  void Flush();
  void Write();
  void Written(std::size_t count);
  /// Everything is said: waits a little for the client to hang up first.
  void Linger();

  // Time.
  State CurrentState() const;
  /// The time a state may last counts from when it began.
  void NoteState();
  void ExpireAfter(std::chrono::milliseconds time) { deadline_ = Clock::now() + time; }
  /// Deadlines move with every request, so they are looked at now and then instead of waited for.
  void Tick();
  void OutOfTime();

  boost::asio::ip::tcp::socket socket_;
  std::shared_ptr<HttpConnections> all_;
  HttpReader reader_;
  boost::asio::steady_timer timer_;
  std::weak_ptr<Reply> reply_;
  std::array<char, 16384> input_;
  std::string output_;   // what is being put together
  std::string writing_;  // what is being sent, of which `written_` bytes are gone
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
  bool is_closed_ = false;
};

}  // namespace assay::reference
