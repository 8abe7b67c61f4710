#include "catalog/uri.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>

namespace assay::reference {
namespace {

bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsLegal(char c) {
  return IsAlpha(c) || IsDigit(c) ||
         std::string_view("-._~:/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos;
}

bool IsPercentEncoded(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && HexValue(text[at + 1]) >= 0 && HexValue(text[at + 2]) >= 0;
}

bool IsUtf8(std::string_view text) {
  boost::system::error_code failed;
  boost::json::parse(boost::json::serialize(boost::json::value(text)), failed);
  return !failed;
}

}  // namespace

bool IsUri(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos || !IsAlpha(text.front())) return false;
  const std::string_view scheme = text.substr(0, colon);
  if (!std::all_of(scheme.begin(), scheme.end(), [](char c) {
        return IsAlpha(c) || IsDigit(c) || c == '+' || c == '-' || c == '.';
      })) {
    return false;
  }
  if (colon + 1 == text.size()) return false;
  for (std::size_t i = colon + 1; i < text.size(); ++i) {
    if (text[i] == '%' ? !IsPercentEncoded(text, i) : !IsLegal(text[i])) return false;
  }
  return true;
}

std::optional<std::string> MatchTemplate(std::string_view uri_template, std::string_view uri) {
  const std::string_view head = uri_template.substr(0, uri_template.find('{'));
  const std::string_view tail = uri_template.substr(uri_template.find('}') + 1);
  if (uri.size() <= head.size() + tail.size()) return std::nullopt;
  if (!uri.starts_with(head) || !uri.ends_with(tail)) return std::nullopt;
  const std::string_view encoded = uri.substr(head.size(), uri.size() - head.size() - tail.size());
  std::string value;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    // A simple expansion leaves only unreserved characters unencoded (RFC 6570 section 3.2.2).
    if (encoded[i] == '/' || encoded[i] == '?' || encoded[i] == '#') return std::nullopt;
    if (encoded[i] != '%') {
      value += encoded[i];
    } else if (IsPercentEncoded(encoded, i)) {
      value += static_cast<char>(HexValue(encoded[i + 1]) * 16 + HexValue(encoded[i + 2]));
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  if (!IsUtf8(value)) return std::nullopt;
  return value;
}

}  // namespace assay::reference
