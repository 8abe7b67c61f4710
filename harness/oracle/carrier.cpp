// Header by header.

#include "oracle/carrier.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace assay::oracle {
namespace {

// Servers have limits of their own from here on.
constexpr std::size_t kLongHeaders = 4096;

std::string LowerCase(std::string_view text) {
  std::string lower;
  for (const char c : text) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

bool IsPlain(const HttpField& field) {
  return std::all_of(field.value.begin(), field.value.end(),
                     [](char c) { return c >= ' ' && c <= '~'; });
}

// What a header must repeat of the message; null where it must not be there.
bool Mirrors(const std::string* header, const std::string* value) {
  if (header == nullptr || value == nullptr) return header == nullptr && value == nullptr;
  return *header == *value;
}

bool MirrorsName(const HttpRequest& carrier, const Sent& sent) {
  const Json* params = sent.params();
  const char* key = sent.method == "resources/read"                               ? "uri"
                    : sent.method.starts_with("tasks/")                           ? "taskId"
                    : sent.method == "tools/call" || sent.method == "prompts/get" ? "name"
                                                                                  : nullptr;
  const Json* named = key == nullptr || params == nullptr ? nullptr : params->Find(key);
  const bool has_name = named != nullptr && named->is_string();
  return Mirrors(carrier.Find("Mcp-Name"), has_name ? &named->text() : nullptr);
}

}  // namespace

bool IsCarriedWell(const Sent& sent) {
  const HttpRequest* carrier = sent.entry->request.get();
  if (carrier == nullptr) return true;
  std::size_t size = 0;
  for (const HttpField& field : carrier->fields) {
    if (!IsPlain(field)) return false;
    size += field.name.size() + field.value.size();
  }
  const std::string* type = carrier->Find("Content-Type");
  const std::string* accept = carrier->Find("Accept");
  if (carrier->method != "POST" || size > kLongHeaders || type == nullptr || accept == nullptr ||
      LowerCase(*type) != "application/json" || carrier->Find("Content-Encoding") != nullptr ||
      carrier->Find("Origin") != nullptr) {
    return false;
  }
  const std::string accepted = LowerCase(*accept);
  if (accepted.find("application/json") == std::string::npos ||
      accepted.find("text/event-stream") == std::string::npos ||
      accepted.find("q=0") != std::string::npos) {
    return false;
  }
  const std::string* version = carrier->Find("MCP-Protocol-Version");
  if (!sent.envelope.has_version()) {
    // A legacy message; the version of its session, if any.
    return carrier->Find("Mcp-Method") == nullptr && carrier->Find("Mcp-Name") == nullptr &&
           (version == nullptr || IsLegacyRevision(*version));
  }
  const std::string* method = carrier->Find("Mcp-Method");
  const Json& asked = *sent.envelope.version;
  return version != nullptr && method != nullptr && *method == sent.method &&
         (!asked.is_string() || *version == asked.text()) && MirrorsName(*carrier, sent);
}

}  // namespace assay::oracle
