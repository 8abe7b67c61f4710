#include "runner/fleets.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "message/balancer_fields.h"
#include "runner/temporary_folder.h"
#include "testing/processes.h"
#include "transport/containment.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

int CountDescriptors() {
  return static_cast<int>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

// Folders that fleets of this process' temporary folder share.
int CountStores() {
  return static_cast<int>(
      std::count_if(fs::directory_iterator(fs::temp_directory_path()), {}, [](const auto& entry) {
        return entry.path().filename().string().starts_with("assay-fleet-");
      }));
}

struct FleetsTest : testing::Test {
  FleetsTest() {
    ::signal(SIGPIPE, SIG_IGN);
    AdoptOrphans();
    // What other tests leave in the folder meanwhile is not ours to count.
    ::setenv("TMPDIR", folder.path().c_str(), 1);
  }
  ~FleetsTest() override {
    EXPECT_EQ(CountServersAlive(), 0);
    ::unsetenv("TMPDIR");
  }

  static ServerSource Reference() {
    ServerSource source;
    source.command.argv = {ASSAY_REFERENCE_SERVER, "--transport", "http", "--port", "{port}"};
    source.reach.over_http = true;
    return source;
  }
  static FleetSetup Sharing() {
    return {.arguments = {"--store", "{store}", "--instance", "{instance}"},
            .environment = {},
            .short_lived = {}};
  }

  void Run(std::size_t instances, const std::function<Task<void>(StartedFleet&)>& script) {
    Loop loop;
    const auto main = [&]() -> Task<void> {
      FleetStart start = co_await StartFleet(loop, Reference(),
                                             {.instances = instances, .shares = true}, Sharing());
      EXPECT_EQ(start.why_not, "");
      co_await script(*start.fleet);
      co_await start.fleet->Close();
    };
    loop.Spawn(main());
    loop.Run();
  }

  // The instance that served a request, and its status.
  static Task<std::string> Ask(Fleet& fleet, std::string name) {
    const std::shared_ptr<Connection> connection = fleet.Connect(name);
    std::string told;
    bool ended = false;
    const auto lane =
        connection->OpenAlone([&](const ChannelEvent& event, const Message* /*message*/) {
          if (event.head) {
            const std::string* instance = event.head->Find(kInstanceField);
            told =
                (instance == nullptr ? name : *instance) + " " + std::to_string(event.head->status);
          }
          ended = ended || event.event == Entry::Event::kHttpEnd;
        });
    connection->Request(lane, {.method = "GET", .path = "", .fields = {}, .body = ""});
    while (!ended) co_await lane->bell().Wait(Clock::time_point::max());
    connection->Close(*lane);
    co_await connection->channel().Shutdown(milliseconds(0));
    co_return told;
  }

  const TemporaryFolder folder{"fleets-test"};
};

TEST_F(FleetsTest, InstancesAreReachedInTurnAndByName) {
  Run(3, [](StartedFleet& fleet) -> Task<void> {
    std::vector<std::string> served;
    for (int i = 0; i < 4; ++i) served.push_back((co_await Ask(fleet, "main")).substr(0, 1));
    EXPECT_EQ(served, (std::vector<std::string>{"a", "b", "c", "a"}));
    EXPECT_EQ((co_await Ask(fleet, "b")).substr(0, 1), "b");
    EXPECT_TRUE(fleet.Has("c"));
    EXPECT_FALSE(fleet.Has("d"));
  });
}

TEST_F(FleetsTest, AKilledInstanceIsGoneUntilItIsRestarted) {
  Run(2, [](StartedFleet& fleet) -> Task<void> {
    co_await fleet.Kill("a");
    EXPECT_EQ(co_await Ask(fleet, "main"), "a 502");
    EXPECT_NE(co_await Ask(fleet, "main"), "b 502");
    EXPECT_EQ(co_await fleet.Restart("a"), "");
    const std::string again = co_await Ask(fleet, "main");
    EXPECT_TRUE(again.starts_with("a ") && again != "a 502") << again;
  });
}

TEST_F(FleetsTest, APausedInstanceCanBeRestarted) {
  Run(1, [](StartedFleet& fleet) -> Task<void> {
    fleet.Pause("a");
    EXPECT_EQ(co_await fleet.Restart("a"), "");
    EXPECT_EQ((co_await Ask(fleet, "main")).substr(0, 1), "a");
  });
}

TEST_F(FleetsTest, AnInstanceThatDoesNotStartSaysWhy) {
  Loop loop;
  FleetStart start;
  const auto main = [&]() -> Task<void> {
    FleetSetup setup = Sharing();
    setup.arguments = {"--no-such-option"};
    start = co_await StartFleet(loop, Reference(), {.instances = 2, .shares = true}, setup);
    co_await start.fleet->Close();
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_NE(start.why_not.find("instance a: the server ended before"), std::string::npos)
      << start.why_not;
}

// 200 fleets one after another: no process, no descriptor, no folder is left.
TEST_F(FleetsTest, ManyFleetsLeaveNothingBehind) {
  Loop loop;
  int before = 0;
  int after = 0;
  const auto main = [&]() -> Task<void> {
    for (int i = 0; i <= 200; ++i) {
      FleetStart start =
          co_await StartFleet(loop, Reference(), {.instances = 2, .shares = true}, Sharing());
      EXPECT_EQ(start.why_not, "");
      if (i % 20 == 0) co_await Ask(*start.fleet, "main");
      co_await start.fleet->Close();
      start.fleet.reset();
      if (i == 0) before = CountDescriptors();
    }
    after = CountDescriptors();
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_EQ(after, before) << "also ports: a lease of one holds a socket";
  EXPECT_EQ(CountServersAlive(), 0);
  EXPECT_EQ(CountStores(), 0);
}

}  // namespace
}  // namespace assay
