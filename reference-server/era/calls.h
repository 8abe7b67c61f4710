// The tools/call requests of one connection that are being worked on.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "catalog/catalog.h"
#include "catalog/scheduler.h"
#include "catalog/tool_call.h"
#include "era/outbox.h"
#include "protocol/message.h"

namespace assay::reference {

class Calls : private ToolCallHost {
 public:
  Calls(Catalog& catalog, Scheduler& scheduler, Outbox& outbox)
      : catalog_(catalog), scheduler_(scheduler), outbox_(outbox) {}

  /// Checks the params and starts the tool. Answers at once, or later, or never if it is cancelled.
  void Start(const Request& request, Caller caller, const ReplyTo& to);

  bool IsRunning(const std::string& id_key) const { return running_.contains(id_key); }
  bool empty() const { return running_.empty(); }

  /// False if no such call is running.
  bool Cancel(const std::string& id_key);
  void CancelAll();

 private:
  struct Running {
    std::shared_ptr<ToolCall> call;
    ReplyTo to;
  };

  void Notify(const ToolCall& call, std::string_view method, std::string_view params) override;
  void Finish(const ToolCall& call, ToolResult result) override;
  void Refuse(const ToolCall& call, ProtocolError error) override;
  void End(const ToolCall& call, const Outcome& outcome);

  Catalog& catalog_;
  Scheduler& scheduler_;
  Outbox& outbox_;
  std::unordered_map<std::string, Running> running_;  // by RequestId::key
};

}  // namespace assay::reference
