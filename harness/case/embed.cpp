// assay-embed FOLDER OUTPUT: writes OUTPUT, the C++ file behind case/builtin.h, with all *.yaml
// below FOLDER, parsed. Runs when the program is built.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

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

void Embed(const fs::path& folder, std::ostream& out) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  out << "// Generated from cases/.\n#include \"case/builtin.h\"\n\nnamespace assay {\nnamespace "
         "{\n\n"
         "using namespace std::literals;\n\nconst BuiltinFile kFiles[] = {\n";
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    out << "{\"" << fs::relative(file, folder).generic_string() << "\",\n{";
    WriteLiteral(assay::PackYaml(assay::ParseYaml(file.string(), text)), out);
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
    std::ofstream out(argv[2], std::ios::binary);
    Embed(argv[1], out);
    out.close();
    if (out) return 0;
    std::cerr << argv[2] << ": cannot be written\n";
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
  }
  return 1;
}
