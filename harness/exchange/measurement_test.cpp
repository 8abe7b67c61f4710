#include "exchange/measurement.h"

#include <gtest/gtest.h>

#include <memory>

#include "message/balancer_fields.h"

namespace assay {
namespace {

using std::chrono::microseconds;

struct MeasurementTest : testing::Test {
  Entry& Add(int at, int exchange, Entry::Direction direction, Entry::Event event) {
    Entry entry;
    entry.at = microseconds(at);
    entry.connection = "main";
    entry.direction = direction;
    entry.event = event;
    entry.exchange = exchange;
    transcript.entries.push_back(std::move(entry));
    return transcript.entries.back();
  }
  std::size_t Send(int at, int exchange) {
    Add(at, exchange, Entry::Direction::kOut, Entry::Event::kNone).message =
        ParseMessage(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})");
    return transcript.entries.size() - 1;
  }
  void Answer(int at, int exchange, const std::string& instance, const std::string& body) {
    const auto head =
        std::make_shared<const HttpHead>(HttpHead{200, {{std::string(kInstanceField), instance}}});
    Entry& in = Add(at, exchange, Entry::Direction::kIn, Entry::Event::kNone);
    in.head = head;
    in.bytes = body;
    Add(at, exchange, Entry::Direction::kEvent, Entry::Event::kHttpEnd).head = head;
  }
  std::size_t Note(int at) {
    Add(at, 0, Entry::Direction::kEvent, Entry::Event::kNone);
    return transcript.entries.size() - 1;
  }

  Transcript transcript;
};

TEST_F(MeasurementTest, ACallThatStaysOpenIsHeldWhileThePersonThinks) {
  const std::size_t call = Send(100, 1);
  const std::size_t from = Note(200);
  const std::size_t to = Note(1700);
  Answer(1800, 1, "a", "12345");
  const auto measured = Measure(transcript, {{{"buy", {call}}}, {{from, to}}});
  ASSERT_EQ(measured.size(), 1U);
  EXPECT_EQ(measured[0].name, "buy");
  EXPECT_EQ(measured[0].requests, 1);
  EXPECT_EQ(measured[0].held, microseconds(1700));
  EXPECT_EQ(measured[0].thought, microseconds(1500));
  EXPECT_EQ(measured[0].held_while_thinking, microseconds(1500));
  EXPECT_EQ(measured[0].bytes, 5U);
}

TEST_F(MeasurementTest, TwoShortCallsHoldNothingMeanwhileAndMayEndElsewhere) {
  const std::size_t first = Send(100, 1);
  Answer(150, 1, "a", "");
  const std::size_t from = Note(200);
  const std::size_t to = Note(1700);
  const std::size_t second = Send(1800, 2);
  Answer(1850, 2, "b", "");
  const auto measured = Measure(transcript, {{{"buy", {first, second}}}, {{from, to}}});
  EXPECT_EQ(measured[0].requests, 2);
  EXPECT_EQ(measured[0].held, microseconds(100));
  EXPECT_EQ(measured[0].held_while_thinking, microseconds(0));
  EXPECT_EQ(measured[0].began_on, "a");
  EXPECT_EQ(measured[0].finished_on, "b");
}

TEST_F(MeasurementTest, WhatHasNoEndIsHeldToTheEnd) {
  const std::size_t call = Send(100, 1);
  Note(900);
  EXPECT_EQ(Measure(transcript, {{{"x", {call}}}, {}})[0].held, microseconds(800));
}

TEST_F(MeasurementTest, ADirectConnectionNamesItsInstance) {
  Send(0, 1);
  EXPECT_EQ(InstanceOf(transcript, 0), "");
  transcript.entries[0].connection = "b";
  EXPECT_EQ(InstanceOf(transcript, 0), "b");
}

}  // namespace
}  // namespace assay
