#include "transport/stdio_channel.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testing/processes.h"
#include "transport/containment.h"

namespace assay {
namespace {

using Event = Entry::Event;
using Direction = Entry::Direction;

Command Shell(const std::string& script) {
  return {.argv = {"sh", "-c", script}, .environment = {}};
}
Command Hostile(const std::string& mode) {
  return {.argv = {ASSAY_HOSTILE_SERVER, mode}, .environment = {}};
}

// Everything that came of a server.
struct Life {
  std::vector<ChannelEvent> events;

  std::string Said(Direction direction) const {
    std::string all;
    for (const ChannelEvent& event : events) {
      if (event.direction == direction) all += event.bytes + (event.terminated ? "\n" : "");
    }
    return all;
  }
  const ChannelEvent* Find(Event event) const {
    const auto found = std::find_if(events.begin(), events.end(),
                                    [&](const auto& other) { return other.event == event; });
    return found == events.end() ? nullptr : &*found;
  }
};

struct StdioChannelTest : testing::Test {
  StdioChannelTest() {
    ::signal(SIGPIPE, SIG_IGN);
    AdoptOrphans();
  }
  ~StdioChannelTest() override { EXPECT_EQ(CountServersAlive(), 0); }

  // Writes `input` to the server, waits until it has ended by itself, and ends it otherwise.
  Life Live(const Command& command, const std::string& input = "",
            std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    Life life;
    Loop loop;
    const auto main = [&]() -> Task<void> {
      const auto channel = StartStdioServer(loop, command, limits);
      channel->Listen([&](ChannelEvent event) { life.events.push_back(std::move(event)); });
      channel->Write(input);
      channel->CloseInput();
      co_await channel->Ended(Clock::now() + patience);
      co_await channel->Shutdown(std::chrono::milliseconds(0));
      EXPECT_TRUE(channel->ended());
    };
    loop.Spawn(main());
    loop.Run();
    return life;
  }

