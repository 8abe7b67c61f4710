// Where the events of a channel leave it: to its listener, or kept until there is one.

#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "transport/channel.h"

namespace assay {

class EventOutlet {
 public:
  void Listen(std::function<void(ChannelEvent)> listener) {
    listener_ = std::move(listener);
    for (ChannelEvent& event : std::exchange(undelivered_, {})) listener_(std::move(event));
  }
  void Deliver(ChannelEvent event) {
    if (closed_) return;
    if (listener_) {
      listener_(std::move(event));
    } else {
      undelivered_.push_back(std::move(event));
    }
  }
  // Nobody listens any more.
  void Close() {
    closed_ = true;
    listener_ = nullptr;
  }

 private:
  std::function<void(ChannelEvent)> listener_;
  std::vector<ChannelEvent> undelivered_;
  bool closed_ = false;
};

}  // namespace assay
