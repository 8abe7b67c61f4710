// _meta and icons of whatever the server sends.

#include "oracle/meta.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::oracle {
namespace {

constexpr Duty kPrefix{"M-META-KEY-PREFIX-FORMAT", "L-BASE-meta-prefix-grammar", "2025-06-18"};
constexpr Duty kName{"M-META-KEY-NAME-FORMAT", "L-BASE-meta-name-grammar", "2025-06-18"};
constexpr Duty kReserved{"M-META-RESERVED-PREFIX", "L-BASE-meta-reserved-prefix", "2025-06-18"};
constexpr Duty kReverseDns{"M-META-KEY-REVERSE-DNS", "L-BASE-meta-reverse-dns", "2025-11-25"};
constexpr Duty kTrace{"M-META-TRACE-FORMAT", ""};
constexpr Duty kExtensionId{"M-EXT-ID-FORMAT", ""};
constexpr Duty kIconScheme{"M-ICON-SRC-SCHEME", "L-BASE-icon-src-scheme", "2025-11-25"};
constexpr Duty kIconSizes{"M-ICON-SIZES-FORMAT", "L-BASE-icon-sizes-format", "2025-11-25"};
constexpr Duty kLastModified{"M-CONTENT-LAST-MODIFIED", "L-BASE-annotations-lastmodified-iso",
                             "2025-06-18"};

bool Letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool Digit(char c) { return c >= '0' && c <= '9'; }
bool Alphanumeric(char c) { return Letter(c) || Digit(c); }

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool GoodLabel(std::string_view label) {
  return !label.empty() && Letter(label.front()) && Alphanumeric(label.back()) &&
         std::all_of(label.begin(), label.end(),
                     [](char c) { return Alphanumeric(c) || c == '-'; });
}

bool GoodPrefix(std::string_view prefix) {
  const std::vector<std::string_view> labels = Split(prefix, '.');
  return std::all_of(labels.begin(), labels.end(), GoodLabel);
}

bool GoodName(std::string_view name) {
  if (name.empty()) return true;
  return Alphanumeric(name.front()) && Alphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return Alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

// Which prefixes are MCP's own was said differently over time.
bool IsReserved(const std::vector<std::string_view>& labels, const Received& received) {
  const auto ours = [](std::string_view label) {
    return label == "mcp" || label == "modelcontextprotocol";
  };
  if (received.era == Era::kLegacy && received.revision == "2025-06-18") {
    return labels.size() >= 2 && ours(labels[labels.size() - 2]);
  }
  return labels.size() >= 2 && ours(labels[1]);
}

bool IsDefined(std::string_view key) {
  constexpr std::array<std::string_view, 8> kDefined = {
      kVersionKey,
      kCapabilitiesKey,
      kClientInfoKey,
      kLogLevelKey,
      kServerInfoKey,
      kSubscriptionKey,
      "io.modelcontextprotocol/related-task",
      "io.modelcontextprotocol/model-immediate-response"};
  return std::find(kDefined.begin(), kDefined.end(), key) != kDefined.end() ||
         key == kTasksExtension;
}

// Official extensions may define keys that bear their name.
bool IsAdvertised(std::string_view key, const Session& session) {
  for (const Json* capabilities : {session.modern_capabilities, session.legacy_capabilities}) {
    const Json* extensions = capabilities == nullptr ? nullptr : capabilities->Find("extensions");
    if (extensions != nullptr && extensions->Find(key) != nullptr) return true;
  }
  return false;
}

bool LooksForward(const std::vector<std::string_view>& labels) {
  constexpr std::array<std::string_view, 7> kTopLevel = {"com", "org", "net", "io",
                                                         "dev", "ai",  "app"};
  const auto top = [&](std::string_view label) {
    return std::find(kTopLevel.begin(), kTopLevel.end(), label) != kTopLevel.end();
  };
  return labels.size() >= 2 && top(labels.back()) && !top(labels.front());
}

// 00-<32 hex>-<16 hex>-<2 hex> (W3C Trace Context).
bool GoodTraceparent(const Json& value) {
  if (!value.is_string()) return false;
  const std::vector<std::string_view> parts = Split(value.text(), '-');
  constexpr std::array<std::size_t, 4> kLengths = {2, 32, 16, 2};
  if (parts.size() < kLengths.size()) return false;
  for (std::size_t i = 0; i < kLengths.size(); ++i) {
    const bool hex = std::all_of(parts[i].begin(), parts[i].end(),
                                 [](char c) { return Digit(c) || (c >= 'a' && c <= 'f'); });
    if (!hex || parts[i].size() != kLengths[i]) return false;
  }
  return true;
}

void JudgeKey(const Received& received, const std::string& key, const Json& value,
              Findings& findings) {
  const Json actual = Json::String(key);
  const std::size_t slash = key.find('/');
  const std::string_view name = std::string_view(key).substr(slash == key.npos ? 0 : slash + 1);
  if (!GoodName(name)) {
    findings.Report(kName, received, "A key of _meta has a name against the grammar",
                    {.actual = actual});
  }
  if (received.era == Era::kModern) {
    const bool trace = key == "traceparent";
    const bool text = key == "tracestate" || key == "baggage";
    if ((trace && !GoodTraceparent(value)) || (text && !value.is_string())) {
      findings.Report(kTrace, received, key + " in _meta is not in the W3C format",
                      {.actual = value});
    }
  }
  if (slash == key.npos) return;
  const std::string_view prefix = std::string_view(key).substr(0, slash);
  if (!GoodPrefix(prefix)) {
    findings.Report(kPrefix, received, "A key of _meta has a prefix against the grammar",
                    {.actual = actual});
    return;
  }
  const std::vector<std::string_view> labels = Split(prefix, '.');
  if (IsReserved(labels, received)) {
    if (!IsDefined(key) && !IsAdvertised(key, *received.session)) {
      findings.Report(kReserved, received, "A key of _meta has a reserved prefix",
                      {.actual = actual});
    }
  } else if (LooksForward(labels)) {
    findings.Report(kReverseDns, received, "The prefix of a key of _meta is not in reverse order",
                    {.actual = actual});
  }
}

void JudgeIcons(const Received& received, const Json& icons, Findings& findings) {
  for (const Json& icon : icons.items()) {
    const std::string src = icon.FindString("src").value_or("");
    const std::string scheme = src.substr(0, src.find(':'));
    const bool data = scheme == "data" && src.find(";base64,") != src.npos;
    if (!src.empty() && scheme != "http" && scheme != "https" && !data) {
      findings.Report(kIconScheme, received, "An icon is neither an http(s) URL nor base64 data",
                      {.actual = Json::String(src.substr(0, 80))});
    }
    const Json* sizes = icon.Find("sizes");
    if (sizes == nullptr) continue;
    for (const Json& size : sizes->items()) {
      if (!size.is_string() || size.text() == "any") continue;
      const std::vector<std::string_view> sides = Split(size.text(), 'x');
      const bool good =
          sides.size() == 2 && std::all_of(sides.begin(), sides.end(), [](std::string_view side) {
            return !side.empty() && std::all_of(side.begin(), side.end(), Digit);
          });
      if (!good) {
        findings.Report(kIconSizes, received, "The size of an icon is not like 48x48 or any",
                        {.actual = size});
      }
    }
  }
}

// A date, or a date and a time, as ISO 8601 writes them.
bool LooksLikeIso8601(std::string_view text) {
  constexpr std::string_view kDate = "0000-00-00";
  if (text.size() < kDate.size()) return false;
  for (std::size_t i = 0; i < kDate.size(); ++i) {
    if (kDate[i] == '0' ? !Digit(text[i]) : text[i] != kDate[i]) return false;
  }
  return text.size() == kDate.size() || text[kDate.size()] == 'T';
}

// Members whose contents are somebody's data, not MCP's.
bool IsData(std::string_view key) {
  constexpr std::array<std::string_view, 12> kData = {
      "structuredContent", "arguments",  "inputSchema", "outputSchema",
      "requestedSchema",   "data",       "metadata",    "input",
      "experimental",      "extensions", "values",      "default"};
  return std::find(kData.begin(), kData.end(), key) != kData.end();
}

void Walk(const Received& received, const Json& value, Findings& findings) {
  for (const Json& item : value.items()) Walk(received, item, findings);
  for (const JsonMember& member : value.members()) {
    if (member.key == "_meta") {
      for (const JsonMember& entry : member.value.members()) {
        JudgeKey(received, entry.key, entry.value, findings);
      }
    } else if (member.key == "icons") {
      JudgeIcons(received, member.value, findings);
    } else if (member.key == "annotations") {
      const auto modified = member.value.FindString("lastModified");
      if (modified && !LooksLikeIso8601(*modified)) {
        findings.Report(kLastModified, received, "lastModified is no ISO 8601 timestamp",
                        {.actual = Json::String(*modified)});
      }
    } else if (!IsData(member.key)) {
      Walk(received, member.value, findings);
    }
  }
}

void JudgeMeta(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->body == nullptr) continue;
    const Received& received = *moment.received;
    for (const Json* part : {received.params(), received.result()}) {
      if (part != nullptr) Walk(received, *part, findings);
    }
  }
}

void JudgeExtensions(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kResult) continue;
    const Received& received = *moment.received;
    if (received.request == nullptr || received.request->method != "server/discover") continue;
    const Json* extensions = received.result()->Find("capabilities", "extensions");
    if (extensions == nullptr) continue;
    for (const JsonMember& member : extensions->members()) {
      const std::size_t slash = member.key.find('/');
      const bool good = slash != member.key.npos && GoodPrefix(member.key.substr(0, slash)) &&
                        GoodName(member.key.substr(slash + 1));
      if (!good) {
        findings.Report(kExtensionId, received, "An extension has an id against the grammar",
                        {.actual = Json::String(member.key)});
      }
    }
  }
}

}  // namespace

std::vector<Rule> MetaRules() {
  return {
      {"meta-and-icons",
       {kPrefix, kName, kReserved, kReverseDns, kTrace, kIconScheme, kIconSizes, kLastModified},
       JudgeMeta},
      {"extension-ids", {kExtensionId}, JudgeExtensions},
  };
}

}  // namespace assay::oracle
