// Server-Sent Events, as a sender writes them (HTML Living Standard, section 9.2).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "catalog/scheduler.h"
#include "transport/http/http_message.h"

namespace assay::reference {

/// An event with one `data` field a line of `data`, whose last line end is dropped. Without an `id`
/// it has no such field.
std::string SseEvent(std::string_view data, std::string_view id = {});

/// An event that says how long to wait before reconnecting.
std::string SseRetry(std::chrono::milliseconds delay, std::string_view id);

/// An answer that is an event stream. It opens with the stream object; silence is broken by a
/// comment every 15 seconds, so that nobody between here and the client takes it for dead.
class SseStream {
 public:
  /// `headers` are added to those that an event stream has. The scheduler must outlive the stream.
  SseStream(Scheduler& scheduler, std::shared_ptr<HttpReply> reply, HttpHeaders headers = {});
  ~SseStream();
  SseStream(const SseStream&) = delete;
  SseStream& operator=(const SseStream&) = delete;

  void Send(std::string event) { reply_->Write(std::move(event)); }
  /// Ends the answer. Nothing may be sent after that.
  void End() { reply_->End(); }

 private:
  void KeepAlive();

  Scheduler& scheduler_;
  std::shared_ptr<HttpReply> reply_;
  Scheduler::Timer timer_ = Scheduler::kNoTimer;
};

}  // namespace assay::reference
