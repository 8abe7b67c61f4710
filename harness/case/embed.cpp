// assay-embed FOLDER OUTPUT: writes OUTPUT, the C++ file behind case/builtin.h, with all *.yaml
// below FOLDER, checked and parsed. Runs when the program is built.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "case/catalogue_loader.h"
#include "case/loader.h"
#include "case/yaml_pack.h"

namespace {

namespace fs = std::filesystem;

// The bytes as a string literal. Octal escapes end after three digits, whatever follows.
void WriteLiteral(const std::string& bytes, std::ostream& out) {
  out << '"';
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '?') {
      out << c;
    } else {
      out << '\\' << static_cast<char>('0' + (byte >> 6))
          << static_cast<char>('0' + ((byte >> 3) & 7)) << static_cast<char>('0' + (byte & 7));
    }
  }
  out << '"';
}

struct File {
  std::string path;  // below the folder
  std::string text;
};

std::vector<File> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<File> files;
  for (const fs::path& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    files.push_back({fs::relative(path, folder).generic_string(),
                     std::string{std::istreambuf_iterator<char>(stream), {}}});
  }
  return files;
}

// Whether the cases and requirements are good; tells what is wrong.
bool AreGood(const fs::path& folder, const std::vector<File>& files) {
  assay::Catalogue catalogue;
  std::vector<assay::InputError> problems;
  std::vector<assay::CaseFile> cases;
  for (const File& file : files) {
    const std::string path = (folder / file.path).string();
    if (file.path.starts_with("requirements/")) {
      assay::LoadCatalogueFile(path, file.text, &catalogue, &problems);
    } else if (assay::HoldsCases(file.path)) {
      cases.push_back({path, file.text});
    }
  }
  assay::LoadCases(cases, catalogue, &problems);
  for (const assay::InputError& problem : problems) std::cerr << ToString(problem) << "\n";
  return problems.empty();
}

void Embed(const std::vector<File>& files, std::ostream& out) {
  out << "// Generated from cases/.\n#include \"case/builtin.h\"\n\nnamespace assay {\nnamespace "
         "{\n\n"
         "using namespace std::literals;\n\nconst BuiltinFile kFiles[] = {\n";
  for (const File& file : files) {
    out << "{\"" << file.path << "\",\n{";
    WriteLiteral(assay::PackYaml(assay::ParseYaml(file.path, file.text)), out);
    out << "sv, YamlText::kPacked}},\n";
  }
  out << "};\n\n}  // namespace\n\n"
         "std::vector<BuiltinFile> BuiltinFiles(std::string_view folder) {\n"
         "  std::vector<BuiltinFile> found;\n"
         "  for (const BuiltinFile& file : kFiles) {\n"
         "    if (file.path.starts_with(folder)) found.push_back(file);\n"
         "  }\n  return found;\n}\n\n}  // namespace assay\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: assay-embed FOLDER OUTPUT\n";
    return 2;
  }
  try {
    const std::vector<File> files = FilesBelow(argv[1]);
    if (!AreGood(argv[1], files)) return 1;
    std::ofstream out(argv[2], std::ios::binary);
    Embed(files, out);
    out.close();
    if (out) return 0;
    std::cerr << argv[2] << ": cannot be written\n";
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
  }
  return 1;
}
