// What our side of the protocol looks like: the modern envelope, the legacy handshake, and the
// requests the engine sends of its own accord.

#pragma once

#include <optional>
#include <string>

#include "case/case.h"
#include "message/json.h"

namespace assay {

inline constexpr std::string_view kNewestModern = "2026-07-28";
inline constexpr std::string_view kNewestLegacy = "2025-11-25";
inline constexpr std::string_view kEnvelopePrefix = "io.modelcontextprotocol/";

// What we say of ourselves.
struct ClientIdentity {
  Json capabilities = Json::Object();
  Json info;  // clientInfo; see DefaultClientInfo
};
Json DefaultClientInfo();

// The complete envelope of a request under `revision` (2026-07-28, basic § _meta).
Json GoodEnvelope(const std::string& revision, const ClientIdentity& client);
// `good` with a case's changes: each key without a slash is one of the envelope's; null removes it.
Json MergeEnvelope(Json good, const Json& changes);
// Adds `envelope` to params._meta of a request or notification, beside what stands there. Leaves
// params alone that are no object (or whose _meta is none).
void AddEnvelope(Json& message, const Json& envelope);

// A JSON-RPC message, members in the customary order. `id` null = a notification.
Json MakeMessage(const Json* id, const std::string& method, const Json* params);
Json InitializeParams(const std::string& revision, const ClientIdentity& client);

}  // namespace assay