  ChannelLimits limits;
};

TEST_F(StdioChannelTest, CarriesLinesBothWays) {
  const Life life = Live({.argv = {"cat"}, .environment = {}}, "one\ntwo\nthree");
  EXPECT_EQ(life.Said(Direction::kIn), "one\ntwo\nthree");
  EXPECT_FALSE(life.events[life.events.size() - 2].terminated);
  ASSERT_EQ(life.events.back().event, Event::kExited);
  EXPECT_EQ(life.events.back().exit_code, 0);
}

TEST_F(StdioChannelTest, CarriesMoreThanAPipeHolds) {
  std::string input;
  for (int i = 0; i < 50'000; ++i) input += std::to_string(i) + " and some more text\n";
  limits.output = std::size_t{256} << 20;
  EXPECT_EQ(Live({.argv = {"cat"}, .environment = {}}, input).Said(Direction::kIn), input);
}

TEST_F(StdioChannelTest, ACommandThatCannotStartSaysSo) {
  for (const char* program : {"/no/such/program", "/"}) {
    const Life life = Live({.argv = {program}, .environment = {}});
    ASSERT_EQ(life.events.size(), 1U);
    EXPECT_EQ(life.events[0].event, Event::kNotStarted);
    EXPECT_NE(life.events[0].bytes.find(program), std::string::npos);
  }
}

TEST_F(StdioChannelTest, TellsExitCodesFromSignals) {
  const Life nine = Live(Shell("exit 9"));
  EXPECT_EQ(nine.events.back().exit_code, 9);
  EXPECT_EQ(nine.events.back().signal, 0);
  const Life killed = Live(Shell("kill -9 $$"));
  EXPECT_EQ(killed.events.back().event, Event::kExited);
  EXPECT_EQ(killed.events.back().signal, 9);
}

TEST_F(StdioChannelTest, TheLastWordsComeBeforeTheEnd) {
  const Life life = Live(Shell("echo out; printf rest; echo err >&2; kill -SEGV $$"));
  EXPECT_EQ(life.Said(Direction::kIn), "out\nrest");
  EXPECT_EQ(life.Said(Direction::kError), "err\n\n");
  EXPECT_EQ(life.events.back().event, Event::kExited);
  EXPECT_EQ(life.Find(Event::kOutputClosed), nullptr);
}

TEST_F(StdioChannelTest, AClosedStdoutIsNotTheEnd) {
  const Life life = Live(Shell("exec >&-; read line; sleep 0.3"), "go\n");
  EXPECT_NE(life.Find(Event::kOutputClosed), nullptr);
  EXPECT_EQ(life.events.back().event, Event::kExited);
}

TEST_F(StdioChannelTest, TheServerGetsItsEnvironmentAndNoDescriptorOfOurs) {
  const Life life = Live({.argv = {"sh", "-c", "echo $GREETING; ls /proc/self/fd"},
                          .environment = {{"GREETING", "hello"}}});
  EXPECT_EQ(life.Said(Direction::kIn), "hello\n0\n1\n2\n3\n");  // 3 is ls looking
}

TEST_F(StdioChannelTest, AServerThatDoesNotReadHoldsNobodyUp) {
  const Life life = Live(Hostile("never-reads"), std::string(std::size_t{10} << 20, 'x'),
                         std::chrono::milliseconds(50));
  EXPECT_EQ(life.events.back().event, Event::kKilled);
  EXPECT_EQ(life.events.back().signal, SIGTERM);
}

TEST_F(StdioChannelTest, WhoIgnoresSigtermIsKilled) {
  const Life life = Live(Hostile("ignores-sigterm"), "", std::chrono::milliseconds(300));
  EXPECT_EQ(life.events.back().event, Event::kKilled);
  EXPECT_EQ(life.events.back().signal, SIGKILL);
}

TEST_F(StdioChannelTest, WhatAServerLeavesRunningIsKilledAndTold) {
  for (const char* mode : {"leaves-child", "leaves-daemon"}) {
    const Life life = Live(Hostile(mode));
    ASSERT_NE(life.Find(Event::kExited), nullptr) << mode;
    EXPECT_EQ(life.Find(Event::kExited)->exit_code, 0);
    EXPECT_EQ(life.events.back().event, Event::kOrphans);
    EXPECT_EQ(CountServersAlive(), 0) << mode;
  }
}

TEST_F(StdioChannelTest, AFloodIsStopped) {
  limits.output = std::size_t{1} << 20;
  const Life life = Live(Hostile("flood-lines"));
  EXPECT_NE(life.Find(Event::kFlood), nullptr);
  EXPECT_EQ(life.events.back().event, Event::kKilled);
  EXPECT_LT(life.events.size(), 40'000U);
}

TEST_F(StdioChannelTest, OfMuchStderrTheHeadAndTheTailAreKept) {
  limits.stderr_head = 10;
  limits.stderr_tail = 10;
  const Life life = Live(Shell("echo 123456789 >&2; seq 1000 >&2; echo abcdefghi >&2"));
  const std::string said = life.Said(Direction::kError);
  EXPECT_TRUE(said.starts_with("123456789\n")) << said;
  EXPECT_NE(said.find("bytes left out]"), std::string::npos);
  EXPECT_NE(said.find("abcdefghi\n"), std::string::npos);
  EXPECT_LT(said.size(), 100U);
}

TEST_F(StdioChannelTest, AChannelThatGoesTakesItsServerAlong) {
  Loop loop;
  { const auto channel = StartStdioServer(loop, Hostile("leaves-daemon"), limits); }
  loop.Run();
  EXPECT_EQ(CountServersAlive(), 0);
}

TEST_F(StdioChannelTest, WhatCameBeforeSomebodyListensIsNotLost) {
  Loop loop;
  std::string heard;
  const auto main = [&]() -> Task<void> {
    const auto channel = StartStdioServer(loop, Shell("echo early"), limits);
    co_await channel->Ended(Clock::time_point::max());
    channel->Listen([&](const ChannelEvent& event) { heard += event.bytes + ";"; });
  };
  loop.Spawn(main());
  loop.Run();
  EXPECT_EQ(heard, "started;early;exited with code 0;");
}

}  // namespace
}  // namespace assay
