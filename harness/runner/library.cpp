// Loading what a run is judged by.

#include "runner/library.h"

#include <algorithm>
#include <deque>
#include <filesystem>

#include "case/builtin.h"
#include "case/catalogue_loader.h"
#include "case/loader.h"
#include "runner/files.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

void Append(const std::vector<CaseFile>& files, Library& library) {
  std::vector<Case> cases = LoadCases(files, library.catalogue, &library.problems);
  for (Case& test_case : cases) {
    const auto twin = std::find_if(library.cases.begin(), library.cases.end(),
                                   [&](const Case& other) { return other.id == test_case.id; });
    if (twin != library.cases.end()) {
      library.problems.emplace_back(
          test_case.place,
          "duplicate case id " + test_case.id + "; the other is at " + ToString(twin->place));
      continue;
    }
    library.cases.push_back(std::move(test_case));
  }
}

}  // namespace

Library LoadBuiltinRules() {
  Library library;
  for (const BuiltinFile& file : BuiltinFiles("requirements/")) {
    LoadCatalogueFile(std::string(file.path), file.text, &library.catalogue, &library.problems);
  }
  for (const BuiltinFile& file : BuiltinFiles("shapes/")) {
    if (file.path.ends_with(".yaml")) library.shapes.AddFile(std::string(file.path), file.text);
  }
  return library;
}

void AddBuiltinCases(Library& library) {
  std::vector<CaseFile> files;
  for (const BuiltinFile& file : BuiltinFiles("")) {
    if (HoldsCases(std::string(file.path)) && file.path.ends_with(".yaml")) {
      files.push_back({"cases/" + std::string(file.path), file.text});
    }
  }
  Append(files, library);
}

void AddCasesFrom(const std::string& path, Library& library) {
  std::vector<fs::path> paths;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      const std::string relative = fs::relative(entry.path(), path).generic_string();
      const bool yaml = entry.path().extension() == ".yaml" || entry.path().extension() == ".yml";
      if (entry.is_regular_file() && yaml && HoldsCases(relative)) paths.push_back(entry.path());
    }
    if (paths.empty()) throw InputError({.file = path}, "no *.yaml file is in this folder");
  } else {
    paths.emplace_back(path);
  }
  std::sort(paths.begin(), paths.end());
  std::deque<std::string> texts;
  std::vector<CaseFile> files;
  for (const fs::path& file : paths) {
    files.push_back({file.string(), texts.emplace_back(ReadFile(file))});
  }
  Append(files, library);
}

}  // namespace assay
