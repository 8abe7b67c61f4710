// A folder of one's own, gone with all that is in it.

#pragma once

#include <filesystem>
#include <string>

namespace assay {

class TemporaryFolder {
 public:
  // Below the system's folder for such, "assay-NAME-" and a word that nobody else has. Throws
  // std::system_error.
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace assay
