// Base64 (RFC 4648 §4, padded): how case files write bytes, and how content blocks carry them.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

std::string EncodeBase64(std::string_view bytes);
// Nothing when `text` is not padded base64.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace assay
