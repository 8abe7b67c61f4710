// What goes wrong while a call is running: cancellation, progress, logging, other requests.
#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "faults/fault_list.h"
#include "protocol/envelope.h"
#include "protocol/json_text.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

bool IsCancel(const FaultyLine& line) {
  return !line.is_request && line.method == "notifications/cancelled";
}

std::string CancelledId(const FaultyLine& line) {
  const auto params = MemberText(line.text, "params");
  return std::string(params ? MemberText(*params, "requestId").value_or("") : "");
}

/// The ids of the tools/call requests that are not answered yet.
using OpenCalls = std::shared_ptr<std::set<std::string, std::less<>>>;

void NoteCall(FaultyLine& line, const OpenCalls& open) {
  if (line.is_request && line.method == "tools/call") {
    open->emplace(MemberText(line.text, "id").value_or(""));
  }
}

void NoteAnswer(const FaultyMessage& answer, const OpenCalls& open) {
  if (const json::value* id = answer.message.if_contains("id")) open->erase(json::serialize(*id));
}

Script CancelAnsweredWithError() {
  const auto open = std::make_shared<std::set<std::string, std::less<>>>();
  return {
      .line =
          [open](FaultyLine& line) {
            NoteCall(line, open);
            if (!IsCancel(line) || !open->contains(CancelledId(line))) return;
            line.fault.SendOn({OutgoingMessage::Kind::kAnswer, "tools/call", CancelledId(line),
                               R"({"jsonrpc":"2.0","id":)" + CancelledId(line) +
                                   R"(,"error":{"code":0,"message":"Request cancelled"}})" + "\n"});
          },
      .answer = [open](FaultyMessage& answer) { NoteAnswer(answer, open); }};
}

Script CancelAnsweredTwice() {
  const auto open = std::make_shared<std::set<std::string, std::less<>>>();
  return {.line =
              [open](FaultyLine& line) {
                NoteCall(line, open);
                if (!IsCancel(line) || !open->contains(CancelledId(line))) return;
                const std::string head = R"({"jsonrpc":"2.0","id":)" + CancelledId(line);
                line.fault.Write(head + R"(,"error":{"code":0,"message":"Request cancelled"}})" +
                                 "\n" + head + R"(,"result":{"content":[]}})" + "\n");
              },
          .answer = [open](FaultyMessage& answer) { NoteAnswer(answer, open); }};
}

Script CancelIgnored() {
  return {.line = [](FaultyLine& line) { line.drop = IsCancel(line); }};
}

/// Goes on working and reporting, and only swallows the answer.
Script ProgressAfterCancel() {
  const auto cancelled = std::make_shared<std::set<std::string, std::less<>>>();
  return {.line =
              [cancelled](FaultyLine& line) {
                line.drop = IsCancel(line);
                if (line.drop) cancelled->insert(CancelledId(line));
              },
          .answer =
              [cancelled](FaultyMessage& answer) {
                const json::value* id = answer.message.if_contains("id");
                answer.drop = id != nullptr && cancelled->contains(json::serialize(*id));
              }};
}

Script MalformedCancelFatal() {
  return {.line = [](FaultyLine& line) {
    if (!IsCancel(line)) return;
    const std::string id = CancelledId(line);
    if (id.empty() || id.starts_with('{') || id == "null") line.fault.Exit(1);
  }};
}

Script ProgressUnasked() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || line.method != "tools/call") return;
    json::value* params = line.message->if_contains("params");
    if (params == nullptr || !params->is_object()) return;
    json::value& meta = params->get_object()["_meta"];
    if (meta.is_null()) meta = json::object();
    if (!meta.is_object() || meta.get_object().contains("progressToken")) return;
    meta.get_object()["progressToken"] = 0;
    line.changed = true;
  }};
}

