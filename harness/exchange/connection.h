// A connection to one server, used by one exchange alone or by several at once. Each exchange has a
// lane of its own: what it sends is answered to it, by id; what cannot be attributed disturbs them
// all.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "exchange/http_face.h"
#include "message/message.h"
#include "transport/channel.h"

namespace assay {

class Connection;

class Lane {
 public:
  // Receives everything for this lane; `message` is null for what is no line.
  using Observer = std::function<void(const ChannelEvent& event, const Message* message)>;

  explicit Lane(Loop& loop) : bell_(loop) {}

  // Rings whenever the observer was called or disturbed() changed.
  Bell& bell() { return bell_; }
  // Something came that may or may not be this lane's, or the server ended: what this exchange saw
  // proves nothing, and it must be repeated alone. Only on a shared connection.
  bool disturbed() const { return disturbed_; }

 private:
  friend class Connection;
  Bell bell_;
  Observer observer_;  // null once closed
  bool disturbed_ = false;
};

class Connection {
 public:
  Connection(Loop& loop, std::unique_ptr<Channel> channel);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Opens the only lane: everything goes to it.
  std::shared_ptr<Lane> OpenAlone(Lane::Observer observer);
  // Opens one lane of several.
  std::shared_ptr<Lane> OpenShared(Lane::Observer observer);
  void Close(Lane& lane);

  // An id that no case would choose.
  Json NextId() { return Json::Integer(next_id_++); }
  // Writes `bytes`; a request's answer is owed to `lane`.
  void Send(const std::shared_ptr<Lane>& lane, std::string bytes, const Message& message);
  // Over HTTP: all that comes of the request goes to `lane`. Returns its number.
  int Request(const std::shared_ptr<Lane>& lane, HttpRequest request);
  // What we remember of our session over HTTP.
  HttpSession http_session;
  bool over_http() const { return channel_->speaks_http(); }
  // How much memory the process behind our URL takes; empty over stdio, and where it is not ours.
  std::function<std::size_t()> memory_behind;
  // What the server's processes take of memory now, in bytes; 0 where that is not to be seen.
  std::size_t ResidentBytes() const {
    return memory_behind ? memory_behind() : channel_->ResidentBytes();
  }
  // Something happened to the server that the channel cannot know: to the process behind a URL.
  void Tell(const ChannelEvent& event) { OnEvent(event); }

  Channel& channel() { return *channel_; }
  bool alone() const { return alone_; }
  bool ended() const { return gone_ || channel_->ended(); }

 private:
  void OnEvent(const ChannelEvent& event);
  void Deliver(Lane& lane, const ChannelEvent& event, const Message* message);
  void DisturbAll();

  Loop& loop_;
  std::unique_ptr<Channel> channel_;
  bool alone_ = false;
  bool disturb_next_ = false;  // something came while no lane was open
  std::vector<std::shared_ptr<Lane>> lanes_;
  // Whose request has this id (as JSON text). Kept after the lane has closed: a second answer still
  // counts against the exchange that asked.
  std::unordered_map<std::string, std::shared_ptr<Lane>> owners_;
  std::unordered_map<int, std::shared_ptr<Lane>> http_owners_;  // by the request's number
  bool gone_ = false;                // the server's process, behind its URL
  std::vector<ChannelEvent> early_;  // before the first lane
  std::int64_t next_id_ = 7'000'001;
};

}  // namespace assay
