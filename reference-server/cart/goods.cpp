#include "cart/goods.h"

#include <algorithm>
#include <array>

namespace assay::reference {
namespace {

constexpr std::array<Good, 6> kGoods{{
    {"cable-usb-c", "USB-C cable, 2 m", 1290},
    {"coffee-250g", "Coffee beans, 250 g", 875},
    {"keyboard-tkl", "Mechanical keyboard, without number pad", 11900},
    {"mug-enamel", "Enamel mug", 1450},
    {"notebook-a5", "Notebook, A5, dotted", 620},
    {"stickers-10", "Stickers, 10 pieces", 399},
}};
static_assert(std::ranges::is_sorted(kGoods, {}, &Good::sku));

}  // namespace

std::span<const Good> Goods() { return kGoods; }

const Good* FindGood(std::string_view sku) {
  const auto* const good = std::ranges::lower_bound(kGoods, sku, {}, &Good::sku);
  return good != kGoods.end() && good->sku == sku ? good : nullptr;
}

}  // namespace assay::reference
