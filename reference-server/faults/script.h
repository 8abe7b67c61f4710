// A named fault written as a few small functions: what it does to lines, answers and notifications.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "faults/fault.h"

namespace assay::reference {

/// A line from the client, and what the fault wants done with it: it is passed on, changed or not,
/// unless `drop` is set.
struct FaultyLine {
  Fault& fault;
  std::string_view text;
  /// The message, to be changed at will; null if the line is not an object.
  boost::json::object* message;
  std::string_view method = {};  // of `message`
  bool is_request = false;       // it has an id and a method
  bool is_enveloped = false;     // it has the protocolVersion key in its _meta
  bool drop = false;
  bool changed = false;
};

/// A message to the client; sent, changed or not, unless `drop` is set.
struct FaultyMessage {
  Fault& fault;
  boost::json::object& message;
  /// Of the answered request (- if it had none), or of the notification.
  std::string_view method;
  /// The request that is answered; an empty object for notifications and unreadable lines.
  const boost::json::object& request;
  /// As in OutgoingMessage.
  std::string& related;
  bool is_modern = false;  // the answered request was enveloped, or the connection is
  bool drop = false;
  bool changed = false;

  /// The member `result` or `error` if it is there, to be changed.
  boost::json::object* result();
  boost::json::object* error();
  /// Turns the answer into an error.
  void Fail(int code, std::string_view text);
  /// A string out of the request's params, or "".
  std::string_view param(std::string_view name) const;
};

/// Functions that a fault has no use for stay empty.
struct Script {
  std::function<void(Fault&)> start = {};
  std::function<void(FaultyLine&)> line = {};
  std::function<void(FaultyMessage&)> answer = {};
  std::function<void(FaultyMessage&)> notification = {};
  /// The last word on what is written; `bytes` ends with the line end.
  std::function<void(Fault&, std::string& bytes)> bytes = {};
  std::function<void(Fault&)> end = {};
  /// Whether something is left to do that the server knows nothing of.
  std::function<bool()> busy = {};
  std::function<void(Settings&, StdioSettings&)> configure = {};
};

class ScriptedFault : public Fault {
 public:
  explicit ScriptedFault(Script script) : script_(std::move(script)) {}

  void Configure(Settings& settings, StdioSettings& stdio) override;
  void HandleStart() override;
  void HandleLine(std::string_view line) override;
  void HandleEnd() override;
  bool Idle() const override { return !(script_.busy && script_.busy()) && Fault::Idle(); }
  void Send(OutgoingMessage message) override;

 private:
  Script script_;
  std::map<std::string, boost::json::object, std::less<>> requests_;  // by the id's text
  bool is_modern_ = false;
};

}  // namespace assay::reference
