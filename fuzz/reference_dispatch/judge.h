// What must hold of everything the reference server says to a sequence of lines, whatever they are:
// the harness' invariants, told once more with Boost.JSON, since the two sides share no code.
//
//   every request is answered exactly once, under its id, unless it is cancelled; what is no
//     request is not answered, but for lines that cannot be read (JSON-RPC 2.0 §4, §5)
//   a message is one line, valid JSON-RPC, with exactly one of result and error, and an error code
//     that its era has
//   an envelope on anything but `initialize` opens the modern era, anything else the legacy one;
//     then the other era is refused, and what comes before `initialize` is, too
//   progress rises, and comes only for a token in flight; logs come only where they are wanted;
//     what is asked of the client was declared by it, and only in the legacy era
//
// It judges nothing more once it is not sure itself, as with ids that are no plain integers.

#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "era/settings.h"
#include "era/wire.h"

namespace assay::fuzz {

class Judge : public reference::MessageSink {
 public:
  explicit Judge(const reference::Settings& settings);

  // `line` is about to go to the server.
  void Sending(std::string_view line);
  // The server has taken it.
  void Sent();
  // All the time has passed that anything may take.
  void Waited();
  // The server has heard of the end of the input; it says nothing from now on.
  void Ended();

  void Send(reference::OutgoingMessage message) override;

  // All that the server has said, in order.
  const std::vector<std::string>& said() const { return said_; }

 private:
  // What a request must get.
  enum class Want : unsigned char {
    kAnything,
    kEmptyResult,
    kError,
    kRefusal,          // -32600
    kBadEnvelope,      // -32602 or -32022
    kOtherVersion,     // -32022, with the versions that are served
    kNotOtherVersion,  // anything but -32022
  };
  struct Open {
    std::string id;
    std::string method;
    std::string token;  // of its progress, or ""
    bool modern = false;
    bool in_batch = false;
    bool cancelled = false;  // though something may still be said
    Want want = Want::kAnything;
  };
  struct Token {
    int given = 0;
    bool ended = false;
    double last = -1e300;
  };

  void Expecting(const boost::json::value& value, bool in_batch);
  void ExpectingRequest(const boost::json::object& message, Open open);
  void ExpectingNothingFor(const boost::json::object& message);
  // Which era serves a request; decides the connection's if that is open.
  bool IsModern(bool enveloped, std::string_view method);

  void TakeAnswer(const boost::json::value& value, std::string_view line);
  void JudgeAnswer(const Open& open, const boost::json::object& answer, std::string_view line);
  void JudgeError(const Open& open, const boost::json::object& error, std::string_view line);
  void JudgeResult(const Open& open, const boost::json::object& result, std::string_view line);
  void JudgeRequest(const boost::json::object& request, std::string_view line);
  void JudgeNotification(const boost::json::object& notification, std::string_view line);
  void JudgeProgress(const boost::json::object& params, std::string_view line);

  const bool dual_;
  const bool lock_legacy_;
  const bool lock_modern_;
  bool has_era_ = false;
  bool modern_ = false;  // the era, once it is decided
  bool initialized_ = false;
  bool has_batches_ = false;
  bool wants_logs_ = false;
  bool unsure_ = false;
  bool ended_ = false;
  bool first_line_ = true;
  std::vector<Open> open_;
  std::size_t unreadable_ = 0;  // answers without an id that are still owed
  std::size_t unreadable_in_batches_ = 0;
  std::map<std::string, Token, std::less<>> tokens_;
  std::set<std::string, std::less<>> declared_;  // capabilities of the legacy client
  std::set<std::string, std::less<>> asked_;     // ids of the server's requests without an answer
  std::vector<std::string> said_;
};

}  // namespace assay::fuzz
