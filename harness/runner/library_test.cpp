#include "runner/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "runner/files.h"
#include "runner/temporary_folder.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct LibraryTest : testing::Test {
  std::string Write(const std::string& name, const std::string& text) const {
    WriteFile(folder / name, text);
    return (folder / name).string();
  }
  static std::string Suite(const std::string& suite) {
    return "suite: " + suite +
           "\nera: legacy\ncases:\n  - id: c\n    title: T\n    requires: [L-PING-respond]\n"
           "    steps:\n      - request: { method: ping }\n        expect: { result: {} }\n";
  }
  static std::vector<std::string> Ids(const Library& library) {
    std::vector<std::string> ids;
    for (const Case& test_case : library.cases) ids.push_back(test_case.id);
    return ids;
  }

  const TemporaryFolder temporary{"library"};
  const fs::path folder = temporary.path();
};

using Words = std::vector<std::string>;

TEST_F(LibraryTest, TheBuiltInOneIsSound) {
  Library library = LoadBuiltinRules();
  EXPECT_TRUE(library.cases.empty());
  EXPECT_GT(library.catalogue.all().size(), 300U);
  EXPECT_TRUE(library.shapes.Has("2025-11-25", "ListToolsResult"));
  AddBuiltinCases(library);
  EXPECT_GT(library.cases.size(), 100U);
  for (const InputError& problem : library.problems) {
    ADD_FAILURE() << ToString(problem.place()) << ": " << problem.what();
  }
}

TEST_F(LibraryTest, AFolderIsSearchedToItsBottomInOrder) {
  Write("b.yaml", Suite("b"));
  Write("a/deep/down.yml", Suite("a"));
  Write("notes.txt", "no cases");
  Write("requirements/x.yaml", "no cases");
  Write("profiles/x.yaml", "no cases");
  Write("shapes/x.yaml", "no cases");
  Library library = LoadBuiltinRules();
  AddCasesFrom(folder.string(), library);
  EXPECT_EQ(Ids(library), (Words{"a/c", "b/c"}));
  EXPECT_TRUE(library.problems.empty());
}

TEST_F(LibraryTest, AFileIsAddedWhateverItsName) {
  Library library = LoadBuiltinRules();
  AddCasesFrom(Write("cases.txt", Suite("a")), library);
  EXPECT_EQ(Ids(library), Words{"a/c"});
}

TEST_F(LibraryTest, TheSameIdTwiceIsAProblem) {
  Library library = LoadBuiltinRules();
  AddCasesFrom(Write("one.yaml", Suite("a")), library);
  AddCasesFrom(Write("two.yaml", Suite("a")), library);
  EXPECT_EQ(Ids(library), Words{"a/c"});
  ASSERT_EQ(library.problems.size(), 1U);
  EXPECT_NE(std::string(library.problems[0].what()).find("one.yaml:4:"), std::string::npos)
      << library.problems[0].what();
}

TEST_F(LibraryTest, ProblemsSayWhere) {
  Library library = LoadBuiltinRules();
  const std::string path = Write("bad.yaml", "suite: a\nera: ancient\ncases: []\n");
  AddCasesFrom(path, library);
  ASSERT_FALSE(library.problems.empty());
  EXPECT_EQ(ToString(library.problems[0].place()), path + ":2:6");
}

TEST_F(LibraryTest, NothingThereIsAnError) {
  Library library = LoadBuiltinRules();
  EXPECT_THROW(AddCasesFrom((folder / "none.yaml").string(), library), InputError);
  EXPECT_THROW(AddCasesFrom(folder.string(), library), InputError);
}

}  // namespace
}  // namespace assay
