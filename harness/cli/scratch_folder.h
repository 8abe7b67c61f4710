// A folder for files that live as long as a command.

#pragma once

#include <filesystem>

namespace assay {

// Made when constructed, removed with all that is in it when destroyed. Throws std::system_error.
struct ScratchFolder {
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path path;
};

}  // namespace assay
