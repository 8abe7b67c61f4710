// What goes wrong with the modern era's _meta, versions, and the members every modern result has.
#include <boost/json.hpp>
#include <string>

#include "faults/fault_list.h"
#include "protocol/envelope.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

json::object& Meta(FaultyLine& line) { return line.message->at("params").at("_meta").as_object(); }

Script MissingCapabilitiesAccepted() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || !line.is_enveloped) return;
    Meta(line).emplace(kClientCapabilitiesKey, json::object());
    line.changed = true;
  }};
}

Script ClientInfoRequired() {
  return {.answer = [](FaultyMessage& answer) {
    const json::value* params = answer.request.if_contains("params");
    if (!answer.is_modern || params == nullptr || answer.result() == nullptr) return;
    if (params->as_object().contains("_meta") &&
        !params->at("_meta").as_object().contains(kClientInfoKey)) {
      answer.Fail(-32602, "Invalid params: clientInfo is missing");
    }
  }};
}

Script CapabilitiesInvisible() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || !line.is_enveloped || line.method != "tools/call") return;
    if (!Meta(line).contains(kClientCapabilitiesKey)) return;
    Meta(line)[kClientCapabilitiesKey] = json::object();
    line.changed = true;
  }};
}

Script CapabilitiesRemembered() {
  return {.line = [known = json::object()](FaultyLine& line) mutable {
    if (!line.is_request || !line.is_enveloped) return;
    json::value* capabilities = Meta(line).if_contains(kClientCapabilitiesKey);
    if (capabilities == nullptr || !capabilities->is_object()) return;
    for (const auto& member : capabilities->get_object()) known[member.key()] = member.value();
    *capabilities = known;
    line.changed = true;
  }};
}

Script MissingCapabilityIsInternalError() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* error = answer.error();
    if (error != nullptr && error->at("code") == json::value(-32021)) (*error)["code"] = -32603;
  }};
}

Script MissingCapabilityUnnamed() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* error = answer.error();
    if (error != nullptr && error->at("code") == json::value(-32021)) error->stable_erase("data");
  }};
}

void AcceptAnyVersion(FaultyLine& line) {
  json::value& version = Meta(line).at(kProtocolVersionKey);
  if (!version.is_string()) return;
  version = Name(kNewestModern);
  line.changed = true;
}

Script VersionCheckedOnce() {
  return {.line = [first = true](FaultyLine& line) mutable {
    if (!line.is_request || !line.is_enveloped) return;
    if (!std::exchange(first, false)) AcceptAnyVersion(line);
  }};
}

Script AnyVersionServed() {
  return {.line = [](FaultyLine& line) {
    if (line.is_request && line.is_enveloped) AcceptAnyVersion(line);
  }};
}

Script DiscoverForAnyVersion() {
  return {.line = [](FaultyLine& line) {
    if (line.is_request && line.is_enveloped && line.method == "server/discover") {
      AcceptAnyVersion(line);
    }
  }};
}

Script EditUnsupported(void (*edit)(json::object& data)) {
  return {.answer = [edit](FaultyMessage& answer) {
    json::object* error = answer.error();
    if (error == nullptr || error->at("code") != json::value(-32022)) return;
    edit(error->at("data").as_object());
  }};
}

Script UnsupportedWithoutRequested() {
  return EditUnsupported([](json::object& data) { data.stable_erase("requested"); });
}

Script UnsupportedListsNothing() {
  return EditUnsupported([](json::object& data) { data["supported"] = json::array(); });
}

Script UnsupportedIsInvalidParams() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* error = answer.error();
    if (error != nullptr && error->at("code") == json::value(-32022)) (*error)["code"] = -32602;
  }};
}

bool IsListOrRead(std::string_view method) {
  return method.ends_with("/list") || method == "resources/read" || method == "server/discover";
}

Script SomeResultsLackResultType() {
  return {.answer = [](FaultyMessage& answer) {
    if (!answer.is_modern || IsListOrRead(answer.method)) return;
    if (json::object* result = answer.result()) result->stable_erase("resultType");
  }};
}

Script ResultTypeInLegacy() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.is_modern || answer.method == "ping" || answer.method == "-") return;
    if (json::object* result = answer.result()) (*result)["resultType"] = "complete";
  }};
}

Script NoCacheHints() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.is_modern ? answer.result() : nullptr;
    if (result == nullptr || answer.method == "server/discover") return;
    result->stable_erase("ttlMs");
    result->stable_erase("cacheScope");
  }};
}

