#include "protocol/request_id.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>

namespace assay::reference {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Sign, digits without zeros at either end, and a power of ten if it is not 0; nothing for a
/// fraction.
std::optional<std::string> CanonicalInteger(std::string_view text) {
  const bool negative = text.front() == '-';
  std::string digits;
  long long exponent = 0;
  bool in_fraction = false;
  for (std::size_t i = negative ? 1 : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsDigit(c)) {
      digits += c;
      if (in_fraction) --exponent;
    } else if (c == '.') {
      in_fraction = true;
    } else if (c == 'e' || c == 'E') {
      // Any exponent beyond this is as absurd as this one; the clamp only prevents overflow.
      constexpr long long kLimit = 1'000'000'000'000;
      exponent += std::clamp(std::strtoll(std::string(text.substr(i + 1)).c_str(), nullptr, 10),
                             -kLimit, kLimit);
      break;
    } else {
      return std::nullopt;
    }
  }
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "0";
  while (digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (exponent < 0) return std::nullopt;
  if (negative) digits.insert(0, 1, '-');
  if (exponent == 0) return digits;
  return digits + "e" + std::to_string(exponent);
}

}  // namespace

std::optional<RequestId> RequestId::Parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.front() == '"') {
    if (text.find('\\') == std::string_view::npos) return RequestId(std::string(text), {});
    boost::system::error_code failed;
    const boost::json::value unescaped = boost::json::parse(text, failed);
    if (failed || !unescaped.is_string()) return std::nullopt;
    std::string key = "\"";
    key += std::string_view(unescaped.get_string());
    key += '"';
    return RequestId(std::string(text), std::move(key));
  }
  if (!IsDigit(text.front()) && text.front() != '-') return std::nullopt;
  std::optional<std::string> canonical = CanonicalInteger(text);
  if (!canonical) return std::nullopt;
  if (*canonical == text) canonical->clear();
  return RequestId(std::string(text), *std::move(canonical));
}

}  // namespace assay::reference
