// Connections over HTTP: to a server that is there already, or to processes that we start.

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runner/servers.h"
#include "transport/channel.h"
#include "transport/http_channel.h"

namespace assay {

// Somebody else's server, behind a URL. Who else speaks to it we cannot know.
class RemoteServer : public Servers {
 public:
  RemoteServer(Loop& loop, HttpTarget target, ChannelLimits limits);

  Task<std::shared_ptr<Connection>> Take() override;
  std::shared_ptr<Connection> Beside(const Connection& connection) override;
  Task<void> Close() override;
  void Abort() override;

 private:
  Loop& loop_;
  HttpTarget target_;
  ChannelLimits limits_;
  std::vector<std::weak_ptr<Connection>> taken_;
};

// Server processes of our own, each used by one taker at a time and then by the next, as long as it
// lives.
class HttpServerPool : public Servers {
 public:
  struct Settings {
    Command command;
    std::string path;               // of the endpoint
    std::vector<HttpField> fields;  // that every request carries
    ChannelLimits limits;
    std::chrono::milliseconds start_within{10000};
    bool use_once = false;  // a new process for each taker
  };
  HttpServerPool(Loop& loop, Settings settings);
  ~HttpServerPool() override;

  Task<std::shared_ptr<Connection>> Take() override;
  std::shared_ptr<Connection> Beside(const Connection& connection) override;
  Task<void> Close() override;
  void Abort() override;

 private:
  // A process and who is connected to it.
  struct Server;
  std::shared_ptr<Server> Start();
  std::shared_ptr<Connection> Connect(const std::shared_ptr<Server>& server);
  void Return(const std::shared_ptr<Server>& server);

  Loop& loop_;
  Settings settings_;
  std::vector<std::shared_ptr<Server>> idle_;
  std::vector<std::shared_ptr<Server>> all_;
  std::map<const Connection*, std::weak_ptr<Server>> behind_;
  bool closed_ = false;
};

}  // namespace assay
