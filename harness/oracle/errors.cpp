// Error responses: which codes an era allows, and what comes with them.

#include "oracle/errors.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "oracle/carrier.h"

namespace assay::oracle {
namespace {

constexpr std::int64_t kHeaderMismatch = -32020;
constexpr std::int64_t kMissingCapability = -32021;
constexpr std::int64_t kUnsupportedVersion = -32022;
constexpr std::int64_t kUrlElicitationRequired = -32042;

constexpr Duty kNo32002{"M-ERR-NO-32002", ""};
constexpr Duty kNo32042{"M-ERR-NO-32042", ""};
constexpr Duty kReserved{"M-ERR-RESERVED-UNDEFINED", ""};
constexpr Duty kMeaning{"M-ERR-RESERVED-MEANING", ""};
constexpr Duty kLegacyRange{"M-ERR-LEGACY-RANGE-UNUSED", ""};
constexpr Duty kCustom{"M-ERR-CUSTOM-OUTSIDE-RESERVED", ""};

constexpr Duty kVersionData{"M-VER-UNSUPPORTED-DATA", ""};
constexpr Duty kVersionList{"M-VER-UNSUPPORTED-SUPPORTED-LIST", ""};
constexpr Duty kVersionRequested{"M-VER-UNSUPPORTED-REQUESTED", ""};
constexpr Duty kCapabilityData{"M-META-MISSING-CAPABILITY-DATA", ""};
constexpr Duty kTasksData{"T-CREATE-REQUIRED-ERROR-DATA", ""};

constexpr Duty kUrlOnly{"", "L-ELICIT-required-error-only-then", "2025-11-25"};
constexpr Duty kUrlList{"", "L-ELICIT-required-error-list", "2025-11-25"};
constexpr Duty kUrlMode{"", "L-ELICIT-required-error-url-mode", "2025-11-25"};

std::optional<std::int64_t> CodeOf(const Received& response) {
  const Json* code = response.error()->Find("code");
  return code == nullptr ? std::nullopt : code->AsInteger();
}

std::string Name(const Received& response) {
  const bool named = response.request != nullptr && !response.request->method.empty();
  return named ? "The error of " + response.request->method : std::string("An error");
}

void JudgeModernCode(const Received& response, std::int64_t code, Findings& findings) {
  const auto report = [&](const Duty& duty, const std::string& message) {
    findings.Report(duty, response, message, {.actual = Json::Integer(code)});
  };
  if (code == -32002) {
    report(kNo32002, Name(response) + " has the retired code -32002");
  } else if (code == kUrlElicitationRequired) {
    report(kNo32042, Name(response) + " has the retired code -32042");
  } else if (code == kHeaderMismatch && response.entry->exchange == 0) {
    report(kMeaning,
           Name(response) + " has the code of a header mismatch, and there are no headers");
  } else if (code <= -32023 && code >= -32099) {
    report(kReserved, Name(response) + " has a code that is reserved for the specification");
  } else if (code <= -32000 && code >= -32019) {
    report(kLegacyRange, Name(response) + " has a code of the range that is not for new use");
  } else if (code <= -32100 && code >= -32768 && code != -32700 &&
             (code > -32600 || code < -32603)) {
    report(kCustom, Name(response) + " has a code that JSON-RPC reserves");
  }
}

void JudgeCodes(const Ledger& ledger, Findings& findings) {
  if (!ledger.speaks_modern()) return;
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kError) continue;
    const Received& response = *moment.received;
    // What a server that serves both eras answers to a handshake or to a bare request is not judged
    // by the modern list of codes.
    const Sent* request = response.request;
    if (response.era != Era::kModern) continue;
    if (request != nullptr && !request->envelope.has_version() &&
        !response.session->only_modern()) {
      continue;
    }
    if (request != nullptr && request->method == "initialize") continue;
    if (const auto code = CodeOf(response)) JudgeModernCode(response, *code, findings);
  }
}

// --- -32022

