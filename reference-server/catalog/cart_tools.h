// The shopping cart as tools.
#pragma once

#include <vector>

#include "catalog/tool.h"

namespace assay::reference {

/// catalog_list, cart_create, cart_add_item, cart_view and cart_checkout, which buys only what the
/// user has confirmed.
std::vector<Tool> CartTools();

}  // namespace assay::reference
