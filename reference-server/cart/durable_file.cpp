#include "cart/durable_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <system_error>

namespace assay::reference {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(const fs::path& file) {
  throw StoreError(file, std::generic_category().message(errno));
}

int Open(const fs::path& file, int flags) {
  return open(file.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

/// An open file. Everything throws StoreError.
class Descriptor {
 public:
  Descriptor(const fs::path& file, int number) : file_(file), number_(number) {
    if (number < 0) Fail(file);
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// Some of what comes next; nothing at the end.
  std::string_view Read(std::span<char> buffer) const {
    ssize_t count = 0;
    do {
      count = read(number_, buffer.data(), buffer.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) Fail(file_);
    return {buffer.data(), static_cast<std::size_t>(count)};
  }

  void Write(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t count = write(number_, content.data(), content.size());
      if (count < 0 && errno != EINTR) Fail(file_);
      if (count > 0) content.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void Sync() const {
    if (fsync(number_) != 0) Fail(file_);
  }

  void Lock() const {
    while (flock(number_, LOCK_EX) != 0) {
      if (errno != EINTR) Fail(file_);
    }
  }

 private:
  fs::path file_;
  int number_;
};

void SyncFolderOf(const fs::path& file) {
  const fs::path folder = file.parent_path();
  Descriptor(folder, Open(folder, O_RDONLY | O_DIRECTORY)).Sync();
}

}  // namespace

class FileLock::Held : public Descriptor {
  using Descriptor::Descriptor;
};

FileLock::FileLock(const fs::path& file)
    : held_(std::make_unique<Held>(file, Open(file, O_RDWR | O_CREAT | O_NOFOLLOW))) {
  held_->Lock();
}

FileLock::~FileLock() = default;

std::optional<std::string> ReadWholeFile(const fs::path& file, std::size_t max_bytes) {
  const int number = Open(file, O_RDONLY);
  if (number < 0 && errno == ENOENT) return std::nullopt;
  const Descriptor input(file, number);
  std::string content;
  std::array<char, 16384> buffer{};
  for (auto part = input.Read(buffer); !part.empty(); part = input.Read(buffer)) {
    content += part;
    if (content.size() > max_bytes) throw StoreError(file, "too large");
  }
  return content;
}

void ReplaceFile(const fs::path& file, const fs::path& scratch, std::string_view content) {
  {
    const Descriptor output(scratch, Open(scratch, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW));
    output.Write(content);
    output.Sync();
  }
  if (rename(scratch.c_str(), file.c_str()) != 0) Fail(file);
  SyncFolderOf(file);
}

void MakeFolder(const fs::path& folder) {
  if (mkdir(folder.c_str(), S_IRWXU) == 0) {
    SyncFolderOf(folder);
  } else if (errno != EEXIST) {
    Fail(folder);
  }
}

}  // namespace assay::reference
