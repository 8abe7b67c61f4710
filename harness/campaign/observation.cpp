// Transcript -> observations.

#include "campaign/observation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

// More kinds of members tell nothing more.
constexpr std::size_t kMostMembers = 12;
constexpr std::size_t kLongestKey = 60;

std::string MembersOf(const Json& value) {
  std::set<std::string> keys;
  for (const JsonMember& member : value.members()) {
    if (keys.size() < kMostMembers) keys.insert(member.key.substr(0, kLongestKey));
  }
  std::string text = "{";
  for (const std::string& key : keys) text += (text.size() > 1 ? "," : "") + key;
  return text + "}";
}

// "steps/12" -> 12.
std::size_t NumberOf(const std::string& step) {
  constexpr std::string_view kPrefix = "steps/";
  std::size_t number = 0;
  if (!step.starts_with(kPrefix)) return std::string::npos;
  const char* begin = step.data() + kPrefix.size();
  const auto [end, error] = std::from_chars(begin, step.data() + step.size(), number);
  return error == std::errc() && end == step.data() + step.size() ? number : std::string::npos;
}

constexpr std::array<std::string_view, 29> kMethods = {"initialize",
                                                       "ping",
                                                       "server/discover",
                                                       "tools/list",
                                                       "tools/call",
                                                       "prompts/list",
                                                       "prompts/get",
                                                       "resources/list",
                                                       "resources/templates/list",
                                                       "resources/read",
                                                       "resources/subscribe",
                                                       "resources/unsubscribe",
                                                       "completion/complete",
                                                       "logging/setLevel",
                                                       "subscriptions/listen",
                                                       "tasks/get",
                                                       "tasks/list",
                                                       "tasks/result",
                                                       "tasks/cancel",
                                                       "tasks/update",
                                                       "sampling/createMessage",
                                                       "elicitation/create",
                                                       "roots/list",
                                                       "notifications/initialized",
                                                       "notifications/cancelled",
                                                       "notifications/progress",
                                                       "notifications/message",
                                                       "notifications/roots/list_changed",
                                                       "notifications/tasks/status"};

// However an unknown method is spelled, it is one.
std::string MethodOf(const Message& message) {
  if (message.kind == Message::Kind::kNotJson) return "(no JSON)";
  const std::string method = message.method();
  if (method.empty()) return "-";
  const bool known = std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
  return known ? method : "(unknown)";
}

// What is known of the server so far.
class State {
 public:
  explicit State(Era era) : opened_(era == Era::kNone ? "unopened" : ToString(era)) {}

  void See(const Message& sent, const Message* answer) {
    if (answer == nullptr) return;
    const std::string method = sent.method();
    const bool good = answer->kind == Message::Kind::kResult;
    if (opened_ == "unopened" && good) {
      const bool modern = answer->result()->Find("resultType") != nullptr;
      opened_ = modern ? "modern" : method == "initialize" ? "legacy" : opened_;
    }
    if (!good) return;
    const Json& result = *answer->result();
    if (result.Find("task") != nullptr || result.FindString("resultType") == "task") task_ = true;
    if (method == "tasks/cancel") cancelled_ = true;
    if (method == "resources/subscribe") subscribed_ = true;
    if (method == "logging/setLevel") logs_ = true;
    if (result.FindString("resultType") == "input_required") asks_ = true;
  }

  std::string Name() const {
    std::string name = opened_;
    if (task_) name += " +task";
    if (cancelled_) name += " +cancelled";
    if (subscribed_) name += " +subscribed";
    if (logs_) name += " +level";
    if (asks_) name += " +asks";
    return name;
  }

 private:
  std::string opened_;
  bool task_ = false;
  bool cancelled_ = false;
  bool subscribed_ = false;
  bool logs_ = false;
  bool asks_ = false;
};

bool HasNoName(const Json* id) { return id == nullptr || id->is_null(); }

}  // namespace

std::string AnswerSignature(const Message& message) {
  switch (message.kind) {
    case Message::Kind::kResult: {
      const Json& result = *message.result();
      return "result " + (result.is_object() ? MembersOf(result) : std::string(result.KindName())) +
             result.FindString("resultType").value_or("");
    }
    case Message::Kind::kError: {
      const Json* code = message.error()->Find("code");
      const Json* data = message.error()->Find("data");
      return "error " + (code == nullptr ? "" : code->Dump()) +
             (data == nullptr ? "" : " " + MembersOf(*data));
    }
    case Message::Kind::kBatch:
      return "array";
    default:
      return "other";
  }
}

std::vector<Observation> Observe(const Transcript& transcript) {
  struct Pending {
    std::size_t step;
    const Message* sent;
    const Message* answer = nullptr;
    bool cancelled = false;
  };
  std::vector<Pending> all;
  std::unordered_map<std::string, std::size_t> by_id;
  std::deque<std::size_t> unnamed;
  for (const Entry& entry : transcript.entries) {
    if (entry.connection != "main") continue;
    if (entry.direction == Entry::Direction::kOut && !entry.by_harness) {
      const std::size_t step = NumberOf(entry.step);
      if (step == std::string::npos) continue;
      const Json* id = entry.message.id();
      if (entry.message.method() == "notifications/cancelled") {
        // Who was first is chance.
        const Json* target = entry.message.body.Find("params", "requestId");
        const auto found = target == nullptr ? by_id.end() : by_id.find(target->Dump());
        if (found != by_id.end()) all[found->second].cancelled = true;
      }
      if (entry.message.kind == Message::Kind::kRequest) {
        by_id[id->Dump()] = all.size();
      } else if (entry.message.kind != Message::Kind::kNotification) {
        unnamed.push_back(all.size());
      }
      all.push_back({step, &entry.message});
    } else if (entry.direction == Entry::Direction::kIn && entry.message.is_response()) {
      const Json* id = entry.message.id();
      if (!HasNoName(id)) {
        const auto found = by_id.find(id->Dump());
        if (found != by_id.end()) all[found->second].answer = &entry.message;
      } else if (!unnamed.empty()) {
        all[unnamed.front()].answer = &entry.message;
        unnamed.pop_front();
      }
    }
  }
  std::vector<Observation> observations;
  State state(transcript.era);
  for (const Pending& pending : all) {
    Observation& seen = observations.emplace_back();
    seen.step = pending.step;
    seen.method = MethodOf(*pending.sent);
    seen.signature = pending.cancelled           ? "cancelled"
                     : pending.answer == nullptr ? "nothing"
                                                 : AnswerSignature(*pending.answer);
    seen.before = state.Name();
    if (!pending.cancelled) state.See(*pending.sent, pending.answer);
    seen.after = state.Name();
  }
  return observations;
}

}  // namespace assay
