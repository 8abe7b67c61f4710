// What a client may send.

#include "oracle/conduct.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>

namespace assay::oracle {
namespace {

constexpr std::size_t kOrdinarySize = 1 << 20;
constexpr int kOrdinaryDepth = 64;

bool NestedWithin(const Json& value, int depth) {
  if (depth == 0) return value.items().empty() && value.members().empty();
  const auto fits = [depth](const Json& child) { return NestedWithin(child, depth - 1); };
  return std::all_of(value.items().begin(), value.items().end(), fits) &&
         std::all_of(value.members().begin(), value.members().end(),
                     [&](const JsonMember& member) { return fits(member.value); });
}

// The params that a method cannot do without.
struct NeededParam {
  std::string_view method;
  std::string_view name;
  Json::Kind kind;
};
constexpr std::array kNeededParams = {
    NeededParam{"initialize", "protocolVersion", Json::Kind::kString},
    NeededParam{"initialize", "capabilities", Json::Kind::kObject},
    NeededParam{"initialize", "clientInfo", Json::Kind::kObject},
    NeededParam{"tools/call", "name", Json::Kind::kString},
    NeededParam{"prompts/get", "name", Json::Kind::kString},
    NeededParam{"resources/read", "uri", Json::Kind::kString},
    NeededParam{"resources/subscribe", "uri", Json::Kind::kString},
    NeededParam{"resources/unsubscribe", "uri", Json::Kind::kString},
    NeededParam{"completion/complete", "ref", Json::Kind::kObject},
    NeededParam{"completion/complete", "argument", Json::Kind::kObject},
    NeededParam{"logging/setLevel", "level", Json::Kind::kString},
    NeededParam{"subscriptions/listen", "notifications", Json::Kind::kObject},
    NeededParam{"tasks/get", "taskId", Json::Kind::kString},
    NeededParam{"tasks/result", "taskId", Json::Kind::kString},
    NeededParam{"tasks/cancel", "taskId", Json::Kind::kString},
    NeededParam{"tasks/update", "taskId", Json::Kind::kString},
};
// And the type of those that may be left out.
constexpr std::array kOptionalParams = {
    NeededParam{"tools/call", "arguments", Json::Kind::kObject},
    NeededParam{"prompts/get", "arguments", Json::Kind::kObject},
    NeededParam{"tools/list", "cursor", Json::Kind::kString},
    NeededParam{"prompts/list", "cursor", Json::Kind::kString},
    NeededParam{"resources/list", "cursor", Json::Kind::kString},
    NeededParam{"resources/templates/list", "cursor", Json::Kind::kString},
    NeededParam{"tasks/list", "cursor", Json::Kind::kString},
};

bool IsAlphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Letters and digits, and `inner` between them.
bool Consists(std::string_view text, std::string_view inner) {
  if (!IsAlphanumeric(text.front()) || !IsAlphanumeric(text.back())) return false;
  return std::all_of(text.begin(), text.end(), [inner](char c) {
    return IsAlphanumeric(c) || inner.find(c) != std::string_view::npos;
  });
}

bool IsMetaPrefix(std::string_view labels) {
  for (;;) {
    const std::size_t dot = std::min(labels.find('.'), labels.size());
    const std::string_view label = labels.substr(0, dot);
    if (label.empty() || !Consists(label, "-") ||
        std::isalpha(static_cast<unsigned char>(label.front())) == 0) {
      return false;
    }
    if (dot == labels.size()) return true;
    labels.remove_prefix(dot + 1);
  }
}

// 2026-07-28 and 2025-11-25, basic § _meta: labels with dots between them and a slash, or none of
// that; then a name.
bool IsMetaKey(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos) {
    if (!IsMetaPrefix(key.substr(0, slash))) return false;
    key.remove_prefix(slash + 1);
  }
  return key.empty() || Consists(key, "-_.");
}

bool MetaKeysFit(const Sent& sent) {
  const Json* meta = sent.params() == nullptr ? nullptr : sent.params()->Find("_meta");
  if (meta == nullptr) return true;
  return meta->is_object() &&
         std::all_of(meta->members().begin(), meta->members().end(),
                     [](const JsonMember& member) { return IsMetaKey(member.key); });
}

bool IsLogLevel(const Json& level) {
  constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                       "error", "critical", "alert",  "emergency"};
  return level.is_string() &&
         std::find(kLevels.begin(), kLevels.end(), level.text()) != kLevels.end();
}

bool InfoFits(const Json* info) {
  return info == nullptr || (info->FindString("name") && info->FindString("version"));
}

// Each capability is an object.
bool CapabilitiesFit(const Json& capabilities) {
  return capabilities.is_object() &&
         std::all_of(capabilities.members().begin(), capabilities.members().end(),
                     [](const JsonMember& member) { return member.value.is_object(); });
}

bool EnvelopeIsGood(const Envelope& envelope) {
  return envelope.version != nullptr && envelope.version->is_string() &&
         IsModernRevision(envelope.version->text()) && envelope.capabilities != nullptr &&
         CapabilitiesFit(*envelope.capabilities) && InfoFits(envelope.meta->Find(kClientInfoKey)) &&
         (envelope.log_level == nullptr || IsLogLevel(*envelope.log_level));
}

}  // namespace

