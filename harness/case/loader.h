// Case files: YAML -> Case, and all that is wrong with them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "case/case.h"
#include "case/place.h"
#include "case/requirement.h"
#include "case/yaml.h"

namespace assay {

// The good cases of one file, in order, one for each variant of `vary`. Appends all that is wrong
// to `problems`, each with its place, in the order of the file.
std::vector<Case> LoadCaseFile(const std::string& path, const YamlText& text,
                               const Catalogue& catalogue, std::vector<InputError>* problems);

struct CaseFile {
  std::string path;  // for messages
  YamlText text;
};

// The same for several files; ids must differ across them too.
std::vector<Case> LoadCases(const std::vector<CaseFile>& files, const Catalogue& catalogue,
                            std::vector<InputError>* problems);

}  // namespace assay
