// Routing of what a server says to the exchanges that use it.

#include "exchange/connection.h"

#include <utility>

namespace assay {

Connection::Connection(Loop& loop, std::unique_ptr<Channel> channel)
    : loop_(loop), channel_(std::move(channel)) {
  channel_->Listen([this](const ChannelEvent& event) { OnEvent(event); });
}

Connection::~Connection() = default;

std::shared_ptr<Lane> Connection::OpenAlone(Lane::Observer observer) {
  alone_ = true;
  return OpenShared(std::move(observer));
}

std::shared_ptr<Lane> Connection::OpenShared(Lane::Observer observer) {
  auto lane = std::make_shared<Lane>(loop_);
  lane->observer_ = std::move(observer);
  lane->disturbed_ = std::exchange(disturb_next_, false);
  lanes_.push_back(lane);
  for (const ChannelEvent& event : std::exchange(early_, {})) OnEvent(event);
  return lane;
}

void Connection::Close(Lane& lane) {
  lane.observer_ = nullptr;
  std::erase_if(lanes_, [&](const std::shared_ptr<Lane>& open) { return open.get() == &lane; });
}

void Connection::Send(const std::shared_ptr<Lane>& lane, std::string bytes,
                      const Message& message) {
  if (!alone_ && message.kind == Message::Kind::kRequest) {
    owners_[message.id()->Dump()] = lane;
  }
  channel_->Write(std::move(bytes));
}

int Connection::Request(const std::shared_ptr<Lane>& lane, HttpRequest request) {
  const int number = channel_->Request(std::move(request));
  http_owners_[number] = lane;
  return number;
}

void Connection::Deliver(Lane& lane, const ChannelEvent& event, const Message* message) {
  if (lane.observer_) lane.observer_(event, message);
  lane.bell_.Ring();
}

void Connection::DisturbAll() {
  // Between two exchanges it may be the one's or the other's: the next looks for itself.
  if (lanes_.empty()) disturb_next_ = true;
  for (const auto& lane : std::vector(lanes_)) {
    lane->disturbed_ = true;
    lane->bell_.Ring();
  }
}

void Connection::OnEvent(const ChannelEvent& event) {
  if (event.exchange != 0) {
    const auto owner = http_owners_.find(event.exchange);
    if (owner == http_owners_.end()) return;
    const std::shared_ptr<Lane> lane = owner->second;
    if (event.event == Entry::Event::kHttpEnd) http_owners_.erase(owner);
    const bool is_message = event.direction == Entry::Direction::kIn;
    const Message message = is_message ? ParseMessage(event.bytes) : Message();
    Deliver(*lane, event, is_message ? &message : nullptr);
    return;
  }
  gone_ = gone_ || (over_http() &&
                    (event.event == Entry::Event::kExited || event.event == Entry::Event::kKilled));
  if (lanes_.empty() && owners_.empty()) {
    early_.push_back(event);
    return;
  }
  if (event.direction == Entry::Direction::kIn) {
    const Message message = ParseMessage(event.bytes);
    if (alone_) {
      if (!lanes_.empty()) Deliver(*lanes_.front(), event, &message);
      return;
    }
    if (message.is_response() && message.id() != nullptr) {
      const auto owner = owners_.find(message.id()->Dump());
      if (owner != owners_.end()) {
        Lane& lane = *owner->second;
        if (!lane.observer_) lane.disturbed_ = true;  // a second answer, after the exchange
        Deliver(lane, event, &message);
        return;
      }
    }
    DisturbAll();
    return;
  }
  const bool server_is_gone =
      event.event != Entry::Event::kNone && event.event != Entry::Event::kStarted;
  for (const auto& lane : std::vector(lanes_)) Deliver(*lane, event, nullptr);
  if (!alone_ && server_is_gone) DisturbAll();
}

}  // namespace assay
