#include "fuzz/reference/counted_random.h"

#include <string>

#include "random/random.h"

namespace assay {
namespace {

int given = 0;

}  // namespace

void fuzz::ResetRandom() { given = 0; }

namespace reference {

SecretKey NewSecretKey() { return {}; }

std::string NewRandomId() {
  const std::string number = std::to_string(++given);
  return std::string(32 - number.size(), '0') + number;
}

// A store that several instances share needs them, and no target has one.
std::string ToHex(const SecretKey& /*secret*/) { return {}; }
std::optional<SecretKey> SecretFromHex(std::string_view /*text*/) { return std::nullopt; }

}  // namespace reference
}  // namespace assay
