// Which part of a message is odd.

#include "campaign/generator.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "campaign/byte_mutator.h"
#include "campaign/envelope_values.h"
#include "campaign/framing.h"
#include "campaign/http_oddities.h"
#include "campaign/json_mutator.h"
#include "campaign/odd_values.h"

namespace assay {
namespace {

using namespace std::string_view_literals;

constexpr std::array kMethods = {""sv,
                                 " "sv,
                                 "tools/list "sv,
                                 "Tools/List"sv,
                                 "tools/lis"sv,
                                 "tools//list"sv,
                                 "/tools/list"sv,
                                 "rpc.discover"sv,
                                 "notifications/"sv,
                                 "initialize"sv,
                                 "notifications/initialized"sv,
                                 "notifications/cancelled"sv,
                                 "sampling/createMessage"sv,
                                 "elicitation/create"sv,
                                 "roots/list"sv,
                                 "ping"sv,
                                 "server/discover"sv,
                                 "constructor"sv,
                                 "__proto__"sv,
                                 "toString"sv,
                                 "tasks/get"sv,
                                 "completion/complete"sv,
                                 "subscriptions/listen"sv,
                                 "messages/listen"sv,
                                 "logging/setLevel"sv};

constexpr std::int64_t kAbove31Bits = std::int64_t{1} << 31U;
constexpr std::int64_t kAbove32Bits = std::int64_t{1} << 32U;
constexpr std::int64_t kBelow53Bits = (std::int64_t{1} << 53U) - 1;

Json PlainId(Names& names) { return Json::Integer(static_cast<std::int64_t>(names.next_id++)); }

// An id that no other request of the round has. Of those that a client may use, most.
Json OddId(Chance& chance, Names& names) {
  const auto number = static_cast<std::int64_t>(names.next_id++);
  const std::string text = std::to_string(number);
  switch (chance.Below(15)) {
    case 0:
      return Json::Integer(kAbove31Bits + number);
    case 1:
      return Json::Integer(kAbove32Bits + number);
    case 2:
      return Json::Integer(kBelow53Bits - number);
    case 3:
      return Json::Integer(-number);
    case 4:
      return Json::Number(text + ".0");
    case 5:
      return Json::Number(text + "e0");
    case 6:
      return Json::Number(text + ".5");
    case 7:
      return Json::String(text);
    case 8:
      return Json::String("assay " + text + std::string(chance.Below(600), 'i'));
    case 9: {
      const std::string odd = OddText(chance).text();
      return Json::Raw("\"" + text + odd.substr(1));
    }
    case 10:
      return Json::Number("18446744073709551616" + text);
    case 11:
      return Json();
    case 12:
      return Json::Array({Json::Integer(number)});
    case 13:
      return Json::Object({{"id", Json::Integer(number)}});
    default:
      return chance.OneIn(2) ? Json::Boolean(true) : Json::String("");
  }
}

Json MessageOf(Json id, const Json& request) {
  Json message = Json::Object({{"jsonrpc", Json::String("2.0")}, {"id", std::move(id)}});
  for (const JsonMember& member : request.members()) message.Set(member.key, member.value);
  return message;
}

// Puts `envelope` into params._meta, beside what is there: that stands.
void Wrap(Json& message, const Json& envelope) {
  Json* params = nullptr;
  for (JsonMember& member : message.members()) {
    if (member.key == "params") params = &member.value;
  }
  if (params == nullptr || !params->is_object()) return;
  Json meta = envelope;
  if (const Json* present = params->Find("_meta")) {
    for (const JsonMember& member : present->members()) meta.Set(member.key, member.value);
  }
  params->Set("_meta", std::move(meta));
}

// `text` at kMadePlace becomes a reference to what was saved under `name`.
void Refer(Json& value, const std::string& name) {
  if (value.is_string() && value.text() == kMadePlace) value = Json::String("${" + name + "}");
  for (Json& item : value.items()) Refer(item, name);
  for (JsonMember& member : value.members()) Refer(member.value, name);
}

Probe LineOf(std::string family, const Json& message) {
  return {.family = std::move(family), .bytes = message.Dump()};
}

// The texts between quotes, or what stands after the colon, of every "id" in `bytes` is replaced,
// so that a play that is sent again does not repeat an id.
std::string Renumbered(const std::string& bytes, Names& names) {
  JsonParse parsed = ParseJson(bytes);
  if (!parsed.value || !parsed.value->is_object() || !parsed.duplicate_keys.empty()) return bytes;
  const Json* id = parsed.value->Find("id");
  if (id == nullptr || !id->is_integer()) return bytes;
  const std::string old = "\"id\":" + id->text();
  const std::size_t at = bytes.find(old);
  if (at == std::string::npos) return bytes;
  const std::int64_t value = id->AsInteger().value_or(0);
  const auto number = static_cast<std::int64_t>(names.next_id++);
  // A large id stays large.
  const std::int64_t fresh = value >= kAbove32Bits   ? kAbove32Bits + number
                             : value >= kAbove31Bits ? kAbove31Bits + number
                             : value < 0             ? -number
                                                     : number;
  return bytes.substr(0, at) + "\"id\":" + std::to_string(fresh) + bytes.substr(at + old.size());
}

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// What is nested too deeply for us to read, and to others is a message all the same: what comes of
// it could not be judged.
bool IsTooDeep(const Probe& probe) {
  const auto opens = static_cast<std::size_t>(
      std::ranges::count_if(probe.bytes, [](char c) { return c == '{' || c == '['; }));
  if (opens <= kDeepestJson || probe.bytes.find("\"method\"") == std::string::npos) return false;
  return ParseJson(probe.bytes).error.find("deep") != std::string::npos;
}

bool IsFit(const Subject& subject, const Play& play) {
  if (std::any_of(play.begin(), play.end(), IsTooDeep)) return false;
  std::string all;
  for (const Probe& probe : play) {
    all += probe.bytes;
    if (probe.http) all += probe.http->Dump();
  }
  return IsHarmless(subject, all);
}

}  // namespace

// Lists are long, and the same each time.
const Json& Generator::GoodRequest(Chance& chance) const {
  for (;;) {
    const Json& request = chance.Of(subject_.requests);
    if (!request.FindString("method").value_or("").ends_with("/list") || chance.OneIn(8)) {
      return request;
    }
  }
}

Json Generator::GoodMessage(Chance& chance, Names& names) const {
  Json message = MessageOf(PlainId(names), GoodRequest(chance));
  const bool enveloped =
      subject_.manner.era == Era::kModern || (subject_.manner.era == Era::kNone && chance.OneIn(2));
  if (enveloped) Wrap(message, PlainEnvelope(subject_));
  return message;
}

Play Generator::Sequence(Chance& chance, Names& names) const {
  const Producer& producer = chance.Of(subject_.producers);
  if (disabled_.contains(producer.pointer)) return {LineOf("plain", GoodMessage(chance, names))};
  const auto dress = [&](Json& message) {
    if (subject_.manner.era == Era::kModern) Wrap(message, PlainEnvelope(subject_));
  };
  const std::string made = MadeName(names.next_made++);
  Json first = MessageOf(PlainId(names), producer.request);
  dress(first);
  Play play = {LineOf("sequence", first)};
  play.front().save = {{made, producer.pointer}};
  for (std::size_t i = 1 + chance.Below(4); i > 0; --i) {
    Json next = MessageOf(PlainId(names), chance.Of(producer.consumers));
    Refer(next, made);
    dress(next);
    if (chance.OneIn(3)) MutateJson(next, chance, subject_.words);
    play.push_back(LineOf("sequence", next));
  }
  return play;
}

// A request, and the notification that takes it back.
Play Generator::Cancelled(Chance& chance, Names& names) const {
  const Json request = GoodMessage(chance, names);
  Json params = Json::Object({{"requestId", *request.Find("id")}});
  if (chance.OneIn(2)) params.Set("reason", OddText(chance));
  const Json cancel = Json::Object({{"jsonrpc", Json::String("2.0")},
                                    {"method", Json::String("notifications/cancelled")},
                                    {"params", std::move(params)}});
  if (request.FindString("method") == "initialize") return {LineOf("plain", request)};
  Play play = {LineOf("cancel", request), LineOf("cancel", cancel)};
  if (chance.OneIn(6)) play.push_back(play.back());
  return play;
}

Play Generator::Fresh(Chance& chance, Names& names) {
  if (subject_.manner.over_http && chance.OneIn(3)) {
    Probe probe = LineOf("http", GoodMessage(chance, names));
    probe.http = OddHttp(subject_, chance);
    return {std::move(probe)};
  }
  switch (chance.Below(16)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      Json message = MessageOf(PlainId(names), GoodRequest(chance));
      Wrap(message, OddEnvelope(subject_, chance));
      return {LineOf("meta", message)};
    }
    case 4:
    case 5: {
      Json message = GoodMessage(chance, names);
      message.Set("id", OddId(chance, names));
      return {LineOf("id", message)};
    }
    case 6: {
      Json message = GoodMessage(chance, names);
      message.Set("method", chance.OneIn(4) ? OddValue(chance)
                                            : Json::String(std::string(chance.Of(kMethods))));
      return {LineOf("method", message)};
    }
    case 7: {
      Json message = GoodMessage(chance, names);
      switch (chance.Below(4)) {
        case 0:
          message.Remove("id");
          break;
        case 1:
          message.Remove("params");
          break;
        case 2:
          message.Set("jsonrpc", chance.OneIn(2) ? Json::String("1.0") : OddValue(chance));
          break;
        default:
          message.Set("params", OddValue(chance));
      }
      return {LineOf("envelope", message)};
    }
    case 8:
    case 9:
    case 10: {
      Json message = GoodMessage(chance, names);
      for (JsonMember& member : message.members()) {
        if (member.key != "params") continue;
        for (std::size_t i = chance.OneIn(4) ? 2 : 1; i > 0; --i) {
          MutateJson(member.value, chance, subject_.words);
        }
      }
      return {LineOf("params", message)};
    }
    case 11:
    case 12: {
      const std::string line = GoodMessage(chance, names).Dump();
      if (!subject_.manner.over_http) return {OddFrame(line, chance)};
      Probe probe{.family = "body", .bytes = line};
      MutateBytes(probe.bytes, chance);
      return {std::move(probe)};
    }
    case 13:
      return Cancelled(chance, names);
    case 14:
      if (!subject_.producers.empty()) return Sequence(chance, names);
      [[fallthrough]];
    default:
      return {LineOf("plain", GoodMessage(chance, names))};
  }
}

