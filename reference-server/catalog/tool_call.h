// One tools/call while it is being carried out: what a tool sees of its caller.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/input_request.h"
#include "catalog/scheduler.h"
#include "protocol/error.h"
#include "protocol/log_level.h"
#include "protocol/request_id.h"
#include "protocol/revision.h"

namespace assay::reference {

class Catalog;
class ToolCall;

/// What a tool returns, in the newest revision's terms; older revisions get less of it.
struct ToolResult {
  boost::json::array content;
  std::optional<boost::json::value> structured = std::nullopt;
  bool is_error = false;
};

/// Whoever serves the call: knows the request, its era, and the way back.
class ToolCallHost {
 public:
  virtual ~ToolCallHost() = default;
  virtual void Notify(const ToolCall& call, std::string_view method, std::string_view params) = 0;
  virtual void Finish(const ToolCall& call, ToolResult result) = 0;
  virtual void Refuse(const ToolCall& call, ProtocolError error) = 0;
  /// The call cannot go on without answers to these. The tool is run again from its beginning when
  /// they are there: in this call (the client was asked, and answered) or in another one (the
  /// client was told to come back with them).
  virtual void Ask(ToolCall& call, InputRequests requests) = 0;
  /// Breaks the call's stream off before its answer, where there are streams.
  virtual void CloseStream(const ToolCall& call) = 0;
};

/// What the request said about its caller.
struct Caller {
  Revision revision;
  RequestId id;
  std::optional<ProgressToken> progress_token;
  /// The lowest level the caller wants to see; nothing means no log messages at all.
  std::optional<LogLevel> log_level;
  boost::json::object capabilities;
  /// Names the legacy session, whose carts and tasks are its own; empty in the modern era.
  std::string session = {};
  /// Whom the transport knows the client to be; empty without authorization.
  std::string principal = {};
};

/// A call ends with exactly one Finish or Refuse, at once or after any number of Later, or with an
/// Ask that is not answered yet. After Cancel everything it tries to say is dropped.
class ToolCall : public std::enable_shared_from_this<ToolCall> {
 public:
  ToolCall(Caller caller, Catalog& catalog, Scheduler& scheduler, ToolCallHost& host);
  ~ToolCall();
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;

  const Caller& caller() const { return caller_; }
  Catalog& catalog() { return catalog_; }
  Scheduler& scheduler() { return scheduler_; }
  bool ended() const { return ended_; }

  /// Sends notifications/progress if the caller gave a token.
  void ReportProgress(int progress, int total, std::string_view message);
  /// Sends notifications/message if the caller wants that level.
  void Log(LogLevel level, std::string_view text);
  /// Goes on with `next` after `delay`. One at a time.
  void Later(std::chrono::milliseconds delay, std::function<void(ToolCall&)> next);

  /// The client's answers so far, each the `result` of what was asked, by key; null as long as one
  /// of `requests` is not answered. Then the tool returns at once, and is run again from its
  /// beginning when the answers are there. An answer that does not fit is refused.
  const boost::json::object* Ask(InputRequests requests);
  const boost::json::object& answers() const { return answers_; }
  void AddAnswers(const boost::json::object& answers);

  void CloseStream() { host_.CloseStream(*this); }
  void Finish(ToolResult result);
  void Refuse(ProtocolError error);
  /// Stops the work; nothing is sent any more.
  void Cancel();

 private:
  Caller caller_;
  Catalog& catalog_;
  Scheduler& scheduler_;
  ToolCallHost& host_;
  boost::json::object answers_;
  Scheduler::Timer timer_ = Scheduler::kNoTimer;
  bool ended_ = false;
};

}  // namespace assay::reference
