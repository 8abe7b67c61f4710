// HTTP requests as an enemy, a broken proxy or a bad line would send them: random, but the same in
// every run.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "era/loopback_for_test.h"

namespace assay::reference {

class HostileInput {
 public:
  explicit HostileInput(unsigned seed) : random_(seed) {}

  std::size_t Below(std::size_t bound) {
    return bound == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  /// A request that is good, or was before something happened to it. `session` may be used.
  std::string Request(const std::string& session) {
    std::string bytes = Pick(GoodRequests(session));
    for (std::size_t left = Below(4); left > 0; --left) Spoil(bytes);
    return bytes;
  }

  /// The same for a line over stdio.
  std::string Line() {
    std::string line = Pick(GoodLines());
    for (std::size_t left = Below(4); left > 0; --left) Spoil(line);
    return line;
  }

 private:
  std::string Pick(const std::vector<std::string>& from) { return from[Below(from.size())]; }

  static std::vector<std::string> GoodLines() {
    return {Enveloped("1", "tools/list"),
            Enveloped("\"a\"", "tools/call", R"("name":"echo","arguments":{"message":"hi"})"),
            Enveloped("2", "tools/call", R"("name":"slow","arguments":{"duration_ms":5})",
                      R"("progressToken":1)"),
            Enveloped("3", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})"),
            Initialize(),
            Initialize("2025-03-26"),
            Bare("4", "tools/list"),
            Bare("5", "tools/call", R"({"name":"slow","arguments":{"duration_ms":5}})"),
            Bare("6", "tools/call", R"({"name":"test_reconnection"})"),
            Notify("notifications/cancelled", R"({"requestId":5})"),
            R"({"jsonrpc":"2.0","id":1,"result":{}})",
            "[" + Bare("7", "ping") + "," + Notify("x") + "]",
            "[]",
            "{}",
            std::string(2000, '[')};
  }

  std::vector<std::string> GoodRequests(const std::string& session) {
    const std::string host = "Host: 127.0.0.1\r\n";
    const std::string in_session = "Mcp-Session-Id: " + session + "\r\n";
    std::string body = Pick(GoodLines());
    const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
    const std::string json = "Content-Type: application/json\r\n";
    const std::string modern = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ";
    return {
        "POST /mcp HTTP/1.1\r\n" + host + json + length + "\r\n" + body,
        "POST /mcp HTTP/1.1\r\n" + host + json + in_session + length + "\r\n" + body,
        "POST /mcp HTTP/1.1\r\n" + host + json + modern + "tools/list\r\n" + length + "\r\n" + body,
        "POST /mcp HTTP/1.1\r\n" + host + modern +
            "tools/call\r\nMcp-Name: =?base64?c2xvdw==?=\r\n" + length + "\r\n" + body,
        "POST /mcp HTTP/1.0\r\n" + host + length + "Connection: keep-alive\r\n\r\n" + body,
        "POST /mcp HTTP/1.1\r\n" + host +
            "Transfer-Encoding: chunked\r\n\r\n4\r\n{\"id\r\n0\r\n\r\n",
        "GET /mcp HTTP/1.1\r\n" + host + in_session + "\r\n",
        "GET /mcp HTTP/1.1\r\n" + host + in_session + "Last-Event-ID: 1-0\r\n\r\n",
        "DELETE /mcp HTTP/1.1\r\n" + host + in_session + "\r\n",
        "OPTIONS * HTTP/1.1\r\n" + host + "\r\n",
        "GET / HTTP/1.1\r\nHost: evil.example\r\nOrigin: null\r\n\r\n",
        "POST /mcp HTTP/1.1\r\n" + host + "Expect: 100-continue\r\n" + length + "\r\n" + body};
  }

  void Spoil(std::string& bytes) {
    const std::size_t at = Below(bytes.size());
    const std::size_t some = Below(40);
    switch (Below(8)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(Below(256));
        break;
      case 2:
        bytes.insert(at, 1, static_cast<char>(Below(256)));
        break;
      case 3:
        bytes.erase(at, some);
        break;
      case 4:
        bytes.insert(at, bytes.substr(Below(bytes.size()), some));
        break;
      case 5:
        bytes.insert(at, Pick(kWords));
        break;
      case 6:
        bytes.insert(at, std::string(some * 1000, static_cast<char>('0' + Below(10))));
        break;
      default:
        bytes += Pick(GoodLines());
    }
  }

  inline static const std::vector<std::string> kWords{
      "\r\n",     "\r\n\r\n", "\n",  "\0",   "Content-Length: 99999999999999999999\r\n",
      "\"",       "{",        "}",   "\\u",  "Content-Length: 5\r\n",
      "null",     "-1",       "1e9", "\xFF", "Transfer-Encoding: chunked\r\n",
      "HTTP/9.9", "\t",       ": ",  "%00",  "=?base64?"};

  std::mt19937 random_;
};

}  // namespace assay::reference
