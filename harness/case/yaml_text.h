// A tree of YAML values as text that ParseYaml reads back as the same values: what is short stands
// on one line, the rest line by line, as people write it.

#pragma once

#include <string>

#include "case/yaml.h"
#include "message/json.h"

namespace assay {

// The text of one document. Texts must be UTF-8. Below the keys `cases` and `steps` every element
// begins a line.
std::string WriteYaml(const YamlNode& root);

// The node that ToJson reads as `value`. What YAML cannot say (a key twice, a nesting that no file
// may have) is kept as `{$json: '…'}`, the exact text.
YamlNode FromJson(const Json& value);

// Scalars: `text` as a string, or as it stands (a number, a word, ~).
YamlNode QuotedScalar(std::string text);
YamlNode PlainScalar(std::string text);

}  // namespace assay
