#include "transport/http/event_stream.h"

#include <charconv>
#include <utility>

namespace assay::reference {
namespace {

constexpr std::size_t kMostEvents = 256;
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
constexpr std::size_t kMostWaiting = 256;
/// How long a client is asked to wait before it comes back.
constexpr std::chrono::milliseconds kRetry(500);

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<EventId> EventId::Parse(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto stream = Number(text.substr(0, dash));
  const auto number = Number(text.substr(dash + 1));
  if (!stream || !number) return std::nullopt;
  return EventId{*stream, *number};
}

std::string EventId::text() const { return std::to_string(stream) + "-" + std::to_string(number); }

void EventStream::Send(std::string_view message) {
  if (ended_) return;
  // Without a carrier now, but with one before: whoever comes back asks by event id.
  if (carrier_ || number_ != 0) return Deliver(message);
  waiting_.emplace_back(message);
  if (waiting_.size() > kMostWaiting) waiting_.pop_front();
}

void EventStream::Deliver(std::string_view message) {
  const std::uint64_t number = next_;
  std::string bytes = SseEvent(message, NextId());
  if (carrier_) carrier_->Send(bytes);
  sent_size_ += bytes.size();
  sent_.push_back({number, std::move(bytes)});
  while (sent_.size() > kMostEvents || (sent_size_ > kMostBytes && sent_.size() > 1)) {
    sent_size_ -= sent_.front().bytes.size();
    sent_.pop_front();
  }
}

void EventStream::Open(std::shared_ptr<HttpReply> reply, bool primed, HttpHeaders headers) {
  Carry(std::move(reply), std::move(headers));
  if (primed) carrier_->Send(SseEvent({}, NextId()));
  CatchUp();
}

void EventStream::Resume(std::shared_ptr<HttpReply> reply, std::uint64_t seen) {
  if (carrier_) carrier_->End();
  Carry(std::move(reply), {});
  for (const Event& event : sent_) {
    if (event.number > seen) carrier_->Send(event.bytes);
  }
  CatchUp();
}

void EventStream::CatchUp() {
  for (const std::string& message : std::exchange(waiting_, {})) Deliver(message);
  if (ended_) End();
}

void EventStream::Carry(std::shared_ptr<HttpReply> reply, HttpHeaders headers) {
  // A carrier that is long replaced may still be reported gone.
  reply->OnGone([weak = weak_from_this(), carrier = ++carriers_] {
    const std::shared_ptr<EventStream> stream = weak.lock();
    if (stream != nullptr && stream->carriers_ == carrier) stream->carrier_.reset();
  });
  carrier_.emplace(scheduler_, std::move(reply), std::move(headers));
}

void EventStream::BreakOff() {
  if (!carrier_) return;
  carrier_->Send(SseRetry(kRetry, NextId()));
  carrier_->End();
  carrier_.reset();
}

void EventStream::End() {
  ended_ = true;
  if (!carrier_) return;
  carrier_->End();
  carrier_.reset();
}

}  // namespace assay::reference
