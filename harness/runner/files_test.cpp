#include "runner/files.h"

#include <gtest/gtest.h>

#include "case/place.h"
#include "runner/temporary_folder.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// "FILE within the folder: what it says".
template <typename Work>
std::string ProblemOf(const TemporaryFolder& folder, Work work) {
  try {
    work();
  } catch (const InputError& problem) {
    return fs::relative(problem.place().file, folder.path()).string() + ": " + problem.what();
  }
  return "no problem";
}

TEST(Files, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder("files");
  const std::string text("\xff\r\n\0x", 5);
  WriteFile(folder.path() / "some/where", text);
  EXPECT_EQ(ReadFile(folder.path() / "some/where"), text);
  WriteFile(folder.path() / "some/where", "");
  EXPECT_EQ(ReadFile(folder.path() / "some/where"), "");
}

TEST(Files, ThatCannotBeReadSayWhy) {
  const TemporaryFolder folder("files");
  EXPECT_EQ(ProblemOf(folder, [&] { ReadFile(folder.path() / "none"); }),
            "none: cannot be read: No such file or directory");
  EXPECT_EQ(ProblemOf(folder, [&] { ReadFile(folder.path()); }),
            ".: cannot be read: Is a directory");
}

TEST(Files, ThatCannotBeWrittenSayWhy) {
  const TemporaryFolder folder("files");
  WriteFile(folder.path() / "file", "");
  EXPECT_EQ(ProblemOf(folder, [&] { WriteFile(folder.path() / "file/below", "x"); }),
            "file/below: cannot be written: Not a directory");
  fs::create_directory(folder.path() / "folder");
  EXPECT_EQ(ProblemOf(folder, [&] { WriteFile(folder.path() / "folder", "x"); }),
            "folder: cannot be written: Is a directory");
}

TEST(Files, ThatTakeNoMoreAreNotWritten) {
  const TemporaryFolder folder("files");
  const std::string problem = ProblemOf(folder, [] { WriteFile("/dev/full", "x"); });
  EXPECT_TRUE(problem.ends_with("full: cannot be written: No space left on device")) << problem;
}

}  // namespace
}  // namespace assay
