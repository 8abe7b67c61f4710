// Requirement files (cases/requirements/*.yaml).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "case/place.h"
#include "case/requirement.h"
#include "case/yaml.h"

namespace assay {

// Adds the requirements of one file to `catalogue`, and what is wrong with the file to `problems`;
// what is right of it is added all the same. The form of a packed file was checked before
// (case/embed.cpp).
void LoadCatalogueFile(const std::string& path, const YamlText& text, Catalogue* catalogue,
                       std::vector<InputError>* problems);

// The level of that name; `word` is one of must, must_not, should, should_not, may, contract.
Level LevelOf(std::string_view word);

}  // namespace assay
