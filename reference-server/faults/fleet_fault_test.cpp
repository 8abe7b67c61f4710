// Every fault that takes a fleet shows between two instances that share a store.
#include <gtest/gtest.h>

#include <array>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cart/temporary_folder_for_test.h"
#include "faults/fault_list.h"
#include "faults/listed_faults_for_test.h"
#include "faults/without_chance_for_test.h"
#include "transport/http/endpoint_for_test.h"
#include "transport/http_client_for_test.h"
#include "transport/server_process_for_test.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// What clients do behind a balancer, in both eras. Returns everything that can be observed.
class FleetConversation {
 public:
  /// Without a name there is no fault.
  explicit FleetConversation(std::string_view fault) {
    for (const std::size_t which : {0U, 1U}) {
      std::vector<std::string> arguments{"--store", folder_ / "store", "--instance",
                                         which == 0 ? "a" : "b"};
      if (!fault.empty()) arguments.insert(arguments.end(), {"--fault", std::string(fault)});
      instances_.at(which) = std::make_unique<ServerProcess>(arguments);
    }
  }

  std::string Run() {
    for (const std::size_t which : {0U, 1U}) {
      Note(Exchange(which, ModernRequest("tools/list", {}, Enveloped("1", "tools/list"))));
    }
    Session();
    return transcript_ + BuyACart();
  }

  /// What comes of a checkout that begins on one instance and ends on the other.
  std::string BuyACart() {
    const json::value made = Call(0, "cart_create", "{}");
    const std::string cart =
        R"({"cart_id":)" +
        json::serialize(made.at("result").at("structuredContent").at("cart_id")) + "}";
    Call(0, "cart_view", cart);
    Call(1, "cart_add_item", cart.substr(0, cart.size() - 1) + R"(,"sku":"mug-enamel"})");
    Call(0, "cart_view", cart);
    const std::string question = json::serialize(Call(0, "cart_checkout", cart));
    Call(1, "cart_checkout", cart,
         R"(,"inputResponses":{"buy-version-1":{"action":"accept","content":{"confirm":true}}})"
         R"(,"requestState":")" +
             StringMember(question, "requestState") + "\"");
    return transcript_;
  }

 private:
  Received Exchange(std::size_t which, const HttpRequest& request) {
    return ExchangeWith(instances_.at(which)->port(), request);
  }

  void Note(const Received& received) {
    transcript_ += std::to_string(received.status) + " " + WithoutChance(received.body) + "--\n";
  }

  json::value Call(std::size_t which, const std::string& tool, const std::string& arguments,
                   const std::string& more = {}) {
    const std::string members = R"("name":")" + tool + R"(","arguments":)" + arguments + more;
    const Received received = Exchange(
        which, ModernRequest("tools/call", tool,
                             Enveloped("1", "tools/call", members, {}, R"({"elicitation":{}})")));
    Note(received);
    return received.Json();
  }

  void Session() {
    const std::string session = Exchange(0, PostRequest(Initialize())).Header("Mcp-Session-Id");
    for (const std::size_t which : {0U, 1U}) {
      Note(Exchange(which, PostRequest(Bare("1", "ping"), {{"Mcp-Session-Id", session}})));
    }
  }

  const TemporaryFolder folder_;
  std::array<std::unique_ptr<ServerProcess>, 2> instances_;
  std::string transcript_;
};

TEST(FleetFaultList, TheConversationIsTheSameEachTime) {
  EXPECT_EQ(FleetConversation({}).Run(), FleetConversation({}).Run());
}

class EveryFleetFault : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryFleetFault, ShowsItselfBetweenTwoInstances) {
  static const std::string clean = FleetConversation({}).Run();
  EXPECT_NE(FleetConversation(AllFaults()[GetParam()].name).Run(), clean);
}

INSTANTIATE_TEST_SUITE_P(, EveryFleetFault, testing::ValuesIn(FaultsOfFleets()), NameOfListed);

}  // namespace
}  // namespace assay::reference
