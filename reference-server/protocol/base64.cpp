#include "protocol/base64.h"

#include <openssl/evp.h>

namespace assay::reference {
namespace {

unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3), '\0');
  // Writes a zero behind the text, where std::string has one anyway.
  EVP_EncodeBlock(Bytes(text), Bytes(bytes), static_cast<int>(bytes.size()));
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  if (EVP_DecodeBlock(Bytes(bytes), Bytes(text), static_cast<int>(text.size())) < 0) {
    return std::nullopt;
  }
  // It counts the padding as bytes.
  std::string_view unpadded = text;
  for (int padding = 0; padding < 2 && unpadded.ends_with('='); ++padding) {
    unpadded.remove_suffix(1);
    bytes.pop_back();
  }
  // And tolerates more than one spelling.
  if (EncodeBase64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace assay::reference
