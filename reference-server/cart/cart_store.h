// Keeps carts by id. Everything that can be said about one cart is said in cart.h; a store adds
// where the carts are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cart/cart.h"

namespace assay::reference {

/// Each call is whole: it has happened when it returns a view, and nothing has changed when it
/// returns an error. A store may throw StoreError (durable_file.h) where its medium fails.
class CartStore {
 public:
  virtual ~CartStore() = default;

  /// An empty cart with a new id: 128 random bits, 32 lower-case hexadecimal digits. Whoever knows
  /// the id may use the cart.
  CartResult<CartView> Create();
  CartResult<CartView> AddItem(const std::string& cart_id, const NewItem& item);
  CartResult<CartView> View(const std::string& cart_id) const;
  /// The view has an order id then: a new one, or at a repeated checkout the one it always had.
  CartResult<CartView> Checkout(const std::string& cart_id, std::uint64_t version);

 protected:
  /// Changes the cart, or leaves it alone and says why.
  using Change = std::function<std::optional<CartError>(Cart&)>;

 private:
  CartResult<CartView> Apply(const std::string& cart_id, const Change& change);

  // Ids given to these have the form of an id.
  virtual std::optional<CartError> Insert(const std::string& cart_id) = 0;
  virtual std::optional<Cart> Read(const std::string& cart_id) const = 0;
  /// Read, change and keep, undisturbed by any other update; an error of `change` keeps nothing.
  virtual CartResult<Cart> Update(const std::string& cart_id, const Change& change) = 0;
};

}  // namespace assay::reference
