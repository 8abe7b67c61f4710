// What a modern server makes of the envelope.

#include "oracle/envelope.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "oracle/carrier.h"
#include "oracle/conduct.h"

namespace assay::oracle {
namespace {

constexpr Duty kMissingMeta{"M-META-MISSING-META", ""};
constexpr Duty kMissingVersion{"M-META-MISSING-VERSION", ""};
constexpr Duty kMissingCapabilities{"M-META-MISSING-CAPABILITIES", ""};
constexpr Duty kWrongTypes{"M-META-WRONG-TYPES", ""};
constexpr Duty kUnsupported{"M-VER-UNSUPPORTED", ""};
constexpr Duty kUnsupportedDiscover{"M-VER-UNSUPPORTED-DISCOVER", ""};
constexpr Duty kHonoured{"M-DISCOVER-VERSIONS-HONOURED", ""};
constexpr Duty kMeaning{"M-ERR-RESERVED-MEANING", ""};

constexpr std::int64_t kInvalidParams = -32602;
constexpr std::int64_t kUnknownMethod = -32601;
constexpr std::int64_t kUnsupportedVersion = -32022;

bool Lists(const Json* versions, const std::string& version) {
  return versions != nullptr && versions->is_array() &&
         std::any_of(versions->items().begin(), versions->items().end(),
                     [&](const Json& item) { return item.is_string() && item.text() == version; });
}

// Whether no server of this kind supports `version`: the server itself does not list it, or it is
// no revision that was ever published. What becomes of a legacy one is open (modern-notes A11).
bool SurelyUnsupported(const std::string& version, const Session& session) {
  if (IsLegacyRevision(version) || IsModernRevision(version)) return false;
  if (session.supported_versions != nullptr) return !Lists(session.supported_versions, version);
  const bool date = version.size() == 10 && version[4] == '-' && version[7] == '-';
  return date && version < "2024-11-05";
}

struct Defect {
  Duty duty;
  std::string what;
  std::int64_t code;
  bool definite;  // false where only a modern result betrays that the request was taken as modern
};

std::vector<Defect> DefectsOf(const Sent& request) {
  std::vector<Defect> defects;
  const Envelope& envelope = request.envelope;
  if (!envelope.has_version() && envelope.capabilities == nullptr) {
    defects.push_back({kMissingMeta, "without an envelope", kInvalidParams, false});
    return defects;
  }
  if (!envelope.has_version()) {
    defects.push_back({kMissingVersion, "without a protocol version", kInvalidParams, false});
  } else if (!envelope.version->is_string()) {
    defects.push_back(
        {kWrongTypes, "with a protocol version that is no string", kInvalidParams, true});
  } else if (SurelyUnsupported(envelope.version->text(), *request.session)) {
    defects.push_back({request.method == "server/discover" ? kUnsupportedDiscover : kUnsupported,
                       "for an unsupported protocol version", kUnsupportedVersion, true});
  }
  if (envelope.capabilities == nullptr) {
    defects.push_back({kMissingCapabilities, "without client capabilities", kInvalidParams, true});
  } else if (!envelope.capabilities->is_object()) {
    defects.push_back(
        {kWrongTypes, "with client capabilities that are no object", kInvalidParams, true});
  }
  return defects;
}

// Whether nothing but what DefectsOf looks at can be wrong with its params.
bool RestIsSound(const Sent& request, const Ledger& ledger) {
  const Envelope& envelope = request.envelope;
  const auto fits = [&](const char* shape, const Json* value) {
    return value == nullptr || ledger.shapes().Check(kNewestModern, shape, *value).empty();
  };
  const Json* info = envelope.meta == nullptr ? nullptr : envelope.meta->Find(kClientInfoKey);
  return ParamsFit(request) && fits("Implementation", info) &&
         fits("ClientCapabilities", envelope.capabilities) &&
         fits("LoggingLevel", envelope.log_level) &&
         (envelope.progress_token == nullptr || IsRequestId(*envelope.progress_token));
}

// No order of checks is laid down (modern-notes A1): with one defect its code fits, and that of a
// method which the server does not have; with more, all of theirs.
void JudgeDefects(const Sent& request, const Received& answer, const Ledger& ledger,
                  Findings& findings) {
  const std::vector<Defect> defects = DefectsOf(request);
  if (defects.empty()) return;
  if (answer.kind == Received::Kind::kResult) {
    const bool modern = answer.result()->FindString("resultType").has_value();
    for (const Defect& defect : defects) {
      if (!modern && !defect.definite) continue;
      findings.Report(defect.duty, answer, "A request " + defect.what + " was served",
                      {.expected = Json::Integer(defect.code)});
      return;
    }
    return;
  }
  const Json* code = answer.error()->Find("code");
  const auto value = code == nullptr ? std::nullopt : code->AsInteger();
  if (!value || defects.size() > 1 || !defects[0].definite || !IsCarriedWell(request)) return;
  const Defect& defect = defects[0];
  const bool optional = request.method != "server/discover";
  if (*value == defect.code || (optional && *value == kUnknownMethod)) return;
  if (*value == kInvalidParams && !RestIsSound(request, ledger)) return;
  findings.Report(defect.duty, answer,
                  "A request " + defect.what + " was refused with another code",
                  {.expected = Json::Integer(defect.code), .actual = *code});
}

void JudgeEnvelopes(const Ledger& ledger, Findings& findings) {
  if (!ledger.speaks_modern()) return;
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->request == nullptr) continue;
    const Received& answer = *moment.received;
    const Sent& request = *answer.request;
    if (request.answer != &answer || request.kind != Sent::Kind::kRequest || request.reused_id ||
        !request.ordinary) {
      continue;
    }
    // After a handshake the treatment of an envelope is open (modern-notes A4).
    if (request.era != Era::kModern || request.session->initialized ||
        request.method == "initialize") {
      continue;
    }
    if (answer.kind == Received::Kind::kError && !answer.error()->is_object()) continue;
    if (answer.kind == Received::Kind::kResult && !answer.result()->is_object()) continue;
    JudgeDefects(request, answer, ledger, findings);
  }
}