Script ProgressAfterResponse() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "tools/call" || answer.result() == nullptr) return;
    const json::object& params = answer.request.at("params").as_object();
    const json::value* meta = params.if_contains("_meta");
    const json::value* token =
        meta == nullptr ? nullptr : meta->as_object().if_contains("progressToken");
    if (token == nullptr) return;
    const json::object late{
        {"jsonrpc", "2.0"},
        {"method", "notifications/progress"},
        {"params", json::object{{"progressToken", *token}, {"progress", 1000}}}};
    answer.fault.scheduler().After(
        std::chrono::milliseconds(1),
        [&fault = answer.fault, text = json::serialize(late) + "\n"] { fault.Write(text); });
  }};
}

Script EditProgress(std::function<void(json::object& params)> edit) {
  return {.notification = [edit = std::move(edit)](FaultyMessage& notification) {
    if (notification.method != "notifications/progress") return;
    edit(notification.message.at("params").as_object());
    notification.changed = true;
  }};
}

Script ProgressRepeats() {
  return EditProgress([](json::object& params) { params["progress"] = 1; });
}

Script ProgressGoesBack() {
  return EditProgress([](json::object& params) {
    params["progress"] = 100000 - params.at("progress").to_number<int>();
  });
}

Script ProgressTokenAsString() {
  return EditProgress([](json::object& params) {
    json::value& token = params.at("progressToken");
    token = token.is_string() ? json::value(0) : json::value(json::serialize(token));
  });
}

Script ProgressIsString() {
  return EditProgress(
      [](json::object& params) { params["progress"] = json::serialize(params.at("progress")); });
}

Script LogsUnasked() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || !line.is_enveloped || line.method != "tools/call") return;
    line.message->at("params").at("_meta").as_object().emplace(kLogLevelKey, "debug");
    line.changed = true;
  }};
}

/// Sets the level back to debug behind the client's back.
Script LogThresholdIgnored() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || line.method != "logging/setLevel") return;
    json::value* params = line.message->if_contains("params");
    if (params == nullptr || !params->is_object()) return;
    json::value* level = params->get_object().if_contains("level");
    if (level == nullptr || !level->is_string() || !ParseLogLevel(level->get_string())) return;
    *level = "debug";
    line.changed = true;
  }};
}

Script LogThresholdIgnoredModern() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || !line.is_enveloped) return;
    json::object& meta = line.message->at("params").at("_meta").as_object();
    json::value* level = meta.if_contains(kLogLevelKey);
    if (level == nullptr || !level->is_string() || !ParseLogLevel(level->get_string())) return;
    *level = "debug";
    line.changed = true;
  }};
}

Script LogDataMissing() {
  return {.notification = [](FaultyMessage& notification) {
    if (notification.method != "notifications/message") return;
    json::object& params = notification.message.at("params").as_object();
    params["message"] = json::value(params.at("data"));
    params.stable_erase("data");
    notification.changed = true;
  }};
}

/// While a call runs, everything else waits.
Script OneAtATime() {
  struct State {
    std::set<std::string, std::less<>> open;
    std::vector<std::string> waiting;
  };
  const auto state = std::make_shared<State>();
  const auto open = OpenCalls(state, &state->open);
  return {.line =
              [state, open](FaultyLine& line) {
                if (!state->open.empty()) {
                  state->waiting.emplace_back(line.text);
                  line.drop = true;
                  return;
                }
                NoteCall(line, open);
              },
          .answer =
              [state, open](FaultyMessage& answer) {
                NoteAnswer(answer, open);
                if (!state->open.empty() || state->waiting.empty()) return;
                answer.fault.scheduler().After(
                    std::chrono::milliseconds(0), [state, &fault = answer.fault] {
                      for (const std::string& line : std::exchange(state->waiting, {})) {
                        fault.HandleLine(line);
                      }
                    });
              }};
}

Script ThirdCallHangs() {
  return {.line = [calls = 0](FaultyLine& line) mutable {
    line.drop = line.is_request && line.method == "tools/call" && ++calls >= 3;
  }};
}

