// Makes and removes it.

#include "runner/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <system_error>

namespace assay {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::string pattern = (fs::temp_directory_path() / ("assay-" + name + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "making the folder " + pattern);
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace assay
