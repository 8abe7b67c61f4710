#include "cart/file_cart_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cart/durable_file.h"
#include "cart/temporary_folder_for_test.h"

namespace assay::reference {
namespace {

namespace fs = std::filesystem;

void WriteText(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string ReadText(const fs::path& file) {
  std::ifstream input(file);
  return {std::istreambuf_iterator<char>(input), {}};
}

std::string CartIn(CartStore& store) {
  const std::string cart = std::get<CartView>(store.Create()).cart_id;
  store.AddItem(cart, {"mug-enamel", 1, {}});
  return cart;
}

class FileCartStoreTest : public testing::Test {
 protected:
  /// That opening the store fails, says which file is wrong, and leaves it alone.
  void ExpectRefused(const std::string& content) {
    WriteText(file_, content);
    try {
      const FileCartStore store(file_);
      FAIL() << "opened: " << content;
    } catch (const StoreError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(file_.string() + ": ")) << error.what();
    }
    EXPECT_EQ(ReadText(file_), content);
    EXPECT_FALSE(fs::exists(carts_));
  }

  TemporaryFolder folder_;
  const fs::path file_ = folder_ / "store.json";
  const fs::path carts_ = folder_ / "store.json.carts";
};

TEST_F(FileCartStoreTest, IsTheSameForAllWhoOpenIt) {
  FileCartStore one(file_);
  FileCartStore other(file_);
  EXPECT_EQ(one.Secret(), other.Secret());
  const std::string cart = CartIn(one);
  const CartView seen = std::get<CartView>(other.AddItem(cart, {"mug-enamel", 2, {}}));
  EXPECT_EQ(seen.items.at(0).quantity, 3);
  const CartView bought = std::get<CartView>(one.Checkout(cart, seen.version));
  EXPECT_EQ(std::get<CartView>(other.Checkout(cart, seen.version)).order_id, bought.order_id);
}

TEST_F(FileCartStoreTest, OutlivesItsProcess) {
  auto first = std::make_unique<FileCartStore>(file_);
  const SecretKey secret = first->Secret();
  const std::string cart = CartIn(*first);
  first.reset();
  const FileCartStore second(file_);
  EXPECT_EQ(second.Secret(), secret);
  EXPECT_EQ(std::get<CartView>(second.View(cart)).items.at(0).quantity, 1);
}

TEST_F(FileCartStoreTest, HasASecretOfItsOwnThatOnlyTheOwnerMayRead) {
  const FileCartStore one(file_);
  const FileCartStore other(folder_ / "other");
  EXPECT_NE(one.Secret(), other.Secret());
  struct stat status {};
  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(FileCartStoreTest, TakesAnEmptyFileForAStoreToBe) {
  WriteText(file_, "");
  FileCartStore store(file_);
  EXPECT_EQ(FileCartStore(file_).Secret(), store.Secret());
}

TEST_F(FileCartStoreTest, IsOneStoreByWhateverLink) {
  const fs::path link = folder_ / "link";
  fs::create_symlink(file_, link);
  EXPECT_THROW(FileCartStore{link}, StoreError);
  FileCartStore store(file_);
  const std::string cart = CartIn(store);
  const FileCartStore by_link(link);
  EXPECT_EQ(by_link.Secret(), store.Secret());
  EXPECT_EQ(std::get<CartView>(by_link.View(cart)).version, 1U);
}

TEST_F(FileCartStoreTest, LeavesForeignAndBrokenFilesAlone) {
  ExpectRefused("my novel");
  ExpectRefused("{}");
  ExpectRefused("[1, 2]");
  ExpectRefused(R"({"format":"something else","version":1,"secret":""})");
  ExpectRefused(R"({"format":"assay cart store","version":2,"secret":""})");
  ExpectRefused(R"({"format":"assay cart store","version":1,"secret":"abcd"})");
  ExpectRefused(R"({"format":"assay cart store","version":1,"secret":")" + std::string(64, 'x') +
                "\"}");
  ExpectRefused(R"({"format":"assay cart store","vers)");
  ExpectRefused(std::string(2 << 20, ' '));
}

TEST_F(FileCartStoreTest, SaysWhyItCannotBeOpened) {
  EXPECT_THROW(FileCartStore(folder_ / "no/such/folder"), StoreError);
  fs::create_directory(file_);
  EXPECT_THROW(FileCartStore{file_}, StoreError);
}

TEST_F(FileCartStoreTest, LeavesBrokenCartsAlone) {
  FileCartStore store(file_);
  const std::string cart = CartIn(store);
  const fs::path on_disk = carts_ / (cart + ".json");
  const std::string good = ReadText(on_disk);
  for (const std::string& broken :
       {std::string(), std::string("{}"), good.substr(0, good.size() / 2), "[" + good + "]",
        std::string(R"({"version":1,"items":{"teapot":1},"keyed_adds":{},"order_id":null})")}) {
    WriteText(on_disk, broken);
    EXPECT_THROW(store.View(cart), StoreError) << broken;
    EXPECT_THROW(store.AddItem(cart, {"mug-enamel", 1, {}}), StoreError) << broken;
    EXPECT_THROW(store.Checkout(cart, 1), StoreError) << broken;
    EXPECT_EQ(ReadText(on_disk), broken);
  }
  WriteText(on_disk, good);
  EXPECT_EQ(std::get<CartView>(store.View(cart)).version, 1U);
}

TEST_F(FileCartStoreTest, IgnoresWhatAKilledWriterLeft) {
  fs::create_directory(carts_);
  WriteText(carts_ / "lock", "");
  WriteText(carts_ / "new", R"({"format":"assay ca)");
  FileCartStore store(file_);
  const std::string cart = CartIn(store);
  WriteText(carts_ / "new", std::string(100'000, 'x'));
  EXPECT_EQ(std::get<CartView>(store.View(cart)).version, 1U);
  EXPECT_EQ(std::get<CartView>(store.AddItem(cart, {"mug-enamel", 1, {}})).version, 2U);
  EXPECT_EQ(std::get<CartView>(FileCartStore(file_).View(cart)).version, 2U);
  EXPECT_FALSE(fs::exists(carts_ / "new"));
}

TEST_F(FileCartStoreTest, IsFoundByABareNameWhereverTheProcessGoes) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "");
  FileCartStore store("bare");
  fs::current_path(before);
  const std::string cart = CartIn(store);
  EXPECT_EQ(std::get<CartView>(FileCartStore(folder_ / "bare").View(cart)).version, 1U);
}

TEST_F(FileCartStoreTest, IsSharedByThreads) {
  FileCartStore store(file_);
  const std::string cart = CartIn(store);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&store, &cart] {
      for (int j = 0; j < 10; ++j) store.AddItem(cart, {"coffee-250g", 1, {}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::get<CartView>(store.View(cart)).version, 41U);
}

TEST_F(FileCartStoreTest, RefusesMoreCartsThanItMayHold) {
  FileCartStore store(file_);
  const std::string cart = CartIn(store);
  for (std::size_t i = 1; i < FileCartStore::kMaxCarts; ++i) {
    WriteText(carts_ / (std::to_string(i) + ".json"), "");
  }
  EXPECT_EQ(std::get<CartError>(store.Create()), CartError::kTooManyCarts);
  EXPECT_TRUE(std::holds_alternative<CartView>(store.AddItem(cart, {"mug-enamel", 1, {}})));
}

}  // namespace
}  // namespace assay::reference
