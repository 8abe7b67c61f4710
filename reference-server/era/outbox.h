// Sends answers and notifications, each as one line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "era/wire.h"
#include "protocol/answer.h"
#include "protocol/message.h"

namespace assay::reference {

/// The answers to one batch (2025-03-26 only), sent as one array when the last one is there.
struct Batch {
  std::string first_id;  // JSON text, of the first request in it
  int unanswered = 0;
  std::vector<std::string> answers;
};

/// Where the answer to one request goes.
struct ReplyTo {
  std::string id;      // the id's JSON text; empty if the answer shall have no id member
  std::string method;  // as in OutgoingMessage
  std::shared_ptr<Batch> batch = nullptr;
};

class Outbox {
 public:
  explicit Outbox(MessageSink& sink) : sink_(sink) {}

  void Answer(const ReplyTo& to, const Outcome& outcome);
  /// The request will not be answered: it was cancelled.
  void Forgo(const ReplyTo& to);
  /// `related` is the JSON text of the id of the request that it belongs to, or empty.
  void Notify(std::string_view method, std::string_view params_json, std::string related = {});
  /// A request of the server; the legacy era has them.
  void Request(std::string id, std::string_view method, std::string_view params_json,
               std::string related);
  void CloseStream(std::string related);

 private:
  void Complete(Batch& batch);

  MessageSink& sink_;
};

}  // namespace assay::reference
