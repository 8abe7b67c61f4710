#include "protocol/envelope.h"

#include <array>
#include <string>

#include "protocol/json_text.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

const json::object* Meta(const json::object* params) {
  if (params == nullptr) return nullptr;
  const json::value* meta = params->if_contains("_meta");
  return meta == nullptr ? nullptr : meta->if_object();
}

ProtocolError Missing(std::string_view key) {
  return InvalidParams("Invalid params: _meta lacks " + std::string(key));
}

ProtocolError Malformed(std::string_view key, std::string_view wanted) {
  return InvalidParams("Invalid params: _meta " + std::string(key) + " must be " +
                       std::string(wanted));
}

bool IsImplementation(const json::value& value) {
  const json::object* info = value.if_object();
  if (info == nullptr) return false;
  const json::value* name = info->if_contains("name");
  const json::value* version = info->if_contains("version");
  return name != nullptr && name->is_string() && version != nullptr && version->is_string();
}

/// ClientCapabilities is open, but the members it defines are all objects.
bool AreCapabilities(const json::object& capabilities) {
  for (const std::string_view known :
       {"elicitation", "sampling", "roots", "extensions", "experimental"}) {
    const json::value* member = capabilities.if_contains(known);
    if (member != nullptr && !member->is_object()) return false;
  }
  return true;
}

}  // namespace

bool HasEnvelopeKey(const json::object* params) {
  const json::object* meta = Meta(params);
  return meta != nullptr && meta->contains(kProtocolVersionKey);
}

std::variant<Envelope, ProtocolError> ReadEnvelope(const json::object* params) {
  const json::object* meta = Meta(params);
  if (meta == nullptr) return Missing(kProtocolVersionKey);
  const json::value* version = meta->if_contains(kProtocolVersionKey);
  if (version == nullptr) return Missing(kProtocolVersionKey);
  if (!version->is_string()) return Malformed(kProtocolVersionKey, "a string");
  const json::value* capabilities = meta->if_contains(kClientCapabilitiesKey);
  if (capabilities == nullptr) return Missing(kClientCapabilitiesKey);
  if (!capabilities->is_object() || !AreCapabilities(capabilities->get_object())) {
    return Malformed(kClientCapabilitiesKey, "a ClientCapabilities object");
  }
  const json::value* info = meta->if_contains(kClientInfoKey);
  if (info != nullptr && !IsImplementation(*info)) {
    return Malformed(kClientInfoKey, "an object with name and version");
  }
  Envelope envelope{kNewestModern, &capabilities->get_object(), std::nullopt};
  if (const json::value* level = meta->if_contains(kLogLevelKey)) {
    if (level->is_string()) envelope.log_level = ParseLogLevel(level->get_string());
    if (!envelope.log_level) return Malformed(kLogLevelKey, "a log level");
  }
  const std::optional<Revision> revision = ParseRevision(version->get_string());
  if (!revision || !IsModern(*revision)) return UnsupportedVersion(version->get_string());
  envelope.revision = *revision;
  return envelope;
}

ProtocolError UnsupportedVersion(std::string_view requested) {
  json::array supported;
  for (const Revision revision : kAllRevisions) {
    if (IsModern(revision)) supported.emplace_back(Name(revision));
  }
  return {ErrorCode::kUnsupportedProtocolVersion, "Unsupported protocol version",
          json::object{{"supported", std::move(supported)}, {"requested", requested}}};
}

std::variant<std::optional<ProgressToken>, ProtocolError> ReadProgressToken(
    const Request& request) {
  const json::object* meta = Meta(request.params);
  if (meta == nullptr || !meta->contains("progressToken")) return std::nullopt;
  std::optional<std::string_view> text = MemberText(request.text, "params");
  if (text) text = MemberText(*text, "_meta");
  if (text) text = MemberText(*text, "progressToken");
  std::optional<ProgressToken> token;
  if (text) token = ProgressToken::Parse(*text);
  if (!token) return Malformed("progressToken", "a string or an integer");
  return token;
}

}  // namespace assay::reference
