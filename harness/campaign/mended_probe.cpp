// Odd probe -> valid request.

#include "campaign/mended_probe.h"

#include <string>
#include <utility>

#include "exchange/envelope.h"

namespace assay {
namespace {

Json MetaOf(const Json* odd, const Manner& manner, bool other_keys) {
  Json meta = manner.era == Era::kModern
                  ? GoodEnvelope(manner.revision, {Json::Object(), DefaultClientInfo()})
                  : Json::Object();
  if (odd == nullptr || !odd->is_object()) return meta;
  std::size_t number = 0;
  for (const JsonMember& member : odd->members()) {
    if (meta.Find(member.key) != nullptr) continue;
    meta.Set(other_keys ? "a" + std::to_string(number++) : member.key, member.value);
  }
  return meta;
}

}  // namespace

std::vector<Probe> MendedProbes(const Manner& manner, const Probe& probe) {
  std::vector<Probe> mended;
  const JsonParse parsed = ParseJson(probe.bytes);
  if (!parsed.value || !parsed.value->is_object()) return mended;
  const Json* odd = parsed.value->Find("params");
  std::string method = parsed.value->FindString("method").value_or("");
  if (method.empty()) method = manner.era == Era::kModern ? "server/discover" : "ping";
  for (const bool other_keys : {false, true}) {
    Json params = odd != nullptr && odd->is_object() ? *odd : Json::Object();
    params.Set("_meta", MetaOf(params.Find("_meta"), manner, other_keys));
    const Json id = Json::Integer(1);
    Json message = MakeMessage(&id, method, &params);
    // What nobody asked for stands in the way of nobody.
    for (const JsonMember& member : parsed.value->members()) {
      const bool says_more = member.key == "result" || member.key == "error";
      if (!says_more && message.Find(member.key) == nullptr) message.Set(member.key, member.value);
    }
    mended.push_back({.family = probe.family, .bytes = message.Dump()});
  }
  return mended;
}

}  // namespace assay
