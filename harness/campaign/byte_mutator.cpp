// One change at a time.

#include "campaign/byte_mutator.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay {
namespace {

using namespace std::string_view_literals;

// What decoders of text and readers of JSON trip over.
constexpr std::array kInsertions = {"\0"sv,
                                    "\r"sv,
                                    "\t"sv,
                                    "\xEF\xBB\xBF"sv,
                                    "\xE2\x80\xA8"sv,
                                    "\xC2\x85"sv,
                                    "\xC0\x80"sv,
                                    "\xED\xA0\x80"sv,
                                    "\xF4\x90\x80\x80"sv,
                                    "\xFF"sv,
                                    "\x80"sv,
                                    "\xE2\x82"sv,
                                    "\\u0000"sv,
                                    "\\ud800"sv,
                                    "\\u"sv,
                                    "\\x41"sv,
                                    "\""sv,
                                    ","sv,
                                    "{"sv,
                                    "}"sv,
                                    "["sv,
                                    "]"sv,
                                    ":"sv,
                                    "//"sv,
                                    "/**/"sv,
                                    "NaN"sv,
                                    "Infinity"sv,
                                    "-"sv,
                                    "+1"sv,
                                    "01"sv,
                                    ".5"sv,
                                    "1."sv,
                                    "1e"sv,
                                    "'"sv,
                                    "null"sv,
                                    "undefined"sv,
                                    "\x1E"sv,
                                    "\x0C"sv,
                                    "Content-Length: 2\r"sv};

}  // namespace

void MutateBytes(std::string& bytes, Chance& chance) {
  const std::size_t at = chance.Below(bytes.size() + 1);
  const std::size_t length =
      std::min(1 + chance.Below(chance.OneIn(4) ? 64 : 4), bytes.size() - at);
  switch (chance.Below(7)) {
    case 0:
      if (at < bytes.size()) {
        const char flipped = static_cast<char>(bytes[at] ^ (1 << chance.Below(8)));
        if (flipped != '\n') bytes[at] = flipped;
      }
      break;
    case 1:
      bytes.erase(at, length);
      break;
    case 2:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 3:
    case 4:
      bytes.insert(at, chance.Of(kInsertions));
      break;
    case 5: {
      const std::string moved = bytes.substr(at, length);
      bytes.erase(at, length);
      bytes.insert(chance.Below(bytes.size() + 1), moved);
      break;
    }
    default:
      bytes.resize(at);
  }
}

}  // namespace assay
