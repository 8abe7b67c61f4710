#include "random/random.h"

#include <unistd.h>

#include <boost/algorithm/hex.hpp>
#include <cerrno>
#include <iterator>
#include <system_error>

namespace assay::reference {
namespace {

template <std::size_t kSize>
std::array<unsigned char, kSize> RandomBytes() {
  std::array<unsigned char, kSize> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) {
    throw std::system_error(errno, std::generic_category(), "no random bytes");
  }
  return bytes;
}

template <std::size_t kSize>
std::string Hex(const std::array<unsigned char, kSize>& bytes) {
  std::string text;
  boost::algorithm::hex_lower(bytes, std::back_inserter(text));
  return text;
}

}  // namespace

SecretKey NewSecretKey() { return RandomBytes<std::tuple_size_v<SecretKey>>(); }

std::string ToHex(const SecretKey& secret) { return Hex(secret); }

std::optional<SecretKey> SecretFromHex(std::string_view text) {
  SecretKey secret{};
  if (text.size() != 2 * secret.size() ||
      text.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return std::nullopt;
  }
  boost::algorithm::unhex(text, secret.begin());
  return secret;
}

std::string NewRandomId() { return Hex(RandomBytes<16>()); }

}  // namespace assay::reference
