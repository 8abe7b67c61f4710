// Frames.

#include "campaign/framing.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "campaign/byte_mutator.h"

namespace assay {
namespace {

using namespace std::string_view_literals;

constexpr std::array kAround = {" "sv,   "\t"sv,       "  \t "sv,        "\r"sv,   "\xEF\xBB\xBF"sv,
                                "\0"sv,  "\xC2\xA0"sv, "\xE2\x80\xA8"sv, "\x1E"sv, "\x0B"sv,
                                "\x0C"sv};

constexpr std::array kNoMessages = {
    ""sv,
    " "sv,
    "\r"sv,
    "{"sv,
    "}"sv,
    "[]"sv,
    "{}"sv,
    "null"sv,
    "true"sv,
    "0"sv,
    "\"\""sv,
    "[[]]"sv,
    "[{}]"sv,
    "[null]"sv,
    "[1,2]"sv,
    "\xFF\xFE"sv,
    "\0"sv,
    "NaN"sv,
    "Content-Length: 2\r\n\r\n{}"sv,
    "GET / HTTP/1.1"sv,
    "data: {}"sv,
    "// a comment"sv,
    R"({"jsonrpc":"2.0"})"sv,
    R"({"jsonrpc":"2.0","id":null})"sv,
    R"({"jsonrpc":"2.0","id":"assay-none","result":{}})"sv,
    R"({"jsonrpc":"2.0","id":"assay-none","error":{"code":-1,"message":""}})"sv,
    R"({"jsonrpc":"2.0","method":"notifications/assay-none"})"sv,
    R"({"jsonrpc":"2.0","method":"notifications/cancelled"})"sv,
    R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"assay-none"}})"sv,
    R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"assay-none","progress":1}})"sv,
    R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})"sv};

// Inside the first string of the line that is long enough, or at its end.
std::size_t SomewhereInside(const std::string& line, Chance& chance) {
  return chance.Below(line.size() + 1);
}

}  // namespace

Probe OddFrame(const std::string& line, Chance& chance) {
  Probe probe{.family = "framing", .bytes = line};
  std::string& bytes = probe.bytes;
  switch (chance.Below(14)) {
    case 0:
      for (std::size_t i = 1 + chance.Below(4); i > 0; --i) {
        probe.split.push_back(1 + chance.Below(bytes.size()));
      }
      std::sort(probe.split.begin(), probe.split.end());
      probe.split.erase(std::unique(probe.split.begin(), probe.split.end()), probe.split.end());
      break;
    case 1:
      probe.end = "\r\n";
      break;
    case 2:
      bytes.insert(0, chance.Of(kAround));
      break;
    case 3:
      bytes += chance.Of(kAround);
      break;
    case 4:
      bytes.insert(SomewhereInside(bytes, chance), chance.Of(kAround));
      break;
    case 5:
      bytes += chance.OneIn(2) ? "\n" : "\n\n";
      break;
    case 6:
      bytes = "[" + bytes + "]";
      break;
    case 7:
      bytes += chance.OneIn(2) ? "," : "{}";
      break;
    case 8:
      bytes = chance.Of(kNoMessages);
      break;
    case 9: {
      const std::size_t depth = 1 + chance.Below(chance.OneIn(6) ? 20000 : 600);
      bytes = std::string(depth, '[') + std::string(chance.OneIn(2) ? depth : depth / 2, ']');
      break;
    }
    case 10:
      if (chance.OneIn(8)) {
        bytes = R"({"jsonrpc":"2.0","method":"notifications/assay-none","params":{"a":")" +
                std::string((std::size_t{64} << 10) * (1 + chance.Below(20)), 'a') + "\"}}";
      } else {
        bytes.append(chance.Below(2000), ' ');
      }
      break;
    case 11:
      bytes = std::string(chance.Of(kNoMessages)) + "\n" + bytes;
      break;
    default:
      for (std::size_t i = 1 + chance.Below(3); i > 0; --i) MutateBytes(bytes, chance);
  }
  return probe;
}

}  // namespace assay