bool IsFailedCall(FaultyMessage& answer) {
  const json::object* result = answer.method == "tools/call" ? answer.result() : nullptr;
  return result != nullptr && result->contains("isError");
}

Script ToolFailureFatal() {
  return {.answer = [](FaultyMessage& answer) {
    answer.drop = IsFailedCall(answer);
    if (answer.drop) answer.fault.Exit(134);
  }};
}

Script ToolFailureUnanswered() {
  return {.answer = [](FaultyMessage& answer) { answer.drop = IsFailedCall(answer); }};
}

Script ToolFailureNotMarked() {
  return {.answer = [](FaultyMessage& answer) {
    if (IsFailedCall(answer)) answer.result()->stable_erase("isError");
  }};
}

}  // namespace

std::vector<NamedFault> CallFaults() {
  return {
      {"cancel-answered-with-error", "L-CANCEL-no-response", "BUG-109",
       "answers a cancelled call with an error of code 0", CancelAnsweredWithError},
      {"cancel-ignored", "M-STDIO-CANCEL-NO-FURTHER-MESSAGES", "BUG-110",
       "goes on with a cancelled call and answers it", CancelIgnored},
      {"cancel-answered-twice", "L-BASE-one-response-per-request", "BUG-111",
       "answers a cancelled call with an error and a result", CancelAnsweredTwice},
      {"progress-after-cancel", "L-CANCEL-stop-processing", "BUG-116",
       "goes on reporting the progress of a cancelled call", ProgressAfterCancel},
      {"malformed-cancel-fatal", "M-CANCEL-INVALID-IGNORED", "BUG-045",
       "dies of a cancellation without a request id", MalformedCancelFatal},
      {"progress-unasked", "L-PROGRESS-none-without-token", "BUG-120",
       "reports progress although no token was given", ProgressUnasked},
      {"progress-after-response", "M-PROG-STOPS", "BUG-122",
       "reports progress once more after the answer", ProgressAfterResponse},
      {"progress-repeats", "M-PROG-INCREASES", "BUG-123",
       "reports the same progress again and again", ProgressRepeats},
      {"progress-goes-back", "L-PROGRESS-increasing", "BUG-123",
       "reports progress that gets smaller", ProgressGoesBack},
      {"progress-token-changes-type", "M-PROG-TOKEN-IDENTITY", "BUG-118",
       "reports progress with a token of another JSON type", ProgressTokenAsString},
      {"progress-is-string", "L-PROGRESS-shape", "BUG-123", "writes progress as a string",
       ProgressIsString},
      {"logs-unasked", "M-LOG-OPT-IN", "BUG-161",
       "sends log messages although no log level was given", LogsUnasked},
      {"log-threshold-ignored", "L-LOG-level-respected", "BUG-161",
       "sends log messages below the level that was set", LogThresholdIgnored},
      {"log-threshold-ignored-modern", "M-LOG-THRESHOLD", "BUG-161",
       "sends log messages below the level of the request", LogThresholdIgnoredModern},
      {"log-data-missing", "M-LOG-SHAPE", "BUG-107", "sends log messages without data",
       LogDataMissing},
      {"one-at-a-time", "L-STDIO-concurrent-requests", "BUG-264", "reads nothing while a tool runs",
       OneAtATime},
      {"third-call-hangs", "L-BASE-one-response-per-request", "BUG-266",
       "does not answer the third call of a tool", ThirdCallHangs},
      {"tool-failure-fatal", "L-TOOLS-tool-error-iserror", "BUG-262", "dies when a tool fails",
       ToolFailureFatal},
      {"tool-failure-unanswered", "M-TOOLS-EXECUTION-ERROR", "BUG-263",
       "does not answer when a tool fails", ToolFailureUnanswered},
      {"tool-failure-not-marked", "L-TOOLS-tool-error-iserror", "BUG-263",
       "returns the failure of a tool without isError", ToolFailureNotMarked},
  };
}

}  // namespace assay::reference
