// What looks like a secret.

#pragma once

#include <string_view>

namespace assay::oracle {

// Whether a property of that name leaves no doubt: the pages name passwords, API keys, access
// tokens and payment credentials. Case and separators do not matter.
bool NamesASecret(std::string_view property);

// Whether the text holds one that can be told from any other text: a private key in PEM, or a
// signed JSON Web Token (RFC 7519).
bool HoldsASecret(std::string_view text);

}  // namespace assay::oracle
