// What the legacy server has asked of its client and has no answer to yet.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "catalog/input_request.h"
#include "era/outbox.h"
#include "protocol/message.h"

namespace assay::reference {

class ClientRequests {
 public:
  /// The results by key, or what the client's error says.
  using Answers = std::variant<boost::json::object, std::string>;
  using Ticket = std::uint64_t;

  explicit ClientRequests(Outbox& outbox) : outbox_(outbox) {}

  /// Sends all of `requests` with `meta` as their `_meta` (left out if empty), as belonging to the
  /// client's request `related`. `done` is called once: with all the answers, or with the first
  /// error; never if the requests are withdrawn.
  Ticket Ask(const InputRequests& requests, const boost::json::object& meta, std::string related,
             std::function<void(Answers)> done);

  /// A response that belongs to nothing is ignored.
  void Handle(const Response& response);

  /// Nobody waits for the answers any more: the client is told so
  /// (2025-11-25 basic/utilities/cancellation). No harm if they came.
  void Withdraw(Ticket ticket);

 private:
  struct Inquiry {
    std::map<std::string, std::string, std::less<>> open;  // the id's text -> the key
    boost::json::object answers;
    std::string related;
    std::function<void(Answers)> done;
  };

  Outbox& outbox_;
  std::map<Ticket, Inquiry> inquiries_;
  Ticket last_ticket_ = 0;
  int last_id_ = 0;
};

}  // namespace assay::reference