bool ParamsFit(const Sent& sent) {
  const Json* params = sent.params();
  const auto find = [params](std::string_view name) {
    return params == nullptr ? nullptr : params->Find(name);
  };
  for (const NeededParam& needed : kNeededParams) {
    if (needed.method != sent.method) continue;
    const Json* value = find(needed.name);
    if (value == nullptr || value->kind() != needed.kind) return false;
  }
  for (const NeededParam& optional : kOptionalParams) {
    if (optional.method != sent.method) continue;
    const Json* value = find(optional.name);
    if (value != nullptr && value->kind() != optional.kind) return false;
  }
  return true;
}

std::string IdKey(const Json& id) {
  switch (id.kind()) {
    case Json::Kind::kString:
      return "s" + id.text();
    case Json::Kind::kNumber: {
      const double value = id.AsDouble() == 0 ? 0 : id.AsDouble();  // no negative zero
      return "n" + std::to_string(std::bit_cast<std::uint64_t>(value));
    }
    default:
      return "o" + id.Dump();
  }
}

bool IsOrdinary(const Sent& sent, const Message& message, std::size_t size) {
  return message.duplicate_keys.empty() && !message.lone_surrogate && size <= kOrdinarySize &&
         (sent.body == nullptr || NestedWithin(*sent.body, kOrdinaryDepth));
}

bool IsRequestId(const Json& id) { return id.is_string() || id.is_integer(); }

ClientConduct::ClientConduct(const Transcript& transcript) {
  if (!transcript.shared) return;
  // The opening happened before this part of the connection.
  opened_ = transcript.era;
  ready_ = initialized_ = asked_to_initialize_ = transcript.era == Era::kLegacy;
  if (initialized_) negotiated_ = transcript.revision;
}

bool ClientConduct::MaySend(const Sent& sent) {
  switch (sent.kind) {
    case Sent::Kind::kRequest:
      return MaySendRequest(sent) && sent.ordinary;  // in this order: it also takes note
    case Sent::Kind::kNotification:
      return sent.ordinary && MaySendNotification(sent);
    case Sent::Kind::kResponse:
      return sent.ordinary;
    case Sent::Kind::kMalformed:
    case Sent::Kind::kUnreadable:
      return false;
  }
  return false;
}

bool ClientConduct::MaySendRequest(const Sent& sent) {
  const bool enveloped = sent.envelope.has_version();
  const bool initialize = sent.method == "initialize";
  const Era era = enveloped && !initialize ? Era::kModern : Era::kLegacy;
  if (opened_ == Era::kNone) opened_ = era;

  bool may = era == opened_ && ParamsFit(sent) && MetaKeysFit(sent);
  if (sent.method == "logging/setLevel") may = may && IsLogLevel(*sent.params()->Find("level"));
  if (era == Era::kModern) {
    may = may && EnvelopeIsGood(sent.envelope);
  } else if (initialize) {
    may = may && !asked_to_initialize_ && CapabilitiesFit(*sent.params()->Find("capabilities")) &&
          InfoFits(sent.params()->Find("clientInfo"));
    asked_to_initialize_ = true;
    initialize_id_ = IdKey(*sent.id);
  } else {
    // Normal operation begins with notifications/initialized (lifecycle, initialization).
    may = may && (ready_ || sent.method == "ping");
  }

  const std::string key = IdKey(*sent.id);
  const bool fresh = used_ids_.insert(key).second;
  if (era == Era::kLegacy) may = may && fresh;
  may = open_ids_.insert(key).second && may;
  if (sent.envelope.progress_token != nullptr) {
    may = may && IsRequestId(*sent.envelope.progress_token);
    may = open_tokens_.insert(IdKey(*sent.envelope.progress_token)).second && may;
  }
  return may;
}

bool ClientConduct::MaySendNotification(const Sent& sent) {
  if (sent.method == "notifications/cancelled") {
    const Json* target = sent.params() == nullptr ? nullptr : sent.params()->Find("requestId");
    if (target == nullptr || !IsRequestId(*target)) return false;
    // initialize must not be cancelled. A request that has ended meanwhile is a race that the
    // specification allows for.
    const std::string key = IdKey(*target);
    return used_ids_.count(key) > 0 && (opened_ == Era::kModern || key != initialize_id_);
  }
  if (sent.method == "notifications/initialized") ready_ = initialized_;
  return opened_ == Era::kModern || initialized_;
}

void ClientConduct::Answered(const Sent& request, const Received& answer) {
  if (request.id != nullptr) open_ids_.erase(IdKey(*request.id));
  if (request.envelope.progress_token != nullptr) {
    open_tokens_.erase(IdKey(*request.envelope.progress_token));
  }
  if (request.method != "initialize") return;
  if (answer.kind != Received::Kind::kResult) {
    asked_to_initialize_ = initialized_;  // refused: it may be tried again
    return;
  }
  const std::string version = answer.result()->FindString("protocolVersion").value_or("");
  if (!initialized_) {
    negotiated_ = IsLegacyRevision(version) ? version : "";
  } else if (version != negotiated_) {
    negotiated_.clear();  // two answers, two versions: either may be in force
  }
  initialized_ = true;
}

}  // namespace assay::oracle
