#include "cart/memory_cart_store.h"

namespace assay::reference {

std::optional<CartError> MemoryCartStore::Insert(const std::string& cart_id) {
  if (carts_.size() == kMaxCarts) return CartError::kTooManyCarts;
  carts_.emplace(cart_id, Cart());
  return std::nullopt;
}

std::optional<Cart> MemoryCartStore::Read(const std::string& cart_id) const {
  const auto cart = carts_.find(cart_id);
  if (cart == carts_.end()) return std::nullopt;
  return cart->second;
}

CartResult<Cart> MemoryCartStore::Update(const std::string& cart_id, const Change& change) {
  const auto cart = carts_.find(cart_id);
  if (cart == carts_.end()) return CartError::kUnknownCart;
  if (const auto error = change(cart->second)) return *error;
  return cart->second;
}

}  // namespace assay::reference
