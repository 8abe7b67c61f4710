// Random bytes of the operating system: for keys, and for names that cannot be guessed.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::reference {

/// What requests are signed with. To be kept from everybody but the instances of one server.
using SecretKey = std::array<unsigned char, 32>;

/// Throws std::system_error if there are none.
SecretKey NewSecretKey();

/// 64 lower-case hexadecimal digits, and back; nothing from any other text.
std::string ToHex(const SecretKey& secret);
std::optional<SecretKey> SecretFromHex(std::string_view text);

/// 128 random bits as 32 lower-case hexadecimal digits.
std::string NewRandomId();

}  // namespace assay::reference
