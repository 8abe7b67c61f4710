// Everything a run is judged by: requirements, shapes and cases, built in or a user's own.

#pragma once

#include <string>
#include <vector>

#include "case/case.h"
#include "case/place.h"
#include "case/requirement.h"
#include "oracle/shape.h"

namespace assay {

struct Library {
  Catalogue catalogue;
  Shapes shapes;
  std::vector<Case> cases;           // by file, in the order of the file
  std::vector<InputError> problems;  // of case files; the cases they are in are left out
};

// The built-in requirements and shapes, and no cases.
Library LoadBuiltinRules();
// Adds the built-in cases.
void AddBuiltinCases(Library& library);
// Adds the case files at `path`: a file, or a folder and all *.yaml below it, except requirement,
// shape and profile files. Problems go to library.problems; throws InputError when nothing is
// there.
void AddCasesFrom(const std::string& path, Library& library);

}  // namespace assay
