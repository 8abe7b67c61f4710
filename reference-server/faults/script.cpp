#include "faults/script.h"

#include <optional>
#include <utility>

#include "faults/edit.h"
#include "protocol/envelope.h"
#include "protocol/json_text.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

json::object* ObjectMember(json::object& message, std::string_view name) {
  json::value* member = message.if_contains(name);
  return member == nullptr ? nullptr : member->if_object();
}

}  // namespace

json::object* FaultyMessage::result() {
  json::object* found = ObjectMember(message, "result");
  changed = changed || found != nullptr;
  return found;
}

json::object* FaultyMessage::error() {
  json::object* found = ObjectMember(message, "error");
  changed = changed || found != nullptr;
  return found;
}

void FaultyMessage::Fail(int code, std::string_view text) {
  message.stable_erase("result");
  message["error"] = json::object{{"code", code}, {"message", text}};
  changed = true;
}

std::string_view FaultyMessage::param(std::string_view name) const {
  const json::value* params = request.if_contains("params");
  if (params == nullptr || !params->is_object()) return {};
  const json::value* value = params->get_object().if_contains(name);
  return value == nullptr || !value->is_string() ? std::string_view()
                                                 : std::string_view(value->get_string());
}

void ScriptedFault::Configure(Settings& settings, StdioSettings& stdio) {
  if (script_.configure) script_.configure(settings, stdio);
}

void ScriptedFault::HandleStart() {
  if (script_.start) script_.start(*this);
  Fault::HandleStart();
}

void ScriptedFault::HandleLine(std::string_view line) {
  std::optional<json::object> message = ParseObject(line);
  FaultyLine faulty{*this, line, message ? &*message : nullptr};
  std::string id;
  if (message) {
    const json::value* method = message->if_contains("method");
    if (method != nullptr && method->is_string()) faulty.method = method->get_string();
    faulty.is_request = method != nullptr && message->contains("id");
    const json::value* params = message->if_contains("params");
    faulty.is_enveloped =
        params != nullptr && params->is_object() && HasEnvelopeKey(&params->get_object());
    if (faulty.is_request) {
      id = MemberText(line, "id").value_or(std::string_view());
      requests_[id] = *message;
      is_modern_ = is_modern_ || faulty.is_enveloped;
    }
  }
  if (script_.line) script_.line(faulty);
  if (faulty.drop) return;
  PassOn(faulty.changed ? SerializeLike(*message, line) : std::string(line));
}

void ScriptedFault::HandleEnd() {
  if (script_.end) script_.end(*this);
  Fault::HandleEnd();
}

void ScriptedFault::Send(OutgoingMessage message) {
  static const json::object kNoRequest;
  const bool is_answer = message.kind == OutgoingMessage::Kind::kAnswer;
  const auto& spoil = is_answer ? script_.answer : script_.notification;
  std::vector<std::string> after;
  if (std::optional<json::object> parsed = ParseObject(message.bytes); parsed && spoil) {
    const auto found = requests_.find(message.id);
    const json::object& request =
        is_answer && found != requests_.end() ? found->second : kNoRequest;
    FaultyMessage faulty{*this, *parsed, message.method, request, message.related, is_modern_};
    spoil(faulty);
    if (faulty.drop) return;
    if (faulty.changed) message.bytes = SerializeLike(*parsed, message.bytes) + "\n";
  }
  if (script_.bytes) script_.bytes(*this, message.bytes);
  if (!message.bytes.empty()) SendOn(std::move(message));
}

}  // namespace assay::reference
