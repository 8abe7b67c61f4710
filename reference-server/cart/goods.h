// What can be bought: a handful of goods.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay::reference {

struct Good {
  std::string_view sku;
  std::string_view name;
  std::int64_t price_cents = 0;
};
BOOST_DESCRIBE_STRUCT(Good, (), (sku, name, price_cents))

/// All goods, ordered by sku: the same list in the same order in every process.
std::span<const Good> Goods();

/// The good of that exact sku; null if there is none.
const Good* FindGood(std::string_view sku);

}  // namespace assay::reference
