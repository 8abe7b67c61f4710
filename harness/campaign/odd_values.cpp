// Oddities, by kind.

#include "campaign/odd_values.h"

#include <array>
#include <string_view>
#include <utility>

namespace assay {
namespace {

using namespace std::string_view_literals;

// As they stand between the quotes of a JSON string.
constexpr std::array kPieces = {"a"sv,
                                "assay"sv,
                                " "sv,
                                "\\n"sv,
                                "\\r\\n"sv,
                                "\\u0000"sv,
                                "\\u0001"sv,
                                "\\u007f"sv,
                                "\\u0085"sv,
                                "\\u2028"sv,
                                "\\u2029"sv,
                                "\xE2\x80\xA8"sv,
                                "\xE2\x80\xA9"sv,
                                "\xC2\x85"sv,
                                "\\ufeff"sv,
                                "\xEF\xBB\xBF"sv,
                                "\\ud800"sv,
                                "\\udc00"sv,
                                "\\ud83d\\ude00"sv,
                                "\xF0\x9F\x98\x80"sv,
                                "\xE6\x97\xA5"sv,
                                "e\xCC\x81"sv,
                                "\xC3\xA9"sv,
                                "\\u200b"sv,
                                "\\u202e"sv,
                                "\\uffff"sv,
                                "\\\\"sv,
                                "\\\""sv,
                                "\\/"sv,
                                "/"sv,
                                "../"sv,
                                "%00"sv,
                                "%2e%2e/"sv,
                                "%s%n"sv,
                                "{}"sv,
                                "${x}"sv,
                                "'"sv,
                                "<"sv,
                                "&"sv,
                                ";"sv,
                                "\\t"sv,
                                "\\u000b"sv,
                                "\\f"sv,
                                "\\b"sv,
                                "\x7F"sv,
                                "\\u0061"sv,
                                "\\u0130"sv,
                                "0"sv,
                                "__proto__"sv,
                                "constructor"sv};

constexpr std::array kNumbers = {
    "0"sv,
    "-0"sv,
    "1"sv,
    "-1"sv,
    "0.0"sv,
    "1.0"sv,
    "1.5"sv,
    "1e0"sv,
    "1E+2"sv,
    "1e-7"sv,
    "127"sv,
    "128"sv,
    "255"sv,
    "256"sv,
    "32767"sv,
    "32768"sv,
    "65535"sv,
    "65536"sv,
    "2147483647"sv,
    "2147483648"sv,
    "-2147483648"sv,
    "-2147483649"sv,
    "4294967295"sv,
    "4294967296"sv,
    "4294967297"sv,
    "9007199254740991"sv,
    "9007199254740992"sv,
    "9007199254740993"sv,
    "9223372036854775807"sv,
    "9223372036854775808"sv,
    "-9223372036854775808"sv,
    "-9223372036854775809"sv,
    "18446744073709551615"sv,
    "18446744073709551616"sv,
    "1e308"sv,
    "1e309"sv,
    "-1e400"sv,
    "5e-324"sv,
    "1e-400"sv,
    "0.1"sv,
    "3.141592653589793238462643383279"sv,
    "100000000000000000000000000000000000000000000000000000000000000000000001"sv};

}  // namespace

Json OddText(Chance& chance) {
  std::string text = "\"";
  const std::size_t pieces = chance.OneIn(30) ? 200 + chance.Below(2000) : chance.Below(5);
  // One piece over and over, or some of many.
  const bool alike = chance.OneIn(4);
  std::string_view piece = chance.Of(kPieces);
  for (std::size_t i = 0; i < pieces; ++i) {
    text += piece;
    if (!alike) piece = chance.Of(kPieces);
  }
  return Json::Raw(text + "\"");
}

Json OddNumber(Chance& chance) { return Json::Number(std::string(chance.Of(kNumbers))); }

Json Nested(const Json& core, std::size_t levels, Chance& chance) {
  const bool objects = chance.OneIn(2);
  // As text: a tree that deep would be destroyed by recursion.
  std::string open;
  std::string close;
  for (std::size_t i = 0; i < levels; ++i) {
    open += objects ? "{\"a\":" : "[";
    close += objects ? '}' : ']';
  }
  return Json::Raw(open + core.Dump() + close);
}

Json OddValue(Chance& chance, int depth) {
  switch (chance.Below(depth > 0 ? 9 : 6)) {
    case 0:
      return {};
    case 1:
      return Json::Boolean(chance.OneIn(2));
    case 2:
    case 3:
      return OddNumber(chance);
    case 4:
    case 5:
      return OddText(chance);
    case 6: {
      Json array = Json::Array();
      for (std::size_t i = chance.Below(4); i > 0; --i) {
        array.items().push_back(OddValue(chance, depth - 1));
      }
      return array;
    }
    case 7:
      return Nested(Json::Object(), chance.OneIn(4) ? 60 + chance.Below(400) : chance.Below(50),
                    chance);
    default: {
      Json object = Json::Object();
      for (std::size_t i = chance.Below(4); i > 0; --i) {
        object.members().push_back({std::string(1, static_cast<char>('a' + chance.Below(26))),
                                    OddValue(chance, depth - 1)});
      }
      return object;
    }
  }
}

}  // namespace assay
