// Carts on disk, shared by all processes that are given the same path, at the same time or one
// after another. None of them needs to end well: whatever was answered is kept, and nothing is ever
// seen half.
//
// On disk, for a store FILE:
//   FILE                  JSON: what this is, its version, and the secret key. Written once.
//   FILE.carts/ID.json    JSON: a cart. Only the cart that changes is written.
//   FILE.carts/lock       locked (flock) for each change, by one process at a time
//   FILE.carts/new        becomes one of the above by rename; what a killed process left is garbage
// Remove FILE and FILE.carts together, while nobody uses them, to start anew.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "cart/cart_store.h"
#include "random/random.h"

namespace assay::reference {

/// Every change costs two fsyncs, and waits for those of other processes. Threads may share it.
/// What cannot be read, is not a cart, or is no store of ours is never written over: it is a
/// StoreError.
class FileCartStore : public CartStore {
 public:
  static constexpr std::size_t kMaxCarts = 10'000;

  /// Opens the store, or makes it if there is no such file or an empty one. Throws StoreError.
  explicit FileCartStore(const std::filesystem::path& file);

  /// The same for all instances, now and later.
  const SecretKey& Secret() const { return secret_; }

 private:
  std::optional<CartError> Insert(const std::string& cart_id) override;
  std::optional<Cart> Read(const std::string& cart_id) const override;
  CartResult<Cart> Update(const std::string& cart_id, const Change& change) override;

  std::filesystem::path PathOf(const std::string& cart_id) const;
  void Write(const std::string& cart_id, const Cart& cart) const;
  SecretKey OpenOrMake() const;

  std::filesystem::path file_;
  std::filesystem::path folder_;
  std::filesystem::path lock_;
  std::filesystem::path scratch_;
  SecretKey secret_;
};

}  // namespace assay::reference
