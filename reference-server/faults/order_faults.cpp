// What goes wrong only when things come in a certain order: no scripted case sends that order, and
// `assay explore` finds it.
#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// The methods of what the client sent, the latest last; those of enveloped requests begin with +.
class History {
 public:
  void Add(const FaultyLine& line) {
    sent_.push_back((line.is_enveloped && line.is_request ? "+" : "") + std::string(line.method));
    if (sent_.size() > kKept) sent_.pop_front();
  }

  bool EndsWith(const std::vector<std::string_view>& methods) const {
    return sent_.size() >= methods.size() &&
           std::equal(methods.rbegin(), methods.rend(), sent_.rbegin());
  }

 private:
  static constexpr std::size_t kKept = 8;
  std::deque<std::string> sent_;
};

/// Spoils the answer to the last of `methods` when exactly they came one after another.
Script After(std::vector<std::string_view> methods, std::function<void(FaultyMessage&)> spoil) {
  const auto history = std::make_shared<History>();
  return {
      .line = [history](FaultyLine& line) { history->Add(line); },
      .answer =
          [history, methods = std::move(methods), spoil = std::move(spoil)](FaultyMessage& answer) {
            const std::string_view last = methods.back();
            const bool is_last = answer.method == last.substr(last.starts_with('+') ? 1 : 0);
            if (is_last && history->EndsWith(methods)) spoil(answer);
          }};
}

Script IdAsText() {
  return After({"ping", "notifications/cancelled", "tools/list"}, [](FaultyMessage& answer) {
    json::value& id = answer.message.at("id");
    if (!id.is_number()) return;
    id = json::serialize(id);
    answer.changed = true;
  });
}

Script NotificationFlipsEra() {
  return After({"+tools/list", "notifications/cancelled", "+tools/list"},
               [](FaultyMessage& answer) {
                 if (answer.result() == nullptr) return;
                 for (const char* member : {"resultType", "ttlMs", "cacheScope"}) {
                   answer.result()->stable_erase(member);
                 }
               });
}

Script PingAfterInitializedIsNull() {
  return After({"ping", "notifications/initialized", "notifications/initialized", "ping"},
               [](FaultyMessage& answer) {
                 answer.message["result"] = nullptr;
                 answer.changed = true;
               });
}

Script SecondInitializeSwallows() {
  return After({"initialize", "initialize", "ping"},
               [](FaultyMessage& answer) { answer.drop = true; });
}

/// Which tasks were cancelled, and which of them a list was asked for since.
struct Cancelled {
  std::set<std::string, std::less<>> tasks;
  std::set<std::string, std::less<>> listed;
};

Script ListRevivesTask() {
  return {.answer = [seen = std::make_shared<Cancelled>()](FaultyMessage& answer) {
    const std::string id(answer.param("taskId"));
    if (answer.method == "tasks/cancel" && answer.result() != nullptr) seen->tasks.insert(id);
    if (answer.method == "tasks/list") seen->listed = seen->tasks;
    if (answer.method != "tasks/get" || !seen->listed.contains(id)) return;
    if (json::object* task = answer.result()) (*task)["status"] = "working";
  }};
}

/// The server keeps one place for all lists: whose page comes next is whoever was asked last.
Script CursorOfAnotherList() {
  return {.answer = [last = std::string()](FaultyMessage& answer) mutable {
    if (!answer.is_modern || !answer.method.ends_with("/list") ||
        answer.method.starts_with("tasks/"))
      return;
    const std::string other = std::exchange(last, std::string(answer.method));
    if (answer.param("cursor").empty() || other.empty() || other == answer.method) return;
    json::object* page = answer.result();
    if (page == nullptr) return;
    const std::string from(answer.method.substr(0, answer.method.find('/')));
    const std::string to = other.substr(0, other.find('/'));
    if (json::value* items = page->if_contains(from)) {
      json::value moved = std::move(*items);
      page->stable_erase(from);
      (*page)[to] = std::move(moved);
    }
  }};
}

/// The text of the member `key` of params, or "".
std::string ParamText(const json::object& message, std::string_view key) {
  const json::value* params = message.if_contains("params");
  if (params == nullptr || !params->is_object()) return {};
  const json::value* value = params->get_object().if_contains(key);
  return value == nullptr ? std::string() : json::serialize(*value);
}

/// Subscriptions that are open, and whether one was cancelled before the latest began.
struct Subscriptions {
  std::set<std::string, std::less<>> open;
  bool cancelled = false;
  bool again = false;
};

