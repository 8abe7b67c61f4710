// The cases, requirements, shapes and profiles that travel inside the executable: the files of
// cases/.

#pragma once

#include <string_view>
#include <vector>

#include "case/yaml.h"

namespace assay {

struct BuiltinFile {
  std::string_view path;  // e.g. modern/versioning.yaml
  YamlText text;
};

// Those below `folder` ("requirements/"), by path.
std::vector<BuiltinFile> BuiltinFiles(std::string_view folder);

}  // namespace assay
