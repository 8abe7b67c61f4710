// YAML that was parsed when the program was built: the built-in files are many, and to parse them
// at every start takes longer than to run some of their cases.

#pragma once

#include <string>
#include <string_view>

#include "case/yaml.h"

namespace assay {

// The document that `root` is, in bytes.
std::string PackYaml(const YamlNode& root);

// The document again. `packed` must come from PackYaml.
YamlNode UnpackYaml(std::string_view packed);

}  // namespace assay