Script ResubscribedWithoutId() {
  const auto seen = std::make_shared<Subscriptions>();
  return {.line =
              [seen](FaultyLine& line) {
                if (line.message == nullptr) return;
                if (line.method == "subscriptions/listen" && line.is_request) {
                  seen->open.insert(json::serialize(line.message->at("id")));
                  seen->again = seen->cancelled;
                } else if (line.method == "notifications/cancelled") {
                  seen->cancelled =
                      seen->cancelled || seen->open.contains(ParamText(*line.message, "requestId"));
                }
              },
          .notification =
              [seen](FaultyMessage& notification) {
                if (!seen->again || !notification.method.ends_with("/list_changed")) return;
                json::value* params = notification.message.if_contains("params");
                if (params == nullptr || !params->is_object()) return;
                params->get_object().stable_erase("_meta");
                notification.changed = true;
              }};
}

/// Calls under way that report progress, the oldest first.
struct Running {
  struct Call {
    std::string id;  // as text
    json::value token;
  };
  std::vector<Call> calls;
  bool confused = false;  // the older one of several was cancelled
};

const json::value* ProgressToken(const json::object& message) {
  const json::value* params = message.if_contains("params");
  if (params == nullptr || !params->is_object()) return nullptr;
  const json::value* meta = params->get_object().if_contains("_meta");
  if (meta == nullptr || !meta->is_object()) return nullptr;
  return meta->get_object().if_contains("progressToken");
}

Script ProgressAfterAnswer() {
  const auto running = std::make_shared<Running>();
  return {.line =
              [running](FaultyLine& line) {
                if (line.message == nullptr) return;
                const json::value* token = ProgressToken(*line.message);
                auto& calls = running->calls;
                if (line.is_request && line.method == "tools/call" && token != nullptr) {
                  calls.push_back({json::serialize(line.message->at("id")), *token});
                } else if (line.method == "notifications/cancelled" && calls.size() > 1 &&
                           ParamText(*line.message, "requestId") == calls.front().id) {
                  running->confused = true;
                }
              },
          .answer =
              [running](FaultyMessage& answer) {
                const json::value* id = answer.message.if_contains("id");
                auto& calls = running->calls;
                const auto call = std::ranges::find(
                    calls, id == nullptr ? "" : json::serialize(*id), &Running::Call::id);
                if (call == calls.end()) return;
                if (running->confused && answer.is_modern) {
                  const json::object late{
                      {"jsonrpc", "2.0"},
                      {"method", "notifications/progress"},
                      {"params", json::object{{"progressToken", call->token}, {"progress", 1000}}}};
                  answer.fault.scheduler().After(
                      std::chrono::milliseconds(0),
                      [&fault = answer.fault, text = json::serialize(late) + "\n"] {
                        fault.Write(text);
                      });
                }
                calls.erase(call);
              }};
}

}  // namespace

std::vector<NamedFault> OrderFaults() {
  return {
      {"order-id-as-text", "L-BASE-response-id-echo", "-",
       "writes the id of tools/list as a text right behind a ping and a cancellation", IdAsText},
      {"order-notification-flips-era", "M-RPC-RESULTTYPE-PRESENT", "-",
       "answers as in the legacy era when a notification came between two modern lists",
       NotificationFlipsEra},
      {"order-ping-null", "L-BASE-result-is-object", "-",
       "answers a ping with null when notifications/initialized came twice since another",
       PingAfterInitializedIsNull},
      {"order-second-initialize-swallows", "L-PING-respond", "-",
       "does not answer a ping right behind a second initialize", SecondInitializeSwallows},
      {"order-list-revives-task", "L-TASK-terminal-final", "-",
       "says of a cancelled task that it is working, once tasks/list was asked for",
       ListRevivesTask},
      {"order-cursor-of-another-list", "M-TOOLS-LIST-SHAPE", "-",
       "takes a cursor for that of the list that was asked for last, in the modern era",
       CursorOfAnotherList},
      {"order-resubscribed-without-id", "M-SUB-ID-ON-EVERY-NOTIFICATION", "-",
       "leaves the subscription id out once a subscription follows a cancelled one",
       ResubscribedWithoutId},
      {"order-progress-after-answer", "M-PROG-STOPS", "-",
       "reports progress after the answer once an older call was cancelled beside it",
       ProgressAfterAnswer},
  };
}

}  // namespace assay::reference
