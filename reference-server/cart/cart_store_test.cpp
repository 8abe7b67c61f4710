// What every store keeps, wherever its carts are.

#include "cart/cart_store.h"

#include <gtest/gtest.h>

#include <memory>

#include "cart/file_cart_store.h"
#include "cart/memory_cart_store.h"
#include "cart/temporary_folder_for_test.h"

namespace assay::reference {
namespace {

struct InMemory {
  MemoryCartStore store;
};

struct OnDisk {
  TemporaryFolder folder;
  FileCartStore store{folder / "store"};
};

template <typename Place>
class EveryCartStore : public testing::Test {
 protected:
  static CartView Good(const CartResult<CartView>& result) { return std::get<CartView>(result); }
  static CartError Bad(const CartResult<CartView>& result) { return std::get<CartError>(result); }

  Place place_;
  CartStore& store_ = place_.store;
};

using Places = testing::Types<InMemory, OnDisk>;
TYPED_TEST_SUITE(EveryCartStore, Places);

TYPED_TEST(EveryCartStore, MakesEmptyCartsWithIdsOfTheirOwn) {
  const CartView one = this->Good(this->store_.Create());
  const CartView other = this->Good(this->store_.Create());
  EXPECT_NE(one.cart_id, other.cart_id);
  EXPECT_EQ(one.cart_id.size(), 32U);
  EXPECT_TRUE(one.items.empty());
  EXPECT_EQ(one.total_cents, 0);
  EXPECT_EQ(this->Good(this->store_.View(one.cart_id)).version, 0U);
}

TYPED_TEST(EveryCartStore, KeepsWhatIsAddedCartByCart) {
  const std::string one = this->Good(this->store_.Create()).cart_id;
  const std::string other = this->Good(this->store_.Create()).cart_id;
  EXPECT_EQ(this->Good(this->store_.AddItem(one, {"mug-enamel", 2, "key"})).total_cents, 2900);
  EXPECT_EQ(this->Good(this->store_.AddItem(one, {"mug-enamel", 2, "key"})).total_cents, 2900);
  EXPECT_EQ(this->Good(this->store_.AddItem(other, {"mug-enamel", 1, "key"})).total_cents, 1450);
  EXPECT_EQ(this->Good(this->store_.View(one)).items.at(0).quantity, 2);
}

TYPED_TEST(EveryCartStore, KeepsNothingOfAnAddThatIsRefused) {
  const std::string cart = this->Good(this->store_.Create()).cart_id;
  EXPECT_EQ(this->Bad(this->store_.AddItem(cart, {"teapot", 1, {}})), CartError::kUnknownSku);
  EXPECT_EQ(this->Good(this->store_.View(cart)).version, 0U);
}

TYPED_TEST(EveryCartStore, ChecksOutOnce) {
  const std::string cart = this->Good(this->store_.Create()).cart_id;
  EXPECT_EQ(this->Bad(this->store_.Checkout(cart, 0)), CartError::kEmptyCart);
  const CartView seen = this->Good(this->store_.AddItem(cart, {"mug-enamel", 1, {}}));
  EXPECT_EQ(this->Bad(this->store_.Checkout(cart, seen.version + 1)), CartError::kChanged);
  const CartView bought = this->Good(this->store_.Checkout(cart, seen.version));
  ASSERT_TRUE(bought.order_id);
  EXPECT_EQ(this->Good(this->store_.Checkout(cart, seen.version)).order_id, bought.order_id);
  EXPECT_EQ(this->Good(this->store_.View(cart)).order_id, bought.order_id);
}

TYPED_TEST(EveryCartStore, KnowsNoOtherCarts) {
  const std::string cart = this->Good(this->store_.Create()).cart_id;
  for (const std::string& id : {std::string(), std::string(32, '0'), cart + "0",
                                "../carts/" + cart.substr(9), std::string(32, 'F')}) {
    EXPECT_EQ(this->Bad(this->store_.View(id)), CartError::kUnknownCart) << id;
    EXPECT_EQ(this->Bad(this->store_.AddItem(id, {"mug-enamel", 1, {}})), CartError::kUnknownCart);
    EXPECT_EQ(this->Bad(this->store_.Checkout(id, 0)), CartError::kUnknownCart) << id;
  }
}

TEST(MemoryCartStore, RefusesMoreCartsThanItMayHold) {
  MemoryCartStore store;
  for (std::size_t i = 0; i < MemoryCartStore::kMaxCarts; ++i) {
    ASSERT_TRUE(std::holds_alternative<CartView>(store.Create()));
  }
  EXPECT_EQ(std::get<CartError>(store.Create()), CartError::kTooManyCarts);
}

}  // namespace
}  // namespace assay::reference
