// URIs, as far as a catalogue of resources needs them (RFC 3986, RFC 6570).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::reference {

/// Whether it has a scheme and consists of legal characters and valid percent-encoding.
bool IsUri(std::string_view text);

/// The value of the one `{variable}` that makes `uri` of `uri_template`, percent-decoded; nothing
/// if the template cannot give that URI or the value is not UTF-8.
std::optional<std::string> MatchTemplate(std::string_view uri_template, std::string_view uri);

}  // namespace assay::reference
