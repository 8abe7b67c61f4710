// Twenty lines of our own: the libraries at hand offer base64 only as a private detail (Beast) or
// behind a cryptography library.

#include "message/base64.h"

#include <array>
#include <cstdint>

namespace assay {

namespace {
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text.push_back(k <= count ? kAlphabet[group >> (18 - 6 * k) & 63U] : '=');
    }
  }
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::string_view group = text.substr(i, 4);
    std::size_t count = 4;
    if (i + 4 == text.size()) {
      while (count > 2 && group[count - 1] == '=') --count;
    }
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t digit = k < count ? kAlphabet.find(group[k]) : 0;
      if (digit == std::string_view::npos) return std::nullopt;
      value = value << 6U | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k + 1 < count; ++k) {
      bytes.push_back(static_cast<char>(value >> (16 - 8 * k) & 255U));
    }
  }
  return bytes;
}

}  // namespace assay
