#include "exchange/connection.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

// A server that says what the test makes it say.
class FakeChannel final : public Channel {
 public:
  void Listen(std::function<void(ChannelEvent)> listener) override {
    listener_ = std::move(listener);
  }
  void Write(std::string bytes) override { written += bytes; }
  void CloseInput() override {}
  void Signal(int) override {}
  bool ended() const override { return false; }
  Task<bool> Ended(Clock::time_point) override { co_return false; }
  Task<void> Shutdown(std::chrono::milliseconds) override { co_return; }

  void Say(const std::string& line) {
    listener_({.direction = Entry::Direction::kIn, .bytes = line});
  }
  void Happen(Entry::Event event) { listener_({.event = event, .bytes = ""}); }

  std::string written;

 private:
  std::function<void(ChannelEvent)> listener_;
};

struct ConnectionTest : testing::Test {
  // A lane, and what was said to it.
  struct Listener {
    std::shared_ptr<Lane> lane;
    std::vector<std::string> heard;
  };
  std::shared_ptr<Listener> Open(bool alone = false) {
    auto listener = std::make_shared<Listener>();
    auto observer = [heard = listener.get()](const ChannelEvent& event, const Message*) {
      heard->heard.push_back(event.bytes);
    };
    listener->lane = alone ? connection.OpenAlone(observer) : connection.OpenShared(observer);
    return listener;
  }
  std::string Ask(const Listener& listener) {
    const Json id = connection.NextId();
    const std::string line = R"({"id":)" + id.Dump() + R"(,"method":"m"})";
    connection.Send(listener.lane, line, ParseMessage(line));
    return id.Dump();
  }
  static std::string Answer(const std::string& id) { return R"({"id":)" + id + R"(,"result":{}})"; }

  Loop loop;
  FakeChannel* server = new FakeChannel;
  Connection connection{loop, std::unique_ptr<Channel>(server)};
};

TEST_F(ConnectionTest, EachLaneHearsItsOwnAnswers) {
  std::vector<std::shared_ptr<Listener>> listeners;
  std::vector<std::string> ids;
  for (int i = 0; i < 16; ++i) listeners.push_back(Open());
  for (const auto& listener : listeners) ids.push_back(Ask(*listener));
  for (std::size_t i = ids.size(); i-- > 0;) server->Say(Answer(ids[i]));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(listeners[i]->heard, std::vector<std::string>{Answer(ids[i])});
    EXPECT_FALSE(listeners[i]->lane->disturbed());
  }
}

TEST_F(ConnectionTest, WhatCannotBeAttributedDisturbsAllThatAreOpen) {
  for (const char* line : {R"({"method":"notifications/x"})", "no JSON", R"({"id":5,"result":{}})",
                           R"({"id":null,"error":{}})", R"({"id":"7000001","result":{}})",
                           R"({"id":1,"method":"ping"})"}) {
    const auto one = Open();
    const auto other = Open();
    Ask(*one);
    server->Say(line);
    EXPECT_TRUE(one->lane->disturbed()) << line;
    EXPECT_TRUE(other->lane->disturbed()) << line;
    connection.Close(*one->lane);
    connection.Close(*other->lane);
  }
}

TEST_F(ConnectionTest, WhatComesBetweenTwoLanesDisturbsTheNext) {
  const auto one = Open();
  connection.Close(*one->lane);
  server->Say("junk");
  EXPECT_TRUE(Open()->lane->disturbed());
  EXPECT_FALSE(Open()->lane->disturbed());
}

TEST_F(ConnectionTest, ASecondAnswerAfterTheEndDisturbsWhoAsked) {
  const auto one = Open();
  const auto other = Open();
  const std::string id = Ask(*one);
  server->Say(Answer(id));
  connection.Close(*one->lane);
  EXPECT_FALSE(one->lane->disturbed());
  server->Say(Answer(id));
  EXPECT_TRUE(one->lane->disturbed());
  EXPECT_FALSE(other->lane->disturbed());
  EXPECT_EQ(one->heard.size(), 1U);
}

TEST_F(ConnectionTest, TheEndOfTheServerDisturbsAllThatAreOpen) {
  const auto one = Open();
  server->Happen(Entry::Event::kStarted);
  EXPECT_FALSE(one->lane->disturbed());
  server->Happen(Entry::Event::kExited);
  EXPECT_TRUE(one->lane->disturbed());
}

TEST_F(ConnectionTest, StderrDisturbsNobody) {
  const auto one = Open();
  server->Happen(Entry::Event::kNone);
  EXPECT_FALSE(one->lane->disturbed());
}

TEST_F(ConnectionTest, ALaneAloneHearsEverythingFromTheStart) {
  server->Say("banner");
  const auto one = Open(true);
  server->Say(R"({"method":"notifications/x"})");
  server->Say(R"({"id":5,"result":{}})");
  EXPECT_EQ(one->heard, (std::vector<std::string>{"banner", R"({"method":"notifications/x"})",
                                                  R"({"id":5,"result":{}})"}));
  EXPECT_FALSE(one->lane->disturbed());
}

TEST_F(ConnectionTest, WritesAsItIsTold) {
  const auto one = Open();
  connection.Send(one->lane, "a", Message());
  connection.Send(one->lane, "b\n", Message());
  EXPECT_EQ(server->written, "ab\n");
}

}  // namespace
}  // namespace assay
