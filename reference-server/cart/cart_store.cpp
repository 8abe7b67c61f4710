#include "cart/cart_store.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "random/random.h"

namespace assay::reference {
namespace {

/// Asked before a store sees the id, which may become part of a path there.
bool IsCartId(std::string_view text) {
  return text.size() == 32 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

CartResult<CartView> CartStore::Create() {
  const std::string cart_id = NewRandomId();
  if (const auto error = Insert(cart_id)) return *error;
  return reference::View(cart_id, Cart());
}

CartResult<CartView> CartStore::AddItem(const std::string& cart_id, const NewItem& item) {
  return Apply(cart_id, [&item](Cart& cart) { return reference::AddItem(cart, item); });
}

CartResult<CartView> CartStore::View(const std::string& cart_id) const {
  if (!IsCartId(cart_id)) return CartError::kUnknownCart;
  const std::optional<Cart> cart = Read(cart_id);
  if (!cart) return CartError::kUnknownCart;
  return reference::View(cart_id, *cart);
}

CartResult<CartView> CartStore::Checkout(const std::string& cart_id, std::uint64_t version) {
  return Apply(cart_id,
               [version](Cart& cart) { return reference::Checkout(cart, version, NewRandomId()); });
}

CartResult<CartView> CartStore::Apply(const std::string& cart_id, const Change& change) {
  if (!IsCartId(cart_id)) return CartError::kUnknownCart;
  const CartResult<Cart> result = Update(cart_id, change);
  if (const CartError* error = std::get_if<CartError>(&result)) return *error;
  return reference::View(cart_id, std::get<Cart>(result));
}

}  // namespace assay::reference