Play Generator::Changed(const Play& old, Chance& chance, Names& names) const {
  Play play = old;
  // What it saves has another name this time.
  for (Probe& producer : play) {
    if (producer.save.empty()) continue;
    Save& save = producer.save.front();
    const std::string fresh = MadeName(names.next_made++);
    for (Probe& probe : play) {
      ReplaceAll(probe.bytes, "${" + save.variable + "}", "${" + fresh + "}");
    }
    save.variable = fresh;
    if (disabled_.contains(save.pointer)) producer.save.clear();
  }
  for (Probe& probe : play) probe.bytes = Renumbered(probe.bytes, names);
  Probe& probe = play[chance.Below(play.size())];
  // A producer must still produce.
  if (!probe.save.empty()) return play;
  if (subject_.manner.over_http && chance.OneIn(4)) probe.http = OddHttp(subject_, chance);
  JsonParse parsed = ParseJson(probe.bytes);
  if (parsed.value && !chance.OneIn(4)) {
    for (std::size_t i = 1 + chance.Below(chance.OneIn(3) ? 4 : 1); i > 0; --i) {
      MutateJson(*parsed.value, chance, subject_.words);
    }
    probe.bytes = parsed.value->Dump();
  } else {
    MutateBytes(probe.bytes, chance);
  }
  return play;
}

Play Generator::Next(Chance& chance, Names& names) {
  for (;;) {
    const Play* old = chance.OneIn(3) ? corpus_.Choose(subject_.manner, chance) : nullptr;
    Play play = old == nullptr ? Fresh(chance, names) : Changed(*old, chance, names);
    if (IsFit(subject_, play)) return play;
  }
}

Play Generator::Opening(Chance& chance, Names& names) {
  for (;;) {
    Play play;
    Json message = chance.OneIn(3) ? GoodMessage(chance, names)
                                   : MessageOf(PlainId(names), subject_.requests[2]);
    if (chance.OneIn(2)) MutateJson(message, chance, subject_.words);
    play.push_back(chance.OneIn(5) && !subject_.manner.over_http ? OddFrame(message.Dump(), chance)
                                                                 : LineOf("opening", message));
    if (IsFit(subject_, play)) return play;
  }
}

}  // namespace assay
