// Envelopes.

#include "campaign/envelope_values.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/json_mutator.h"
#include "campaign/odd_values.h"
#include "exchange/envelope.h"

namespace assay {
namespace {

using namespace std::string_view_literals;

constexpr std::array kPrefixes = {""sv,
                                  "io.modelcontextprotocol/"sv,
                                  "modelcontextprotocol.io/"sv,
                                  "mcp.dev/"sv,
                                  "mcp/"sv,
                                  "org.mcp/"sv,
                                  "tools.mcp.com/"sv,
                                  "api.modelcontextprotocol.org/"sv,
                                  "com.example/"sv,
                                  "com.example.mcp/"sv,
                                  "a/"sv,
                                  "a.b-c.d/"sv,
                                  "io.modelcontextprotocol"sv,
                                  "/"sv,
                                  "//"sv,
                                  "1abc/"sv,
                                  "-a/"sv,
                                  "a-/"sv,
                                  "a..b/"sv,
                                  ".a/"sv,
                                  "a./"sv,
                                  "IO.MODELCONTEXTPROTOCOL/"sv,
                                  "io.modelcontextprotocol/x/"sv,
                                  " io.modelcontextprotocol/"sv};

constexpr std::array kNames = {"protocolVersion"sv,
                               "clientInfo"sv,
                               "clientCapabilities"sv,
                               "logLevel"sv,
                               "serverInfo"sv,
                               "subscriptionId"sv,
                               "related-task"sv,
                               "progressToken"sv,
                               "taskHandle"sv,
                               "a"sv,
                               "a_b.c-1"sv,
                               "-a"sv,
                               "a-"sv,
                               ""sv,
                               "."sv,
                               "_"sv,
                               "traceparent"sv,
                               "tracestate"sv,
                               "baggage"sv,
                               "\xE6\x97\xA5"sv,
                               "a b"sv,
                               "__proto__"sv,
                               "constructor"sv,
                               "toString"sv};

constexpr std::array kVersions = {
    "2026-07-28"sv,   "2025-11-25"sv,   "2025-06-18"sv, "2025-03-26"sv, "2024-11-05"sv,
    "1900-01-01"sv,   "9999-12-31"sv,   "2026-07-29"sv, "2026-7-28"sv,  "2026-07-28 "sv,
    " 2026-07-28"sv,  "2026-07-28\n"sv, ""sv,           "latest"sv,     "DRAFT-2026-v1"sv,
    "2026-07-28.1"sv, "2026-02-30"sv,   "20260728"sv};

constexpr std::array kCapabilities = {
    R"({"elicitation":{}})"sv,
    R"({"elicitation":{"form":{},"url":{}}})"sv,
    R"({"sampling":{"tools":{},"context":{}}})"sv,
    R"({"roots":{"listChanged":true}})"sv,
    R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})"sv,
    R"({"extensions":{"io.modelcontextprotocol/tasks":null}})"sv,
    R"({"extensions":[]})"sv,
    R"({"extensions":{"":{}}})"sv,
    R"({"experimental":{"x":{}}})"sv,
    R"({"experimental":null})"sv,
    R"({"tasks":{"cancel":{},"list":{},"requests":{"elicitation":{"create":{}}}}})"sv,
    R"({"elicitation":true,"sampling":[],"roots":"yes"})"sv,
    R"({"unknown":{"a":[1,2,3]}})"sv};

constexpr std::array kLevels = {"debug"sv, "info"sv, "emergency"sv, "warn"sv, "DEBUG"sv, ""sv};

std::string Key(std::string_view name) { return std::string(kEnvelopePrefix) + std::string(name); }

Json Text(std::string_view text) { return Json::String(std::string(text)); }

// A member more, even where there is one of that key.
void Append(Json& object, std::string key, Json value) {
  object.members().push_back({std::move(key), std::move(value)});
}

void AddOddity(Json& meta, const Subject& subject, Chance& chance) {
  const auto known = [&] {
    return Key(chance.Of(std::array{"protocolVersion"sv, "clientInfo"sv, "clientCapabilities"sv}));
  };
  switch (chance.Below(13)) {
    case 0:
      meta.Remove(known());
      break;
    case 1:
      meta.Set(known(), OddValue(chance));
      break;
    case 2:
      Append(meta, known(), OddValue(chance));
      break;
    case 3:
      meta.Set(Key("protocolVersion"), Text(chance.Of(kVersions)));
      break;
    case 4:
      meta.Set(Key("clientCapabilities"), Json::Raw(std::string(chance.Of(kCapabilities))));
      break;
    case 5:
    case 6:
      Append(meta, MetaKey(chance), OddValue(chance));
      break;
    case 7:
      meta.Set("progressToken", chance.OneIn(2) ? OddNumber(chance) : OddText(chance));
      break;
    case 8:
      meta.Set(Key("logLevel"), chance.OneIn(3) ? OddValue(chance) : Text(chance.Of(kLevels)));
      break;
    case 9:
      meta.Set(Key("clientInfo"),
               Json::Object({{"name", OddText(chance)}, {"version", OddText(chance)}}));
      break;
    case 10:
      Append(meta, MetaKey(chance), Nested(Json::Object(), 1 + chance.Below(90), chance));
      break;
    case 11:
      for (std::size_t i = 1 + chance.Below(chance.OneIn(10) ? 400 : 12); i > 0; --i) {
        Append(meta, MetaKey(chance) + std::to_string(i), Json::Integer(1));
      }
      break;
    default:
      MutateJson(meta, chance, subject.words);
  }
}

}  // namespace

std::string MetaKey(Chance& chance) {
  std::string key(chance.Of(kPrefixes));
  key += chance.Of(kNames);
  if (chance.OneIn(40)) key.append(300, 'k');
  return key;
}

Json PlainEnvelope(const Subject& subject) {
  const std::string revision =
      subject.manner.revision.empty() ? std::string(kNewestModern) : subject.manner.revision;
  return GoodEnvelope(revision, {Json::Object(), DefaultClientInfo()});
}

Json OddEnvelope(const Subject& subject, Chance& chance) {
  Json meta = subject.manner.era == Era::kLegacy ? Json::Object() : PlainEnvelope(subject);
  // One defect at a time tells most; several meet here and there.
  const std::size_t oddities = chance.OneIn(4) ? 2 + chance.Below(2) : 1;
  for (std::size_t i = 0; i < oddities && meta.is_object(); ++i) AddOddity(meta, subject, chance);
  return meta;
}

}  // namespace assay
