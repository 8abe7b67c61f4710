// Transcript -> suspicious steps.

#include "campaign/unanswered.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <unordered_map>

namespace assay {
namespace {

constexpr double kExactUpTo = 9007199254740992.0;

// Whether every reader of JSON can be expected to read it: RFC 8259, section 9, lets them have
// limits on the range of numbers and the depth of nesting.
bool IsEasyToRead(const Json& value, std::size_t depth = 0) {
  constexpr std::size_t kDeep = 32;
  if (value.is_number()) return std::isfinite(value.AsDouble());
  const auto inner = [depth](const Json& child) { return IsEasyToRead(child, depth + 1); };
  return depth <= kDeep && std::ranges::all_of(value.items(), inner) &&
         std::ranges::all_of(value.members(), inner, &JsonMember::value);
}

bool MustAnswer(const Message& message) {
  if (message.kind != Message::Kind::kRequest || !message.duplicate_keys.empty() ||
      message.lone_surrogate || message.body.FindString("jsonrpc") != "2.0" ||
      message.result() != nullptr || message.error() != nullptr) {
    return false;
  }
  if (!IsEasyToRead(message.body)) return false;
  const Json& id = *message.id();
  if (!id.is_string() && !(id.is_integer() && std::abs(id.AsDouble()) < kExactUpTo)) return false;
  const Json* params = message.params();
  if (params != nullptr && !params->is_object()) return false;
  const std::string method = message.method();
  return !method.empty() && method != "tools/call" && method != "tasks/result" &&
         method != "subscriptions/listen";
}

}  // namespace

std::vector<std::size_t> UnansweredSteps(const Transcript& transcript) {
  std::unordered_map<std::string, std::string> open;  // id -> step
  for (const Entry& entry : transcript.entries) {
    const Message& message = entry.message;
    const Json* id = message.id();
    if (entry.event == Entry::Event::kHang || entry.event == Entry::Event::kKilled) return {};
    if (entry.event == Entry::Event::kExited && (entry.signal != 0 || entry.exit_code != 0)) {
      return {};
    }
    if (entry.direction == Entry::Direction::kOut) {
      if (message.method() == "notifications/cancelled") {
        const Json* target = message.body.Find("params", "requestId");
        if (target != nullptr) open.erase(target->Dump());
      } else if (!entry.by_harness && MustAnswer(message)) {
        open[id->Dump()] = entry.step;
      }
    } else if (entry.direction == Entry::Direction::kIn && message.is_response()) {
      // An error without an id may be the answer to any of them.
      if (id != nullptr && !id->is_null()) open.erase(id->Dump());
    }
  }
  std::vector<std::size_t> steps;
  for (const auto& [id, step] : open) {
    if (step.starts_with("steps/")) {
      steps.push_back(static_cast<std::size_t>(std::strtoul(step.c_str() + 6, nullptr, 10)));
    }
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace assay
