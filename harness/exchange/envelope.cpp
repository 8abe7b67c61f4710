// Building our side of the protocol.

#include "exchange/envelope.h"

#include "version.h"

namespace assay {

Json DefaultClientInfo() {
  return Json::Object({{"name", Json::String("assay")}, {"version", Json::String(kVersion)}});
}

Json GoodEnvelope(const std::string& revision, const ClientIdentity& client) {
  const std::string prefix(kEnvelopePrefix);
  return Json::Object({{prefix + "protocolVersion", Json::String(revision)},
                       {prefix + "clientInfo", client.info},
                       {prefix + "clientCapabilities", client.capabilities}});
}

Json MergeEnvelope(Json good, const Json& changes) {
  for (const JsonMember& change : changes.members()) {
    const bool full = change.key.find('/') != std::string::npos;
    const std::string key = full ? change.key : std::string(kEnvelopePrefix) + change.key;
    if (change.value.is_null()) {
      good.Remove(key);
    } else {
      good.Set(key, change.value);
    }
  }
  return good;
}

void AddEnvelope(Json& message, const Json& envelope) {
  const Json* present = message.Find("params");
  if (present != nullptr && !present->is_object()) return;
  Json params = present == nullptr ? Json::Object() : *present;
  const Json* present_meta = params.Find("_meta");
  if (present_meta != nullptr && !present_meta->is_object()) return;
  Json meta = present_meta == nullptr ? Json::Object() : *present_meta;
  for (const JsonMember& member : envelope.members()) {
    // What a case writes into _meta itself stands.
    if (meta.Find(member.key) == nullptr) meta.Set(member.key, member.value);
  }
  params.Set("_meta", std::move(meta));
  message.Set("params", std::move(params));
}

Json MakeMessage(const Json* id, const std::string& method, const Json* params) {
  Json message = Json::Object({{"jsonrpc", Json::String("2.0")}});
  if (id != nullptr) message.Set("id", *id);
  message.Set("method", Json::String(method));
  if (params != nullptr) message.Set("params", *params);
  return message;
}

Json InitializeParams(const std::string& revision, const ClientIdentity& client) {
  return Json::Object({{"protocolVersion", Json::String(revision)},
                       {"capabilities", client.capabilities},
                       {"clientInfo", client.info}});
}

}  // namespace assay
