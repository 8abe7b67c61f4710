// Header by header.

#include "campaign/http_oddities.h"

#include <array>
#include <string>
#include <string_view>

namespace assay {
namespace {

using namespace std::string_view_literals;

struct Choice {
  std::string_view header;
  std::string_view value;  // "~" leaves it out
};

constexpr std::array kHeaders = {
    Choice{"MCP-Protocol-Version", "~"},
    Choice{"MCP-Protocol-Version", ""},
    Choice{"MCP-Protocol-Version", "2026-07-28"},
    Choice{"MCP-Protocol-Version", "2025-11-25"},
    Choice{"MCP-Protocol-Version", "1900-01-01"},
    Choice{"MCP-Protocol-Version", "2026-07-28, 2025-11-25"},
    Choice{"MCP-Protocol-Version", "2026-07-28 x"},
    Choice{"Mcp-Method", "~"},
    Choice{"Mcp-Method", ""},
    Choice{"Mcp-Method", "tools/list"},
    Choice{"Mcp-Method", "TOOLS/LIST"},
    Choice{"Mcp-Method", "=?base64?dG9vbHMvbGlzdA==?="},
    Choice{"Mcp-Name", "~"},
    Choice{"Mcp-Name", ""},
    Choice{"Mcp-Name", "assay-none"},
    Choice{"Mcp-Name", "=?base64?YXNzYXk=?="},
    Choice{"Mcp-Name",
           "=?base64?"
           "?="},
    Choice{"Mcp-Name", "=?base64?="},
    Choice{"Mcp-Name", "=?base64?!!!?="},
    Choice{"Mcp-Name", "=?base64?/////w==?="},
    Choice{"Mcp-Param-Assay", "1"},
    Choice{"Mcp-Session-Id", "~"},
    Choice{"Mcp-Session-Id", ""},
    Choice{"Mcp-Session-Id", "assay-none"},
    Choice{"Mcp-Session-Id", "../../etc"},
    Choice{"Last-Event-ID", "assay-none"},
    Choice{"Last-Event-ID", ""},
    Choice{"Accept", "~"},
    Choice{"Accept", ""},
    Choice{"Accept", "*/*"},
    Choice{"Accept", "application/json"},
    Choice{"Accept", "text/event-stream"},
    Choice{"Accept", "text/html"},
    Choice{"Accept", "application/json;q=0, text/event-stream"},
    Choice{"Accept", "application/*, text/*;q=0.5"},
    Choice{"Content-Type", "~"},
    Choice{"Content-Type", ""},
    Choice{"Content-Type", "text/plain"},
    Choice{"Content-Type", "application/json; charset=utf-8"},
    Choice{"Content-Type", "application/json; charset=utf-16"},
    Choice{"Content-Type", "APPLICATION/JSON"},
    Choice{"Content-Type", "application/jsonx"},
    Choice{"Content-Type", "multipart/form-data"},
    Choice{"Content-Encoding", "gzip"},
    Choice{"Content-Encoding", "identity"},
    Choice{"Accept-Encoding", "gzip, br"},
    Choice{"Origin", "http://localhost"},
    Choice{"Origin", "null"},
    Choice{"Authorization", "Bearer"},
    Choice{"Authorization", "Basic eDp5"},
    Choice{"Cookie", "a=b"},
    Choice{"X-Assay", "\xE6\x97\xA5"},
};

// Not DELETE: it ends the session that what follows is in.
constexpr std::array kMethods = {"GET"sv, "PUT"sv, "PATCH"sv, "OPTIONS"sv, "post"sv, "ASSAY"sv};

// Written behind a request, before its answer.
constexpr std::array kBehind = {
    "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n"sv,
    "DELETE /assay-none HTTP/1.1\r\nHost: localhost\r\n\r\n"sv,
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"sv,
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffff"sv,
    "GET"sv,
    "\r\n\r\n"sv,
    "{}"sv,
};

}  // namespace

Json OddHttp(const Subject& subject, Chance& chance) {
  Json changes = Json::Object();
  Json headers = Json::Object();
  const std::size_t several = chance.OneIn(4) ? 2 + chance.Below(3) : 1;
  for (std::size_t i = 0; i < several; ++i) {
    if (chance.OneIn(20)) {
      headers.Set("X-Assay", Json::String(std::string(chance.Below(20000), 'a')));
    } else if (chance.OneIn(6) && !subject.words.empty()) {
      headers.Set(chance.OneIn(2) ? "Mcp-Name" : "Mcp-Method",
                  Json::String(chance.Of(subject.words)));
    } else {
      const Choice& choice = chance.Of(kHeaders);
      const bool left_out = choice.value == "~";
      headers.Set(choice.header, left_out ? Json() : Json::String(std::string(choice.value)));
    }
  }
  changes.Set("headers", std::move(headers));
  if (chance.OneIn(12)) changes.Set("behind", Json::String(std::string(chance.Of(kBehind))));
  if (chance.OneIn(12)) changes.Set("closes", Json::String("writing"));
  if (chance.OneIn(12)) changes.Set("method", Json::String(std::string(chance.Of(kMethods))));
  return changes;
}

}  // namespace assay
