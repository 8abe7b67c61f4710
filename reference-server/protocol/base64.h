// Base64 as MCP means it: the standard alphabet, padded (RFC 4648 section 4), and one spelling for
// the same bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::reference {

std::string EncodeBase64(std::string_view bytes);

/// The bytes; nothing if EncodeBase64 would spell them otherwise, as with white space, missing
/// padding or stray last bits (RFC 4648 section 3.5).
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace assay::reference
