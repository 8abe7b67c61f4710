// Two instances of the program share a store: clients may come to either, and either may die at any
// moment.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <boost/json.hpp>
#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cart/goods.h"
#include "cart/temporary_folder_for_test.h"
#include "transport/http/endpoint_for_test.h"
#include "transport/http_client_for_test.h"
#include "transport/server_process_for_test.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// Something that can be taken by one as often as it was given by others.
class Supply {
 public:
  void Give(int count = 1) {
    {
      const std::scoped_lock lock(mutex_);
      left_ += count;
    }
    more_.notify_all();
  }

  /// False if it does not come.
  bool Take(int count = 1) {
    std::unique_lock lock(mutex_);
    if (!more_.wait_for(lock, kPatience, [&] { return left_ >= count; })) return false;
    left_ -= count;
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  int left_ = 0;
};

/// `arguments` and `more`, members of params besides name and arguments, are JSON text.
json::value CallTool(std::uint16_t port, const std::string& tool, const std::string& arguments,
                     const std::string& more = {}) {
  const std::string members =
      R"("name":")" + tool + R"(","arguments":)" + arguments + (more.empty() ? "" : "," + more);
  return ExchangeWith(port, ModernRequest(
                                "tools/call", tool,
                                Enveloped("1", "tools/call", members, {}, R"({"elicitation":{}})")))
      .Json();
}

json::object Structured(const json::value& answer) {
  return answer.at("result").at("structuredContent").as_object();
}

std::string Cart(const std::string& id) { return R"({"cart_id":")" + id + R"("})"; }

class ManyInstancesTest : public testing::Test {
 protected:
  ManyInstancesTest() {
    Start(0);
    Start(1);
  }

  void Start(std::size_t which) {
    instances_[which] = std::make_unique<ServerProcess>(std::vector<std::string>{
        "--store", folder_ / "store", "--instance", which == 0 ? "a" : "b"});
    ports_[which] = instances_[which]->port();
  }
  void Kill(std::size_t which) { instances_[which]->Kill(); }

  json::value Call(std::size_t which, const std::string& tool, const std::string& arguments,
                   const std::string& more = {}) const {
    return CallTool(ports_.at(which), tool, arguments, more);
  }

  std::string NewCart() const {
    return std::string(Structured(Call(1, "cart_create", "{}")).at("cart_id").as_string());
  }

  /// Until it is answered: by the given instance, or else by the second one, which lives.
  json::value Insist(std::size_t which, const std::string& tool,
                     const std::string& arguments) const {
    try {
      return Call(which, tool, arguments);
    } catch (const std::runtime_error&) {
      return Call(1, tool, arguments);
    }
  }

 private:
  const TemporaryFolder folder_;
  std::array<std::unique_ptr<ServerProcess>, 2> instances_;
  std::array<std::atomic<std::uint16_t>, 2> ports_{};
};

TEST_F(ManyInstancesTest, NothingIsLostOrDoubledWhileOneIsKilledAgainAndAgain) {
  constexpr int kClients = 8;
  constexpr int kCarts = 3;
  constexpr int kAddsToEachCart = 11;  // by each client
  constexpr int kKills = 20;
  constexpr int kStretch = 4;  // adds between a kill, the new start, and the next kill
  constexpr int kAddsAfterwards = kClients * kCarts * kAddsToEachCart - kKills * 3 * kStretch;
  static_assert(kAddsAfterwards > 0);

  std::vector<std::string> carts;
  for (int i = 0; i < kCarts; ++i) carts.push_back(NewCart());
  const auto sku = [](int client) {
    return std::string(Goods()[static_cast<std::size_t>(client) % Goods().size()].sku);
  };

  // The adds go on through every kill and every start, and are not over before the last one.
  Supply turns;
  Supply done;
  std::vector<std::future<void>> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.push_back(std::async(std::launch::async, [&, client] {
      for (int i = 0; i < kCarts * kAddsToEachCart; ++i) {
        if (!turns.Take()) return;
        const std::string key = std::to_string(client) + "-" + std::to_string(i);
        const auto answer =
            Insist(static_cast<std::size_t>(client + i) % 2, "cart_add_item",
                   R"({"cart_id":")" + carts[static_cast<std::size_t>(i % kCarts)] +
                       R"(","sku":")" + sku(client) + R"(","idempotency_key":")" + key + R"("})");
        EXPECT_TRUE(Structured(answer).contains("version"));
        done.Give();
      }
    }));
  }
  for (int kill = 0; kill < kKills; ++kill) {
    turns.Give(3 * kStretch);
    ASSERT_TRUE(done.Take(kStretch));
    Kill(0);
    ASSERT_TRUE(done.Take(kStretch));
    Start(0);
    ASSERT_TRUE(done.Take(kStretch));
  }
  turns.Give(kAddsAfterwards);
  for (std::future<void>& client : clients) client.get();

  std::map<std::string, int> quantities;
  for (int client = 0; client < kClients; ++client) quantities[sku(client)] += kAddsToEachCart;
  for (const std::string& cart : carts) {
    const json::object view = Structured(Call(0, "cart_view", Cart(cart)));
    EXPECT_EQ(view, Structured(Call(1, "cart_view", Cart(cart))));
    EXPECT_EQ(view.at("version"), kClients * kAddsToEachCart);
    std::map<std::string, int> found;
    for (const json::value& item : view.at("items").as_array()) {
      found[item.at("sku").as_string().c_str()] = item.at("quantity").to_number<int>();
    }
    EXPECT_EQ(found, quantities);
  }
}

TEST_F(ManyInstancesTest, ACheckoutIsFinishedByAnotherThanTheOneThatAsked) {
  const std::string cart = NewCart();
  Call(0, "cart_add_item", R"({"cart_id":")" + cart + R"(","sku":"mug-enamel"})");
  const json::value question = Call(0, "cart_checkout", Cart(cart));
  ASSERT_EQ(question.at("result").at("resultType"), "input_required");
  Kill(0);

  const json::value& asked = question.at("result").at("inputRequests");
  const json::object confirmed{{"action", "accept"}, {"content", {{"confirm", true}}}};
  const json::object answers{{asked.as_object().begin()->key(), confirmed}};
  const json::object bought =
      Structured(Call(1, "cart_checkout", Cart(cart),
                      R"("inputResponses":)" + json::serialize(answers) + R"(,"requestState":)" +
                          json::serialize(question.at("result").at("requestState"))));
  ASSERT_TRUE(bought.contains("order_id"));

  Start(0);
  EXPECT_EQ(Structured(Call(0, "cart_checkout", Cart(cart))), bought);
}

}  // namespace
}  // namespace assay::reference
