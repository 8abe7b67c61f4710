// Files, whole.

#include "runner/files.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "case/place.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(const fs::path& path, const char* what, const std::error_code& why) {
  throw InputError({.file = path.string()}, std::string(what) + ": " + why.message());
}

std::error_code LastError() { return {errno, std::generic_category()}; }

}  // namespace

std::string ReadFile(const fs::path& path) {
  // It can be opened, but not read.
  if (fs::is_directory(path)) Fail(path, "cannot be read", {EISDIR, std::generic_category()});
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(path, "cannot be read", LastError());
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const fs::path& path, std::string_view text) {
  WriteFile(path, [text](std::ostream& out) { out << text; });
}

void WriteFile(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  if (path.has_parent_path()) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) Fail(path, "cannot be written", error);
  }
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (file) write(file);
  file.close();
  if (!file) Fail(path, "cannot be written", LastError());
}

}  // namespace assay
