// Where the carts of a caller are: in the memory of its legacy session, or, in the modern era, in
// one store for everybody, which other instances of the server may share.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "cart/cart_store.h"
#include "cart/memory_cart_store.h"
#include "catalog/tool_call.h"

namespace assay::reference {

class Carts {
 public:
  /// Without a store that is shared the modern era's carts live as long as the process.
  explicit Carts(std::unique_ptr<CartStore> shared = std::make_unique<MemoryCartStore>())
      : shared_(std::move(shared)) {}

  CartStore& For(const Caller& caller) {
    return caller.session.empty() ? *shared_ : sessions_[caller.session].store;
  }

  /// The cart that the session made last, which its calls mean when they name none; empty at first.
  std::string& Current(const std::string& session) { return sessions_[session].current; }

  void EndSession(const std::string& session) { sessions_.erase(session); }

 private:
  struct Session {
    MemoryCartStore store;
    std::string current;
  };

  std::unique_ptr<CartStore> shared_;
  std::map<std::string, Session> sessions_;
};

}  // namespace assay::reference
