// Files that several processes share and that outlive any of them being killed at any moment.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::reference {

/// The medium failed, or what is on it is not ours. The text names the file and the reason.
class StoreError : public std::runtime_error {
 public:
  StoreError(const std::filesystem::path& file, const std::string& reason)
      : std::runtime_error(file.string() + ": " + reason) {}
};

/// Holds an exclusive lock on a file, which is made if need be and must never be removed while
/// anybody uses it. Waits for the lock; keeps out other threads as well as other processes. The
/// kernel lets go of it when the holder dies.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  class Held;
  std::unique_ptr<Held> held_;
};

/// All of the file; nothing if there is none. Throws StoreError when it is larger than `max_bytes`.
std::optional<std::string> ReadWholeFile(const std::filesystem::path& file, std::size_t max_bytes);

/// Gives `file` a new content, readable by its owner only. Whoever reads sees the old content or
/// the new one; when this returns the new one is on the disk. `scratch`, on the same file system,
/// is overwritten: nobody else may use it meanwhile.
void ReplaceFile(const std::filesystem::path& file, const std::filesystem::path& scratch,
                 std::string_view content);

/// Makes a folder that only its owner may enter, unless there is one.
void MakeFolder(const std::filesystem::path& folder);

}  // namespace assay::reference
