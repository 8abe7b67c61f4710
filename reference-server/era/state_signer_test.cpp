#include "era/state_signer.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

namespace json = boost::json;

const json::object kArguments{{"cart_id", "c1"}, {"note", json::array{1, "two"}}};
const StateBinding kBinding{"tools/call", "cart_checkout", kArguments, "alice"};
const StateSigner::Time kNow{std::chrono::hours(500'000)};

class StateSignerTest : public testing::Test {
 protected:
  StateSigner signer_{NewSecretKey(), std::chrono::minutes(10)};
  json::object payload_{{"confirm", json::object{{"action", "accept"}}}};
  std::string state_ = signer_.Sign(payload_, kBinding, kNow);
};

TEST_F(StateSignerTest, GivesBackWhatItSigned) {
  EXPECT_EQ(signer_.Verify(state_, kBinding, kNow), payload_);
}

TEST_F(StateSignerTest, TheOrderOfTheArgumentsMembersIsNoDifference) {
  const json::object reordered{{"note", json::array{1, "two"}}, {"cart_id", "c1"}};
  EXPECT_TRUE(signer_.Verify(state_, {"tools/call", "cart_checkout", reordered, "alice"}, kNow));
}

TEST_F(StateSignerTest, RefusesEveryOtherBinding) {
  const json::object other_cart{{"cart_id", "c2"}, {"note", json::array{1, "two"}}};
  const json::object swapped{{"cart_id", "c1"}, {"note", json::array{"two", 1}}};
  for (const StateBinding& other :
       {StateBinding{"prompts/get", "cart_checkout", kArguments, "alice"},
        StateBinding{"tools/call", "cart_view", kArguments, "alice"},
        StateBinding{"tools/call", "cart_checkout", other_cart, "alice"},
        StateBinding{"tools/call", "cart_checkout", swapped, "alice"},
        StateBinding{"tools/call", "cart_checkout", kArguments, "bob"}}) {
    EXPECT_FALSE(signer_.Verify(state_, other, kNow)) << other.name << ' ' << other.principal;
  }
}

TEST_F(StateSignerTest, RefusesEveryChangedCharacter) {
  for (std::size_t i = 0; i < state_.size(); ++i) {
    for (const char other : {'A', 'z', '=', ' ', '\n', '-'}) {
      std::string changed = state_;
      if (changed[i] == other) continue;
      changed[i] = other;
      EXPECT_FALSE(signer_.Verify(changed, kBinding, kNow)) << i << other;
    }
  }
}

TEST_F(StateSignerTest, RefusesWhatIsCutOrLengthened) {
  for (std::size_t size = 0; size < state_.size(); ++size) {
    EXPECT_FALSE(signer_.Verify(std::string_view(state_).substr(0, size), kBinding, kNow)) << size;
  }
  for (const std::string_view more : {"-TAMPERED", "=", "\n", "AAAA", " "}) {
    EXPECT_FALSE(signer_.Verify(state_ + std::string(more), kBinding, kNow)) << more;
  }
}

TEST_F(StateSignerTest, ExpiresAfterItsLifetime) {
  EXPECT_TRUE(signer_.Verify(state_, kBinding,
                             kNow + std::chrono::minutes(10) - std::chrono::milliseconds(1)));
  EXPECT_FALSE(signer_.Verify(state_, kBinding, kNow + std::chrono::minutes(10)));
}

TEST_F(StateSignerTest, AnotherKeyRefuses) {
  EXPECT_FALSE(
      StateSigner(NewSecretKey(), std::chrono::minutes(10)).Verify(state_, kBinding, kNow));
}

}  // namespace
}  // namespace assay::reference
