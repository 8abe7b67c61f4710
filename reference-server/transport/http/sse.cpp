#include "transport/http/sse.h"

#include <utility>

namespace assay::reference {
namespace {

constexpr std::chrono::seconds kKeepAlive(15);

void AppendId(std::string& event, std::string_view id) {
  if (id.empty()) return;
  event += "id: ";
  event += id;
  event += '\n';
}

}  // namespace

std::string SseEvent(std::string_view data, std::string_view id) {
  if (data.ends_with('\n')) data.remove_suffix(1);
  std::string event;
  event.reserve(data.size() + id.size() + 16);
  AppendId(event, id);
  while (true) {
    const std::size_t end = data.find('\n');
    event += "data: ";
    event += data.substr(0, end);
    event += '\n';
    if (end == std::string_view::npos) break;
    data.remove_prefix(end + 1);
  }
  event += '\n';
  return event;
}

std::string SseRetry(std::chrono::milliseconds delay, std::string_view id) {
  std::string event;
  AppendId(event, id);
  event += "retry: " + std::to_string(delay.count()) + "\ndata: \n\n";
  return event;
}

SseStream::SseStream(Scheduler& scheduler, std::shared_ptr<HttpReply> reply, HttpHeaders headers)
    : scheduler_(scheduler), reply_(std::move(reply)) {
  headers.push_back({"Content-Type", "text/event-stream"});
  headers.push_back({"Cache-Control", "no-cache"});
  headers.push_back({"X-Accel-Buffering", "no"});
  reply_->Start({200, std::move(headers)});
  KeepAlive();
}

SseStream::~SseStream() { scheduler_.Cancel(timer_); }

void SseStream::KeepAlive() {
  timer_ = scheduler_.After(kKeepAlive, [this] {
    reply_->Write(":\n\n");
    KeepAlive();
  });
}

}  // namespace assay::reference
