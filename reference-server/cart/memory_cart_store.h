// Carts that live as long as this object: those of one legacy session.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "cart/cart_store.h"

namespace assay::reference {

/// For one thread. Never throws StoreError.
class MemoryCartStore : public CartStore {
 public:
  static constexpr std::size_t kMaxCarts = 100;

 private:
  std::optional<CartError> Insert(const std::string& cart_id) override;
  std::optional<Cart> Read(const std::string& cart_id) const override;
  CartResult<Cart> Update(const std::string& cart_id, const Change& change) override;

  std::unordered_map<std::string, Cart> carts_;
};

}  // namespace assay::reference
