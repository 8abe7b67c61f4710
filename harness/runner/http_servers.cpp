// Connections over HTTP. A process goes back to the idle ones when the last connection to it goes.

#include "runner/http_servers.h"

#include <signal.h>

#include <algorithm>
#include <utility>

namespace assay {

// --- somebody else's

RemoteServer::RemoteServer(Loop& loop, HttpTarget target, ChannelLimits limits)
    : loop_(loop), target_(std::move(target)), limits_(limits) {}

Task<std::shared_ptr<Connection>> RemoteServer::Take() {
  auto connection = std::make_shared<Connection>(loop_, ConnectHttp(loop_, target_, limits_));
  std::erase_if(taken_, [](const std::weak_ptr<Connection>& old) { return old.expired(); });
  taken_.push_back(connection);
  co_return connection;
}

std::shared_ptr<Connection> RemoteServer::Beside(const Connection& /*connection*/) {
  auto connection = std::make_shared<Connection>(loop_, ConnectHttp(loop_, target_, limits_));
  taken_.push_back(connection);
  return connection;
}

Task<void> RemoteServer::Close() { co_return; }

// The server is not ours to kill: only our part of the talk ends.
void RemoteServer::Abort() {
  for (const auto& weak : taken_) {
    if (const auto connection = weak.lock()) {
      loop_.Spawn([](std::shared_ptr<Connection> ended) -> Task<void> {
        co_await ended->channel().Shutdown(std::chrono::milliseconds(0));
      }(connection));
    }
  }
}

// --- our own

struct HttpServerPool::Server {
  std::unique_ptr<HttpServerProcess> process;
  std::vector<std::weak_ptr<Connection>> connections;
  // What happened to it before anybody was connected: told to whoever comes first.
  std::vector<ChannelEvent> early;

  void Tell(const ChannelEvent& event) {
    bool told = false;
    for (const auto& weak : connections) {
      const auto connection = weak.lock();
      if (connection == nullptr) continue;
      connection->Tell(event);
      told = true;
    }
    if (!told) early.push_back(event);
  }
};

HttpServerPool::HttpServerPool(Loop& loop, Settings settings)
    : loop_(loop), settings_(std::move(settings)) {}

HttpServerPool::~HttpServerPool() = default;

std::shared_ptr<HttpServerPool::Server> HttpServerPool::Start() {
  auto server = std::make_shared<Server>();
  server->process = StartHttpServer(loop_, settings_.command, settings_.path, settings_.limits);
  server->process->Listen([weak = std::weak_ptr(server)](const ChannelEvent& event) {
    if (const auto told = weak.lock()) told->Tell(event);
  });
  all_.push_back(server);
  return server;
}

Task<std::shared_ptr<Connection>> HttpServerPool::Take() {
  std::shared_ptr<Server> server;
  while (!idle_.empty() && server == nullptr) {
    server = std::move(idle_.back());
    idle_.pop_back();
    if (server->process->ended()) {
      std::erase(all_, server);
      server = nullptr;
    }
  }
  if (server == nullptr) {
    server = Start();
    co_await server->process->Ready(Clock::now() + settings_.start_within);
  }
  co_return Connect(server);
}

std::shared_ptr<Connection> HttpServerPool::Connect(const std::shared_ptr<Server>& server) {
  HttpTarget target = server->process->target();
  target.fields = settings_.fields;
  // The connection keeps the server from the next taker for as long as it lives.
  auto* const connection = new Connection(loop_, ConnectHttp(loop_, target, settings_.limits));
  std::shared_ptr<Connection> owned(connection, [this, server](Connection* ended) {
    behind_.erase(ended);
    delete ended;
    Return(server);
  });
  behind_[connection] = server;
  connection->memory_behind = [server] { return server->process->ResidentBytes(); };
  server->connections.emplace_back(owned);
  for (const ChannelEvent& event : std::exchange(server->early, {})) connection->Tell(event);
  return owned;
}

void HttpServerPool::Return(const std::shared_ptr<Server>& server) {
  std::erase_if(server->connections,
                [](const std::weak_ptr<Connection>& old) { return old.expired(); });
  if (!server->connections.empty() || closed_) return;
  if (server->process->ended()) {
    std::erase(all_, server);
  } else if (settings_.use_once) {
    std::erase(all_, server);
    loop_.Spawn([](std::shared_ptr<Server> used) -> Task<void> {
      co_await used->process->Shutdown(std::chrono::milliseconds(1000));
    }(server));
  } else {
    idle_.push_back(server);
  }
}

std::shared_ptr<Connection> HttpServerPool::Beside(const Connection& connection) {
  return Connect(behind_.at(&connection).lock());
}

Task<void> HttpServerPool::Close() {
  closed_ = true;
  idle_.clear();
  std::vector<Task<void>> endings;
  for (const auto& server : all_) {
    endings.push_back(server->process->Shutdown(std::chrono::milliseconds(1000)));
  }
  co_await loop_.All(std::move(endings));
  all_.clear();
}

void HttpServerPool::Abort() {
  for (const auto& server : all_) server->process->Signal(SIGKILL);
}

}  // namespace assay
