// A whole server in memory, with a clock that tests move by hand.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/manual_scheduler_for_test.h"
#include "era/connection.h"
#include "era/state_signer.h"
#include "faults/fault.h"
#include "faults/fault_chain.h"
#include "random/random.h"
#include "tasks/task_store.h"

namespace assay::reference {

class Loopback : private MessageSink {
 public:
  /// Another connection to the same server.
  class Other;

  explicit Loopback(Settings settings = {}, std::vector<std::unique_ptr<Fault>> faults = {})
      : settings_(Configured(settings, faults)),
        catalog_(settings_.page_size),
        chain_(std::move(faults), settings_, {catalog_, scheduler_, tasks_, signer_}, *this,
               [this](int code) { exit_code_ = code; }) {
    chain_.HandleStart();
  }

  /// Everything that was written since the last look, as it would be on the wire.
  std::string TakeBytes() { return std::exchange(bytes_, {}); }

  std::string Send(std::string_view line) {
    if (!exit_code_) chain_.HandleLine(line);
    return TakeBytes();
  }

  /// For lines that have one answer.
  boost::json::value Ask(std::string_view line) { return boost::json::parse(Send(line)); }

  std::string Advance(std::chrono::milliseconds time) {
    scheduler_.Advance(time);
    return TakeBytes();
  }

  std::string End() {
    if (!exit_code_) chain_.HandleEnd();
    return TakeBytes();
  }

  const Connection& connection() const { return chain_.connection(); }
  ManualScheduler& scheduler() { return scheduler_; }
  LineHandler& handler() { return chain_; }
  const StdioSettings& stdio() const { return stdio_; }
  std::optional<int> exit_code() const { return exit_code_; }

 private:
  void Send(OutgoingMessage message) override {
    if (!exit_code_) bytes_ += message.bytes;
  }

  const Settings& Configured(Settings& settings,
                             const std::vector<std::unique_ptr<Fault>>& faults) {
    for (const auto& fault : faults) fault->Configure(settings, stdio_);
    return settings;
  }

  StdioSettings stdio_;
  Settings settings_;
  ManualScheduler scheduler_;
  Catalog catalog_;
  TaskStore tasks_{catalog_, scheduler_};
  StateSigner signer_{NewSecretKey(), settings_.state_lifetime};
  std::optional<int> exit_code_;
  std::string bytes_;
  FaultChain chain_;
};

class Loopback::Other : private MessageSink {
 public:
  Other(Loopback& server, const Settings& settings)
      : chain_({}, settings, {server.catalog_, server.scheduler_, server.tasks_, server.signer_},
               *this, [](int) {}) {}

  boost::json::value Ask(std::string_view line) {
    bytes_.clear();
    chain_.HandleLine(line);
    return boost::json::parse(bytes_);
  }

 private:
  void Send(OutgoingMessage message) override { bytes_ += message.bytes; }

  std::string bytes_;
  FaultChain chain_;
};

/// A legacy request. `params` is JSON text, or empty.
inline std::string Bare(std::string_view id, std::string_view method,
                        std::string_view params = {}) {
  std::string line =
      R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + "\"";
  if (!params.empty()) line += R"(,"params":)" + std::string(params);
  return line + "}";
}

/// A modern request: `members` are those of params besides _meta, `meta` those of _meta besides the
/// envelope, both as JSON text without braces.
inline std::string Enveloped(std::string_view id, std::string_view method,
                             std::string_view members = {}, std::string_view meta = {},
                             std::string_view capabilities = "{}") {
  std::string params = R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                       R"("io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},)"
                       R"("io.modelcontextprotocol/clientCapabilities":)" +
                       std::string(capabilities);
  if (!meta.empty()) params += "," + std::string(meta);
  params += "}";
  if (!members.empty()) params += "," + std::string(members);
  return Bare(id, method, params + "}");
}

inline std::string Initialize(std::string_view version = "2025-11-25", std::string_view id = "0",
                              std::string_view capabilities = "{}") {
  return Bare(id, "initialize",
              R"({"protocolVersion":")" + std::string(version) + R"(","capabilities":)" +
                  std::string(capabilities) + R"(,"clientInfo":{"name":"test","version":"1"}})");
}

inline std::string Notify(std::string_view method, std::string_view params = {}) {
  std::string line = R"({"jsonrpc":"2.0","method":")" + std::string(method) + "\"";
  if (!params.empty()) line += R"(,"params":)" + std::string(params);
  return line + "}";
}

/// The response of a client to a request of the server.
inline std::string Respond(const boost::json::value& request, std::string_view result) {
  return R"({"jsonrpc":"2.0","id":)" + boost::json::serialize(request.at("id")) + R"(,"result":)" +
         std::string(result) + "}";
}

/// Every message of what a server wrote.
inline std::vector<boost::json::value> Messages(const std::string& bytes) {
  std::vector<boost::json::value> messages;
  std::istringstream lines(bytes);
  for (std::string line; std::getline(lines, line);) messages.push_back(boost::json::parse(line));
  return messages;
}

}  // namespace assay::reference
