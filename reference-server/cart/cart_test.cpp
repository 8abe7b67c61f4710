#include "cart/cart.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

#include "cart/goods.h"

namespace assay::reference {
namespace {

constexpr auto kDone = std::nullopt;

TEST(Goods, AreFoundByTheirExactSku) {
  for (const Good& good : Goods()) EXPECT_EQ(FindGood(good.sku), &good);
  EXPECT_EQ(FindGood("mug"), nullptr);
  EXPECT_EQ(FindGood("MUG-ENAMEL"), nullptr);
  EXPECT_EQ(FindGood("zzz"), nullptr);
}

TEST(Cart, ShowsItemsBySkuAndAddsUp) {
  Cart cart;
  EXPECT_EQ(AddItem(cart, {"stickers-10", 2, {}}), kDone);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", 1, {}}), kDone);
  EXPECT_EQ(AddItem(cart, {"stickers-10", 1, {}}), kDone);
  const CartView view = View("id", cart);
  ASSERT_EQ(view.items.size(), 2U);
  EXPECT_EQ(view.items[0].sku, "coffee-250g");
  EXPECT_EQ(view.items[1].sku, "stickers-10");
  EXPECT_EQ(view.items[1].quantity, 3);
  EXPECT_EQ(view.items[1].total_cents, 3 * 399);
  EXPECT_EQ(view.total_cents, 875 + 3 * 399);
}

TEST(Cart, BecomesJsonByTheNamesOfItsMembers) {
  Cart cart;
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 2, {}}), kDone);
  EXPECT_EQ(boost::json::value_from(View("id", cart)), boost::json::parse(R"({
    "cart_id": "id", "version": 1, "total_cents": 2900, "order_id": null,
    "items": [{"sku": "mug-enamel", "name": "Enamel mug", "quantity": 2, "price_cents": 1450,
               "total_cents": 2900}]})"));
  EXPECT_EQ(
      boost::json::value_from(*FindGood("mug-enamel")),
      boost::json::parse(R"({"sku": "mug-enamel", "name": "Enamel mug", "price_cents": 1450})"));
}

TEST(Cart, RefusesWhatCannotBeAddedAndStaysAsItWas) {
  Cart cart;
  EXPECT_EQ(AddItem(cart, {"mug-enamel", kMaxQuantity, {}}), kDone);
  const CartView before = View("id", cart);
  EXPECT_EQ(AddItem(cart, {"teapot", 1, {}}), CartError::kUnknownSku);
  EXPECT_EQ(AddItem(cart, {"", 1, {}}), CartError::kUnknownSku);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", 0, {}}), CartError::kBadQuantity);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", -1, {}}), CartError::kBadQuantity);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", kMaxQuantity + 1, {}}), CartError::kBadQuantity);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", INT64_MAX, {}}), CartError::kBadQuantity);
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, {}}), CartError::kBadQuantity);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", 1, ""}), CartError::kBadKey);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", 1, "a\nb"}), CartError::kBadKey);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", 1, std::string(kMaxKeyLength + 1, 'k')}),
            CartError::kBadKey);
  EXPECT_EQ(View("id", cart).version, before.version);
  EXPECT_EQ(View("id", cart).total_cents, before.total_cents);
}

TEST(Cart, AddsOnceForEachKey) {
  Cart cart;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(AddItem(cart, {"mug-enamel", 2, "first"}), kDone);
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 2, "second"}), kDone);
  EXPECT_EQ(cart.items.at("mug-enamel"), 4);
  EXPECT_EQ(cart.version, 2U);
}

TEST(Cart, RefusesAKeyThatAddedSomethingElse) {
  Cart cart;
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 2, "key"}), kDone);
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 3, "key"}), CartError::kKeyReused);
  EXPECT_EQ(AddItem(cart, {"coffee-250g", 2, "key"}), CartError::kKeyReused);
  EXPECT_EQ(cart.items.at("mug-enamel"), 2);
}

TEST(Cart, RefusesMoreKeysThanItRemembers) {
  Cart cart;
  for (std::size_t i = 0; i < kMaxKeyedAdds; ++i) {
    const std::string sku(Goods()[i % Goods().size()].sku);
    ASSERT_EQ(AddItem(cart, {sku, 1, std::to_string(i)}), kDone);
  }
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, "one more"}), CartError::kTooManyAdds);
  EXPECT_EQ(AddItem(cart, {std::string(Goods()[0].sku), 1, "0"}), kDone);
  EXPECT_EQ(cart.version, kMaxKeyedAdds);
}

TEST(Cart, IsBoughtOnceHoweverOftenItIsCheckedOut) {
  Cart cart;
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, "key"}), kDone);
  EXPECT_EQ(Checkout(cart, 1, "first"), kDone);
  EXPECT_EQ(Checkout(cart, 1, "second"), kDone);
  EXPECT_EQ(Checkout(cart, 7, "third"), kDone);
  EXPECT_EQ(cart.order_id, "first");
}

TEST(Cart, KeepsWhatWasBought) {
  Cart cart;
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, "key"}), kDone);
  EXPECT_EQ(Checkout(cart, 1, "order"), kDone);
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, {}}), CartError::kCheckedOut);
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, "another key"}), CartError::kCheckedOut);
  // An answer lost before the checkout may be asked for after it.
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, "key"}), kDone);
  EXPECT_EQ(cart.items.at("mug-enamel"), 1);
}

TEST(Cart, IsNotBoughtEmptyOrUnseen) {
  Cart cart;
  EXPECT_EQ(Checkout(cart, 0, "order"), CartError::kEmptyCart);
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, {}}), kDone);
  const std::uint64_t seen = View("id", cart).version;
  EXPECT_EQ(AddItem(cart, {"keyboard-tkl", 1, {}}), kDone);
  EXPECT_EQ(Checkout(cart, seen, "order"), CartError::kChanged);
  EXPECT_EQ(cart.order_id, std::nullopt);
}

TEST(Cart, IsUnsoundWithWhatNobodyCouldHaveAdded) {
  Cart cart;
  EXPECT_TRUE(IsSound(cart));
  EXPECT_EQ(AddItem(cart, {"mug-enamel", 1, "key"}), kDone);
  EXPECT_TRUE(IsSound(cart));
  Cart unknown = cart;
  unknown.items["teapot"] = 1;
  EXPECT_FALSE(IsSound(unknown));
  Cart negative = cart;
  negative.items["mug-enamel"] = -1;
  EXPECT_FALSE(IsSound(negative));
  Cart bad_add = cart;
  bad_add.keyed_adds["key"].quantity = 0;
  EXPECT_FALSE(IsSound(bad_add));
  Cart empty_order;
  empty_order.order_id = "order";
  EXPECT_FALSE(IsSound(empty_order));
}

TEST(Cart, EveryErrorSaysSomethingOfItsOwn) {
  std::set<std::string_view> sentences;
  for (int i = 0; i <= static_cast<int>(CartError::kChanged); ++i) {
    sentences.insert(Describe(static_cast<CartError>(i)));
  }
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(CartError::kChanged) + 1);
  EXPECT_FALSE(sentences.contains(""));
}

}  // namespace
}  // namespace assay::reference
