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

// Whether a file below a folder of cases holds some: requirements, shapes and profiles have folders
// of their own there. `path` is relative to that folder.
bool HoldsCases(std::string_view path);

// The good cases of one file, in order, one for each variant of `vary`. Appends all that is wrong
// to `problems`, each with its place, in the order of the file. The form of a packed file was
// checked before it was packed (case/embed.cpp) and is not looked at again.
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
