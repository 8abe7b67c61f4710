#include "transport/loop.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <stdexcept>
#include <string>

namespace assay {
namespace {

TEST(Loop, RunsTasksSideBySideAndWaitsForAll) {
  Loop loop;
  std::string order;
  Bell bell(loop);
  bool rung = false;
  const auto waits = [&]() -> Task<void> {
    order += "a";
    while (!rung) co_await bell.Wait(Clock::time_point::max());
    order += "c";
  };
  const auto rings = [&]() -> Task<void> {
    order += "b";
    rung = true;
    bell.Ring();
    co_return;
  };
  const auto main = [&]() -> Task<void> {
    std::vector<Task<void>> tasks;
    tasks.push_back(waits());
    tasks.push_back(rings());
    co_await loop.All(std::move(tasks));
    order += "d";
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_EQ(order, "abcd");
}

TEST(Loop, AllOfNothingEndsAtOnce) {
  Loop loop;
  bool ended = false;
  const auto main = [&]() -> Task<void> {
    co_await loop.All({});
    ended = true;
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_TRUE(ended);
}

TEST(Loop, AnExceptionOfATaskComesOutOfRun) {
  Loop loop;
  const auto fails = []() -> Task<void> {
    throw std::runtime_error("broken");
    co_return;
  };
  const auto main = [&]() -> Task<void> {
    std::vector<Task<void>> tasks;
    tasks.push_back(fails());
    co_await loop.All(std::move(tasks));
  };
  loop.Spawn(main());
  EXPECT_THROW(loop.Run(), std::runtime_error);
}

TEST(Loop, CallsTheHandlerOnEachInterruptUntilTheGuardGoes) {
  Loop loop;
  int calls = 0;
  std::shared_ptr<void> guard;
  guard = loop.OnInterrupt([&] {
    if (++calls == 2) {
      guard.reset();
    } else {
      ::raise(SIGTERM);
    }
  });
  ::raise(SIGINT);
  loop.Run();
  EXPECT_EQ(calls, 2);
}

TEST(Bell, ReturnsFalseWhenTheDeadlineHasPassed) {
  Loop loop;
  bool rung = true;
  Bell bell(loop);
  const auto main = [&]() -> Task<void> { rung = co_await bell.Wait(Clock::now()); };
  loop.Spawn(main());
  loop.Run();
  EXPECT_FALSE(rung);
}

TEST(Bell, WakesItsWaitersWhenItGoes) {
  Loop loop;
  auto bell = std::make_unique<Bell>(loop);
  bool woken = false;
  const auto waits = [&]() -> Task<void> { woken = co_await bell->Wait(Clock::time_point::max()); };
  const auto ends = [&]() -> Task<void> {
    bell.reset();
    co_return;
  };
  loop.Spawn(waits());
  loop.Spawn(ends());
  loop.Run();
  EXPECT_TRUE(woken);
}

}  // namespace
}  // namespace assay
