// What goes wrong when a connection is opened, and when it should stay what it is.
#include <boost/json.hpp>
#include <memory>
#include <string>

#include "faults/fault_list.h"
#include "protocol/envelope.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

bool IsInitialize(const FaultyLine& line) { return line.is_request && line.method == "initialize"; }

/// Passes on whether initialize was seen before this line.
std::function<bool(const FaultyLine&)> InitializeTracker() {
  return [seen = false](const FaultyLine& line) mutable {
    const bool before = seen;
    seen = seen || IsInitialize(line);
    return before;
  };
}

Script PreInitializeInvalidParams() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* error = answer.error();
    if (error != nullptr && error->at("message") == json::value("Invalid request parameters")) {
      (*error)["code"] = -32602;
    }
  }};
}

/// Initializes the session by itself, as if there were nothing to negotiate.
Script PreInitializeServed() {
  const auto silent = std::make_shared<bool>(false);
  return {
      .line =
          [silent, initialized = InitializeTracker()](FaultyLine& line) mutable {
            if (initialized(line) || IsInitialize(line) || !line.is_request) return;
            if (line.is_enveloped || line.method == "ping") return;
            *silent = true;
            line.fault.PassOn(R"({"jsonrpc":"2.0","id":"?own?","method":"initialize","params":{)"
                              R"("protocolVersion":"2025-11-25","capabilities":{},)"
                              R"("clientInfo":{"name":"","version":""}}})");
            *silent = false;
          },
      .answer = [silent](FaultyMessage& answer) { answer.drop = *silent; }};
}

Script BeforeInitializedFatal() {
  return {.line = [initialized = InitializeTracker(), ready = false](FaultyLine& line) mutable {
    const bool negotiated = initialized(line);
    ready = ready || line.method == "notifications/initialized";
    const bool early = negotiated && !ready && line.is_request && line.method != "ping";
    if (early) line.fault.Exit(1);
  }};
}

Script BehindInitializeLost() {
  return {.line = [initialized = InitializeTracker(), ready = false](FaultyLine& line) mutable {
    const bool negotiated = initialized(line);
    ready = ready || line.method == "notifications/initialized";
    line.drop = negotiated && !ready && line.is_request && line.method != "ping";
  }};
}

Script FirstPingFatal() {
  return {.line = [initialized = InitializeTracker()](FaultyLine& line) mutable {
    if (!initialized(line) && line.is_request && line.method == "ping") line.fault.Exit(1);
  }};
}

/// What the client asks for in initialize, or an empty string.
std::string RequestedVersion(const FaultyMessage& answer) {
  return std::string(answer.param("protocolVersion"));
}

Script UnknownVersionRefused() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "initialize" || answer.result() == nullptr) return;
    if (answer.result()->at("protocolVersion") == json::value(RequestedVersion(answer))) return;
    answer.Fail(-32000, "Bad protocol version");
  }};
}

Script AnyVersionEchoed() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "initialize" || answer.result() == nullptr) return;
    (*answer.result())["protocolVersion"] = RequestedVersion(answer);
  }};
}

Script OldestInsteadOfNewest() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "initialize" || answer.result() == nullptr) return;
    if (answer.result()->at("protocolVersion") == json::value(RequestedVersion(answer))) return;
    (*answer.result())["protocolVersion"] = "2024-11-05";
  }};
}

Script FalsyClientVersionRefused() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "initialize" || answer.result() == nullptr) return;
    const json::value& version = answer.request.at("params").at("clientInfo").at("version");
    if (version == json::value("0") || version == json::value("")) {
      answer.Fail(-32000, "No valid session");
    }
  }};
}

Script DiscoverUnknown() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method == "server/discover" && answer.result() != nullptr) {
      answer.Fail(-32601, "Method not found");
    }
  }};
}

Script StaleCancelWedges() {
  return {.line = [deaf = false](FaultyLine& line) mutable {
    line.drop = deaf;
    // Anything fast is answered before its cancellation is read, so this one always comes late.
    deaf = deaf || (!line.is_request && line.method == "notifications/cancelled");
  }};
}

Script IncompleteEnvelopeFatal() {
  return {.answer = [](FaultyMessage& answer) {
    const json::value* error = answer.message.if_contains("error");
    if (error == nullptr || !answer.is_modern) return;
    if (error->at("message").as_string().starts_with("Invalid params: _meta")) {
      answer.fault.Exit(0);
      answer.drop = true;
    }
  }};
}

Script EnvelopedServedAfterInitialize() {
  return {.configure = [](Settings& settings, StdioSettings&) { settings.lock_legacy = false; }};
}

Script InitializeServedAfterEnvelope() {
  return {.configure = [](Settings& settings, StdioSettings&) { settings.lock_modern = false; }};
}

Script NoEraLock() {
  return {.configure = [](Settings& settings, StdioSettings&) {
    settings.lock_legacy = settings.lock_modern = false;
  }};
}

Script NotificationDecidesEra() {
  struct State {
    bool decided = false;
    bool legacy = false;
  };
  return {.line = [state = State()](FaultyLine& line) mutable {
    if (line.message == nullptr) return;
    if (!std::exchange(state.decided, true)) state.legacy = !line.is_request;
    if (!state.legacy || !line.is_request || !line.is_enveloped) return;
    line.drop = true;
    line.fault.SendOn({OutgoingMessage::Kind::kAnswer,
                       std::string(line.method),
                       {},
                       R"({"jsonrpc":"2.0","id":)" + json::serialize(line.message->at("id")) +
                           R"(,"error":{"code":-32600,"message":"Not initialized"}})" + "\n"});
  }};
}

