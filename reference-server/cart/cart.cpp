#include "cart/cart.h"

#include <algorithm>
#include <utility>

#include "cart/goods.h"

namespace assay::reference {
namespace {

bool IsQuantity(std::int64_t quantity) { return quantity >= 1 && quantity <= kMaxQuantity; }

bool IsKey(std::string_view key) {
  return !key.empty() && key.size() <= kMaxKeyLength &&
         std::ranges::all_of(key, [](char c) { return c >= ' ' && c <= '~'; });
}

bool IsLine(std::string_view sku, std::int64_t quantity) {
  return FindGood(sku) != nullptr && IsQuantity(quantity);
}

}  // namespace

std::string_view Describe(CartError error) {
  switch (error) {
    case CartError::kUnknownCart:
      return "There is no such cart.";
    case CartError::kUnknownSku:
      return "There is no such good in the catalog.";
    case CartError::kBadQuantity:
      return "The quantity of a good must be from 1 to 1000, with what is in the cart already.";
    case CartError::kBadKey:
      return "An idempotency key must be 1 to 64 printable ASCII characters.";
    case CartError::kKeyReused:
      return "This idempotency key was used to add something else.";
    case CartError::kTooManyAdds:
      return "This cart cannot remember more idempotency keys.";
    case CartError::kTooManyCarts:
      return "There are too many carts.";
    case CartError::kEmptyCart:
      return "The cart is empty.";
    case CartError::kCheckedOut:
      return "The cart is checked out already.";
    case CartError::kChanged:
      return "The cart has changed since it was looked at.";
  }
  return "";
}

bool IsSound(const Cart& cart) {
  return cart.keyed_adds.size() <= kMaxKeyedAdds && !(cart.order_id && cart.items.empty()) &&
         std::ranges::all_of(cart.items,
                             [](const auto& item) { return IsLine(item.first, item.second); }) &&
         std::ranges::all_of(cart.keyed_adds, [](const auto& add) {
           return IsKey(add.first) && IsLine(add.second.sku, add.second.quantity);
         });
}

std::optional<CartError> AddItem(Cart& cart, const NewItem& item) {
  const KeyedAdd add{item.sku, item.quantity};
  const auto& key = item.idempotency_key;
  if (key) {
    if (!IsKey(*key)) return CartError::kBadKey;
    if (const auto known = cart.keyed_adds.find(*key); known != cart.keyed_adds.end()) {
      if (known->second == add) return std::nullopt;
      return CartError::kKeyReused;
    }
  }
  if (FindGood(item.sku) == nullptr) return CartError::kUnknownSku;
  if (!IsQuantity(item.quantity)) return CartError::kBadQuantity;
  if (cart.order_id) return CartError::kCheckedOut;
  if (key && cart.keyed_adds.size() == kMaxKeyedAdds) return CartError::kTooManyAdds;
  const auto line = cart.items.find(item.sku);
  const std::int64_t before = line == cart.items.end() ? 0 : line->second;
  if (!IsQuantity(before + item.quantity)) return CartError::kBadQuantity;
  cart.items[item.sku] = before + item.quantity;
  if (key) cart.keyed_adds.emplace(*key, add);
  ++cart.version;
  return std::nullopt;
}

std::optional<CartError> Checkout(Cart& cart, std::uint64_t version, std::string order_id) {
  if (cart.order_id) return std::nullopt;
  if (cart.items.empty()) return CartError::kEmptyCart;
  if (cart.version != version) return CartError::kChanged;
  cart.order_id = std::move(order_id);
  return std::nullopt;
}

CartView View(const std::string& cart_id, const Cart& cart) {
  CartView view{cart_id, cart.version, {}, 0, cart.order_id};
  for (const auto& [sku, quantity] : cart.items) {
    const Good& good = *FindGood(sku);
    const std::int64_t total = quantity * good.price_cents;
    view.items.push_back({sku, std::string(good.name), quantity, good.price_cents, total});
    view.total_cents += total;
  }
  return view;
}

}  // namespace assay::reference
