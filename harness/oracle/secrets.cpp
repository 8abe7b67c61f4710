// Recognising secrets without ever taking something else for one.

#include "oracle/secrets.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace assay::oracle {
namespace {

// A name without its case and its separators: "API_key" is "apikey".
std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

bool HasPrivateKey(std::string_view text) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  for (std::size_t at = text.find(kBegin); at != std::string_view::npos;
       at = text.find(kBegin, at + 1)) {
    const std::string_view label = text.substr(at + kBegin.size(), 40);
    if (label.substr(0, label.find("-----")).ends_with("PRIVATE KEY")) return true;
  }
  return false;
}

// How many characters of base64url `text` begins with.
std::size_t Base64UrlLength(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  });
  return static_cast<std::size_t>(end - text.begin());
}

// Three parts with dots between them, of which the first two begin like a JSON object.
bool HasToken(std::string_view text) {
  constexpr std::string_view kObject = "eyJ";  // {"
  constexpr std::size_t kShortest = 10;        // of a part
  for (std::size_t at = text.find(kObject); at != std::string_view::npos;
       at = text.find(kObject, at + 1)) {
    std::string_view rest = text.substr(at);
    int parts = 0;
    for (; parts < 3; ++parts) {
      if (parts < 2 && !rest.starts_with(kObject)) break;
      const std::size_t length = Base64UrlLength(rest);
      if (length < kShortest) break;
      rest.remove_prefix(length);
      if (parts == 2) continue;
      if (!rest.starts_with('.')) break;
      rest.remove_prefix(1);
    }
    if (parts == 3) return true;
  }
  return false;
}

}  // namespace

bool NamesASecret(std::string_view property) {
  static const std::set<std::string> kNames = {
      "password",   "passwd",           "passphrase", "apikey", "accesstoken", "secretkey",
      "privatekey", "creditcardnumber", "cardnumber", "cvv",    "cvc"};
  return kNames.count(Plain(property)) > 0;
}

bool HoldsASecret(std::string_view text) { return HasPrivateKey(text) || HasToken(text); }

}  // namespace assay::oracle