/// Drops the envelope of a request that does not have all of it.
Script HalfEnvelopeOpensLegacy() {
  return {.line = [first = true](FaultyLine& line) mutable {
    if (!line.is_request || !std::exchange(first, false) || !line.is_enveloped) return;
    json::object& meta = line.message->at("params").at("_meta").as_object();
    if (meta.contains(kClientCapabilitiesKey)) return;
    meta.erase(kProtocolVersionKey);
    line.changed = true;
  }};
}

Script EnvelopedInitializeRefused() {
  return {.line = [](FaultyLine& line) {
    if (!IsInitialize(line) || !line.is_enveloped) return;
    // As a modern request it is one for a method that does not exist.
    (*line.message)["method"] = "server/initialize";
    line.changed = true;
  }};
}

Script UnsupportedVersionEndsConnection() {
  return {.line = [ended = false](FaultyLine& line) mutable {
    line.drop = ended;
    if (!line.is_enveloped) return;
    const json::value& version = line.message->at("params").at("_meta").at(kProtocolVersionKey);
    ended = ended || (version.is_string() && version.as_string() != Name(kNewestModern));
  }};
}

Script BareServedOnModern() {
  return {.line = [modern = false](FaultyLine& line) mutable {
    if (!line.is_request) return;
    modern = modern || line.is_enveloped;
    if (!modern || line.is_enveloped || line.method == "initialize") return;
    json::value& params = (*line.message)["params"];
    if (!params.is_object()) params = json::object();
    json::value& meta = params.get_object()["_meta"];
    if (!meta.is_object()) meta = json::object();
    meta.get_object()[kProtocolVersionKey] = Name(kNewestModern);
    meta.get_object()[kClientCapabilitiesKey] = json::object();
    line.changed = true;
  }};
}

}  // namespace

std::vector<NamedFault> EraFaults() {
  return {
      {"pre-initialize-invalid-params", "C-INIT-BEFORE-REFUSED", "BUG-075",
       "answers requests before initialize with -32602", PreInitializeInvalidParams},
      {"pre-initialize-served", "C-ERA-BARE-OPENS-LEGACY", "BUG-075",
       "serves requests before initialize", PreInitializeServed},
      {"before-initialized-fatal", "C-INIT-NO-WAIT-FOR-INITIALIZED", "BUG-076",
       "dies of a request between initialize and notifications/initialized",
       BeforeInitializedFatal},
      {"behind-initialize-lost", "C-INIT-PIPELINED", "BUG-076",
       "loses requests written before notifications/initialized", BehindInitializeLost},
      {"first-ping-fatal", "L-PING-before-initialize", "BUG-077",
       "dies of a ping before initialize", FirstPingFatal},
      {"unknown-version-refused", "L-INIT-version-other", "BUG-082",
       "refuses initialize with a version it does not know", UnknownVersionRefused},
      {"any-version-echoed", "L-INIT-version-other", "BUG-084",
       "negotiates any version the client names, even the modern one", AnyVersionEchoed},
      {"oldest-instead-of-newest", "L-INIT-version-latest", "BUG-083",
       "offers its oldest version to a client whose version it does not know",
       OldestInsteadOfNewest},
      {"falsy-client-version-refused", "L-INIT-respond", "BUG-098",
       "refuses initialize from a client of version \"0\" or \"\"", FalsyClientVersionRefused},
      {"discover-unknown", "M-DISCOVER-IMPLEMENTED", "BUG-089", "does not know server/discover",
       DiscoverUnknown},
      {"stale-cancel-wedges", "M-CANCEL-RACE", "BUG-090",
       "answers nothing any more after a cancellation that came too late", StaleCancelWedges},
      {"incomplete-envelope-fatal", "M-META-MISSING-CAPABILITIES", "BUG-092",
       "quits without an answer when the envelope is incomplete", IncompleteEnvelopeFatal},
      {"enveloped-served-after-initialize", "C-ERA-LOCKED-LEGACY", "-",
       "gives modern answers on a connection opened by initialize", EnvelopedServedAfterInitialize},
      {"initialize-served-after-envelope", "C-ERA-LOCKED-MODERN", "-",
       "accepts initialize on a connection opened by an envelope", InitializeServedAfterEnvelope},
      {"no-era-lock", "C-ERA-DECIDED-ONCE", "-", "lets every request choose its era", NoEraLock},
      {"notification-decides-era", "C-ERA-NOTIFICATIONS-DO-NOT-DECIDE", "-",
       "takes a first notification or response for a legacy opening", NotificationDecidesEra},
      {"half-envelope-opens-legacy", "C-ERA-HALF-ENVELOPE-OPENS-MODERN", "-",
       "ignores an envelope without clientCapabilities", HalfEnvelopeOpensLegacy},
      {"enveloped-initialize-refused", "C-ERA-INITIALIZE-IS-LEGACY", "-",
       "takes an initialize with an envelope for a modern request", EnvelopedInitializeRefused},
      {"unsupported-version-ends-connection", "C-VERSION-UNSUPPORTED-KEEPS-CONNECTION", "BUG-092",
       "answers nothing any more after a request for an unsupported version",
       UnsupportedVersionEndsConnection},
      {"bare-served-on-modern", "M-META-MISSING-META", "BUG-104",
       "serves requests without an envelope once the connection is modern", BareServedOnModern},
  };
}

}  // namespace assay::reference
