// A shopping cart and what may be done to it. Plain values and pure functions: where carts are kept
// is the concern of a CartStore, and how people reach them of whoever calls that.
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::reference {

/// Pieces of one good in one cart, and the most that one add may ask for.
inline constexpr std::int64_t kMaxQuantity = 1000;
/// Characters (printable ASCII) of an idempotency key.
inline constexpr std::size_t kMaxKeyLength = 64;
/// Adds with a key in one cart. All are remembered, for a forgotten key could be added twice.
inline constexpr std::size_t kMaxKeyedAdds = 1000;

enum class CartError {
  kUnknownCart,
  kUnknownSku,
  kBadQuantity,   // not 1 to kMaxQuantity, or more than that together with what is in the cart
  kBadKey,        // empty, longer than kMaxKeyLength, or not printable ASCII
  kKeyReused,     // the key belongs to an add of something else
  kTooManyAdds,   // kMaxKeyedAdds
  kTooManyCarts,  // the store has its own limit
  kEmptyCart,
  kCheckedOut,  // what was bought cannot be added to
  kChanged,     // something was added after the version that was to be bought
};

/// The error as a sentence for people.
std::string_view Describe(CartError error);

template <typename T>
using CartResult = std::variant<T, CartError>;

/// What to put into a cart. With a key it can be sent again when an answer was lost: the same key
/// adds only once.
struct NewItem {
  std::string sku;
  std::int64_t quantity = 0;
  std::optional<std::string> idempotency_key;
};

/// An add that is not to be repeated.
struct KeyedAdd {
  std::string sku;
  std::int64_t quantity = 0;
  bool operator==(const KeyedAdd&) const = default;
};
BOOST_DESCRIBE_STRUCT(KeyedAdd, (), (sku, quantity))

/// The state of a cart, as it is stored.
struct Cart {
  std::uint64_t version = 0;                   // grows with every item that is added
  std::map<std::string, std::int64_t> items;   // sku -> quantity
  std::map<std::string, KeyedAdd> keyed_adds;  // idempotency key -> what it added
  std::optional<std::string> order_id;         // once it is checked out
};
BOOST_DESCRIBE_STRUCT(Cart, (), (version, items, keyed_adds, order_id))

/// Whether the cart could have come about by the functions below; one read from disk need not.
bool IsSound(const Cart& cart);

/// Adds the item, or says why not and leaves the cart as it is. A key that already added just this
/// is no error, and changes nothing, even after the checkout.
std::optional<CartError> AddItem(Cart& cart, const NewItem& item);

/// Buys the cart as it stood at `version`, so that nobody pays for what they have not seen. A cart
/// that is checked out keeps its order id, and that is no error: whoever lost the answer asks
/// again, gets the order that exists, and buys nothing twice.
std::optional<CartError> Checkout(Cart& cart, std::uint64_t version, std::string order_id);

/// A line of a cart, priced.
struct CartLine {
  std::string sku;
  std::string name;
  std::int64_t quantity = 0;
  std::int64_t price_cents = 0;  // of one piece
  std::int64_t total_cents = 0;
};
BOOST_DESCRIBE_STRUCT(CartLine, (), (sku, name, quantity, price_cents, total_cents))

/// A cart as it is shown.
struct CartView {
  std::string cart_id;
  std::uint64_t version = 0;    // what Checkout wants back
  std::vector<CartLine> items;  // ordered by sku
  std::int64_t total_cents = 0;
  std::optional<std::string> order_id;
};
BOOST_DESCRIBE_STRUCT(CartView, (), (cart_id, version, items, total_cents, order_id))

CartView View(const std::string& cart_id, const Cart& cart);

}  // namespace assay::reference