Script NegativeTtl() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.is_modern ? answer.result() : nullptr;
    if (result != nullptr && result->contains("ttlMs")) (*result)["ttlMs"] = -1;
  }};
}

Script UnknownCacheScope() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.is_modern ? answer.result() : nullptr;
    if (result != nullptr && result->contains("cacheScope")) (*result)["cacheScope"] = "session";
  }};
}

Script NoServerInfo() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.is_modern ? answer.result() : nullptr;
    if (result == nullptr || !result->contains("_meta")) return;
    result->at("_meta").as_object().stable_erase(kServerInfoKey);
  }};
}

Script RemovedMethodsServed() {
  return {.answer = [](FaultyMessage& answer) {
    const bool removed = answer.method == "ping" || answer.method == "logging/setLevel" ||
                         answer.method == "resources/subscribe" ||
                         answer.method == "resources/unsubscribe";
    if (!answer.is_modern || !removed || answer.error() == nullptr) return;
    answer.message.stable_erase("error");
    answer.message["result"] = json::object{{"resultType", "complete"}};
  }};
}

}  // namespace

std::vector<NamedFault> EnvelopeFaults() {
  return {
      {"missing-capabilities-accepted", "M-META-MISSING-CAPABILITIES", "BUG-104",
       "serves requests without clientCapabilities", MissingCapabilitiesAccepted},
      {"client-info-required", "M-META-CLIENTINFO-OPTIONAL", "BUG-092",
       "refuses requests without clientInfo", ClientInfoRequired},
      {"capabilities-invisible", "M-ERR-RESERVED-MEANING", "BUG-105",
       "does not see the client capabilities that a request declares", CapabilitiesInvisible},
      {"capabilities-remembered", "M-STATE-CAPS-PER-REQUEST", "BUG-096",
       "goes on using client capabilities of earlier requests", CapabilitiesRemembered},
      {"missing-capability-internal-error", "M-META-MISSING-CAPABILITY-ERROR", "BUG-199",
       "answers a missing client capability with -32603", MissingCapabilityIsInternalError},
      {"missing-capability-unnamed", "M-META-MISSING-CAPABILITY-DATA", "BUG-199",
       "does not say which client capability is missing", MissingCapabilityUnnamed},
      {"version-checked-once", "M-STATE-VERSION-PER-REQUEST", "BUG-101",
       "looks at the protocol version of the first request only", VersionCheckedOnce},
      {"any-version-served", "M-VER-UNSUPPORTED", "BUG-101",
       "serves requests whatever version they name", AnyVersionServed},
      {"discover-for-any-version", "M-VER-UNSUPPORTED-DISCOVER", "BUG-097",
       "serves server/discover whatever version it names", DiscoverForAnyVersion},
      {"unsupported-without-requested", "M-VER-UNSUPPORTED-REQUESTED", "BUG-101",
       "leaves requested out of -32022", UnsupportedWithoutRequested},
      {"unsupported-lists-nothing", "M-VER-UNSUPPORTED-SUPPORTED-LIST", "BUG-101",
       "names no supported version in -32022", UnsupportedListsNothing},
      {"unsupported-is-invalid-params", "M-VER-UNSUPPORTED", "BUG-082",
       "answers an unsupported version with -32602", UnsupportedIsInvalidParams},
      {"some-results-lack-result-type", "M-RPC-RESULTTYPE-PRESENT", "BUG-094",
       "has resultType on lists and reads only", SomeResultsLackResultType},
      {"result-type-in-legacy", "C-ERA-BARE-OPENS-LEGACY", "-",
       "puts resultType into legacy results", ResultTypeInLegacy},
      {"no-cache-hints", "M-CACHE-HINTS-TOOLS-LIST", "BUG-095",
       "leaves ttlMs and cacheScope out of lists and reads", NoCacheHints},
      {"negative-ttl", "M-CACHE-TTL-NON-NEGATIVE", "BUG-095", "sends a ttlMs of -1", NegativeTtl},
      {"unknown-cache-scope", "M-CACHE-SCOPE-VALUES", "BUG-095",
       "sends a cacheScope that does not exist", UnknownCacheScope},
      {"no-server-info", "M-META-SERVERINFO", "BUG-107", "leaves serverInfo out of its results",
       NoServerInfo},
      {"removed-methods-served", "M-ERR-REMOVED-METHODS", "-",
       "serves ping, setLevel, subscribe and unsubscribe in the modern era", RemovedMethodsServed},
  };
}

}  // namespace assay::reference