void JudgeVersionError(const Received& response, Findings& findings) {
  const Json* data = response.error()->Find("data");
  const Json* supported = data == nullptr ? nullptr : data->Find("supported");
  const Json* requested = data == nullptr ? nullptr : data->Find("requested");
  const auto is_string = [](const Json& item) { return item.is_string(); };
  const auto report = [&](const Duty& duty, const std::string& message, const Json* expected,
                          const Json* actual) {
    Detail detail;
    if (expected != nullptr) detail.expected = *expected;
    if (actual != nullptr) detail.actual = *actual;
    findings.Report(duty, response, message, std::move(detail));
  };
  if (data == nullptr || !data->is_object()) {
    report(kVersionData, "The error for an unsupported version has no data object", nullptr, data);
    return;
  }
  const bool list = supported != nullptr && supported->is_array() &&
                    std::all_of(supported->items().begin(), supported->items().end(), is_string);
  if (!list) {
    report(kVersionData, "data.supported of the version error is no array of strings", nullptr,
           supported);
  } else if (supported->items().empty()) {
    report(kVersionList, "data.supported of the version error is empty", nullptr, supported);
  }
  if (requested == nullptr || !requested->is_string()) {
    report(kVersionData, "data.requested of the version error is no string", nullptr, requested);
  }
  if (response.request == nullptr || response.request->reused_id) return;
  const Sent& request = *response.request;
  const bool initialize = request.method == "initialize";
  // Headers may name another, and of two equal keys either may count.
  if (!request.ordinary || !IsCarriedWell(request)) return;
  // An initialize in an envelope names two versions.
  if (initialize && (request.envelope.has_version() || request.params() == nullptr)) return;
  const Json* asked =
      initialize ? request.params()->Find("protocolVersion") : request.envelope.version;
  if (asked == nullptr || !asked->is_string()) return;
  if (requested != nullptr && requested->is_string() && !Equal(*requested, *asked)) {
    report(kVersionRequested, "data.requested is not the version that was asked for", asked,
           requested);
  }
  if (list && !initialize &&
      std::any_of(supported->items().begin(), supported->items().end(),
                  [asked](const Json& item) { return Equal(item, *asked); })) {
    report(kVersionList, "data.supported names the very version that was refused", nullptr,
           supported);
  }
}

// --- -32021

// Whether everything that `needed` names is in `declared`.
bool Declared(const Json& needed, const Json* declared) {
  if (declared == nullptr) return false;
  if (!needed.is_object()) return true;
  return std::all_of(needed.members().begin(), needed.members().end(),
                     [declared](const JsonMember& member) {
                       return Declared(member.value, declared->Find(member.key));
                     });
}

void JudgeCapabilityError(const Received& response, Findings& findings) {
  const Json* needed = response.error()->Find("data", "requiredCapabilities");
  if (needed == nullptr || !needed->is_object() || needed->members().empty()) {
    Detail detail;
    if (needed != nullptr) detail.actual = *needed;
    findings.Report(kCapabilityData, response,
                    "The error for a missing capability does not name it in "
                    "data.requiredCapabilities",
                    std::move(detail));
    return;
  }
  const Sent* request = response.request;
  if (request == nullptr || request->reused_id || request->envelope.capabilities == nullptr) return;
  if (const Json* extensions = needed->Find("extensions")) {
    const Json* tasks = extensions->Find(kTasksExtension);
    if (tasks != nullptr && !tasks->is_object()) {
      findings.Report(kTasksData, response, "The required tasks extension is named by no object",
                      {.actual = *tasks});
    }
  }
  // Elicitation without a mode means forms (2026-07-28 client/elicitation, capabilities).
  const Json* asked = needed->Find("elicitation");
  const Json* declared = request->envelope.capabilities->Find("elicitation");
  if (asked != nullptr && asked->members().empty() && declared != nullptr &&
      !declared->members().empty() && declared->Find("form") == nullptr) {
    return;
  }
  if (Declared(*needed, request->envelope.capabilities)) {
    findings.Report(kMeaning, response,
                    Name(response) + " asks for capabilities that the request declared",
                    {.actual = *needed});
  }
}

// --- -32042, legacy

void JudgeElicitationError(const Received& response, Findings& findings) {
  const Json* data = response.error()->Find("data");
  const Json* list = data == nullptr ? nullptr : data->Find("elicitations");
  if (data == nullptr || list == nullptr) {
    findings.Report(kUrlOnly, response,
                    Name(response) + " has code -32042 but names no elicitation",
                    {.actual = *response.error()});
    return;
  }
  if (!list->is_array() || list->items().empty()) {
    findings.Report(kUrlList, response, "data.elicitations is no list of what must be completed",
                    {.actual = *list});
    return;
  }
  for (const Json& item : list->items()) {
    if (item.FindString("mode") == "url" && item.FindString("elicitationId")) continue;
    findings.Report(kUrlMode, response,
                    "An elicitation that an error requires is not of URL mode with an id",
                    {.actual = item});
    return;
  }
}

void JudgeData(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kError) continue;
    const Received& response = *moment.received;
    const auto code = CodeOf(response);
    if (code == kUnsupportedVersion) JudgeVersionError(response, findings);
    if (code == kMissingCapability) JudgeCapabilityError(response, findings);
    if (code == kUrlElicitationRequired) JudgeElicitationError(response, findings);
  }
}

}  // namespace

std::vector<Rule> ErrorRules() {
  return {
      {"error-codes", {kNo32002, kNo32042, kReserved, kMeaning, kLegacyRange, kCustom}, JudgeCodes},
      {"error-data",
       {kVersionData, kVersionList, kVersionRequested, kCapabilityData, kTasksData, kMeaning,
        kUrlOnly, kUrlList, kUrlMode},
       JudgeData},
  };
}

}  // namespace assay::oracle