// A version that the server lists, or has served on this very connection, is not unsupported.
void JudgeVersions(const Ledger& ledger, Findings& findings) {
  std::unordered_map<const Session*, std::vector<std::string>> served;
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->request == nullptr) continue;
    const Received& answer = *moment.received;
    const Sent& request = *answer.request;
    const Json* version = request.envelope.version;
    if (request.answer != &answer || request.reused_id || !request.ordinary ||
        request.era != Era::kModern || request.session->initialized ||
        request.method == "initialize" || version == nullptr || !version->is_string()) {
      continue;
    }
    std::vector<std::string>& versions = served[answer.session];
    if (answer.kind == Received::Kind::kResult) {
      if (std::find(versions.begin(), versions.end(), version->text()) == versions.end()) {
        versions.push_back(version->text());
      }
      const Json* listed = answer.result()->Find("supportedVersions");
      if (request.method == "server/discover" && listed != nullptr &&
          IsModernRevision(version->text()) && !Lists(listed, version->text())) {
        findings.Report(kHonoured, answer, "supportedVersions leaves out the version just served",
                        {.expected = *version, .actual = *listed});
      }
      continue;
    }
    const Json* code = answer.error()->Find("code");
    if (code == nullptr || code->AsInteger() != kUnsupportedVersion) continue;
    if (IsLegacyRevision(version->text()) || !IsCarriedWell(request)) continue;
    if (Lists(request.session->supported_versions, version->text())) {
      findings.Report(kHonoured, answer, "A version that supportedVersions lists was refused",
                      {.actual = *version});
    } else if (std::find(versions.begin(), versions.end(), version->text()) != versions.end()) {
      findings.Report(kMeaning, answer, "A version that was served before was refused",
                      {.actual = *version});
    }
  }
}

}  // namespace

std::vector<Rule> EnvelopeRules() {
  return {
      {"envelope-defects",
       {kMissingMeta, kMissingVersion, kMissingCapabilities, kWrongTypes, kUnsupported,
        kUnsupportedDiscover},
       JudgeEnvelopes},
      {"versions-honoured", {kHonoured, kMeaning}, JudgeVersions},
  };
}

}  // namespace assay::oracle
