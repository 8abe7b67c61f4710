// A server for tests of the HTTP client: each connection is played by a coroutine of the test, byte
// for byte, on the same loop.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "testing/certificate.h"
#include "transport/http_channel.h"
#include "transport/loop.h"

namespace assay {

// One connection of a client.
class ScriptedConnection {
 public:
  virtual ~ScriptedConnection() = default;

  // The next request, head and body, as it stands on the wire; "" when the client has gone.
  virtual Task<std::string> Read() = 0;
  // False when the client has gone.
  virtual Task<bool> Write(std::string bytes) = 0;
  virtual void Close() = 0;
  // Closes so that the client gets an error instead of an end.
  virtual void Reset() = 0;
  // What the client asked for by Server Name Indication; "" without TLS.
  virtual std::string server_name() = 0;
};

// What a connection does, the `number`th one, counted from 1. It ends with the coroutine.
using ScriptedPlay = std::function<Task<void>(ScriptedConnection& connection, int number)>;

// Listens as long as it lives. Whatever the play refers to must outlive the loop's run.
class ScriptedServer {
 public:
  // With a certificate it speaks TLS.
  ScriptedServer(Loop& loop, ScriptedPlay play, const Certificate* certificate = nullptr);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  // http://127.0.0.1:PORT/mcp, or https.
  const HttpTarget& target() const { return target_; }
  int connections() const;  // made so far

 private:
  struct Listener;
  std::shared_ptr<Listener> listener_;
  HttpTarget target_;
};

// An answer with a Content-Length.
std::string HttpAnswerOf(int status, const std::string& type, const std::string& body);
// The head of an event stream that ends when the connection does.
std::string EventStreamHead();

}  // namespace assay
